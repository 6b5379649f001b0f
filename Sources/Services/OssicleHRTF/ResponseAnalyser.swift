import OssicleCore
import OssicleDSP

/// Spectra and delays of responses of one length. One thread at a time.
final class ResponseAnalyser {
    /// Samples of the transform: eight times those of the responses, so that what is cyclic about it does no harm.
    let size: Int
    var binCount: Int { size / 2 + 1 }
    private let transform: RealFourierTransform
    private let signal, real, imaginary, keptReal, keptImaginary: SampleMemory
    private let responseLength: Int
    /// Windowed sines at ±1 sample in steps of 1/64, to read the correlation between its samples.
    private let shifts: [[Double]]
    private static let fine = 64, reach = 16

    init(responseLength: Int) {
        transform = RealFourierTransform(count: min(max(8 * responseLength, 4096), FourierTransform.largestCount))
        size = transform.count
        let bins = transform.binCount
        self.responseLength = responseLength
        signal = SampleMemory(count: size)
        real = SampleMemory(count: bins)
        imaginary = SampleMemory(count: bins)
        keptReal = SampleMemory(count: bins)
        keptImaginary = SampleMemory(count: bins)
        shifts = (-Self.fine...Self.fine).map { step in
            (-Self.reach...Self.reach).map { Self.kernel(Double(step) / Double(Self.fine) - Double($0)) }
        }
    }

    private static func kernel(_ x: Double) -> Double {
        guard x.magnitude > 1e-9 else { return 1 }
        let angle = DeterministicMath.pi * x
        let window = x.magnitude < Double(reach + 1) ? 0.5 + 0.5 * DeterministicMath.cos(angle / Double(reach + 1)) : 0
        return DeterministicMath.sin(angle) / angle * window
    }

    private func transformed(_ samples: some Collection<Float>) {
        signal.clear()
        for (index, sample) in samples.prefix(size).enumerated() { signal[index] = sample }
        transform.forward(signal.pointer, real: real.pointer, imaginary: imaginary.pointer)
    }

    /// |X|² bin by bin.
    func power(of response: [Float]) -> [Double] {
        transformed(response)
        return (0..<binCount).map {
            Double(real[$0]) * Double(real[$0]) + Double(imaginary[$0]) * Double(imaginary[$0])
        }
    }

    /// ln |X| bin by bin, not below −180 dB.
    func logMagnitudes(of response: [Float]) -> [Double] {
        power(of: response).map { 0.5 * DeterministicMath.log(max($0, 1e-18)) }
    }

    /// The spectrum of least delay with those magnitudes (natural logarithms, held within 80 dB of the highest): its
    /// phase is their Hilbert transform, by way of a cepstrum whose future is folded onto its past. In `real` and
    /// `imaginary`, the logarithm of the magnitude and the phase.
    private func findLeastPhase(_ logMagnitudes: [Double]) {
        let floor = (logMagnitudes.max() ?? 0) - 80 * DeterministicMath.ln10 / 20
        for bin in 0..<binCount {
            real[bin] = Float(max(logMagnitudes[bin], floor))
            imaginary[bin] = 0
        }
        transform.inverse(real: real.pointer, imaginary: imaginary.pointer, signal: signal.pointer)
        for index in 1..<size / 2 {
            signal[index] *= 2
            signal[size - index] = 0
        }
        transform.forward(signal.pointer, real: real.pointer, imaginary: imaginary.pointer)
    }

    /// The minimum-phase filter of those magnitudes behind one without a phase.
    /// - Parameter weights: gains of the second, per bin.
    /// - Returns: its first `count` samples.
    func minimumPhase(_ logMagnitudes: [Double], weights: [Double], count: Int) -> [Double] {
        findLeastPhase(logMagnitudes)
        for bin in 0..<binCount {
            let turn = DeterministicMath.sincos(Double(imaginary[bin]))
            let gain = DeterministicMath.exp(Double(real[bin])) * weights[bin]
            (real[bin], imaginary[bin]) = (Float(gain * turn.cos), Float(gain * turn.sin))
        }
        transform.inverse(real: real.pointer, imaginary: imaginary.pointer, signal: signal.pointer)
        return (0..<min(count, size)).map { Double(signal[$0]) }
    }

    /// Samples by which a response is later than its minimum-phase version: the lag of their largest cross-correlation
    /// from 200 to 1500 Hz, where the ear hears the phase, all frequencies alike, to 1/64.
    ///
    /// Over the whole range the few strongest frequencies decide, and the lag leaps from one direction to the next.
    /// - Parameter step: Hz from bin to bin.
    func delay(of response: [Float], step: Double) -> Double {
        let logs = logMagnitudes(of: response)
        for bin in 0..<binCount { (keptReal[bin], keptImaginary[bin]) = (real[bin], imaginary[bin]) }
        findLeastPhase(logs)
        for bin in 0..<binCount {
            guard (200...1500).contains(Double(bin) * step) else {
                (real[bin], imaginary[bin]) = (0, 0)
                continue
            }
            let own = DeterministicMath.atan2(Double(keptImaginary[bin]), Double(keptReal[bin]))
            let turn = DeterministicMath.sincos(own - Double(imaginary[bin]))
            (real[bin], imaginary[bin]) = (Float(turn.cos), Float(turn.sin))
        }
        transform.inverse(real: real.pointer, imaginary: imaginary.pointer, signal: signal.pointer)
        var coarse = 0
        for lag in 1..<responseLength where signal[lag] > signal[coarse] { coarse = lag }
        let around = (-Self.reach...Self.reach).map { Double(signal[(coarse + $0 + size) % size]) }
        var best = (step: 0, value: -Double.infinity)
        for (step, weights) in shifts.enumerated() {
            let value = zip(weights, around).reduce(0.0) { $0 + $1.0 * $1.1 }
            if value > best.value { best = (step, value) }
        }
        return Double(coarse) + Double(best.step - Self.fine) / Double(Self.fine)
    }
}
