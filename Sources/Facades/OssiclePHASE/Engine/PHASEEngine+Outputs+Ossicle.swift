import Foundation
import OssicleAVFAudio
import OssicleSpatial

/// Additions of Ossicle: what leaves the engine besides its output, who listens in, and effects on the whole.
extension OssicleAdditions where Self: PHASEEngine {
    /// What `listener` hears, apart from the others, rendered in the same simulation (an addition of Ossicle).
    ///
    /// The same object every time, as long as it is held. It begins in silence with the next update. A listener of
    /// another engine is recorded as an error, and its output stays silent.
    public func output(for listener: PHASEListener) -> PHASEListenerOutput {
        control.locked {
            if listener.control === control { return PHASEListenerOutput.of(listener) }
            record(
                PHASEError(
                    .invalidObject, "\(listener.reportName) belongs to another engine; ask that one for its output."))
            return PHASEListenerOutput(listener, ListenerMix(listener: listener.number))
        }
    }

    /// Seconds from a frame's host time, when the device takes it, to the loudspeaker; 0 while not running and in
    /// manual rendering (an addition of Ossicle, in AVFAudio's terms).
    public var outputPresentationLatency: TimeInterval { control.locked { control.session.device?.latency ?? 0 } }

    /// As `renderOffline(_:to:)`, with the outputs of single listeners in buffers of the same format (an addition of
    /// Ossicle).
    ///
    /// An output that has not been taken up by an update yet gives silence.
    @discardableResult
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer,
        listeners: [PHASEListenerOutput: AVAudioPCMBuffer]
    ) throws -> AVAudioEngineManualRenderingStatus {
        try control.renderOffline(Int(numberOfFrames), to: buffer, listeners: listeners)
    }

    /// Renders from a real-time thread in manual rendering mode `.realtime`: takes no lock and allocates nothing (an
    /// addition of Ossicle).
    ///
    /// Get it once, ahead of time; it may be used while the engine runs, one call at a time, and answers `.error` with
    /// a status code otherwise. The scene is updated by another thread about a hundred times a second, or in
    /// `update()`.
    public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
        control.locked {
            guard let manual = control.manual, !manual.rendering.isOffline else {
                return { _, _, status in
                    status?.pointee = AVAudioEngineManualRenderingError.invalidMode.rawValue
                    return .error
                }
            }
            return manual.block(control.executor, control.session.gate)
        }
    }

    /// Hands the engine's output, as it leaves the limiter, to `block`, `bufferSize` frames at a time, on a queue of
    /// its own (an addition of Ossicle).
    ///
    /// Begins with the next update; sample times are engine times. Every frame comes, in buffers of exactly one size;
    /// only where the flow ends, by `removeTap()` or `stop()`, may one be shorter. Several taps may be installed.
    /// Offline nothing is lost; at a device a block that is a minute late loses frames, which are counted.
    /// - Parameters:
    ///   - bufferSize: 64 to 1,048,576; others are moved into that range.
    ///   - format: nil for the output's. Rate and channels are the output's; only the form of the samples may differ.
    ///     Before the output is known one that does not fit is taken for nil.
    ///   - block: gets each buffer and its time.
    /// - Throws: `PHASEError.initializeFailed` for a format that does not fit.
    public func installTap(
        bufferSize: AVAudioFrameCount, format: AVAudioFormat? = nil, block: @escaping AVAudioNodeTapBlock
    ) throws {
        try control.locked {
            try control.outlets.taps.install(control, at: "the engine's output", bufferSize, format, block)
        }
    }

    /// Ends all taps on the engine's output. What they had collected is delivered, though it fills no buffer (an
    /// addition of Ossicle).
    public func removeTap() { control.locked { control.outlets.taps.removeAll(control) } }

    /// Frames that the taps on the engine's output lost at a device, because they came faster than they were taken (an
    /// addition of Ossicle).
    public var droppedTapFrames: Int { control.locked { control.outlets.taps.droppedFrames } }

    /// Seconds that `renderOffline` waits for a handler or tap block that is due before it renders; 0 … ∞, default 10
    /// (an addition of Ossicle).
    ///
    /// So the same program renders the same sound at any load. What does not return in that time is recorded and passed
    /// over. A render call from within a handler does not wait.
    public var offlineHandlerTimeLimit: TimeInterval {
        get { control.locked { control.session.callbackLimit } }
        set { if !newValue.isNaN { control.locked { control.session.callbackLimit = max(newValue, 0) } } }
    }

    /// Waits until every tap block and handler that is due has returned. For offline programs that want to go on only
    /// after these have; never call it from one of them (an addition of Ossicle).
    public func drainCallbacks() {
        control.session.deliveries.wait()
        control.handlers.queue.sync {}
    }

    /// Effects the engine's whole output passes, in order, before its limiter (an addition of Ossicle).
    ///
    /// See `PHASEMixer.insertEffects`; these stay when the engine stops. The outputs of single listeners do not pass
    /// them.
    public var insertEffects: [AVAudioUnit] {
        get { control.locked { control.outlets.inserts.effects } }
        set {
            control.locked {
                if control.outlets.inserts.set(newValue, at: "the engine's output", control) {
                    control.noteInserts(newValue, of: 0, mixer: "")
                }
            }
        }
    }
}
