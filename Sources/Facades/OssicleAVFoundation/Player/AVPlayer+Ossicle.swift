// Additions to Apple's player: changes in place of key-value observation, errors, and waiting for sound offline.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

extension AVPlayer {
    /// What changes without a call of the client.
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
    public var changes: AsyncStream<AVPlayer.Change> { machine.reports.changes.stream() }

    /// Called with every change, on any thread.
    public var changeHandler: (@Sendable (AVPlayer.Change) -> Void)? {
        get { machine.reports.changes.handler }
        set { machine.reports.changes.handler = newValue }
    }

    /// Why the last call was refused; `nil` if none was, or after it was set to `nil`.
    public var lastError: (any Error)? {
        get { errors.last }
        set { errors.last = newValue }
    }

    /// Called with the error of every call that is refused, on its thread. Without one they go to standard error.
    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { errors.handler }
        set { errors.handler = newValue }
    }

    /// Seconds that an `OfflineAudioDevice` waits for sound that is on its way; then the item counts as stalled, and
    /// there is silence until more has come. 0 … ∞, default 10.
    public var offlineDataTimeLimit: TimeInterval {
        get { machine.locked { $0.offline.dataTimeLimit } }
        set { if !newValue.isNaN { machine.locked { $0.offline.dataTimeLimit = max(newValue, 0) } } }
    }
}
