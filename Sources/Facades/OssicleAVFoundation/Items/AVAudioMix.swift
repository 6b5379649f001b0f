// Volume over time.

import Foundation

/// How loud the tracks of an item are over time. Immutable; any thread.
open class AVAudioMix: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    fileprivate var kept: [AVAudioMixInputParameters]

    override init() {
        kept = []
        super.init()
    }

    init(_ parameters: [AVAudioMixInputParameters]) {
        kept = parameters
        super.init()
    }

    /// For each track that is not simply played at volume 1.
    open var inputParameters: [AVAudioMixInputParameters] { kept }

    open func copy(with zone: NSZone? = nil) -> Any {
        AVAudioMix(inputParameters.compactMap { $0.copy() as? AVAudioMixInputParameters })
    }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMix(inputParameters) }

    /// Those of the one track that a sound file has.
    var parameters: AVAudioMixInputParameters? { inputParameters.first { $0.trackID == 1 } }
}

/// A mix that can be changed; not by two threads at once.
open class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    /// A mix without parameters.
    public override init() { super.init() }

    override init(_ parameters: [AVAudioMixInputParameters]) { super.init(parameters) }

    /// For each track that is not simply played at volume 1.
    open override var inputParameters: [AVAudioMixInputParameters] {
        get { kept }
        set { kept = newValue }
    }
}

/// How loud one track is over time. Immutable; any thread.
open class AVAudioMixInputParameters: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    fileprivate var track: CMPersistentTrackID = 0
    fileprivate var algorithm: AVAudioTimePitchAlgorithm?
    fileprivate var ramps: [VolumeRamp] = []

    override init() { super.init() }

    fileprivate init(_ other: AVAudioMixInputParameters) {
        track = other.track
        algorithm = other.algorithm
        ramps = other.ramps
        super.init()
    }

    /// The track; 0 for none.
    open var trackID: CMPersistentTrackID { track }

    /// How the track sounds at other rates than 1; `nil` for the item's way.
    open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { algorithm }

    /// The ramp that `time` lies in, or the stretch of constant volume behind a ramp; false ahead of the first.
    @discardableResult
    open func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        guard time.isNumeric, let index = ramps.lastIndex(where: { $0.range.start <= time }) else { return false }
        let ramp = ramps[index], isInside = ramp.range.containsTime(time)
        let end = index + 1 < ramps.count ? ramps[index + 1].range.start : .positiveInfinity
        startVolume?.pointee = isInside ? ramp.start : ramp.end
        endVolume?.pointee = ramp.end
        timeRange?.pointee = isInside ? ramp.range : CMTimeRange(start: ramp.range.end, end: end)
        return true
    }

    open func copy(with zone: NSZone? = nil) -> Any { AVAudioMixInputParameters(self) }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableAudioMixInputParameters(self) }

    /// The volume at a time in seconds; 1 ahead of the first ramp.
    func volume(at seconds: Double) -> Float {
        guard let ramp = ramps.last(where: { $0.range.start.seconds <= seconds }) else { return 1 }
        let length = ramp.range.duration.seconds, share = (seconds - ramp.range.start.seconds) / length
        return length > 0 && share < 1 ? ramp.start + (ramp.end - ramp.start) * Float(share) : ramp.end
    }
}

/// Parameters that can be changed; not by two threads at once.
open class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    /// For a track, at volume 1.
    public convenience init(track: AVAssetTrack?) {
        self.init()
        self.track = track?.trackID ?? 0
    }

    /// For no track, at volume 1.
    public override init() { super.init() }

    fileprivate override init(_ other: AVAudioMixInputParameters) { super.init(other) }

    /// The track; 0 for none.
    open override var trackID: CMPersistentTrackID {
        get { track }
        set { track = newValue }
    }

    /// How the track sounds at other rates than 1; `nil` for the item's way.
    open override var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
        get { algorithm }
        set { algorithm = newValue }
    }

    /// Moves the volume evenly within a range; 0 … 1 each. A range that is none changes nothing.
    open func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange) {
        guard timeRange.isValid, timeRange.start.isNumeric, timeRange.duration.isNumeric else { return }
        func limited(_ volume: Float) -> Float { volume.isNaN ? 1 : min(max(volume, 0), 1) }
        let ramp = VolumeRamp(range: timeRange, start: limited(startVolume), end: limited(endVolume))
        ramps.removeAll { $0.range.start == timeRange.start }
        ramps.insert(ramp, at: ramps.firstIndex { $0.range.start > timeRange.start } ?? ramps.endIndex)
    }

    /// Sets the volume from a time on, 0 … 1.
    open func setVolume(_ volume: Float, at time: CMTime) {
        setVolumeRamp(
            fromStartVolume: volume, toEndVolume: volume, timeRange: CMTimeRange(start: time, duration: .zero))
    }
}

/// One movement of the volume.
struct VolumeRamp {
    let range: CMTimeRange
    let start: Float
    let end: Float
}
