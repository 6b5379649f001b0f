import COssicle
import OssicleCore

/// What a homogeneous medium takes from sound along its path, at every frequency: sixteen taps of least delay for each
/// distance, and octave gains for what they leave undone.
///
/// Octave bands alone are up to a quarter of the loss away between their centres, because losses rise with the square
/// of the frequency. Taps follow them as far as they reach to high frequencies; what is left is smooth and small: less
/// than 0.1 dB to some 30 m of ordinary air, half a decibel at 100 m.
///
///     H(f, d) = e^(−d (a(f) + jφ(f)))        a nepers per metre, φ its Hilbert transform: the least delay
///
/// For each of some fifty distances the taps are fitted to H by least squares, errors weighed relative to |H|; in
/// between they are interpolated in a straight line. Made once for a medium and a sample rate, in some milliseconds.
package struct AirFilters: Sendable {
    package typealias Taps = SIMD16<Float>
    /// No loss.
    package static var clear: Taps {
        var taps = Taps.zero
        taps[0] = 1
        return taps
    }
    /// In vectors, which `==` is not: it goes through the lanes one by one.
    package static func areEqual(_ a: Taps, _ b: Taps) -> Bool { all(a .== b) }
    package static func isClear(_ taps: Taps) -> Bool { areEqual(taps, clear) }

    private static let size = 2048
    /// dB at the highest frequency that counts, from one distance to the next, and distances.
    private static let stepLoss = 1.5, count = 48
    /// Below that many dB a loss counts as none.
    private static let least = 0.05

    /// dB per metre at the octave centres.
    private let losses: OctaveBands
    /// dB per metre at the highest frequency that counts.
    private let highest: Double
    /// Metres.
    private let step: Double
    private let taps: [Taps]
    /// dB that the taps take at the octave centres.
    private let taken: [OctaveBands]

    /// - Parameter attenuation: dB per metre at a frequency in Hz.
    package init(sampleRate: Double, attenuation: (_ frequency: Double) -> Double) {
        let fit = TapsFit(sampleRate: sampleRate, size: Self.size, attenuation)
        highest = attenuation(fit.highest)
        step = Self.stepLoss / max(highest, 1e-6)
        var (losses, taps, taken) = (OctaveBands.zeros, [Self.clear], [OctaveBands.zeros])
        for band in 0..<OctaveBands.count { losses[band] = Float(attenuation(OctaveBands.centre(band))) }
        for index in 1...Self.count {
            let fitted = fit.taps(distance: Double(index) * step)
            taps.append(fitted)
            taken.append(fit.losses(of: fitted))
        }
        (self.losses, self.taps, self.taken) = (losses, taps, taken)
    }

    /// - Parameter distance: metres; what is none counts as 0.
    /// - Returns: taps, and factors of the octave bands, all 1 where the taps do it all.
    package func filter(distance: Double) -> (taps: Taps, rest: OctaveBands) {
        guard distance.isFinite, distance * highest > Self.least else { return (Self.clear, .ones) }
        let place = min(distance / step, Double(Self.count))
        let index = min(Int(place), Self.count - 1)
        let share = Float(place - Double(index))
        let mixed = taps[index] + (taps[index + 1] - taps[index]) * share
        let done = taken[index] + (taken[index + 1] + taken[index] * -1) * share
        let left = losses * Float(distance) + done * -1
        var small = true
        for band in 0..<OctaveBands.count where left[band].magnitude >= Float(Self.least) { small = false }
        return (mixed, small ? .ones : left.map { Float(Decibels.amplitude(-Double($0))) })
    }
}

/// Least squares on the bins of a transform.
private struct TapsFit {
    private let turns: [SIMD2<Double>]
    /// Per bin, nepers and radians per metre.
    private let loss, phase: [Double]
    private let highestBin: Int
    private let rate: Double
    let highest: Double

    init(sampleRate: Double, size: Int, _ attenuation: (Double) -> Double) {
        rate = sampleRate
        turns = (0..<size).map { Self.turn(2 * DeterministicMath.pi * Double($0) / Double(size)) }
        let step = sampleRate / Double(size)
        highest = min(16_000, 0.46 * sampleRate)
        highestBin = Int(highest * 1.03 / step)
        // The steepest part lies beyond hearing, and would only cost the taps.
        let top = min(20_000, 0.46 * sampleRate)
        let loss = (0...size / 2).map {
            attenuation(min(Double($0) * step, top)) * (DeterministicMath.ln10 / 20)
        }
        self.loss = loss
        phase = Self.leastPhase(loss, size: size)
    }

    /// By way of the cepstrum.
    private static func leastPhase(_ levels: [Double], size: Int) -> [Double] {
        let transform = RealFourierTransform(count: size)
        var (real, imaginary) = (levels.map { Float($0) }, [Float](repeating: 0, count: levels.count))
        var signal = [Float](repeating: 0, count: size)
        transform.inverse(real: &real, imaginary: &imaginary, signal: &signal)
        for index in 1..<size / 2 {
            signal[index] *= 2
            signal[size - index] = 0
        }
        transform.forward(signal, real: &real, imaginary: &imaginary)
        return imaginary.map { Double($0) }
    }

    func taps(distance: Double) -> AirFilters.Taps {
        let least = DeterministicMath.exp(-distance * loss[highestBin])
        let floor = max(least, 1e-3)
        var (row, wanted) = ([Double](repeating: 0, count: 16), [Double](repeating: 0, count: 16))
        for bin in loss.indices {
            let magnitude = DeterministicMath.exp(-distance * loss[bin])
            let held = max(magnitude, 1e-3)
            let weight = bin <= highestBin ? 1 / (held * held) : 0.01 / floor
            let value = Self.turn(-distance * phase[bin]) * magnitude
            for tap in 0..<16 {
                let turn = turns[bin * tap % turns.count]
                row[tap] += weight * turn.x
                // Re(H e^(jωk))
                wanted[tap] += weight * (value.x * turn.x - value.y * turn.y)
            }
        }
        row[0] *= 1 + 1e-9
        var taps = AirFilters.Taps.zero
        for (tap, value) in ToeplitzFactor(row).solved(wanted).enumerated() { taps[tap] = Float(value) }
        return taps
    }

    /// dB at the octave centres; above half the rate nothing.
    func losses(of taps: AirFilters.Taps) -> OctaveBands {
        var losses = OctaveBands.zeros
        for band in 0..<OctaveBands.count where OctaveBands.centre(band) < 0.46 * rate {
            var sum = SIMD2<Double>.zero
            for tap in 0..<16 {
                let angle = -2 * DeterministicMath.pi * OctaveBands.centre(band) / rate * Double(tap)
                sum += Self.turn(angle) * Double(taps[tap])
            }
            losses[band] = -Float(Decibels.of(energy: max((sum * sum).sum(), 1e-30)))
        }
        return losses
    }

    private static func turn(_ angle: Double) -> SIMD2<Double> {
        let turn = DeterministicMath.sincos(angle)
        return SIMD2(turn.cos, turn.sin)
    }
}

/// Sixteen taps on the move, and the sound before the block. Audio thread.
struct AirLine {
    /// The latest fifteen samples, the newest last.
    private var history = InlineArray<16, Float>(repeating: 0)

    mutating func reset() { history = InlineArray(repeating: 0) }

    /// - Parameters:
    ///   - end: the taps that are reached when `frames` frames have passed since `start`; at rest `frames` is 0.
    ///   - index: how many of them have passed. - from, to: may be the same memory.
    mutating func process(
        start: AirFilters.Taps, end: AirFilters.Taps, index: Int, frames: Int, from: UnsafePointer<Float>,
        to: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        var done = 0
        while done < n {
            let count = min(n - done, 128)
            let moving = min(max(frames - index - done, 0), count)
            run(start, end, index + done, frames, moving, from: from + done, to: to + done, count)
            done += count
        }
    }

    private mutating func run(
        _ start: AirFilters.Taps, _ end: AirFilters.Taps, _ index: Int, _ frames: Int, _ moving: Int,
        from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        // What a kernel reads and writes to the next multiple of sixteen.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 160 + 2 * 128) { memory in
            guard let line = memory.baseAddress else { return }
            let (sound, change) = (line + 160, line + (160 + 128))
            for k in 0..<15 { line[k] = history[k] }
            (line + 15).update(from: from, count: n)
            (line + 15 + n).update(repeating: 0, count: 160 - 15 - n)
            for k in 0..<15 { history[k] = line[n + k] }
            Self.filter(line, end, sound, n)
            if moving > 0 {
                // end + (start − end)·(1 − t): linear in the taps, so that two filters and a ramp make one that moves.
                Self.filter(line, start - end, change, moving)
                let fall = ossicle_line(start: 1, change: -1, step: 1 / Float(frames), index: Int32(clamping: index))
                ossicle_add_gliding(change, fall, sound, moving)
            }
            to.update(from: sound, count: n)
        }
    }

    @inline(__always)
    private static func filter(
        _ line: UnsafePointer<Float>, _ taps: AirFilters.Taps, _ sound: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        withUnsafeBytes(of: taps) { taps in
            guard let taps = taps.baseAddress else { return }
            ossicle_fir(line, taps.assumingMemoryBound(to: Float.self), 16, sound, n)
        }
    }
}
