import Synchronization

/// Silences what this program plays at devices, whatever backend they belong to. A device's own: what its thread keeps.
///
/// The sound fades within one block, so that nothing clicks. `@unchecked`: only the device's thread calls `apply`.
final class OutputMute: @unchecked Sendable {
    private static let state = Atomic(false)

    /// Of this process. From any thread.
    static var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }

    private var gain: Float = OutputMute.isOn ? 0 : 1

    /// On the device's thread, in real time.
    func apply(_ block: borrowing OutputBlock, isMuted: Bool) {
        let target: Float = isMuted ? 0 : 1
        if gain == 1 && target == 1 { return }
        let step = (target - gain) / Float(max(block.frameCount, 1))
        for channel in 0..<block.channelCount {
            let samples = block[channel]
            for frame in 0..<block.frameCount { samples[frame] *= gain + step * Float(frame + 1) }
        }
        gain = target
    }
}
