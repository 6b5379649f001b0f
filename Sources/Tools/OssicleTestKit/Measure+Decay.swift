import Foundation

extension Measure {
    /// Reverberation time in seconds (for 60 dB) from an impulse response's energy per sample: a line through the Schroeder curve from
    /// −5 dB to −5 − `span` dB (ISO 3382-1: 20 for T20, 30 for T30). NaN when the response does not decay that far.
    public static func reverberationTime(energies: [Double], span: Double = 30, sampleRate: Double = 48000) -> Double {
        var tail = [Double](repeating: 0, count: energies.count)
        var sum = 0.0
        for index in energies.indices.reversed() {
            sum += energies[index]
            tail[index] = sum
        }
        guard sum > 0, let first = tail.firstIndex(where: { $0 < sum * pow(10, -0.5) }),
              let last = tail.firstIndex(where: { $0 < sum * pow(10, -0.5 - span / 10) }), last > first + 1 else { return .nan }
        let points = (first..<last).map { (Double($0) / sampleRate, 10 * log10(tail[$0] / sum)) }
        let (meanT, meanL) = (points.reduce(0) { $0 + $1.0 } / Double(points.count), points.reduce(0) { $0 + $1.1 } / Double(points.count))
        let slope = points.reduce(0) { $0 + ($1.0 - meanT) * ($1.1 - meanL) } / points.reduce(0) { $0 + ($1.0 - meanT) * ($1.0 - meanT) }
        return -60 / slope
    }

    /// Reverberation time in each of the given octave bands (index 0…9 for 31.5 Hz … 16 kHz) of an impulse response's channels taken together.
    public static func reverberationTimes(_ channels: [[Float]], bands: some Sequence<Int>, span: Double = 30, sampleRate: Double = 48000) -> [Double] {
        let spectra = stride(from: 0, to: channels.count, by: 2).map { index in
            let count = channels[index].count + Int(sampleRate / 20)                       // room for the filters' ringing
            return Spectrum(of: channels[index], and: index + 1 < channels.count ? channels[index + 1] : [], sampleRate: sampleRate, minimumCount: count)
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

    /// Abel and Huang's normalised echo density over a window: share of samples beyond one standard deviation, over the Gaussian's 0.3173.
    public static func echoDensity(_ window: ArraySlice<Float>) -> Double {
        let deviation = rms(window)
        guard deviation > 0 else { return 0 }
        return Double(window.count { Double($0.magnitude) > deviation }) / Double(window.count) / 0.3173
    }
}
