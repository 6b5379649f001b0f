import OssicleCore

/// The mean over the sphere of what both ears hear: what a set owes to its loudspeaker and microphones, and what is common to all its directions.
struct DiffuseField {
    private let analyser: ResponseAnalyser
    private let step: Double
    private var power: [Double]

    init(_ analyser: ResponseAnalyser, sampleRate: Double) {
        self.analyser = analyser
        step = sampleRate / Double(analyser.size)
        power = [Double](repeating: 0, count: analyser.binCount)
    }

    /// - Parameter weight: share of the sphere.
    mutating func add(_ response: [Float], weight: Double) {
        guard weight > 0 else { return }
        for (bin, value) in analyser.power(of: response).enumerated() { power[bin] += value * weight * 0.5 }
    }

    /// Natural logarithm of the magnitude per bin: smoothed over a third of an octave, and within 12 dB of its middle level.
    var levels: [Double] {
        var summed = [0.0]
        for value in power { summed.append(summed[summed.count - 1] + value) }
        let last = power.count
        let (down, up) = (DeterministicMath.exp2(-1.0 / 6), DeterministicMath.exp2(1.0 / 6))
        let smooth = (0..<last).map { bin in
            let low = min(max(Int((Double(bin) * down).rounded(.down)), 0), last - 1)
            let high = min(max(Int((Double(bin) * up).rounded(.up)) + 1, 1), last)
            return 0.5 * DeterministicMath.log(max((summed[high] - summed[low]) / Double(high - low), 1e-30))
        }
        let top = min(16_000, 0.4 * step * Double(2 * (last - 1)))
        let middle = (0..<200).reduce(0.0) { sum, index in
            let frequency = 200 * DeterministicMath.pow(top / 200, Double(index) / 199)
            return sum + Interpolation.value(of: smooth, at: frequency / step)
        } / 200
        let range = 12 * DeterministicMath.ln10 / 20
        return smooth.map { min(max($0, middle - range), middle + range) }
    }
}

enum Interpolation {
    /// Linearly between samples, held at the ends.
    static func value(of samples: [Double], at place: Double) -> Double {
        let place = min(max(place, 0), Double(samples.count - 1))
        let index = min(Int(place), max(samples.count - 2, 0))
        guard index + 1 < samples.count else { return samples[index] }
        return samples[index] + (samples[index + 1] - samples[index]) * (place - Double(index))
    }
}
