import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// How the low end of a response is found.
package struct WaveOptions: Sendable {
    /// Hz, 40…1000: below it waves are heard, above it paths and rays.
    package let crossover: Double
    /// Of all surfaces, in place of what belongs to the materials' absorption.
    package let wall: WallAdmittance?

    package init(crossover: Double = 200, wall: WallAdmittance? = nil) throws(ResponseError) {
        guard (40...1000).contains(crossover) else {
            throw ResponseError(
                "A crossover of \(crossover) Hz is outside 40 to 1000: choose a frequency in that range.")
        }
        (self.crossover, self.wall) = (crossover, wall)
    }

    /// - Parameter impedance: of all surfaces: a resistance in units of ρc, a mass in kg/m² and a stiffness in N/m³, of
    ///   which the last two may be left out; nil for what belongs to the materials' absorption.
    package init(crossover: Double?, impedance: [Double]?, in medium: Medium) throws(ResponseError) {
        var wall: WallAdmittance?
        if let impedance {
            guard (1...3).contains(impedance.count), impedance.allSatisfy({ $0.isFinite && $0 >= 0 }), impedance[0] > 0
            else {
                throw ResponseError(
                    "A wall impedance of \(impedance) is not a resistance, mass and stiffness: give one to three numbers, the first above 0 and none below."
                )
            }
            let unit = medium.density * medium.speedOfSound
            wall = WallAdmittance([
                .init(
                    resistance: impedance[0], mass: impedance.count > 1 ? impedance[1] / unit : 0,
                    stiffness: impedance.count > 2 ? impedance[2] / unit : 0)
            ])
        }
        try self.init(crossover: crossover ?? 200, wall: wall)
    }
}

/// The field below the crossover as waves, in place of what paths and rays say there.
///
/// A microphone hears the pressure, a sound field of first order pressure and gradient; its higher orders are those of
/// paths and rays. An ear hears the pressure in the middle of the head and what the gradient adds on its side, with the
/// delay between the ears that the head has: p ± (c·ITD/2) ∂p/∂y.
struct WavePart<Tracer: RayTracer> {
    private let solver: WaveSolver<Tracer>
    private let receiver: Receiver
    private let sampleRate: Double
    private let speedOfSound: Double
    private let crossover: WaveCrossover
    private let frequency: Double
    /// Samples of the response to one of the field's.
    private let ratio: Int
    private let kernels: [[Float]]

    /// Metres from the listener to where gradients are taken.
    private static var reach: Double { 0.05 }
    /// Hz; below, a constant volume of sound says ever less.
    private static var lowest: Double { 10 }
    /// Nepers by which the field's response decays in its period besides.
    private static var decay: Double { 5.7 }
    /// Samples of the field on either side of one between them.
    private static var kernel: Int { 16 }

    init(tracer: Tracer, receiver: Receiver, sampleRate: Double, options: WaveOptions) {
        solver = WaveSolver(tracer: tracer, limit: options.crossover, wall: options.wall)
        (self.receiver, self.sampleRate, frequency) = (receiver, sampleRate, options.crossover)
        speedOfSound = tracer.scene.medium.speedOfSound
        crossover = WaveCrossover(frequency: options.crossover, sampleRate: sampleRate)
        ratio = max(Int(sampleRate / (16 * options.crossover)), 1)
        kernels = Self.kernels(ratio)
    }

    /// A response with its low end replaced.
    func crossed(
        _ response: ImpulseResponse, from source: Vector, to listener: Pose, workers: WorkerPool
    ) throws(ResponseError) -> ImpulseResponse {
        let rate = sampleRate / Double(ratio)
        let transform = RealFourierTransform(count: Int(response.seconds * rate) + 512)
        let step = rate / Double(transform.count)
        let band = WaveBand(
            step: step, count: min(Int(4 * frequency / step), transform.count / 2 - 1), damping: Self.decay * step)
        let fields: [[Complex]]
        do {
            fields = try solver.fields(
                from: source, at: points(around: listener), band, seconds: min(response.seconds, 1 / step),
                workers: workers)
        } catch {
            throw ResponseError(error.description)
        }
        let low = channels(fields, band)
        let bottom = WaveCrossover(frequency: Self.lowest, sampleRate: sampleRate)
        let gains = (0..<band.count).map { index in
            let (s, share) = (band.s(index), Double(index) / Double(band.count))
            return crossover.lowGain(s) * bottom.simpleHighGain(s) * Self.fade(share)
        }
        var crossed = response
        crossed.channels = response.channels.enumerated().map { channel, signal in
            guard channel < low.count else { return crossover.allPassed(signal) }
            let spectrum = zip(low[channel], gains).map { $0 * $1 }
            let field = signalOf(spectrum, transform, damping: band.damping, rate: rate)
            let high = crossover.highPassed(signal)
            return high.indices.map { high[$0] + interpolated(field, at: $0) }
        }
        return crossed
    }

    private func points(around listener: Pose) -> [Vector] {
        let centre = listener.position
        func pair(_ axis: Vector) -> [Vector] { [centre + axis * Self.reach, centre - axis * Self.reach] }
        switch receiver {
        case .mono: return [centre]
        case .array: return receiver.places(around: listener)
        case .binaural: return [centre] + pair(-listener.right)
        case .ambisonic(let order, _):
            return [centre] + (order > 0 ? pair(-listener.right) + pair(listener.up) + pair(-listener.back) : [])
        }
    }

    /// What waves say about each channel; fewer than there are where they say nothing about the last.
    private func channels(_ fields: [[Complex]], _ band: WaveBand) -> [[Complex]] {
        /// Pressure of a wave from the first of two points less that of one from the second, by the sine of the angle.
        func slope(_ first: Int) -> [Complex] {
            (0..<band.count).map { index in
                let kappa = band.s(index) * (1 / speedOfSound)
                return (fields[first][index] - fields[first + 1][index]) / (kappa * (2 * Self.reach))
            }
        }
        switch receiver {
        case .mono, .array: return fields
        case .ambisonic(let order, let isN3D):
            guard order > 0 else { return fields }
            // N3D has √3 times SN3D's first order.
            let weight = isN3D ? 3.0.squareRoot() : 1
            return [fields[0]] + [1, 3, 5].map { slope($0).map { $0 * weight } }
        case .binaural(let head):
            let pair = HRIRPair(head, Vector(-1, 0, 0))
            let (half, mean) = ((pair.lags[1] - pair.lags[0]) / 2, (pair.lags[0] + pair.lags[1]) / 2)
            let front = HRIRPair(head, HeadDirection.front).taps
            let level = Double(front[0].reduce(0, +) + front[1].reduce(0, +)) / 2
            let sides = slope(1)
            return [1.0, -1.0].map { side in
                (0..<band.count).map { index in
                    let s = band.s(index)
                    let ear = fields[0][index] + sides[index] * s * (side * half / sampleRate)
                    return ear * (s * (-mean / sampleRate)).exponential * level
                }
            }
        }
    }

    /// - Parameter share: of the band, 0…1; its last quarter fades.
    private static func fade(_ share: Double) -> Double {
        share < 0.75 ? 1 : 0.5 + 0.5 * DeterministicMath.cos((share - 0.75) * 4 * DeterministicMath.pi)
    }

    private func signalOf(
        _ spectrum: [Complex], _ transform: borrowing RealFourierTransform, damping: Double, rate: Double
    ) -> [Float] {
        var real = [Float](repeating: 0, count: transform.binCount)
        var imaginary = real
        for (bin, value) in spectrum.enumerated() { (real[bin], imaginary[bin]) = (Float(value.re), Float(value.im)) }
        var signal = [Float](repeating: 0, count: transform.count)
        transform.inverse(real: &real, imaginary: &imaginary, signal: &signal)
        return signal.enumerated().map { index, value in
            value * Float(DeterministicMath.exp(damping * Double(index) / rate) / Double(ratio))
        }
    }

    /// The field's response between its samples, by a windowed sinc.
    private func interpolated(_ field: [Float], at sample: Int) -> Float {
        let (base, phase) = (sample / ratio, sample % ratio)
        guard phase > 0 else { return base < field.count ? field[base] : 0 }
        let taps = kernels[phase]
        var sum: Float = 0
        for tap in taps.indices {
            let index = base + tap - Self.kernel + 1
            if index >= 0, index < field.count { sum += taps[tap] * field[index] }
        }
        return sum
    }

    /// By phase.
    private static func kernels(_ ratio: Int) -> [[Float]] {
        (0..<ratio).map { phase in
            (0..<(2 * kernel)).map { tap in
                let x = Double(phase) / Double(ratio) - Double(tap - kernel + 1)
                let turn = DeterministicMath.pi * x
                let share = DeterministicMath.pi * x / Double(kernel)
                let window = 0.42 + 0.5 * DeterministicMath.cos(share) + 0.08 * DeterministicMath.cos(2 * share)
                return Float((x == 0 ? 1 : DeterministicMath.sin(turn) / turn) * window)
            }
        }
    }
}
