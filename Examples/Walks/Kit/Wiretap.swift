import PHASE

/// Listens in on one mixer, apart from all others.
public final class Wiretap: @unchecked Sendable {
    private let engine: PHASEEngine
    private let lock = NSLock()
    private var sound = Sound([[], []])

    /// On the mixer of that identifier. What it collects lies at engine time, with silence where the mixer gave
    /// nothing.
    public init(_ event: PHASESoundEvent, _ mixer: String, of engine: PHASEEngine) throws {
        self.engine = engine
        guard let mixer = event.mixers[mixer] else { throw Failure("the event has no mixer \(mixer)") }
        try mixer.installTap(bufferSize: 4800) { [weak self] buffer, time in
            self?.take(buffer, at: Int(time.sampleTime))
        }
    }

    /// All that passed until now, to within the tap's last buffer.
    public var heard: Sound {
        engine.drainCallbacks()
        return lock.withLock { sound }
    }

    private func take(_ buffer: AVAudioPCMBuffer, at frame: Int) {
        guard let data = buffer.floatChannelData else { return }
        lock.withLock {
            for channel in 0..<2 {
                let gap = max(frame - sound.channels[channel].count, 0)
                sound.channels[channel] += [Float](repeating: 0, count: gap)
                sound.channels[channel] += UnsafeBufferPointer(start: data[channel], count: Int(buffer.frameLength))
            }
        }
    }
}
