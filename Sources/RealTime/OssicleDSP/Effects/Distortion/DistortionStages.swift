import OssicleCore

/// Takes the mean out of a signal: y = x − x₋₁ + r·y₋₁, −3 dB at 10 Hz. Double, because r is close to 1.
struct DCBlocker: BitwiseCopyable, Sendable {
    private static let corner = 10.0

    private var x1 = 0.0
    private var y1 = 0.0

    /// The r of a sample rate.
    static func pole(_ sampleRate: Double) -> Double { DeterministicMath.exp(-2 * DeterministicMath.pi * corner / sampleRate) }

    /// Seconds in which what it remembers falls by e^−nepers.
    static func time(toFallBy nepers: Double) -> Double { nepers / (2 * DeterministicMath.pi * corner) }

    @inline(__always)
    mutating func next(_ x: Float, pole: Double) -> Float {
        y1 = Double(x) - x1 + pole * y1
        x1 = Double(x)
        return Float(y1)
    }
}

/// A sine whose phase is counted in frames, not added up: phase(t) = phase(t₀) + (t − t₀)·f/fs. Another frequency goes on from the phase there is.
struct CountedOscillator: BitwiseCopyable, Sendable {
    private var turns: Double
    private var origin = 0.0
    private var since: Int64 = 0

    /// - Parameter turns: per frame.
    init(turns: Double) { self.turns = turns }

    mutating func setTurns(_ new: Double, at frame: Int64) {
        guard new != turns else { return }
        (origin, since, turns) = (phase(at: frame), frame, new)
    }

    mutating func reset() { (origin, since) = (0, 0) }

    func value(at frame: Int64) -> Float { Float(DeterministicMath.sin(2 * DeterministicMath.pi * phase(at: frame))) }

    /// In turns, within a turn.
    private func phase(at frame: Int64) -> Double {
        let turned = origin + Double(frame - since) * turns
        return turned - turned.rounded(.down)
    }
}

/// When a signal that is held for `period` frames at a time takes its next sample: where frame/period passes a whole number.
struct HoldClock: BitwiseCopyable, Sendable {
    /// 1 and up.
    var period: Double

    func ticks(at frame: Int64) -> Bool {
        frame == 0 || period <= 1 || (Double(frame) / period).rounded(.down) != (Double(frame - 1) / period).rounded(.down)
    }
}
