// A moment in samples, in host time, or in both.

import OssicleCoreAudioTypes

/// A moment; host time is in nanoseconds of the monotonic clock. Immutable; any thread.
open class AVAudioTime: NSObject, @unchecked Sendable {
    private let stamp: AudioTimeStamp

    /// Frames per second of `sampleTime`, in hertz; 0 when there is none.
    public let sampleRate: Double

    /// The exact frame; a time stamp's floating point loses frames beyond 2^53.
    private let frame: AVAudioFramePosition

    private init(_ stamp: AudioTimeStamp, _ frame: AVAudioFramePosition, _ sampleRate: Double) {
        self.stamp = stamp
        self.frame = frame
        self.sampleRate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 0
        super.init()
    }

    /// No moment: neither time is valid.
    public override convenience init() { self.init(AudioTimeStamp(), 0, 0) }

    /// The moment of `ts`. A rate that is not positive and finite counts as 0.
    public convenience init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        self.init(ts.pointee, Self.frame(ts.pointee.mSampleTime), sampleRate)
    }

    /// A moment in host time only.
    public convenience init(hostTime: UInt64) {
        self.init(Self.stamp(hostTime, nil), 0, 0)
    }

    /// A moment in samples only.
    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(Self.stamp(nil, sampleTime), sampleTime, sampleRate)
    }

    /// A moment on both clocks.
    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(Self.stamp(hostTime, sampleTime), sampleTime, sampleRate)
    }

    private static func stamp(_ hostTime: UInt64?, _ sampleTime: AVAudioFramePosition?) -> AudioTimeStamp {
        var stamp = AudioTimeStamp()
        if let hostTime {
            stamp.mHostTime = hostTime
            stamp.mFlags.insert(.hostTimeValid)
        }
        if let sampleTime {
            stamp.mSampleTime = Double(sampleTime)
            stamp.mFlags.insert(.sampleTimeValid)
        }
        return stamp
    }

    /// Host ticks in `seconds`; 0 for what is negative or not a number, the largest for what is beyond it.
    @discardableResult
    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
        let ticks = (seconds * 1e9).rounded()
        guard ticks > 0 else { return 0 }
        return UInt64(exactly: ticks) ?? .max
    }

    /// Seconds in `hostTime` host ticks.
    @discardableResult
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    /// This moment on both clocks, counted from an anchor that has both; `nil` when the anchor has not, or this moment
    /// has neither or no rate.
    @discardableResult
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        if isHostTimeValid, isSampleTimeValid { return self }
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid else { return nil }
        let rate = sampleRate > 0 ? sampleRate : anchorTime.sampleRate
        guard rate > 0, anchorTime.sampleRate > 0 else { return nil }
        if isSampleTimeValid {
            let seconds = stamp.mSampleTime / rate - anchorTime.stamp.mSampleTime / anchorTime.sampleRate
            return AVAudioTime(
                hostTime: Self.shift(anchorTime.hostTime, by: seconds), sampleTime: sampleTime, atRate: rate)
        }
        guard isHostTimeValid else { return nil }
        let seconds = Self.difference(hostTime, anchorTime.hostTime)
        let samples = (anchorTime.stamp.mSampleTime / anchorTime.sampleRate + seconds) * rate
        return AVAudioTime(hostTime: hostTime, sampleTime: Self.frame(samples), atRate: rate)
    }

    private static func difference(_ time: UInt64, _ earlier: UInt64) -> Double {
        time >= earlier ? seconds(forHostTime: time - earlier) : -seconds(forHostTime: earlier - time)
    }

    private static func shift(_ time: UInt64, by seconds: Double) -> UInt64 {
        let ticks = hostTime(forSeconds: abs(seconds))
        let (sum, overflow) =
            seconds < 0 ? time.subtractingReportingOverflow(ticks) : time.addingReportingOverflow(ticks)
        return overflow ? (seconds < 0 ? 0 : .max) : sum
    }

    private static func frame(_ samples: Double) -> AVAudioFramePosition {
        let rounded = samples.rounded()
        return AVAudioFramePosition(exactly: rounded) ?? (rounded > 0 ? .max : rounded < 0 ? .min : 0)
    }

    /// Whether `hostTime` holds.
    open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }
    /// Host ticks, in nanoseconds.
    open var hostTime: UInt64 { stamp.mHostTime }
    /// Whether `sampleTime` holds.
    open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) }
    /// Sample frames at `sampleRate`.
    open var sampleTime: AVAudioFramePosition { frame }
    /// The moment as a time stamp.
    open var audioTimeStamp: AudioTimeStamp { stamp }

    /// Both clocks in words.
    open override var description: String {
        let host = isHostTimeValid ? "\(Self.seconds(forHostTime: hostTime)) s" : "no host time"
        let samples = isSampleTimeValid ? "frame \(sampleTime) at \(sampleRate) Hz" : "no sample time"
        return "<AVAudioTime: \(host), \(samples)>"
    }
}
