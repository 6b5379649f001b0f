import Foundation

/// A sample with the time it was taken at.
open class CMLogItem: NSObject {
    /// Seconds since the device started.
    public let timestamp: TimeInterval

    package init(timestamp: TimeInterval) {
        self.timestamp = timestamp
    }
}
