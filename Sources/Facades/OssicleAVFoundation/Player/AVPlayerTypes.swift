// The vocabulary of players.

import Foundation

extension AVPlayer {
    /// Whether a player can play.
    public enum Status: Int, Sendable {
        /// No item has been ready yet.
        case unknown = 0
        /// It can.
        case readyToPlay = 1
        /// It cannot: the device refuses; `error` says why.
        case failed = 2
    }

    /// Whether time moves.
    public enum TimeControlStatus: Int, Sendable {
        /// It stands, because the rate is 0.
        case paused = 0
        /// It will move at the rate that was set once that is possible; `reasonForWaitingToPlay` says why not yet.
        case waitingToPlayAtSpecifiedRate = 1
        /// It moves.
        case playing = 2
    }

    /// What happens when an item is over.
    public enum ActionAtItemEnd: Int, Sendable {
        /// The next item of a queue player follows.
        case advance = 0
        /// The player pauses at the end.
        case pause = 1
        /// The rate stays and time stands at the end.
        case none = 2
    }

    /// Why a player waits.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is not enough sound yet to play without a stall.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being opened.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        /// There is no item.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
        /// Never given: playback is not coordinated.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
        /// Never given: there are no interstitials.
        public static let interstitialEvent = WaitingReason(rawValue: "AVPlayerWaitingDuringInterstitialEventReason")
    }

    /// Why the rate has changed.
    public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It was set, or an end reached.
        public static let setRateCalled = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
        /// It could not be kept.
        public static let setRateFailed = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
        /// The session was interrupted.
        public static let audioSessionInterrupted = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
        /// Never given: programs here are not put into a background.
        public static let appBackgrounded = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
        /// Never given: there are no live streams.
        public static let playheadReachedLiveEdge = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonPlayheadReachedLiveEdge")
        /// Playing backwards has come to the beginning.
        public static let reversePlaybackReachedStartOfSeekableRange = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonReversePlaybackReachedStartOfSeekableRange")
    }

    /// The rate has changed; the user info says why under `rateDidChangeReasonKey`. On any thread.
    public class var rateDidChangeNotification: NSNotification.Name {
        NSNotification.Name("AVPlayerRateDidChangeNotification")
    }

    /// In the user info of `rateDidChangeNotification`: the raw value of a `RateDidChangeReason`.
    public class var rateDidChangeReasonKey: String { "AVPlayerRateDidChangeReasonKey" }
}

/// What becomes of a player whose program is put into the background; kept without effect.
public enum AVPlayerAudiovisualBackgroundPlaybackPolicy: Int, Sendable {
    /// The system decides.
    case automatic = 1
    /// It pauses.
    case pauses = 2
    /// It goes on.
    case continuesIfPossible = 3
}
