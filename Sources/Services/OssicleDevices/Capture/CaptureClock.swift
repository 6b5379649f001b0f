import Synchronization

/// One side's clock: learned on its thread, told to any.
final class CaptureClock: @unchecked Sendable {
    private let rate: UnsafeMutablePointer<ClockRate>
    /// Bits of the seconds per frame, 0 as long as unknown.
    private let secondsPerFrame = Atomic(0.0.bitPattern)

    init(sampleRate: Double) {
        rate = .allocate(capacity: 1)
        rate.initialize(to: ClockRate(sampleRate: sampleRate))
    }

    deinit { rate.deallocate() }

    func note(frameCount: Int, at time: UInt64) {
        rate.pointee.note(frameCount: frameCount, at: time)
        secondsPerFrame.store((rate.pointee.secondsPerFrame ?? 0).bitPattern, ordering: .relaxed)
    }

    /// Parts per million by which one clock is faster than another; 0 as long as either is unknown.
    static func drift(of one: CaptureClock, against other: CaptureClock) -> Double {
        let (fast, slow) = (one.value, other.value)
        guard fast > 0, slow > 0 else { return 0 }
        return (slow / fast - 1) * 1e6
    }

    private var value: Double { Double(bitPattern: secondsPerFrame.load(ordering: .relaxed)) }
}
