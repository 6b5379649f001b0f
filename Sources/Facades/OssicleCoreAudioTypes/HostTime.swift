// The host clock: one tick is one nanosecond of the system's monotonic clock.

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
