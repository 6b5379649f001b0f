import OssicleCore

/// Noise of one band that has the energies asked for, sample by sample.
///
/// In a narrow band noise swells and fades by chance: a single tail decays some 10 % faster or slower at 125 Hz than its energies say, and what
/// comes within a few periods is some decibels too loud or too quiet. Shaped noise is therefore held, over a few periods of its bandwidth, at the
/// energy it should have there, and over all its length at the whole.
struct HeldNoise {
    /// Samples over which a gain runs in a straight line.
    private typealias Stretch = SIMD16<Float>
    private static let ramp = Stretch(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) * 0.0625
    /// Seconds to either side that are held together at least.
    private static let shortest = 0.004

    private var stretches: [Stretch]

    /// - Parameters:
    ///   - noise: of a variance of about `share`. - energies: of a white noise's samples, as many.
    init(_ noise: [Float], share: Double, energies: [Float], bandwidth: Double, sampleRate: Double) {
        stretches = HeldNoise.stretches(zip(noise, energies).map { $0 * $1.squareRoot() })
        let wanted = HeldNoise.sums(HeldNoise.stretches(energies)).map { $0 * share }
        let seconds = max(1 / bandwidth, HeldNoise.shortest)
        hold(at: wanted, reach: max(Int((seconds * sampleRate / Double(Stretch.scalarCount)).rounded()), 1))
        hold(at: wanted, reach: stretches.count)
    }

    func add(to sum: inout [Float]) {
        stretches.withUnsafeBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            sum.withUnsafeMutableBufferPointer { sum in
                for index in 0..<min(sum.count, samples.count) { sum[index] += samples[index] }
            }
        }
    }

    /// Brings what lies within `reach` stretches to either side to the energy wanted there.
    private mutating func hold(at wanted: [Double], reach: Int) {
        let (found, last) = (HeldNoise.sums(stretches.map { $0 * $0 }), stretches.count)
        let gains = (0...last).map { stretch in
            let (first, end) = (max(stretch - reach, 0), min(stretch + reach, last))
            let (energy, asked) = (found[end] - found[first], wanted[end] - wanted[first])
            return energy > 0 ? Float((asked / energy).squareRoot()) : 1
        }
        for stretch in 0..<last { stretches[stretch] *= HeldNoise.ramp * (gains[stretch + 1] - gains[stretch]) + gains[stretch] }
    }

    /// The sum up to the beginning of each stretch, and of all.
    private static func sums(_ stretches: [Stretch]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(stretches.count + 1)
        for stretch in stretches {
            let eight = stretch.lowHalf + stretch.highHalf
            let four = eight.lowHalf + eight.highHalf
            sums.append(sums[sums.count - 1] + Double((four.x + four.z) + (four.y + four.w)))
        }
        return sums
    }

    /// The last one filled up with silence.
    private static func stretches(_ samples: [Float]) -> [Stretch] {
        let length = Stretch.scalarCount
        let padded = samples + [Float](repeating: 0, count: length - samples.count % length)
        return padded.withUnsafeBytes { bytes in
            (0..<padded.count / length).map { bytes.loadUnaligned(fromByteOffset: 4 * length * $0, as: Stretch.self) }
        }
    }
}
