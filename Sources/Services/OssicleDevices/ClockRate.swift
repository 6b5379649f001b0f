import Synchronization

/// How long a frame of a device's clock lasts by the host's: the slope of a straight line through the times of its
/// blocks.
///
/// Least squares in one pass, older blocks counting less and less:
/// D. H. D. West, "Updating Mean and Variance Estimates: An Improved Method", Communications of the ACM 22 (1979).
struct ClockRate {
    /// Seconds after which a block counts for 1/e of a new one.
    static let memory = 60.0
    /// Seconds at the beginning that count for nothing, because devices learn their own times then, and how many must
    /// have been watched behind them before a slope is stated.
    static let (learning, settling) = (2.0, 5.0)
    /// Seconds between two blocks, beside the first one's length, that mean a pause, and no slower clock: the line
    /// continues behind it.
    static let leap = 0.005

    private let nominal: Double
    private var origin: UInt64 = 0
    private var frames = 0.0
    /// Seconds of pauses so far, and when the next block is due without one.
    private var paused = 0.0
    private var due = 0.0
    private var weight = 0.0
    private var mean = (frames: 0.0, seconds: 0.0)
    private var variance = 0.0
    private var covariance = 0.0

    /// - Parameter sampleRate: Hz, what the clock says of itself.
    init(sampleRate: Double) { nominal = 1 / sampleRate }

    /// Seconds per frame; nil as long as too little was seen.
    var secondsPerFrame: Double? {
        guard frames * nominal >= ClockRate.learning + ClockRate.settling, variance > 0 else { return nil }
        return covariance / variance
    }

    /// Takes note of a block: its first frame's time in nanoseconds, and how many frames it has.
    mutating func note(frameCount: Int, at time: UInt64) {
        if frames == 0 { origin = time }
        var seconds = Double(Int64(bitPattern: time &- origin)) * 1e-9 - paused
        if frames > 0, abs(seconds - due) > ClockRate.leap {
            paused += seconds - due
            seconds = due
        }
        let length = Double(frameCount) * nominal
        if frames * nominal >= ClockRate.learning {
            learn(seconds)
            forget(length)
        }
        frames += Double(frameCount)
        due = seconds + length
    }

    private mutating func learn(_ seconds: Double) {
        weight += 1
        let step = frames - mean.frames
        mean.frames += step / weight
        mean.seconds += (seconds - mean.seconds) / weight
        variance += step * (frames - mean.frames)
        covariance += step * (seconds - mean.seconds)
    }

    private mutating func forget(_ seconds: Double) {
        let kept = max(0, 1 - seconds / ClockRate.memory)
        weight *= kept
        variance *= kept
        covariance *= kept
    }
}

/// One side's clock: learned on its thread, read from any.
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
