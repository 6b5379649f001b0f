/// When the frames of a stream are at its device: a smooth line through measured times, by a delay-locked loop of
/// second order.
///
///     e = measured − t(frame)     t ← t(frame) + √2·ω·e     T ← T + ω²·e / n     ω = 2π·B·n·T
///
/// - n: frames since the last measurement. - T: seconds a frame lasts.
/// - B: bandwidth in Hz, 1 / (2 · seconds since the lock), 0.1 at least.
///
/// F. Adriaensen, "Using a DLL to filter time", Linux Audio Conference 2005. The times it gives never run backwards.
struct FrameClock {
    /// Hz.
    private static let bandwidth = (first: 5.0, last: 0.1)
    /// Seconds off the line at which a measurement is an outlier, how many of them in a row are a break, and how many
    /// where they lie as far off the line as one another: a device that stood still continues behind a step.
    private static let tolerance = 0.005
    private static let patience = (scattered: 8, agreeing: 3)

    private let nominal: Double
    private var period: Double
    private var origin: UInt64 = 0
    /// The last measurement that counted, and its time since the origin, filtered.
    private var frame = 0
    private var seconds = 0.0
    private var lockedFrame: Int?
    private var hasLine = false
    private var outliers = 0
    /// Outliers in a row within the tolerance of the one before, and how far off the line the last one was.
    private var agreement = (count: 0, error: 0.0)
    private var latest: UInt64 = 0

    /// - Parameter sampleRate: Hz, what the device says of itself.
    init(sampleRate: Double) {
        nominal = 1 / sampleRate
        period = nominal
    }

    /// The next measurement begins a new line: sound was interrupted.
    mutating func restart() { lockedFrame = nil }

    /// Takes a measurement; older frames than the last one's are passed over.
    mutating func note(_ frame: Int, at time: UInt64) {
        guard let lockedFrame else {
            begin(frame, at: time)
            return self.lockedFrame = frame
        }
        let count = frame - self.frame
        guard count > 0 else { return }
        let expected = seconds + Double(count) * period
        let error = Double(Int64(bitPattern: time &- origin)) * 1e-9 - expected
        guard abs(error) < FrameClock.tolerance else {
            if isBreak(error) { begin(frame, at: time) }
            return
        }
        (outliers, agreement.count) = (0, 0)
        let age = Double(frame - lockedFrame) * nominal
        let bandwidth = max(FrameClock.bandwidth.last, min(FrameClock.bandwidth.first, 0.5 / age))
        let omega = min(2 * Double.pi * bandwidth * Double(count) * period, 0.5)
        seconds = expected + 2.0.squareRoot() * omega * error
        period += omega * omega * error / Double(count)
        self.frame = frame
    }

    /// Whether an outlier is one too many.
    private mutating func isBreak(_ error: Double) -> Bool {
        let agrees = agreement.count > 0 && abs(error - agreement.error) < FrameClock.tolerance
        agreement = (agrees ? agreement.count + 1 : 1, error)
        outliers += 1
        return outliers >= FrameClock.patience.scattered || agreement.count >= FrameClock.patience.agreeing
    }

    /// Nanoseconds of `HostClock`. Call it for one frame after the other.
    /// - Parameter guess: begins a line as long as nothing was measured.
    mutating func time(of frame: Int, orElse guess: @autoclosure () -> UInt64) -> UInt64 {
        if !hasLine { begin(frame, at: guess()) }
        let time = HostClock.time(origin, movedBy: seconds + Double(frame - self.frame) * period)
        latest = max(latest, time)
        return latest
    }

    private mutating func begin(_ frame: Int, at time: UInt64) {
        (origin, self.frame, seconds, period) = (time, frame, 0, nominal)
        (hasLine, outliers, agreement.count) = (true, 0, 0)
    }
}
