// What a player plays.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleFiles

/// An asset on its way through a player, with its own time. It is opened when it is given to a player, and belongs to
/// that player until it is removed. Any thread.
open class AVPlayerItem: NSObject, NSCopying, @unchecked Sendable {
    /// What is played.
    public let asset: AVAsset
    let lock = NSLock()
    // Under the lock.
    var state = ItemState()
    var currentSettings = ItemSettings()
    /// Ends waits of the thread that decodes.
    let interruption = InterruptFlag()
    let changeFeed = ChangeFeed<Change>()

    /// An item of the file or address `url`.
    public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }

    /// An item of an asset.
    public convenience init(asset: AVAsset) { self.init(asset: asset, automaticallyLoadedAssetKeys: nil) }

    /// An item of an asset. The keys change nothing: what an asset knows is loaded when it is read.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        self.asset = asset
        super.init()
    }

    /// A new item of the same asset with the same settings, at the beginning.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVPlayerItem(asset: asset)
        copy.currentSettings = settings
        return copy
    }

    // MARK: State

    /// Whether it can be played.
    open var status: Status { lock.withLock { state.status } }

    /// Why it cannot; `nil` unless `status` is `.failed`.
    open var error: (any Error)? { lock.withLock { state.error } }

    /// Length; `.indefinite` until it is known.
    open var duration: CMTime { facts?.duration ?? .indefinite }

    /// The track of sound; none until the item is ready.
    open var tracks: [AVPlayerItemTrack] {
        facts == nil ? [] : [AVPlayerItemTrack(AVAssetTrack(of: asset), of: self)]
    }

    /// Where the item stands.
    open func currentTime() -> CMTime { machine?.time(of: self) ?? restTime }

    // MARK: Settings

    /// Where playing forwards ends; `.invalid`, the default, for the end.
    open var forwardPlaybackEndTime: CMTime {
        get { settings.forwardEnd }
        set { change { $0.forwardEnd = newValue } }
    }

    /// Where playing backwards ends; `.invalid`, the default, for the beginning.
    open var reversePlaybackEndTime: CMTime {
        get { settings.reverseEnd }
        set { change { $0.reverseEnd = newValue } }
    }

    /// How it sounds at other rates than 1. Default `.timeDomain`.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { settings.algorithm }
        set { change { $0.algorithm = newValue } }
    }

    /// Kept without effect: nothing is spatialized here. Default `.multichannel`.
    open var allowedAudioSpatializationFormats: AVAudioSpatializationFormats {
        get { settings.spatialization }
        set { lock.withLock { currentSettings.spatialization = newValue } }
    }

    /// Volume over time; a copy is kept.
    open var audioMix: AVAudioMix? {
        get { settings.mix }
        set {
            let copy = newValue?.copy() as? AVAudioMix
            change { $0.mix = copy }
        }
    }

    /// Seconds of sound of an address that are waited for before playing; 0, the default, lets the player decide.
    open var preferredForwardBufferDuration: TimeInterval {
        get { settings.buffer }
        set { change { $0.buffer = newValue.isNaN ? 0 : min(max(newValue, 0), 3600) } }
    }

    // MARK: What is there

    /// What has been loaded, as ranges of time in values; by the share of bytes.
    open var loadedTimeRanges: [NSValue] {
        guard let duration = facts?.duration, duration.isNumeric else { return [] }
        return asset.source.loadedShares.map { share in
            let ticks = Double(duration.value), scale = duration.timescale
            let start = CMTime(value: Int64(share.lowerBound * ticks), timescale: scale)
            return NSValue(
                timeRange: CMTimeRange(
                    start: start, end: CMTime(value: Int64(share.upperBound * ticks), timescale: scale)))
        }
    }

    /// Where one can seek: everywhere, once the item is ready.
    open var seekableTimeRanges: [NSValue] {
        facts.map { [NSValue(timeRange: CMTimeRange(start: .zero, duration: $0.duration))] } ?? []
    }

    /// Whether playing will probably not stall.
    open var isPlaybackLikelyToKeepUp: Bool { buffering?.isLikelyToKeepUp ?? asset.source.isComplete }

    /// Whether no more is read for the time being.
    open var isPlaybackBufferFull: Bool { buffering?.isFull ?? asset.source.isComplete }

    /// Whether there is nothing to play, and more to come.
    open var isPlaybackBufferEmpty: Bool { buffering?.isEmpty ?? true }

    /// Whether it can be played faster; once it is ready.
    open var canPlayFastForward: Bool { facts != nil }
    /// Whether it can be played slower; once it is ready.
    open var canPlaySlowForward: Bool { facts != nil }
    /// Whether it can be played backwards: files on disk whose frames can be had in any order.
    open var canPlayReverse: Bool { facts?.isReversible ?? false }
    /// As `canPlayReverse`.
    open var canPlaySlowReverse: Bool { canPlayReverse }
    /// As `canPlayReverse`.
    open var canPlayFastReverse: Bool { canPlayReverse }

    // MARK: Seeking

    /// Moves to a time, to the frame. The handler gets false when another seek overtakes this one, or the time is none.
    open func seek(to time: CMTime, completionHandler: ((Bool) -> Void)? = nil) {
        seek(
            to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
            completionHandler: completionHandler)
    }

    /// Moves to a time. Every seek is exact, whatever the tolerances allow.
    open func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: ((Bool) -> Void)?
    ) {
        let handler = SeekHandler(completionHandler)
        if let machine { machine.seek(self, to: time, handler) } else { handler.call(rest(at: time)) }
    }

    /// Moves to a time, and returns whether it got there.
    @discardableResult
    open func seek(to time: CMTime) async -> Bool {
        await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
    }

    /// Moves to a time, and returns whether it got there.
    @discardableResult
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Ends seeks that are under way; their handlers get false.
    open func cancelPendingSeeks() { machine?.cancelSeeks(of: self) }
}
