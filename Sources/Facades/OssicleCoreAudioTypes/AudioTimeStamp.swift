// A moment on several clocks at once.

/// Which fields of an `AudioTimeStamp` hold a value.
public struct AudioTimeStampFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// `mSampleTime` holds a value.
    public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1)
    /// `mHostTime` holds a value.
    public static let hostTimeValid = AudioTimeStampFlags(rawValue: 2)
    /// `mRateScalar` holds a value.
    public static let rateScalarValid = AudioTimeStampFlags(rawValue: 4)
    /// `mWordClockTime` holds a value.
    public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 8)
    /// `mSMPTETime` holds a value.
    public static let smpteTimeValid = AudioTimeStampFlags(rawValue: 16)
    /// Sample time and host time both hold a value.
    public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// A moment given in samples, host ticks, word clock and time code; `mFlags` tells which of them hold.
public struct AudioTimeStamp: Equatable, Sendable {
    /// Sample frames.
    public var mSampleTime: Float64
    /// Host ticks, nanoseconds here.
    public var mHostTime: UInt64
    /// Actual host ticks per sample over nominal ones.
    public var mRateScalar: Float64
    /// Word clock ticks.
    public var mWordClockTime: UInt64
    /// Time code.
    public var mSMPTETime: SMPTETime
    /// The fields that hold a value.
    public var mFlags: AudioTimeStampFlags
    /// Always 0.
    public var mReserved: UInt32

    /// A stamp in which nothing holds.
    public init() {
        self.init(
            mSampleTime: 0, mHostTime: 0, mRateScalar: 0, mWordClockTime: 0, mSMPTETime: SMPTETime(), mFlags: [],
            mReserved: 0)
    }

    /// A stamp with every field given.
    public init(
        mSampleTime: Float64, mHostTime: UInt64, mRateScalar: Float64, mWordClockTime: UInt64, mSMPTETime: SMPTETime,
        mFlags: AudioTimeStampFlags, mReserved: UInt32
    ) {
        self.mSampleTime = mSampleTime
        self.mHostTime = mHostTime
        self.mRateScalar = mRateScalar
        self.mWordClockTime = mWordClockTime
        self.mSMPTETime = mSMPTETime
        self.mFlags = mFlags
        self.mReserved = mReserved
    }
}

/// The ratio that turns host ticks into nanoseconds: ticks × `numer` / `denom`.
public struct mach_timebase_info_data_t: Equatable, Sendable {
    /// Numerator.
    public var numer: UInt32
    /// Denominator.
    public var denom: UInt32

    /// A ratio of zeros, to be filled in by `mach_timebase_info(_:)`.
    public init() { self.init(numer: 0, denom: 0) }

    /// The ratio `numer` / `denom`.
    public init(numer: UInt32, denom: UInt32) {
        self.numer = numer
        self.denom = denom
    }
}

/// The place `mach_timebase_info(_:)` writes to.
public typealias mach_timebase_info_t = UnsafeMutablePointer<mach_timebase_info_data_t>

/// Host time now, in nanoseconds since an arbitrary moment; never runs backwards. Any thread.
public func mach_absolute_time() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
}

/// Writes the ratio 1/1, because a host tick is a nanosecond here. Any thread.
@discardableResult
public func mach_timebase_info(_ info: mach_timebase_info_t) -> kern_return_t {
    info.pointee = mach_timebase_info_data_t(numer: 1, denom: 1)
    return KERN_SUCCESS
}

/// A ratio of zeros; spelt like the C structure's initialiser.
public func mach_timebase_info() -> mach_timebase_info_data_t {
    mach_timebase_info_data_t()
}

/// The given ratio; spelt like the C structure's initialiser.
public func mach_timebase_info(numer: UInt32, denom: UInt32) -> mach_timebase_info_data_t {
    mach_timebase_info_data_t(numer: numer, denom: denom)
}
