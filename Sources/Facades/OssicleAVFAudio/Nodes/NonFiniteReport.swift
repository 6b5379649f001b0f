import OssicleCoreAudioTypes
import OssicleRender
import Synchronization

/// Samples of a client's that were NaN or infinite and became 0: counted on the render side, recorded once on the control side.
final class NonFiniteReport: Sendable {
    private let samples = PublishedPosition()
    private let isRecorded = Atomic(false)

    /// Render side: clears a block that has come in.
    func clear(_ block: UnsafeMutablePointer<Float>, _ frames: Int) {
        let found = Mixing.clearNonFinite(block, frames)
        if found > 0 { samples.store(samples.load() + Int64(found)) }
    }

    /// Control side: records what has been cleared by now.
    func record(of node: AVAudioNode) { record(samples.load(), of: node) }

    /// Control side: records `count` samples, the first time that there are any.
    func record(_ count: Int64, of node: AVAudioNode) {
        guard count > 0, !isRecorded.exchange(true, ordering: .relaxed) else { return }
        node.home.record(Self.error(count, in: node.title))
    }

    static func error(_ count: Int64, in object: String) -> OssicleError {
        .avfaudio(kAudioUnitErr_InvalidParameterValue, object, value: "\(count) sample\(count == 1 ? "" : "s") that are NaN or infinite",
                  rule: "Sound is made of finite numbers; any other is played as 0. This is recorded once.",
                  cure: "Look for a division by zero, or for memory that was not written.")
    }
}
