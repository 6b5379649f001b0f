import Foundation
import OssicleAVFAudio
import OssicleSpatial

/// The mix of one listener, apart from all others (an addition of Ossicle). From `PHASEEngine.output(for:)`.
///
/// It holds what comes from spatial and ambient mixers bound to that listener, with the engine's reverb in a room of
/// its own, and has a limiter of its own; channel mixers belong to no listener and are in the engine's output only. The
/// engine's output is the same with it and without. It runs as long as the client holds this object, or a tap is
/// installed on it. Any thread.
public final class PHASEListenerOutput: NSObject, @unchecked Sendable {
    /// Whose mix it is.
    public let listener: PHASEListener
    let mix: ListenerMix

    init(_ listener: PHASEListener, _ mix: ListenerMix) { (self.listener, self.mix) = (listener, mix) }

    /// The output of a listener, which is made if there is none. Under the engine's lock.
    static func of(_ listener: PHASEListener) -> PHASEListenerOutput {
        let control = listener.control
        if let output = control.outlets.mix(of: listener.number)?.owner as? PHASEListenerOutput { return output }
        let mix = ListenerMix(listener: listener.number)
        let output = PHASEListenerOutput(listener, mix)
        mix.owner = output
        control.outlets.add(mix)
        control.planChanged()
        return output
    }

    deinit { listener.control.planChanged() }

    /// As `PHASEEngine.installTap`, on this listener's output.
    public func installTap(
        bufferSize: AVAudioFrameCount, format: AVAudioFormat? = nil, block: @escaping AVAudioNodeTapBlock
    ) throws {
        let control = listener.control
        try control.locked {
            try mix.taps.install(control, at: "the output of \(listener.reportName)", bufferSize, format, block)
            mix.keepWhileTapped()
        }
    }

    /// Ends all taps on this output. What they had collected is delivered, though it fills no buffer.
    public func removeTap() {
        listener.control.locked {
            mix.taps.removeAll(listener.control)
            mix.keepWhileTapped()
        }
    }

    /// Frames that the taps on this output lost at a device, because they came faster than they were taken.
    public var droppedTapFrames: Int { listener.control.locked { mix.taps.droppedFrames } }

    /// Levels of this output since the last time this was read.
    public func takeMeters() -> PHASEMeters { listener.control.locked { mix.bus.map { PHASEMeters($0) } ?? .nothing } }
}
