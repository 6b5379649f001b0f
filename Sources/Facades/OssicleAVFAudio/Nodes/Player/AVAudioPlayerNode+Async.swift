// Scheduling that waits until it is over. Who cancels the waiting task goes on waiting: stop the player to end it.

import OssiclePlayback

extension AVAudioPlayerNode {
    /// Plays a buffer behind what is scheduled, and returns when the player has taken it or has been stopped.
    public func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {
        await finished(.dataConsumed) { schedule(buffer, nil, [], $0) }
    }

    /// Plays a buffer behind what is scheduled, and returns at the moment of `callbackType`.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async
        -> AVAudioPlayerNodeCompletionCallbackType
    {
        await finished(callbackType) { schedule(buffer, nil, [], $0) }
        return callbackType
    }

    /// Plays a buffer at a time, with options, and returns when the player has taken it.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []
    ) async {
        await finished(.dataConsumed) { schedule(buffer, when, options, $0) }
    }

    /// Plays a buffer at a time, with options, and returns at the moment of `callbackType`.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await finished(callbackType) { schedule(buffer, when, options, $0) }
        return callbackType
    }

    /// Plays a whole file, and returns when the player has taken it.
    public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
        await finished(.dataConsumed) { schedule(file, 0, file.length, when, $0) }
    }

    /// Plays a whole file, and returns at the moment of `callbackType`.
    @discardableResult
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async
        -> AVAudioPlayerNodeCompletionCallbackType
    {
        await finished(callbackType) { schedule(file, 0, file.length, when, $0) }
        return callbackType
    }

    /// Plays a stretch of a file, and returns when the player has taken it.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?
    ) async {
        await finished(.dataConsumed) { schedule(file, startFrame, Int64(numberFrames), when, $0) }
    }

    /// Plays a stretch of a file, and returns at the moment of `callbackType`.
    @discardableResult
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async
        -> AVAudioPlayerNodeCompletionCallbackType
    {
        await finished(callbackType) { schedule(file, startFrame, Int64(numberFrames), when, $0) }
        return callbackType
    }

    private func finished(
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ schedule: (SegmentCompletion) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            schedule(SegmentCompletion(type) { _, _ in continuation.resume() })
        }
    }
}
