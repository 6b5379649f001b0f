// Additions to Apple's player: manual rendering in the engine's own terms, and changes in place of key-value
// observation.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

extension AVPlayer {
    /// What can change by itself.
    public enum Change: Sendable {
        /// `status`.
        case status(AVPlayer.Status)
        /// `timeControlStatus`, and with it `reasonForWaitingToPlay`.
        case timeControlStatus(AVPlayer.TimeControlStatus)
        /// `rate`.
        case rate(Float)
        /// `currentItem`.
        case currentItem(AVPlayerItem?)
    }
}

extension AVPlayer: OssicleAdditions {}

extension OssicleAdditions where Self: AVPlayer {
    /// Every change from now on; ends with the player.
    public var changes: AsyncStream<AVPlayer.Change> { machine.changeFeed.stream() }

    /// Called with every change, on any thread.
    public var changeHandler: (@Sendable (AVPlayer.Change) -> Void)? {
        get { machine.changeFeed.handler }
        set { machine.changeFeed.handler = newValue }
    }

    /// What the last call that was refused had to say; `nil` if none was, or after it was set to `nil`.
    public var lastError: (any Error)? {
        get { errors.last }
        set { errors.last = newValue }
    }

    /// Called with the error of every call that is refused, on its thread. Without one they go to standard error.
    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { errors.handler }
        set { errors.handler = newValue }
    }

    /// Leaves the device alone and gives sound when asked, at most `maximumFrameCount` frames at a time. Modes other
    /// than `.offline`, and formats that `AVAudioEngine` refuses, throw.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        guard mode == .offline else {
            throw PlayerFault.error(
                "realtime manual rendering", "A player waits for its sound in manual rendering.",
                "Use .offline.")
        }
        try machine.enableManual(format, maximumFrameCount)
    }

    /// Plays to a device again.
    public func disableManualRenderingMode() { machine.disableManual() }

    /// Whether it gives sound when asked.
    public var isInManualRenderingMode: Bool { machine.locked { $0.manual != nil } }

    /// The format of manual rendering; `nil` outside of it.
    public var manualRenderingFormat: AVAudioFormat? { machine.locked { $0.manual?.format } }

    /// Seconds that a call of `renderOffline` waits for sound that is on its way; then the item counts as stalled, and
    /// there is silence until more has come. 0 … ∞, default 10.
    public var offlineDataTimeLimit: TimeInterval {
        get { machine.locked { $0.manual?.patience ?? 10 } }
        set { if !newValue.isNaN { machine.locked { $0.manual?.patience = max(newValue, 0) } } }
    }

    /// Renders the next frames into `buffer`; silence while the player is paused, waits or has no item. Ends, observers
    /// and notifications come on this thread at their frame, and what their handlers do is heard from there on. Any
    /// thread, one call at a time. Throws outside of manual rendering, and for a buffer of another format or too small.
    @discardableResult
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        guard let format = manualRenderingFormat else {
            throw PlayerFault.error(
                "renderOffline outside of manual rendering",
                "This call belongs to manual rendering.", "Call enableManualRenderingMode(.offline, …) first.")
        }
        guard buffer.format == format, buffer.frameCapacity >= numberOfFrames else {
            throw PlayerFault.error(
                "\(numberOfFrames) frames into a buffer of \(buffer.frameCapacity) in \(buffer.format)",
                "The buffer has room for them in the format of manual rendering, \(format).",
                "Make it with manualRenderingFormat.")
        }
        return try machine.render(Int(numberOfFrames), to: buffer)
    }
}
