import Foundation

/// Hears of headphones that come and go. Both methods may be left out.
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
    /// Headphones that can report motion are there.
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
    /// They are gone.
    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
    public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
    public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}
