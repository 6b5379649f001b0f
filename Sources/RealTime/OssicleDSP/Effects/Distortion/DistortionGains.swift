import OssicleCore

/// The numbers of a distortion that glide, as lanes of one vector, so that they glide together.
struct DistortionGains: BitwiseCopyable, Sendable {
    fileprivate var lanes = SIMD16<Float>.zero

    fileprivate init(lanes: SIMD16<Float>) { self.lanes = lanes }

    init(_ parameters: DistortionEffect.Parameters) {
        typealias Parameters = DistortionEffect.Parameters
        let settings = parameters.settings
        func term(_ value: Float, _ limit: Float) -> Float { value.isFinite ? min(max(value, -limit), limit) : 0 }
        drive = Self.amplitude(parameters.preGain)
        clip = Self.amplitude(settings.softClipGain)
        echoMix = Parameters.share(settings.delayMix)
        crushMix = Parameters.share(settings.decimationMix)
        (linear, squared, cubic) = (
            term(settings.linearTerm, 20), term(settings.squaredTerm, 20), term(settings.cubicTerm, 20)
        )
        curveMix = Parameters.share(settings.polynomialMix)
        let (ring, balance) = (Parameters.share(settings.ringModMix), Parameters.share(settings.ringModBalance))
        (ringDry, ringFirst, ringSecond) = (1 - ring, ring * (1 - balance), ring * balance)
    }

    var drive: Float {
        get { lanes[0] }
        set { lanes[0] = newValue }
    }
    var clip: Float {
        get { lanes[1] }
        set { lanes[1] = newValue }
    }
    var echoMix: Float {
        get { lanes[2] }
        set { lanes[2] = newValue }
    }
    var crushMix: Float {
        get { lanes[3] }
        set { lanes[3] = newValue }
    }
    var linear: Float {
        get { lanes[4] }
        set { lanes[4] = newValue }
    }
    var squared: Float {
        get { lanes[5] }
        set { lanes[5] = newValue }
    }
    var cubic: Float {
        get { lanes[6] }
        set { lanes[6] = newValue }
    }
    var curveMix: Float {
        get { lanes[7] }
        set { lanes[7] = newValue }
    }
    /// What is left unmodulated, and what either oscillator modulates.
    var ringDry: Float {
        get { lanes[8] }
        set { lanes[8] = newValue }
    }
    var ringFirst: Float {
        get { lanes[9] }
        set { lanes[9] = newValue }
    }
    var ringSecond: Float {
        get { lanes[10] }
        set { lanes[10] = newValue }
    }

    /// Held within ±40 dB, which keeps every later stage finite.
    private static func amplitude(_ decibels: Float) -> Float {
        Float(Decibels.amplitude(min(max(FilterLimits.decibels(Double(decibels)), -120), 40)))
    }
}

extension DistortionGains: RampValue {
    /// Straight lines: a + (b − a)·i/n.
    static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        DistortionGains(lanes: start.lanes + (target.lanes - start.lanes) * (Float(frame) * (1 / Float(frames))))
    }
}

/// Takes the mean out of a signal: y = x − x₋₁ + r·y₋₁, −3 dB at 10 Hz. Double, because r is close to 1.
struct DCBlocker: BitwiseCopyable, Sendable {
    private static let corner = 10.0

    private var x1 = 0.0
    private var y1 = 0.0

    /// The r of a sample rate.
    static func pole(_ sampleRate: Double) -> Double {
        DeterministicMath.exp(-2 * DeterministicMath.pi * corner / sampleRate)
    }

    /// Seconds in which what it remembers falls by e^−nepers.
    static func time(toFallBy nepers: Double) -> Double { nepers / (2 * DeterministicMath.pi * corner) }

    @inline(__always)
    mutating func next(_ x: Float, pole: Double) -> Float {
        y1 = Double(x) - x1 + pole * y1
        x1 = Double(x)
        return Float(y1)
    }
}

/// A sine whose phase is counted in frames, not added up: phase(t) = phase(t₀) + (t − t₀)·f/fs. Another frequency goes
/// on from the phase there is.
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

/// When a signal that is held for `period` frames at a time takes its next sample: where frame/period passes a whole
/// number.
struct HoldClock: BitwiseCopyable, Sendable {
    /// 1 and up.
    var period: Double

    func ticks(at frame: Int64) -> Bool {
        frame == 0 || period <= 1
            || (Double(frame) / period).rounded(.down) != (Double(frame - 1) / period).rounded(.down)
    }
}
