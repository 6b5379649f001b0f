import OssicleAcoustics
import OssicleCore

/// A short signal at a place between two samples.
///
/// The fraction is a sinc under a four-term window (Nuttall, IEEE ASSP 29, 1981): 64 taps, flat within 0.01 dB to 0.85
/// of half the rate.
struct PlacedSignal: Sendable {
    /// Sample at which the first one sounds.
    let start: Int
    let samples: [Float]

    private static let half = 32
    /// Samples the kernel has before the whole sample it stands behind.
    static let lead = half - 1

    init(start: Int, samples: [Float]) { (self.start, self.samples) = (start, samples) }

    /// - Parameter position: of the signal's first sample, in samples; ±2³¹ at most.
    init(_ signal: [Float], at position: Double) {
        let (whole, fraction) = PlacedSignal.place(position)
        start = whole - PlacedSignal.lead
        samples = PlacedSignal.convolved(signal, PlacedSignal.kernel(fraction: fraction))
    }

    /// A position as a whole sample and what is left, 0..<1.
    static func place(_ position: Double) -> (whole: Int, fraction: Double) {
        let held = position.isFinite ? min(max(position, -0x1p31), 0x1p31) : 0
        let whole = held.rounded(.down)
        return (Int(whole), held - whole)
    }

    func filtered(by taps: [Float]) -> PlacedSignal {
        PlacedSignal(start: start, samples: PlacedSignal.convolved(samples, taps))
    }

    /// A long signal through a filter that is placed first, because it is the shorter one.
    static func convolution(of signal: [Float], with taps: [Float], at position: Double) -> PlacedSignal {
        let filter = PlacedSignal(taps, at: position)
        return PlacedSignal(start: filter.start, samples: convolved(signal, filter.samples))
    }

    /// Adds what fits into `output`.
    func add(to output: inout [Float], gain: Float) {
        let (first, last) = (max(start, 0), min(start + samples.count, output.count))
        guard first < last else { return }
        output.withUnsafeMutableBufferPointer { output in
            samples.withUnsafeBufferPointer { samples in
                for index in first..<last { output[index] += samples[index - start] * gain }
            }
        }
    }

    /// sin(π(n − f))/(π(n − f)) under the window, n = −31…32.
    static func kernel(fraction: Double) -> [Float] {
        (-lead...half).map { n in
            let x = Double(n) - fraction
            guard x.magnitude > 1e-9 else { return 1 }
            let angle = DeterministicMath.pi * x
            let turn = angle / Double(half)
            let window =
                0.355768 + 0.487396 * DeterministicMath.cos(turn) + 0.144232 * DeterministicMath.cos(2 * turn)
                + 0.012604 * DeterministicMath.cos(3 * turn)
            return Float(DeterministicMath.sin(angle) / angle * window)
        }
    }

    /// Sixteen results at a time, each the sum over the taps in their order.
    static func convolved(_ signal: [Float], _ taps: [Float]) -> [Float] {
        guard !signal.isEmpty, !taps.isEmpty else { return [] }
        let count = signal.count + taps.count - 1
        let silence = [Float](repeating: 0, count: taps.count - 1)
        let padded = silence + signal + silence + [Float](repeating: 0, count: 16)
        let backwards = Array(taps.reversed())
        return [Float](unsafeUninitializedCapacity: count + 15) { result, filled in
            padded.withUnsafeBytes { padded in
                for start in stride(from: 0, to: count, by: 16) {
                    var sum = SIMD16<Float>.zero
                    for (tap, gain) in backwards.enumerated() {
                        sum += padded.loadUnaligned(fromByteOffset: 4 * (start + tap), as: SIMD16<Float>.self) * gain
                    }
                    UnsafeMutableRawBufferPointer(result).storeBytes(
                        of: sum, toByteOffset: 4 * start, as: SIMD16<Float>.self)
                }
            }
            filled = count
        }
    }
}

/// One wave front at a listener: when, how loud in each band, where from.
struct Arrival: Sendable, Hashable {
    /// From emission.
    var seconds: Double
    /// Amplitude re the pulse at 1 m, without what the air takes: walls, edges and distance.
    var gains: OctaveBands
    /// Metres through air.
    var length: Double
    /// Unit, in the world, from the listener to where the sound comes from.
    var direction: Vector

    /// Nearer than this the level grows no more, metres.
    private static let nearest = 0.01

    private init?(length: Double, levelDistance: Double, bandGains: OctaveBands, direction: Vector, medium: Medium) {
        guard length.isFinite, levelDistance.isFinite, length >= 0 else { return nil }
        let gains = bandGains * Float(1 / max(levelDistance, Arrival.nearest))
        guard gains.values.allSatisfy(\.isFinite), gains.values.contains(where: { $0 > 0 }) else { return nil }
        (seconds, self.gains, self.length, self.direction) = (
            length / medium.speedOfSound, gains, length, direction.direction ?? Vector(0, 0, -1)
        )
    }

    /// All that arrives, the straight way first.
    static func all(of acoustics: SourceAcoustics, in medium: Medium) -> [Arrival] {
        let direct = acoustics.direct
        let straight = Arrival(
            length: direct.centreDistance, levelDistance: direct.effectiveDistance, bandGains: direct.bandGains,
            direction: direct.direction, medium: medium)
        let others = (acoustics.diffractions + acoustics.reflections).map {
            Arrival(
                length: $0.length, levelDistance: $0.length, bandGains: $0.bandGains, direction: $0.arrival,
                medium: medium)
        }
        return ([straight] + others).compactMap(\.self)
    }
}
