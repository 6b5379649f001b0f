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

    init(binCount: Int) {
        self.binCount = binCount
        real = SampleMemory(count: binCount)
        imaginary = SampleMemory(count: binCount)
        energies = SampleMemory(count: binCount + 2 * Self.margin)
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

    /// - Parameters:
    ///   - last: of the window before, unturned. - previous: of the input one hop before this window. - current: of
    ///     this window.
    func follow(last: Spectra, previous: Spectra, current: Spectra, channelCount: Int, stride: Int) {
        measure(current, channelCount, stride)
        let energy = energies.pointer + Self.margin
        var (regionStart, bin) = (0, 0)
        var turn: (Float, Float)?
        var (valley, valleyEnergy) = (0, Float.infinity)
        while bin < binCount {
            let e = energy[bin]
            if e > energy[bin - 1], e > energy[bin - 2], e >= energy[bin + 1], e >= energy[bin + 2] {
                if let turn {
                    fill(regionStart..<valley, turn)
                    regionStart = valley
                }
                turn = self.turn(at: bin, last, previous, channelCount, stride)
                (valley, valleyEnergy) = (bin, .infinity)
            }
            if e < valleyEnergy { (valley, valleyEnergy) = (bin, e) }
            bin += 1
        }
        if let turn { fill(regionStart..<binCount, turn) }
    }

    private func fill(_ bins: Range<Int>, _ turn: (Float, Float)) {
        (real.pointer + bins.lowerBound).update(repeating: turn.0, count: bins.count)
        (imaginary.pointer + bins.lowerBound).update(repeating: turn.1, count: bins.count)
    }

    private func measure(_ spectra: Spectra, _ channelCount: Int, _ stride: Int) {
        let energy = energies.pointer + Self.margin
        for channel in 0..<channelCount {
            let (re, im) = (spectra.real + channel * stride, spectra.imaginary + channel * stride)
            if channel == 0 {
                for bin in 0..<binCount { energy[bin] = re[bin] * re[bin] + im[bin] * im[bin] }
            } else {
                for bin in 0..<binCount { energy[bin] += re[bin] * re[bin] + im[bin] * im[bin] }
            }
        }
    }

    private func turn(
        at peak: Int, _ last: Spectra, _ previous: Spectra, _ channelCount: Int, _ stride: Int
    ) -> (Float, Float) {
        var (re, im) = (Float.zero, Float.zero)
        for channel in 0..<channelCount {
            for bin in max(peak - 1, 0)...min(peak + 1, binCount - 1) {
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
        let (c, s) = (real.pointer, imaginary.pointer)
        for bin in 0..<binCount {
            let (x, y) = (from.0[bin], from.1[bin])
            re[bin] = x * c[bin] - y * s[bin]
            im[bin] = x * s[bin] + y * c[bin]
        }
    }
}
