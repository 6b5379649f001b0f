import CJack

/// When a JACK server began a cycle, in `HostClock`. Belongs to the thread of the process callback.
struct JackClock {
    /// From JACK's clock to `HostClock`, in nanoseconds.
    private var offset: Int64?
    /// Nanoseconds between two readings of a clock that nothing interrupts; half of them is the offset's error.
    private static let prompt: UInt64 = 5000

    /// When the server began this cycle, by its own filtered clock, which counts microseconds from somewhere, and
    /// drifts against ours as it follows no time server. The offset of the two clocks is kept where the thread was
    /// interrupted between the readings.
    mutating func beginOfCycle(_ client: OpaquePointer) -> UInt64 {
        let before = HostClock.now
        let jack = jack_get_time()
        let after = HostClock.now
        let measured = Int64(bitPattern: before + (after - before) / 2) - Int64(bitPattern: jack) * 1000
        if offset == nil || after - before < JackClock.prompt { offset = measured }
        var (frame, begin, next, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
        guard jack_get_cycle_times(client, &frame, &begin, &next, &period) == 0 else { return before }
        return UInt64(max(Int64(bitPattern: begin) * 1000 + (offset ?? measured), 0))
    }
}
