// Tracks: a sound file has one.

import Foundation

/// Names a track within its asset.
public typealias CMPersistentTrackID = Int32

/// What a track holds.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sound.
    public static let audio = AVMediaType(rawValue: "soun")
}

/// The sound of an asset. Two tracks are equal when they are the same track of the same asset. Any thread.
open class AVAssetTrack: NSObject, NSCopying, @unchecked Sendable {
    /// The asset, while there is one.
    public private(set) weak var asset: AVAsset?
    /// Its number; 1.
    public let trackID: CMPersistentTrackID = 1
    /// What it holds; sound.
    public let mediaType = AVMediaType.audio

    init(of asset: AVAsset) {
        self.asset = asset
        super.init()
    }

    /// The track itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAssetTrack).map { $0.asset === asset && $0.trackID == trackID } ?? false
    }

    open override var hash: Int { trackID.hashValue }
}
