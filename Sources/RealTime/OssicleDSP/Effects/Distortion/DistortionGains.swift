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
        (linear, squared, cubic) = (term(settings.linearTerm, 20), term(settings.squaredTerm, 20), term(settings.cubicTerm, 20))
        curveMix = Parameters.share(settings.polynomialMix)
        let (ring, balance) = (Parameters.share(settings.ringModMix), Parameters.share(settings.ringModBalance))
        (ringDry, ringFirst, ringSecond) = (1 - ring, ring * (1 - balance), ring * balance)
    }

    var drive: Float { get { lanes[0] } set { lanes[0] = newValue } }
    var clip: Float { get { lanes[1] } set { lanes[1] = newValue } }
    var echoMix: Float { get { lanes[2] } set { lanes[2] = newValue } }
    var crushMix: Float { get { lanes[3] } set { lanes[3] = newValue } }
    var linear: Float { get { lanes[4] } set { lanes[4] = newValue } }
    var squared: Float { get { lanes[5] } set { lanes[5] = newValue } }
    var cubic: Float { get { lanes[6] } set { lanes[6] = newValue } }
    var curveMix: Float { get { lanes[7] } set { lanes[7] = newValue } }
    /// What is left unmodulated, and what either oscillator modulates.
    var ringDry: Float { get { lanes[8] } set { lanes[8] = newValue } }
    var ringFirst: Float { get { lanes[9] } set { lanes[9] = newValue } }
    var ringSecond: Float { get { lanes[10] } set { lanes[10] = newValue } }

    /// Held within ±40 dB, which keeps every later stage finite.
    private static func amplitude(_ decibels: Float) -> Float { Float(Decibels.amplitude(min(max(FilterLimits.decibels(Double(decibels)), -120), 40))) }
}

/// Gains on the way from some to others: frame i of n has a + (b − a)·i/n. Audio thread.
struct DistortionGlide: BitwiseCopyable, Sendable {
    private var start: DistortionGains
    private(set) var target: DistortionGains
    private var frames = 0
    private var index = 0

    init(_ gains: DistortionGains) { (start, target) = (gains, gains) }

    var isIdle: Bool { index >= frames }

    mutating func setTarget(_ gains: DistortionGains, frames: Int) {
        start = self[0]
        target = gains
        self.frames = max(frames, 0)
        index = 0
    }

    mutating func finish() { index = frames }
    mutating func advance(_ n: Int) { index += min(n, frames - index) }

    /// The gains `offset` frames from now.
    @inline(__always)
    subscript(offset: Int) -> DistortionGains {
        let frame = index + offset
        guard frame < frames else { return target }
        return DistortionGains(lanes: start.lanes + (target.lanes - start.lanes) * (Float(frame) * (1 / Float(frames))))
    }
}
