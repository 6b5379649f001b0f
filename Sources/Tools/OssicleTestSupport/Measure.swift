import Foundation
import OssicleCore

/// Measurements on rendered sound. Levels in dB are 20·log₁₀ of amplitude; silence is −∞.
///
/// Tests are compiled without optimisation and call what is generic here through witnesses, sample by sample: hence
/// the forms for arrays and their slices.
public enum Measure {
    @_specialize(where Samples == [Float])
    @_specialize(where Samples == ArraySlice<Float>)
    public static func peak<Samples: Sequence<Float>>(_ signal: Samples) -> Float {
        signal.reduce(0) { max($0, $1.magnitude) }
    }

    @_specialize(where Samples == [Float])
    @_specialize(where Samples == ArraySlice<Float>)
    public static func energy<Samples: Sequence<Float>>(_ signal: Samples) -> Double {
        signal.reduce(0) { $0 + Double($1) * Double($1) }
    }

    @_specialize(where Samples == [Float])
    @_specialize(where Samples == ArraySlice<Float>)
    public static func rms<Samples: Collection<Float>>(_ signal: Samples) -> Double {
        signal.isEmpty ? 0 : (energy(signal) / Double(signal.count)).squareRoot()
    }

    /// Σ a[n]·b[n] over the common length, in double precision.
    public static func product(_ a: [Float], _ b: [Float]) -> Double {
        zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }

    public static func decibels(_ amplitudeRatio: Double) -> Double { 20 * log10(amplitudeRatio) }

    /// Level of a full-scale reference of 1: dB of the RMS value.
    @_specialize(where Samples == [Float])
    @_specialize(where Samples == ArraySlice<Float>)
    public static func level<Samples: Collection<Float>>(_ signal: Samples) -> Double { decibels(rms(signal)) }

    @_specialize(where Samples == [Float])
    @_specialize(where Samples == ArraySlice<Float>)
    public static func isFinite<Samples: Sequence<Float>>(_ signal: Samples) -> Bool {
        signal.allSatisfy(\.isFinite)
    }

    /// Whether two signals are the same, bit for bit (−0 is not 0, a NaN equals itself).
    public static func sameBytes(_ a: [Float], _ b: [Float]) -> Bool { a.map(\.bitPattern) == b.map(\.bitPattern) }

    /// Largest |a − b| over the common length.
    public static func largestDifference(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
    }

    /// Pearson correlation at lag zero, −1…1.
    public static func correlation(_ a: [Float], _ b: [Float]) -> Double {
        product(a, b) / max((energy(a) * energy(b)).squareRoot(), .leastNormalMagnitude)
    }

    /// Largest second difference |x[n] − 2x[n−1] + x[n−2]|: a click stands out against a smooth signal's 2πf/fs
    /// squared.
    public static func largestKink(_ x: [Float]) -> Float {
        zip(zip(x, x.dropFirst()), x.dropFirst(2)).reduce(0) { max($0, ($1.0.0 - 2 * $1.0.1 + $1.1).magnitude) }
    }
}

extension Measure {
    /// Energy of the signal in each of the ten octave bands 31.5 Hz … 16 kHz, in dB (10·log₁₀ Σx²), by exact band edges
    /// centre·2^±½.
    public static func octaveEnergies(of signal: [Float], sampleRate: Double = 48000) -> [Double] {
        let spectrum = Spectrum(of: signal, sampleRate: sampleRate)
        return (0..<10).map { band in
            let centre = OctaveBands.centre(band)
            return 10 * log10(spectrum.energy(from: centre / 2.0.squareRoot(), to: centre * 2.0.squareRoot()))
        }
    }

    /// Energy outside [low, high] Hz over the whole energy, in dB. The signal is Hann-windowed first, so that a tone
    /// stays narrow.
    public static func energyOutside(
        _ low: Double, _ high: Double, in signal: [Float], sampleRate: Double = 48000
    ) -> Double {
        let n = Double(signal.count)
        let windowed = signal.enumerated().map { $1 * Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / n)) }
        let spectrum = Spectrum(of: windowed, sampleRate: sampleRate)
        let all = spectrum.energy(from: 0, to: .infinity)
        let inside = spectrum.energy(from: low, to: high)
        let outside = spectrum.energy(from: 0, to: low) + spectrum.energy(from: high, to: .infinity)
        return 10 * log10(max(outside, .leastNormalMagnitude) / max(all, inside, .leastNormalMagnitude))
    }

    /// Weight of one octave band (index 0…9) at a frequency: flanks of half an octave with −3 dB at the band edges, so
    /// that bands sum to one in energy. Steeper ones would ring longer than a small room at 63 Hz.
    static func octaveWeight(_ band: Int, at frequency: Double) -> Double {
        let distance = abs(log2(max(frequency, 1e-3) / OctaveBands.centre(band)))
        return distance < 0.25 ? 1 : (distance > 0.75 ? 0 : cos((distance - 0.25) * .pi))
    }
}

extension Measure {
    /// Reverberation time in seconds (for 60 dB) from an impulse response's energy per sample: a line through the
    /// Schroeder curve from −5 dB to −5 − `span` dB (ISO 3382-1: 20 for T20, 30 for T30). NaN when the response does
    /// not decay that far.
    public static func reverberationTime(energies: [Double], span: Double = 30, sampleRate: Double = 48000) -> Double {
        var tail = [Double](repeating: 0, count: energies.count)
        var sum = 0.0
        for index in energies.indices.reversed() {
            sum += energies[index]
            tail[index] = sum
        }
        guard sum > 0, let first = tail.firstIndex(where: { $0 < sum * pow(10, -0.5) }),
            let last = tail.firstIndex(where: { $0 < sum * pow(10, -0.5 - span / 10) }), last > first + 1
        else { return .nan }
        let points = (first..<last).map { (Double($0) / sampleRate, 10 * log10(tail[$0] / sum)) }
        let (meanT, meanL) = (
            points.reduce(0) { $0 + $1.0 } / Double(points.count), points.reduce(0) { $0 + $1.1 } / Double(points.count)
        )
        let slope =
            points.reduce(0) { $0 + ($1.0 - meanT) * ($1.1 - meanL) }
            / points.reduce(0) { $0 + ($1.0 - meanT) * ($1.0 - meanT) }
        return -60 / slope
    }

    /// Reverberation time in each of the given octave bands (index 0…9 for 31.5 Hz … 16 kHz) of an impulse response's
    /// channels taken together.
    public static func reverberationTimes(
        _ channels: [[Float]], bands: some Sequence<Int>, span: Double = 30, sampleRate: Double = 48000
    ) -> [Double] {
        let spectra = stride(from: 0, to: channels.count, by: 2).map { index in
            let count = channels[index].count + Int(sampleRate / 20) // room for the filters' ringing
            return Spectrum(
                of: channels[index], and: index + 1 < channels.count ? channels[index + 1] : [], sampleRate: sampleRate,
                minimumCount: count)
        }
        return bands.map { band in
            var energies = [Double](repeating: 0, count: channels.first?.count ?? 0)
            for spectrum in spectra {
                let (a, b) = spectrum.filtered { octaveWeight(band, at: $0) }
                for index in energies.indices { energies[index] += a[index] * a[index] + b[index] * b[index] }
            }
            return reverberationTime(energies: energies, span: span, sampleRate: sampleRate)
        }
    }

    /// Abel and Huang's normalised echo density over a window: share of samples beyond one standard deviation, over the
    /// Gaussian's 0.3173.
    public static func echoDensity(_ window: ArraySlice<Float>) -> Double {
        let deviation = rms(window)
        guard deviation > 0 else { return 0 }
        return Double(window.count { Double($0.magnitude) > deviation }) / Double(window.count) / 0.3173
    }
}

extension Measure {
    /// Indices of all samples but zeros.
    public static func nonzero(_ signal: [Float]) -> [Int] { signal.indices.filter { signal[$0] != 0 } }

    /// Index of the first sample louder than `threshold` times the peak; nil in silence.
    public static func onset(of signal: [Float], threshold: Float = 0.1) -> Int? {
        let limit = peak(signal) * threshold
        return limit > 0 ? signal.firstIndex { $0.magnitude >= limit } : nil
    }

    /// How many frames `later` lags behind `earlier` (negative: leads), to about a thousandth of a frame: the peak of
    /// the band-limited cross-correlation, searched over ±`range` frames.
    public static func delay(of later: [Float], after earlier: [Float], range: Int) -> Double {
        let count = max(later.count, earlier.count) + range + 1
        let (x, y) = (Spectrum(of: earlier, minimumCount: count), Spectrum(of: later, minimumCount: count))
        let n = x.count
        let re = (0..<n).map { x.real[$0] * y.real[$0] + x.imaginary[$0] * y.imaginary[$0] }
        let im = (0..<n).map { x.real[$0] * y.imaginary[$0] - x.imaginary[$0] * y.real[$0] }
        var (a, b) = (im, re) // swapped parts make the forward transform the inverse
        Spectrum.transform(&a, &b)
        let coarse = (-range...range).max { b[($0 + n) % n] < b[($1 + n) % n] } ?? 0
        func correlation(_ lag: Double) -> Double {
            (1..<n / 2).reduce(0) { sum, k in
                let angle = 2 * .pi * Double(k) * lag / Double(n)
                return sum + re[k] * cos(angle) - im[k] * sin(angle)
            }
        }
        var (low, high) = (Double(coarse) - 1, Double(coarse) + 1)
        for _ in 0..<24 {
            let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
            if correlation(left) < correlation(right) { low = left } else { high = right }
        }
        return (low + high) / 2
    }
}
