import Synchronization

/// What a device's thread measures and other threads read.
final class DeviceMeters: Sendable {
    private let latencyBits = Atomic(0.0.bitPattern)
    private let dropouts = Atomic(0)

    /// Seconds.
    var latency: Double { Double(bitPattern: latencyBits.load(ordering: .relaxed)) }
    var dropoutCount: Int { dropouts.load(ordering: .relaxed) }

    func set(latency: Double) { latencyBits.store(latency.bitPattern, ordering: .relaxed) }
    func countDropout() { dropouts.wrappingAdd(1, ordering: .relaxed) }

    func reset() {
        set(latency: 0)
        dropouts.store(0, ordering: .relaxed)
    }
}
