// Additions to Apple's items, in place of key-value observation.

import OssicleCoreAudioTypes

extension AVPlayerItem {
    /// What changes without a call of the client.
    public enum Change: Sendable, Equatable {
        /// `status` has become known, and with it duration and tracks; or the item has failed.
        case status(AVPlayerItem.Status)
    }
}

extension AVPlayerItem: OssicleAdditions {}

extension OssicleAdditions where Self: AVPlayerItem {
    /// Every change from now on; ends with the item.
    public var changes: AsyncStream<AVPlayerItem.Change> { changeFeed.stream() }

    /// Called with every change, on any thread.
    public var changeHandler: (@Sendable (AVPlayerItem.Change) -> Void)? {
        get { changeFeed.handler }
        set { changeFeed.handler = newValue }
    }
}
