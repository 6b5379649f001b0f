// What the client sets, and what follows between render calls.

import OssicleCore
import OssicleCoreAudioTypes

/// What a client has set.
struct PlayerControls {
    var volume: Float = 1
    var pan: Float = 0
    var rate: Float = 1
    var enableRate = false
    /// Negative: endless.
    var numberOfLoops = 0
    var assignments: [AVAudioSessionChannelDescription]?
    /// Identifier or name of the output.
    var device: String?

    /// The output's channels that the file's go to, counted from 0.
    var outputs: [Int]? { assignments?.map { $0.channelNumber - 1 } }

    /// How often the whole file follows what is left of the running pass.
    var repeats: Int { numberOfLoops < 0 ? .max : numberOfLoops }
}

extension PlayerVoice {
    /// What has been set; the volume is that of this moment.
    var current: PlayerControls {
        lock.withLock {
            var now = controls
            if let fade { now.volume = fade.volume(at: output.now.frame) }
            return now
        }
    }

    /// Sets the volume at once or, while it plays, in a straight line over `duration` seconds.
    func setVolume(_ volume: Float, over duration: TimeInterval) {
        lock.withLock {
            let from = current.volume
            let (frame, rate) = output.now
            controls.volume = volume
            fade = nil
            guard duration > 0, phase == .playing else {
                chain?.node.volume = volume
                return
            }
            let frames = Int64(min((duration * rate).rounded(), 0x1p60))
            fade = VolumeFade(from: from, to: volume, start: frame, frames: frames)
        }
    }

    func setPan(_ pan: Float) {
        lock.withLock {
            controls.pan = pan
            chain?.node.pan = pan
        }
    }

    func setRate(_ rate: Float) {
        lock.withLock {
            controls.rate = rate
            if phase == .playing { chain?.setSpeed(rate) }
        }
    }

    /// Takes effect when playing begins the next time.
    func setRateEnabled(_ isEnabled: Bool) { lock.withLock { controls.enableRate = isEnabled } }

    /// What plays finishes its pass and then plays as many more.
    func setLoops(_ count: Int) throws {
        try lock.withLock {
            guard count != controls.numberOfLoops else { return }
            controls.numberOfLoops = count
            if let soon, let frame = timeline.fileFrame(at: soon, length: source.length) {
                try schedule(from: frame, at: soon, isJump: false)
            } else if !timeline.isEmpty {
                try seek(to: rest)
            }
        }
    }

    func setAssignments(_ assignments: [AVAudioSessionChannelDescription]?) throws {
        let channels = Int(source.format.channelCount)
        if let assignments, assignments.count != channels {
            throw AudioPlayerFault.assignments(assignments.count, channels: channels)
        }
        lock.withLock {
            controls.assignments = assignments
            chain?.assign(controls.outputs)
        }
    }

    func setMetering(_ isEnabled: Bool) {
        lock.withLock {
            guard isEnabled != meter.isEnabled else { return }
            meter.isEnabled = isEnabled
            if let chain { measure(chain) }
        }
    }

    func endFade() {
        fade = nil
        chain?.node.volume = controls.volume
    }
}

extension PlayerVoice: SharedEngineMember {
    func tick(at frame: Int64) {
        lock.withLock {
            chain?.tick(at: frame)
            if let fade {
                // The mixer sets out with the next render call and takes a quantum.
                chain?.node.volume = fade.volume(at: frame + Int64(Grid.quantum))
                if fade.isOver(at: frame) { endFade() }
            }
            if phase == .playing { rest = position }
        }
        endIfBrokenOff()
    }

    func nextEvent(after frame: Int64) -> Int64? {
        lock.withLock {
            let quantum = Int64(Grid.quantum)
            let step = fade == nil ? nil : (frame / quantum + 1) * quantum
            return [step, chain?.nextEvent(after: frame)].compactMap { $0 }.min()
        }
    }

    func engineDidRestart() {
        lock.withLock {
            let wasPlaying = phase == .playing
            phase = .paused
            dropChain()
            guard wasPlaying else { return }
            do { try play(at: nil) } catch { errors.record(error) }
        }
    }

    func sessionInterrupted() {
        let wasPlaying = lock.withLock {
            defer { pause() }
            return phase == .playing
        }
        if wasPlaying { tell { $1.audioPlayerBeginInterruption($0) } }
    }

    func sessionInterruptionEnded(mayResume: Bool) {
        guard lock.withLock({ phase == .paused }) else { return }
        tell { $1.audioPlayerEndInterruption($0, withOptions: mayResume ? 1 : 0) }
    }

    func engineWasLost(_ error: any Error) {
        lock.withLock {
            if phase == .playing { phase = .paused }
            dropChain()
        }
        errors.record(error)
    }
}
