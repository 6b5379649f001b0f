import COssicle
import OssicleCore

/// Turns the phases of one window so that it continues the one laid down before it.
///
/// Every window is analysed twice: where it lies, X, and one hop earlier, P. Between P and X the input itself shows how
/// far each partial turns in one hop, whatever the speed: no phase has to be unwrapped, and no angle is ever computed.
/// With R the rotation of the window before (Y′ = R′·X′), a peak at bin p is turned by
///
///     R = R′(p)·Σ X′·conj(P) / |…|        sum over p − 1 … p + 1 and over all channels
///
/// and all bins around the peak by the same, which keeps the shape of the partial in time (identity phase locking: J.
/// Laroche and M. Dolson, "Improved phase vocoder time-scale modification of audio", 1999; rotations without angles: M.
/// Puckette, "Phase-locked vocoder", 1995). One rotation for all channels leaves their phases against each other as
/// they are: the image stays.
struct SpectralRotation: ~Copyable {
    /// Bins beyond either end that are there to be read, and silent.
    static let margin = 8

    let real: SampleMemory
    let imaginary: SampleMemory
    private let binCount: Int
    private let energies: SampleMemory
    /// What bins at peaks are turned by.
    private let turnedReal: SampleMemory
    private let turnedImaginary: SampleMemory
    /// 1 at the bins of peaks, 0 at the others; eight more than there are bins, to be read at once.
    private let marks: OwnedMemory<UInt8>

    init(binCount: Int) {
        self.binCount = binCount
        real = SampleMemory(count: binCount)
        imaginary = SampleMemory(count: binCount)
        turnedReal = SampleMemory(count: binCount)
        turnedImaginary = SampleMemory(count: binCount)
        energies = SampleMemory(count: binCount + 2 * Self.margin)
        marks = OwnedMemory(count: binCount + 8, 0)
        rest()
    }

    /// No turn.
    func rest() {
        real.pointer.update(repeating: 1, count: binCount)
        imaginary.pointer.update(repeating: 0, count: binCount)
    }

    /// Spectra of all channels one after the other, `stride` floats apart, real and imaginary parts.
    struct Spectra {
        var real: UnsafeMutablePointer<Float>
        var imaginary: UnsafeMutablePointer<Float>
    }

    /// Without coherence every bin is turned by what it shows alone, as phase vocoders were before phase locking.
    /// - Parameters:
    ///   - last: of the window before, unturned. - previous: of the input one hop before this window. - current: of
    ///     this window.
    func follow(
        last: Spectra, previous: Spectra, current: Spectra, channelCount: Int, stride: Int, isCoherent: Bool = true
    ) {
        guard isCoherent else {
            for bin in 0..<binCount {
                let turn = turn(at: bin, last, previous, channelCount, stride, neighbours: 0)
                (real[bin], imaginary[bin]) = turn
            }
            return
        }
        let energy = energies.pointer + Self.margin
        ossicle_spectrum_energies(current.real, current.imaginary, channelCount, stride, energy, binCount)
        ossicle_mark_peaks(energy, marks.pointer, binCount)
        ossicle_find_turns(
            last.real, last.imaginary, previous.real, previous.imaginary, channelCount, stride, real.pointer,
            imaginary.pointer, marks.pointer, turnedReal.pointer, turnedImaginary.pointer, binCount)
        var peak = nextPeak(from: 0)
        var regionStart = 0
        while peak < binCount {
            let isInside = peak > 0 && peak < binCount - 1
            let turn =
                isInside
                ? (turnedReal[peak], turnedImaginary[peak]) : turn(at: peak, last, previous, channelCount, stride)
            let next = nextPeak(from: peak + 1)
            // Between two peaks the weakest bin is where one region ends and the other begins.
            let end = next < binCount ? valley(energy, peak..<next) : binCount
            (real.pointer + regionStart).update(repeating: turn.0, count: end - regionStart)
            (imaginary.pointer + regionStart).update(repeating: turn.1, count: end - regionStart)
            (peak, regionStart) = (next, end)
        }
    }

    /// The first peak at `bin` or above it; `binCount` without one.
    private func nextPeak(from bin: Int) -> Int {
        var bin = bin
        while bin < binCount {
            let word = UnsafeRawPointer(marks.pointer + bin).loadUnaligned(as: UInt64.self)
            if word != 0 { return min(bin + UInt64(littleEndian: word).trailingZeroBitCount / 8, binCount) }
            bin += 8
        }
        return binCount
    }

    /// The first of the bins with the least energy.
    private func valley(_ energy: UnsafePointer<Float>, _ bins: Range<Int>) -> Int {
        var (valley, least) = (bins.lowerBound, Float.infinity)
        for bin in bins {
            let isLess = energy[bin] < least
            valley = isLess ? bin : valley
            least = isLess ? energy[bin] : least
        }
        return valley
    }

    private func turn(
        at peak: Int, _ last: Spectra, _ previous: Spectra, _ channelCount: Int, _ stride: Int, neighbours: Int = 1
    ) -> (Float, Float) {
        var (re, im) = (Float.zero, Float.zero)
        for channel in 0..<channelCount {
            for bin in max(peak - neighbours, 0)...min(peak + neighbours, binCount - 1) {
                let i = channel * stride + bin
                re += last.real[i] * previous.real[i] + last.imaginary[i] * previous.imaginary[i]
                im += last.imaginary[i] * previous.real[i] - last.real[i] * previous.imaginary[i]
            }
        }
        let (a, b) = (real[peak] * re - imaginary[peak] * im, real[peak] * im + imaginary[peak] * re)
        let size = (a * a + b * b).squareRoot()
        guard size > 1e-30, size.isFinite else { return (real[peak], imaginary[peak]) }
        return (a / size, b / size)
    }

    /// Turns one channel's spectrum in place.
    func apply(
        _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>,
        from: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
    ) {
        ossicle_turn_spectrum(from.0, from.1, real.pointer, imaginary.pointer, re, im, binCount)
    }
}
