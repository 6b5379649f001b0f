import OssicleCore

/// The linear part of an echo canceller: a partitioned-block frequency-domain Kalman filter.
///
///     e = y − Σ W_b·X_b;   K_b = P_b·X_b* / (Σ |X|²·P + N/M·Ψ);   W_b += K_b·E;
///     P_b = A²·(1 − M/N·K_b·X_b)·P_b + (1 − A²)·|W_b|²
///
/// N is the transform's length, M the hop, b the partition, Ψ the power of what is no echo. When somebody speaks near
/// the microphone Ψ rises and the step falls, bin by bin, so that no detector of double talk is needed (Enzner and
/// Vary, "Frequency-domain adaptive Kalman filter for acoustic echo control in hands-free telephones", Signal
/// Processing 86, 2006; partitions as in Kuech, Mabande and Enzner, "State-space architecture of the
/// partitioned-block-based acoustic echo controller", ICASSP 2014, covariances taken as diagonal). Every hop half of
/// the partitions have what wraps around taken out. `EchoPathWatch` has it doubt what it has learnt. Audio thread.
package struct EchoFilter: ~Copyable {
    /// A²: how much of the echo path is the same a hop later.
    private static let persistence: Float = 0.9998
    /// P is no less, so that what was learnt to be nothing can become something again.
    private static let leastUncertainty: Float = 1e-4
    /// T60 of the first guess of the echo path, s.
    private static let guessedDecay = 1.5

    package let partitionCount: Int
    private let grid: VoiceGrid
    private let binCount: Int
    private let stride: Int
    private let fourier: RealFourierTransform
    private let real: SampleMemory
    private let imaginary: SampleMemory
    private let uncertainty: SampleMemory
    private let nearPower: SampleMemory
    private let sumReal: SampleMemory
    private let sumImaginary: SampleMemory
    private let denominator: SampleMemory
    private let signal: SampleMemory
    private let earlierReal: SampleMemory
    private let earlierImaginary: SampleMemory
    private var pathWatch: EchoPathWatch
    private var parity = 0
    /// Mean powers of the microphone's signal and of what is left, over some 200 ms.
    private var (before, after): (Float, Float) = (0, 0)

    /// - Parameter tail: length of the echo path that is modelled, s.
    package init(grid: VoiceGrid, tail: Double) {
        self.grid = grid
        partitionCount = max(grid.hops(tail), 1)
        fourier = RealFourierTransform(count: grid.filterCount)
        binCount = fourier.binCount
        stride = (binCount + 15) & ~15
        real = SampleMemory(count: partitionCount * stride)
        imaginary = SampleMemory(count: partitionCount * stride)
        uncertainty = SampleMemory(count: partitionCount * stride)
        earlierReal = SampleMemory(count: partitionCount * stride)
        earlierImaginary = SampleMemory(count: partitionCount * stride)
        pathWatch = EchoPathWatch(grid: grid, partitionCount: partitionCount, binCount: binCount)
        nearPower = SampleMemory(count: stride)
        sumReal = SampleMemory(count: stride)
        sumImaginary = SampleMemory(count: stride)
        denominator = SampleMemory(count: stride)
        signal = SampleMemory(count: grid.filterCount)
        reset()
    }

    package mutating func reset() {
        real.clear()
        imaginary.clear()
        nearPower.clear()
        earlierReal.clear()
        earlierImaginary.clear()
        for b in 0..<partitionCount { guess(b) }
        pathWatch.reset()
        (parity, before, after) = (0, 0, 0)
    }

    /// The first uncertainty of a partition: a room's decay, at an echo about as loud as the far signal.
    private func guess(_ b: Int) {
        (uncertainty.pointer + b * stride).update(repeating: firstUncertainty(b), count: stride)
    }

    private func firstUncertainty(_ b: Int) -> Float {
        let seconds = Double(b * grid.hop) / grid.sampleRate
        return max(Float(3 * DeterministicMath.exp(-6 * DeterministicMath.ln10 * seconds / Self.guessedDecay)), 1e-5)
    }

    /// Of what is left of the microphone's signal, the share that belongs to the far signal, 0 … 1.
    package var coherentShare: Float { pathWatch.coherentShare }

    /// Power of what is left over that of what came, over some 200 ms.
    package var leftShare: Float { after / (before + 1e-9) }

    /// The microphone's next frame does not follow its last: what is left before says nothing of the path from now on.
    package mutating func noteBreak() { pathWatch.reset() }

    /// What was learnt holds no longer, though some of it may: all is nearly as uncertain as at the beginning.
    package func doubt() {
        for b in 0..<partitionCount {
            let (p, least) = (uncertainty.pointer + b * stride, 0.3 * firstUncertainty(b))
            for k in 0..<binCount { p[k] = max(p[k], least) }
        }
    }

    /// Echo of one hop, and the microphone's signal without it.
    ///
    /// - Parameters:
    ///   - delay: hops before the filter begins.
    ///   - learns: whether the filter adapts.
    package mutating func process(
        _ microphone: UnsafePointer<Float>, reference: borrowing EchoReference, delay: Int,
        echo: UnsafeMutablePointer<Float>, residual: UnsafeMutablePointer<Float>, learns: Bool = true
    ) {
        let (hop, valid) = (grid.hop, grid.filterCount - grid.hop)
        convolve(reference, delay)
        fourier.inverse(real: sumReal.pointer, imaginary: sumImaginary.pointer, signal: signal.pointer)
        echo.update(from: signal.pointer + valid, count: hop)
        for i in 0..<hop { residual[i] = microphone[i] - echo[i] }
        guard learns else { return }
        signal.pointer.update(repeating: 0, count: valid)
        (signal.pointer + valid).update(from: residual, count: hop)
        fourier.forward(signal.pointer, real: sumReal.pointer, imaginary: sumImaginary.pointer)
        let isOther = pathWatch.take(
            (UnsafePointer(sumReal.pointer), UnsafePointer(sumImaginary.pointer)), reference: reference, delay: delay,
            share: leftShare)
        weigh()
        adapt(reference, delay)
        constrain()
        if isOther { doubt() }
        if makesWorse(microphone, residual) { reset() }
    }

    /// Whether what is left is far louder than what came: the echo path is another one than was learnt, and so sure is
    /// the filter of the old one that it would take long to learn the new. An old path's echo in place of the new one's
    /// doubles the power. Words of two talkers, which are in phase for a moment, seldom make it half as much again.
    private mutating func makesWorse(
        _ microphone: UnsafePointer<Float>, _ residual: UnsafePointer<Float>
    ) -> Bool {
        var (came, left): (Float, Float) = (0, 0)
        for i in 0..<grid.hop {
            came += microphone[i] * microphone[i]
            left += residual[i] * residual[i]
        }
        before += 0.02 * (came - before)
        after += 0.02 * (left - after)
        return after > 1.5 * before + 1e-5
    }

    /// Sums of W·X and |X|²·P over all partitions.
    private func convolve(_ reference: borrowing EchoReference, _ delay: Int) {
        let (sumReal, sumImaginary, powers) = (sumReal.pointer, sumImaginary.pointer, denominator.pointer)
        sumReal.update(repeating: 0, count: stride)
        sumImaginary.update(repeating: 0, count: stride)
        powers.update(repeating: 0, count: stride)
        for b in 0..<partitionCount {
            let x = reference.spectrum(delay + b)
            let (xr, xi) = (x.real, x.imaginary)
            let (wr, wi) = (real.pointer + b * stride, imaginary.pointer + b * stride)
            let p = uncertainty.pointer + b * stride
            for k in 0..<binCount {
                sumReal[k] += xr[k] * wr[k] - xi[k] * wi[k]
                sumImaginary[k] += xr[k] * wi[k] + xi[k] * wr[k]
                powers[k] += (xr[k] * xr[k] + xi[k] * xi[k]) * p[k]
            }
        }
    }

    /// Turns the sums |X|²·P into 1 / denominators, with the power of what is no echo.
    private func weigh() {
        let (er, ei, near, powers) = (sumReal.pointer, sumImaginary.pointer, nearPower.pointer, denominator.pointer)
        let share = Float(grid.filterCount) / Float(grid.hop)
        for k in 0..<binCount {
            let power = er[k] * er[k] + ei[k] * ei[k]
            near[k] += 0.1 * (power - near[k])
            powers[k] = 1 / (powers[k] + share * max(near[k], 0.2 * power) + 1e-6)
        }
    }

    private func adapt(_ reference: borrowing EchoReference, _ delay: Int) {
        let (er, ei, weights) = (sumReal.pointer, sumImaginary.pointer, denominator.pointer)
        let (share, persistence) = (Float(grid.hop) / Float(grid.filterCount), Self.persistence)
        for b in 0..<partitionCount {
            let x = reference.spectrum(delay + b)
            let (xr, xi) = (x.real, x.imaginary)
            let (wr, wi) = (real.pointer + b * stride, imaginary.pointer + b * stride)
            let p = uncertainty.pointer + b * stride
            for k in 0..<binCount {
                let gain = p[k] * weights[k]
                wr[k] += gain * (xr[k] * er[k] + xi[k] * ei[k])
                wi[k] += gain * (xr[k] * ei[k] - xi[k] * er[k])
                let left = 1 - share * gain * (xr[k] * xr[k] + xi[k] * xi[k])
                let size = wr[k] * wr[k] + wi[k] * wi[k]
                p[k] = max(persistence * left * p[k] + (1 - persistence) * size, Self.leastUncertainty)
            }
        }
    }

    /// Keeps the first M taps of every second partition.
    private mutating func constrain() {
        for b in Swift.stride(from: parity, to: partitionCount, by: 2) {
            let (wr, wi) = (real.pointer + b * stride, imaginary.pointer + b * stride)
            fourier.inverse(real: wr, imaginary: wi, signal: signal.pointer)
            (signal.pointer + grid.hop).update(repeating: 0, count: grid.filterCount - grid.hop)
            fourier.forward(signal.pointer, real: wr, imaginary: wi)
        }
        parity ^= 1
    }

    /// Moves the model by whole hops: what was partition b + hops becomes partition b.
    package func shift(by hops: Int) {
        let rows = partitionCount
        for index in 0..<rows {
            let b = hops > 0 ? index : rows - 1 - index
            let (from, isKept) = (b + hops, (0..<rows).contains(b + hops))
            move(real, isKept ? from : nil, to: b)
            move(imaginary, isKept ? from : nil, to: b)
            move(earlierReal, isKept ? from : nil, to: b)
            move(earlierImaginary, isKept ? from : nil, to: b)
            if isKept {
                (uncertainty.pointer + b * stride).update(from: uncertainty.pointer + from * stride, count: stride)
            } else {
                guess(b)
            }
        }
    }

    private func move(_ memory: borrowing SampleMemory, _ from: Int?, to: Int) {
        let target = memory.pointer + to * stride
        if let from {
            target.update(from: memory.pointer + from * stride, count: stride)
        } else {
            target.update(repeating: 0, count: stride)
        }
    }

    /// By how many frames the echo path has become longer since the last call, from the turn of its phases (after
    /// Pawig, Enzner and Vary, "Adaptive sampling rate correction for acoustic echo control in voice-over-IP", IEEE
    /// Trans. Signal Processing 58, 2010); nil where there was no path to compare with.
    ///
    /// - Parameter highest: frequency in Hz up to which phases are compared.
    package func lengthening(highest: Double) -> Double? {
        let last = min(Int(highest / grid.sampleRate * Double(grid.filterCount)), binCount - 1)
        var (turned, weight) = (0.0, 0.0)
        for b in 0..<partitionCount {
            let place = b * stride
            for k in 1...max(last, 1) {
                let (ar, ai) = (real[place + k], imaginary[place + k])
                let (br, bi) = (earlierReal[place + k], earlierImaginary[place + k])
                let (f, along, across) = (Double(k), Double(ar * br + ai * bi), Double(ai * br - ar * bi))
                turned += f * across
                weight += f * f * max(along, 0)
            }
        }
        earlierReal.pointer.update(from: real.pointer, count: partitionCount * stride)
        earlierImaginary.pointer.update(from: imaginary.pointer, count: partitionCount * stride)
        guard weight > 1e-12 else { return nil }
        return -turned / weight * Double(grid.filterCount) / (2 * DeterministicMath.pi)
    }
}
