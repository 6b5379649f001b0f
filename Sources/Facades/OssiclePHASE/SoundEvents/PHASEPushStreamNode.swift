import OssicleAVFAudio
import OssiclePlayback

/// A stream that plays the buffers scheduled with it, one behind the other, and silence in between. It lasts until the
/// event is stopped.
///
/// Buffers may be scheduled as soon as the event is made. They are read where they are while they are played: leave
/// them alone until the handler has run. Every handler runs exactly once, in the order in which buffers end, on the
/// engine's callback queue (automatic updates) or in `update()` (manual): when its buffer has been played, has been
/// interrupted or was refused, and when the stream is stopped, which the end of the event or of the engine does. A
/// buffer in another format, or behind the end of the event, is refused and recorded as the engine's `lastError`.
///
/// Times count frames of the stream's own clock (see `PHASEStreamNode`); times at another rate are converted. A time
/// that has passed means as soon as possible; a host time alone can be given while the stream plays.
open class PHASEPushStreamNode: PHASEStreamNode, @unchecked Sendable {
    /// Plays a buffer behind those before it.
    open func scheduleBuffer(buffer: AVAudioPCMBuffer) {
        stream.schedule(buffer, at: nil, [], nil)
    }

    /// Plays a buffer behind those before it, and tells when it has been played.
    open func scheduleBuffer(
        buffer: AVAudioPCMBuffer, completionCallbackType: PHASEPushStreamCompletionCallbackCondition,
        completionHandler: @escaping @Sendable (PHASEPushStreamCompletionCallbackCondition) -> Void
    ) {
        stream.schedule(buffer, at: nil, [], SegmentCompletion(completionCallbackType, completionHandler))
    }

    /// Plays a buffer behind those before it, and returns when it has been played.
    @discardableResult
    open func scheduleBuffer(
        buffer: AVAudioPCMBuffer, completionCallbackType: PHASEPushStreamCompletionCallbackCondition
    ) async
        -> PHASEPushStreamCompletionCallbackCondition
    {
        await scheduleBuffer(buffer: buffer, time: nil, completionCallbackType: completionCallbackType)
    }

    /// Plays a buffer at a time, not before what is scheduled has ended unless it interrupts.
    open func scheduleBuffer(
        buffer: AVAudioPCMBuffer, time when: AVAudioTime?, options: PHASEPushStreamBufferOptions = []
    ) {
        stream.schedule(buffer, at: when, options, nil)
    }

    /// Plays a buffer at a time, and tells when it has been played.
    open func scheduleBuffer(
        buffer: AVAudioPCMBuffer, time when: AVAudioTime?, options: PHASEPushStreamBufferOptions = [],
        completionCallbackType: PHASEPushStreamCompletionCallbackCondition,
        completionHandler: @escaping @Sendable (PHASEPushStreamCompletionCallbackCondition) -> Void
    ) {
        stream.schedule(buffer, at: when, options, SegmentCompletion(completionCallbackType, completionHandler))
    }

    /// Plays a buffer at a time, and returns when it has been played.
    @discardableResult
    open func scheduleBuffer(
        buffer: AVAudioPCMBuffer, time when: AVAudioTime?, options: PHASEPushStreamBufferOptions = [],
        completionCallbackType: PHASEPushStreamCompletionCallbackCondition
    ) async -> PHASEPushStreamCompletionCallbackCondition {
        await withCheckedContinuation { continuation in
            stream.schedule(
                buffer, at: when, options,
                SegmentCompletion(completionCallbackType) { continuation.resume(returning: $0) })
        }
    }
}

extension SegmentCompletion {
    fileprivate init(
        _ condition: PHASEPushStreamCompletionCallbackCondition,
        _ handler: @escaping @Sendable (PHASEPushStreamCompletionCallbackCondition) -> Void
    ) {
        self.init { _ in handler(condition) }
    }
}
