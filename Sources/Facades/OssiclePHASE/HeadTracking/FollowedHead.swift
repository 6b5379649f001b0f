import OssicleHeadTracking

/// The head that listeners follow, as of the last update.
struct FollowedHead {
    var tracking: PHASEHeadTracking?
    /// The engine started `tracking`, and stops it.
    var isOurs = false
    var pose: HeadPose?
    /// Somebody wanted to follow and there was nobody to be followed; said once.
    var hasHinted = false
    private var listeners: [Follower] = []

    private struct Follower {
        weak var listener: PHASEListener?
    }

    /// Those that want to follow.
    var followers: [PHASEListener] { listeners.compactMap(\.listener).filter { !$0.followedFlags.isEmpty } }

    mutating func join(_ listener: PHASEListener) {
        listeners.removeAll { $0.listener == nil || $0.listener === listener }
        listeners.append(Follower(listener: listener))
    }
}
