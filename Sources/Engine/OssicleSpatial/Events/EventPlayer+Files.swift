/// What has been read from files so far.
package struct StreamTotals {
    package var framesRead: Int64 = 0
    package var starvedFrames: Int64 = 0
}

/// Streams between render calls.
extension EventPlayer {
    /// Has files read, takes back the buffers that have been played, and records what went wrong.
    /// - Parameter now: whether files are read before this returns: offline nothing may be late. In real time the lock
    ///   is not held while a disk is waited for.
    package func feedStreams(now: Bool) {
        dropLeftStreams()
        let feeders = readers.all
        if now {
            for feeder in feeders { feeder.fill() }
        } else {
            readers.wake()
        }
        guard needs.streams || !feeders.isEmpty else { return }
        for event in events {
            for voice in event.voices {
                if let feeder = voice.feeder { attend(to: feeder, of: voice, event) }
            }
            event.parts.streams?.attend()
        }
        for feeder in readers.all {
            let framesRead = feeder.framesRead
            streamTotals.framesRead += framesRead - feeder.seen.framesRead
            feeder.seen.framesRead = framesRead
        }
    }

    private func attend(to feeder: StreamFeeder, of voice: Voice, _ event: EventInstance) {
        if let error = feeder.takeFailure() {
            feeder.seen.hasReportedStarving = true
            host?.record(error)
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
        if feeder.seen.hasReportedStarving { return }
        feeder.seen.hasReportedStarving = true
        host?.record(
            SpatialError(
                .data, object: "Sound “\(voice.assetName)” of event “\(event.parts.assetIdentifier)”",
                found: "it could not be read in time, and \(starved) frames were silent instead so far",
                rule: "A streamed sound is read from its file while it plays.",
                cure: "Register it as .resident, or play fewer streams from this disk."))
    }
}
