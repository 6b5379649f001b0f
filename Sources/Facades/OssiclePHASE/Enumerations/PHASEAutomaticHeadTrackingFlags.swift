/// What of the listener's real head the engine follows by itself.
public struct PHASEAutomaticHeadTrackingFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static var orientation: PHASEAutomaticHeadTrackingFlags { PHASEAutomaticHeadTrackingFlags(rawValue: 1 << 0) }
    public static var position: PHASEAutomaticHeadTrackingFlags { PHASEAutomaticHeadTrackingFlags(rawValue: 1 << 1) }
}
