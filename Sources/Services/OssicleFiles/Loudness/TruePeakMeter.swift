// The highest value of a channel, at its samples and between them.

import OssicleCore

/// Finds peaks of one channel at four times its rate, twice from 96 kHz on (ITU-R BS.1770-4, annex 2), and at the
/// samples alone from 192 kHz on. A sinc of 49 taps under a Hann window interpolates: 0.4 dB too little at the most
/// below 0.45 of the rate, and 0.2 dB too much.
struct TruePeakMeter {
    private(set) var samplePeak: Float = 0
    /// At least `samplePeak`.
    var truePeak: Float { max(samplePeak, between.max()) }

    /// Highest value at each of the places between two samples.
    private var between = SIMD4<Float>.zero
    /// For each sample of the past, the newest first, its share in each place.
    private let taps: [SIMD4<Float>]
    /// The past, then the samples at hand.
    private var samples: [Float]

    /// - Parameter longest: the most frames that are added at a time.
    init(sampleRate: Double, findsTruePeaks: Bool, longest: Int) {
        let factor = !findsTruePeaks || sampleRate >= 192_000 ? 1 : sampleRate >= 96_000 ? 2 : 4
        taps = factor > 1 ? Self.taps(factor) : []
        samples = [Float](repeating: 0, count: max(0, taps.count - 1) + longest)
    }

    private static let length = 49

    /// Places beyond the factor stay 0.
    private static func taps(_ factor: Int) -> [SIMD4<Float>] {
        let count = (length + factor - 1) / factor
        return (0..<count).map { sample in
            var shares = SIMD4<Float>.zero
            for place in 0..<factor where sample * factor + place < length {
                let tap = sample * factor + place, distance = Double(tap - length / 2)
                let angle = distance * .pi / Double(factor)
                let sinc = distance == 0 ? 1 : DeterministicMath.sin(angle) / angle
                let window = 0.5 * (1 - DeterministicMath.cos(2 * .pi * Double(tap) / Double(length - 1)))
                shares[place] = Float(sinc * window)
            }
            return shares
        }
    }

    mutating func add(_ count: Int, _ sample: (Int) -> Float) {
        let past = max(0, taps.count - 1)
        for frame in 0..<count {
            let value = sample(frame)
            samples[past + frame] = value
            samplePeak = max(samplePeak, value.magnitude)
        }
        guard past > 0 else { return }
        taps.withUnsafeBufferPointer { taps in
            samples.withUnsafeMutableBufferPointer { samples in
                for frame in 0..<count {
                    var sum = SIMD4<Float>.zero
                    for tap in 0...past { sum += taps[tap] * samples[past + frame - tap] }
                    let above = pointwiseMax(sum, -sum)
                    between = pointwiseMax(between, above)
                }
                for frame in 0..<past { samples[frame] = samples[count + frame] }
            }
        }
    }
}
