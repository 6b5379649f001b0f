import COssicle
import OssicleCore

/// Stretches sound in time without changing its pitch: a phase vocoder that lays down a window every hop, wherever in
/// the input `StretchMap` says.
///
///     ring ─▶ window at input t ─────▶ transform X ─▶ · R ─▶ inverse ─▶ window ─▶ OverlapSum ─▶ stretched frames
///          └▶ window at t − hop ─────▶ transform P ─▶ SpectralRotation R
///
/// Behind an onset windows are laid down as they are. The work of one window is done in equal units, each of which
/// releases an equal share of the hop that is complete, so that the load is even and depends on the number of frames
/// read and on nothing else. Audio thread.
struct PhaseVocoder: ~Copyable {
    let window: Int
    private let channelCount: Int
    private let stride: Int
    private let fourier: RealFourierTransform
    private let shape: SampleMemory
    /// The shape, cut where an onset must not be reached.
    private let cut: SampleMemory
    private var cutEnergy: Float = 0
    private var isCutWhole = false
    private let rotation: SpectralRotation
    let overlap: OverlapSum
    /// Whether bins around a peak keep their phases against each other.
    var isCoherent = true

    /// Signals of the window being prepared, one hop earlier, and of the window before it, in the window's shape.
    private let here: SampleMemory
    private let earlier: SampleMemory
    private let before: SampleMemory
    private let scratch: SampleMemory
    private var last: Spectra
    private var current: Spectra
    private let previous: Spectra

    private var job = StretchMap.Window(output: 0, input: 0, hop: 0, isVerbatim: true)
    /// First stretched frame that the window may reach.
    private var begin: Int64 = 0
    private var lastInput: Int64 = 0
    private var balance = LevelBalance()
    /// Mean square of the window's signal, all channels together.
    private var power: Float = 0
    private var knowsLast = false
    private var needsLast = false

    /// Real and imaginary parts for all channels.
    struct Spectra: ~Copyable {
        let real: SampleMemory
        let imaginary: SampleMemory

        init(count: Int) {
            real = SampleMemory(count: count)
            imaginary = SampleMemory(count: count)
        }

        var pointers: SpectralRotation.Spectra { .init(real: real.pointer, imaginary: imaginary.pointer) }
    }

    init(channelCount: Int, window: Int) {
        (self.channelCount, self.window) = (channelCount, window)
        fourier = RealFourierTransform(count: window)
        stride = (fourier.binCount + 15) & ~15
        shape = SampleMemory(count: window)
        cut = SampleMemory(count: window)
        rotation = SpectralRotation(binCount: fourier.binCount)
        overlap = OverlapSum(channelCount: channelCount, window: window)
        here = SampleMemory(count: channelCount * window)
        earlier = SampleMemory(count: channelCount * window)
        before = SampleMemory(count: channelCount * window)
        scratch = SampleMemory(count: window)
        last = Spectra(count: channelCount * stride)
        current = Spectra(count: channelCount * stride)
        previous = Spectra(count: channelCount * stride)
        for i in 0..<window {
            shape[i] = Float(0.5 - 0.5 * DeterministicMath.cos(2 * DeterministicMath.pi * Double(i) / Double(window)))
        }
    }

    /// Units of work per window.
    var unitCount: Int { 3 * channelCount + 1 }

    mutating func reset() {
        overlap.clear()
        rotation.rest()
        balance = LevelBalance()
        knowsLast = false
    }

    // MARK: One window

    /// Takes on the next window, and from the ring what it needs.
    mutating func start(_ next: StretchMap.Window, segment: StretchMap.Segment, ring: borrowing FrameRing) {
        let finished = overlap.energies(at: next.output - Int64(next.hop + window / 2), next.hop)
        balance.learn(expected: finished.expected, found: finished.found, hop: next.hop, window: window)
        if let segment = next.begins { cross(into: segment, before: next.end, ring) }
        (begin, job) = (segment.output, next)
        needsLast = !next.isVerbatim && !knowsLast
        // After a leap there is nothing to continue: the window starts with the phases it has.
        if abs(next.input - lastInput) > Int64(2 * window) { lastInput = next.input - Int64(next.hop) }
        power = 0
        shapeCut(next)
        let half = Int64(window / 2)
        for channel in 0..<channelCount {
            func take(_ frame: Int64, to signal: borrowing SampleMemory) {
                ring.copy(
                    channel, from: frame - half, weights: cut.pointer, count: window,
                    to: signal.pointer + channel * window)
            }
            take(next.input, to: here)
            if next.isVerbatim { continue }
            take(next.input - Int64(next.hop), to: earlier)
            if needsLast { take(lastInput, to: before) }
        }
    }

    /// Ends what was laid down where a new segment begins, and lays down its first half window, so that it starts at
    /// full weight.
    private func cross(into segment: StretchMap.Segment, before end: Int64?, _ ring: borrowing FrameRing) {
        let half = window / 2
        let frames = end.map { Int(min(max($0 - segment.input, 0), Int64(half))) } ?? half
        let start = segment.output - Int64(half)
        let scratch = scratch.pointer
        var power: Float = 0
        for channel in 0..<channelCount {
            ring.copy(channel, from: segment.input - Int64(segment.fade), count: segment.fade, to: scratch)
            overlap.end(channel, at: segment.output, fade: segment.fade, into: scratch)
            ring.copy(channel, from: segment.input - Int64(half), count: window, to: scratch)
            for i in 0..<window { scratch[i] *= i < half ? 0 : shape[i] }
            power += 2 * energy(scratch) / energy(shape.pointer)
            overlap.add(channel, scratch, gain: 1, shape: shape.pointer, at: start, half..<(half + frames))
        }
        overlap.endWeights(at: segment.output)
        overlap.addWeights(shape.pointer, shape.pointer, power: power, at: start, half..<(half + frames))
        rotation.rest()
    }

    private mutating func shapeCut(_ next: StretchMap.Window) {
        let isWhole = next.end.map { $0 - next.input >= Int64(window / 2) } ?? true
        guard !isWhole || !isCutWhole else { return }
        isCutWhole = isWhole
        let cut = cut.pointer
        cut.update(from: shape.pointer, count: window)
        if let end = next.end, !isWhole {
            let fade = window / 64
            let onset = Int(max(end - next.input, Int64(-window / 2))) + window / 2
            for i in max(onset - fade, 0)..<onset { cut[i] *= (Float(onset - i) - 0.5) * (1 / Float(fade)) }
            for i in onset..<window { cut[i] = 0 }
        }
        cutEnergy = energy(cut)
    }

    /// Does one unit of the work on the window.
    mutating func work(_ unit: Int) {
        switch unit {
        case ..<channelCount: analyse(unit)
        case ..<(2 * channelCount): analyseEarlier(unit - channelCount)
        case 2 * channelCount: turn()
        default: layDown(unit - 2 * channelCount - 1)
        }
    }

    private mutating func analyse(_ channel: Int) {
        let signal = here.pointer + channel * window
        power += energy(signal) / max(cutEnergy, 1)
        if job.isVerbatim { return }
        transform(signal, channel, current)
        if needsLast { transform(before.pointer + channel * window, channel, last) }
    }

    private func analyseEarlier(_ channel: Int) {
        if !job.isVerbatim { transform(earlier.pointer + channel * window, channel, previous) }
    }

    private func transform(_ signal: UnsafePointer<Float>, _ channel: Int, _ spectra: borrowing Spectra) {
        fourier.forward(
            signal, real: spectra.real.pointer + channel * stride,
            imaginary: spectra.imaginary.pointer + channel * stride)
    }

    private func energy(_ signal: UnsafePointer<Float>) -> Float { ossicle_energy(signal, window) }

    private mutating func turn() {
        guard !job.isVerbatim else {
            (knowsLast, lastInput) = (false, job.input)
            return rotation.rest()
        }
        rotation.follow(
            last: last.pointers, previous: previous.pointers, current: current.pointers, channelCount: channelCount,
            stride: stride, isCoherent: isCoherent)
        knowsLast = true
    }

    private mutating func layDown(_ channel: Int) {
        let start = job.output - Int64(window / 2)
        let range = Int(min(max(begin - start, 0), Int64(window)))..<window
        if job.isVerbatim {
            overlap.add(channel, here.pointer + channel * window, gain: 1, shape: shape.pointer, at: start, range)
        } else {
            let place = channel * stride
            rotation.apply(
                previous.real.pointer, previous.imaginary.pointer,
                from: (current.real.pointer + place, current.imaginary.pointer + place))
            fourier.inverse(real: previous.real.pointer, imaginary: previous.imaginary.pointer, signal: scratch.pointer)
            overlap.add(channel, scratch.pointer, gain: balance.gain, shape: shape.pointer, at: start, range)
        }
        guard channel == channelCount - 1 else { return }
        overlap.addWeights(cut.pointer, shape.pointer, power: power, at: start, range)
        if !job.isVerbatim { swap(&last, &current) }
    }
}

extension SIMD8<Float> {
    /// The sum of the lanes in pairs: one order, whatever vectors the processor has.
    @inline(__always)
    var pairwiseSum: Float {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}
