// The vocabulary of items.

import Foundation

extension AVPlayerItem {
    /// Whether an item can be played.
    public enum Status: Int, Sendable {
        /// Not known yet: it has not been given to a player, or is being opened.
        case unknown = 0
        /// It can be played.
        case readyToPlay = 1
        /// It cannot, or no longer; `error` says why.
        case failed = 2
    }

    /// The time of an item has jumped, by a seek. Object: the item. Posted on any thread, as are all of these.
    public class var timeJumpedNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemTimeJumpedNotification")
    }
    /// The item has been played to its end.
    public class var didPlayToEndTimeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    }
    /// The item broke off; the user info says why under `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
    public class var failedToPlayToEndTimeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemFailedToPlayToEndTimeNotification")
    }
    /// Sound did not come in time; playback continues once there is enough, if the player waits for it.
    public class var playbackStalledNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemPlaybackStalledNotification")
    }
    /// Never posted: there is no access log.
    public class var newAccessLogEntryNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemNewAccessLogEntryNotification")
    }
    /// A server's error ended the loading of the item.
    public class var newErrorLogEntryNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerItemNewErrorLogEntryNotification")
    }
}

extension NSNotification.Name {
    /// As `AVPlayerItem.timeJumpedNotification`.
    public static var AVPlayerItemTimeJumped: NSNotification.Name { AVPlayerItem.timeJumpedNotification }
    /// As `AVPlayerItem.didPlayToEndTimeNotification`.
    public static var AVPlayerItemDidPlayToEndTime: NSNotification.Name { AVPlayerItem.didPlayToEndTimeNotification }
    /// As `AVPlayerItem.failedToPlayToEndTimeNotification`.
    public static var AVPlayerItemFailedToPlayToEndTime: NSNotification.Name {
        AVPlayerItem.failedToPlayToEndTimeNotification
    }
    /// As `AVPlayerItem.playbackStalledNotification`.
    public static var AVPlayerItemPlaybackStalled: NSNotification.Name { AVPlayerItem.playbackStalledNotification }
    /// As `AVPlayerItem.newAccessLogEntryNotification`.
    public static var AVPlayerItemNewAccessLogEntry: NSNotification.Name { AVPlayerItem.newAccessLogEntryNotification }
    /// As `AVPlayerItem.newErrorLogEntryNotification`.
    public static var AVPlayerItemNewErrorLogEntry: NSNotification.Name { AVPlayerItem.newErrorLogEntryNotification }
}

/// In the user info of `AVPlayerItem.failedToPlayToEndTimeNotification`: the error.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

/// How sound is played at other rates than 1.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The pitch stays.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// The pitch stays; the same unit as `.timeDomain` here.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// The pitch follows the rate, which is 0.25 … 4.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
    /// The pitch stays; the same unit as `.timeDomain` here. Deprecated by Apple.
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
}

/// Which sound may be spatialized by the system.
public struct AVAudioSpatializationFormats: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// One or two channels.
    public static let monoAndStereo = AVAudioSpatializationFormats(rawValue: 3)
    /// More than two channels.
    public static let multichannel = AVAudioSpatializationFormats(rawValue: 4)
    /// Any number of channels.
    public static let monoStereoAndMultichannel = AVAudioSpatializationFormats(rawValue: 7)
}

/// The track of an item.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {
    /// The asset's track.
    public let assetTrack: AVAssetTrack?
    private weak var item: AVPlayerItem?

    init(_ track: AVAssetTrack?, of item: AVPlayerItem) {
        assetTrack = track
        self.item = item
        super.init()
    }

    /// Whether it sounds. Default true.
    open var isEnabled: Bool {
        get { item?.settings.isTrackEnabled ?? false }
        set { item?.change { $0.isTrackEnabled = newValue } }
    }
}
