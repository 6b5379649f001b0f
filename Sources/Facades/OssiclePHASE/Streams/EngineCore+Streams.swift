/// What has been read from files so far.
struct StreamTotals {
    var framesRead: Int64 = 0
    var starvedFrames: Int64 = 0
}

/// Looking after streams, between render calls. Under the lock.
extension EngineCore {
    /// Has files read, takes back the buffers that have been played, and records what went wrong.
    func feedStreams() {
        dropLeftStreams()
        // Offline nothing may be late. In real time the lock is not held while a disk is waited for.
        if manual?.mode == .offline { readers.fillNow() } else { readers.wake() }
        for event in events {
            for voice in event.voices {
                if let feeder = voice.feeder { attend(to: feeder, of: voice, event) }
            }
            event.streams?.attend()
        }
        for feeder in readers.all { countFrames(of: feeder) }
    }

    private func attend(to feeder: StreamFeeder, of voice: Voice, _ event: EventInstance) {
        if let error = feeder.takeFailure() {
            feeder.seen.hasToldOfStarving = true
            record(error)
        }
        if feeder.couldNotOpen && !voice.isOver {
            send(.stop, to: voice)
            voice.state = .finished
            event.hasFailed = true
        }
        let starved = voice.starvedFrames
        guard starved > feeder.seen.starvedFrames else { return }
        streamTotals.starvedFrames += starved - feeder.seen.starvedFrames
        feeder.seen.starvedFrames = starved
        if feeder.seen.hasToldOfStarving { return }
        feeder.seen.hasToldOfStarving = true
        record(PHASESoundEventError(.badData, """
            Sound “\(voice.assetName)” of event “\(event.assetIdentifier)” could not be read in time: \(starved) frames were silent instead, so far. \
            Register it as .resident, or play fewer streams from this disk.
            """))
    }

    private func countFrames(of feeder: StreamFeeder) {
        let framesRead = feeder.framesRead
        streamTotals.framesRead += framesRead - feeder.seen.framesRead
        feeder.seen.framesRead = framesRead
    }

    /// The engine is gone: nobody will play what is scheduled.
    func stopAllStreams() {
        for entry in eventStreams { entry.streams?.stop() }
        eventStreams = []
    }
}

extension Voice {
    /// Its file could not be opened.
    var hasFailed: Bool { feeder?.couldNotOpen ?? false }

    /// Frames that a file could not deliver in time.
    var starvedFrames: Int64 { player.status.pointee.starvedFrames.load() }

    /// The sound asset it plays; empty for a stream.
    var assetName: String {
        if case .sound(let leaf, _) = content { leaf.asset } else { "" }
    }
}
