import Dispatch
import Synchronization

extension OutputDevice {
    /// Plays interleaved samples in the device's own channel count and rate, and returns when all of them were handed over.
    ///
    /// Throws what `start` throws, and what became of the device when it ends before the samples do.
    package func play(interleaved samples: [Float]) throws {
        let playback = Playback(samples, channelCount: channelCount)
        try start(render: { playback.fill($0) }, events: { playback.hear($0) })
        playback.waitForEnd()
        stop()
        if let error = playback.error { throw error }
    }
}

/// Hands interleaved samples out block by block.
private final class Playback: Sendable {
    private let samples: [Float]
    private let channelCount: Int
    private let position = Atomic(0)
    private let ended = DispatchSemaphore(value: 0)
    private let failure = Mutex<DeviceError?>(nil)

    init(_ samples: [Float], channelCount: Int) {
        (self.samples, self.channelCount) = (samples, channelCount)
    }

    /// Device thread. Past the last sample it stays silent; the block after the last ends the waiting.
    func fill(_ block: borrowing OutputBlock) {
        let total = samples.count / channelCount
        let first = position.load(ordering: .relaxed)
        let count = min(block.frameCount, total - first)
        guard count > 0 else {
            ended.signal()
            return
        }
        for channel in 0..<channelCount {
            let target = block[channel]
            for frame in 0..<count { target[frame] = samples[(first + frame) * channelCount + channel] }
        }
        position.store(first + count, ordering: .relaxed)
    }

    /// Device thread.
    func hear(_ event: DeviceEvent) {
        switch event {
        case .started, .routeChanged, .formatChanged: return
        case .stopped: break
        case .lost(let error): failure.withLock { $0 = error }
        }
        ended.signal()
    }

    func waitForEnd() { ended.wait() }
    var error: DeviceError? { failure.withLock { $0 } }
}
