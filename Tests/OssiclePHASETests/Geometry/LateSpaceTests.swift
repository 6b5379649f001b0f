import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE
import Testing

/// Between the ears in the late field of a scene, as the engine renders it, against the diffuse field of the head
/// itself.
@Suite struct LateSpaceTests {
    private static let octaves = [500.0, 1000, 2000, 4000, 8000]

    /// Powers of both ears and their cross spectrum, bin by bin of a transform of 32,768.
    private struct Ears {
        static let count = 32_768
        var left = [Double](repeating: 0, count: count / 2)
        var right = [Double](repeating: 0, count: count / 2)
        var cross = [SIMD2<Double>](repeating: .zero, count: count / 2)

        mutating func add(_ ears: [[Float]], weight: Double) {
            let (l, r) = (
                Spectrum(of: ears[0], minimumCount: Self.count), Spectrum(of: ears[1], minimumCount: Self.count)
            )
            for bin in left.indices {
                left[bin] += l.energy(bin) * weight
                right[bin] += r.energy(bin) * weight
                let re = l.real[bin] * r.real[bin] + l.imaginary[bin] * r.imaginary[bin]
                let im = l.imaginary[bin] * r.real[bin] - l.real[bin] * r.imaginary[bin]
                cross[bin] += SIMD2(re, im) * weight
            }
        }

        /// The greatest correlation of an octave within 1 ms.
        func correlation(_ octave: Double) -> Double {
            let width = 48_000 / Double(Self.count)
            let bins = Int(octave / 2.0.squareRoot() / width)..<Int(octave * 2.0.squareRoot() / width)
            let powers = bins.reduce((0.0, 0.0)) { ($0.0 + left[$1], $0.1 + right[$1]) }
            return (-48...48).map { lag -> Double in
                let step = 2 * Double.pi * Double(lag) / Double(Self.count)
                return bins.reduce(0.0) {
                    $0 + cross[$1].x * cos(step * Double($1)) - cross[$1].y * sin(step * Double($1))
                }
            }.map { abs($0) / (powers.0 * powers.1).squareRoot() }.max() ?? .nan
        }
    }

    /// Plane waves from everywhere.
    private static let own: Ears = {
        var ears = Ears()
        guard let head = try? HRTFFilters.shared(sampleRate: 48_000) else { return ears }
        let table = head.table
        for wave in SphereGrid.spiral(150) {
            var (left, right) = (
                [Float](repeating: 0, count: table.tapCount), [Float](repeating: 0, count: table.tapCount)
            )
            let delays = table.interpolate(SIMD3<Float>(wave.direction), left: &left, right: &right)
            ears.add([delayed(left, delays.left), delayed(right, delays.right)], weight: wave.weight)
        }
        return withExtendedLifetime(head) { ears }
    }()

    /// By a windowed sinc.
    private static func delayed(_ taps: [Float], _ frames: Float) -> [Float] {
        let reach = 24, start = Double(frames) + Double(reach)
        return (0..<taps.count + 2 * reach + Int(frames) + 1).map { n in
            Float(
                taps.indices.reduce(0.0) { sum, k in
                    let x = Double(n) - Double(k) - start
                    guard abs(x) < Double(reach) else { return sum }
                    let window = 0.5 + 0.5 * cos(Double.pi * x / Double(reach))
                    return sum + Double(taps[k]) * window * (x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x))
                })
        }
    }

    /// The late field of a diffuse room at a place, of a click.
    private func late(_ number: Int) throws -> [[Float]] {
        let box = try BoxStage(seed: UInt64(number))
        try box.add(SIMD3(6, 3, 5), at: .zero, box.material(absorption: 0.15, scattering: 1), isRoom: true)
        let random = CounterRandom(seed: 7, object: 1)
        func place(_ first: Int) -> SIMD3<Float> {
            let share = (0..<3).map { Float(random.unit(UInt64(6 * number + first + $0)) - 0.5) }
            return SIMD3(share[0] * 4, share[1] * 1.5, share[2] * 3)
        }
        box.stage.listener.transform = .translation(place(0))
        try box.play([0.3] + [Float](repeating: 0, count: 255), at: place(3), flags: .lateReverb, loops: false)
        return try box.stage.render(Ears.count)
    }

    @Test func `the late field's correlation between the ears is the diffuse field's in every octave, within 0.05`()
        throws
    {
        var ears = Ears()
        for number in 0..<12 {
            let heard = try late(number)
            ears.add(heard, weight: 1 / heard.reduce(0) { $0 + Measure.energy($1) })
        }
        for octave in Self.octaves {
            let (found, wanted) = (ears.correlation(octave), Self.own.correlation(octave))
            #expect(abs(found - wanted) < 0.05, "\(octave) Hz: \(found) for \(wanted)")
        }
    }
}
