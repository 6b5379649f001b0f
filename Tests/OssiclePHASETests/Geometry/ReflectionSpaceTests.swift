import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// Where the reflection of one wall is heard, against direct sound from the image's place and against KEMAR's
/// measurement.
@Suite struct ReflectionSpaceTests {
    private static let click: [Float] = [0.5] + [Float](repeating: 0, count: 255)

    /// The answer to a click.
    private func heard(
        _ part: PHASESpatialPipeline.Flags, from place: SIMD3<Float>, wall: (size: SIMD3<Float>, centre: SIMD3<Float>)?,
        _ layout: AudioChannelLayoutTag? = nil, inBus: Bool = false
    ) throws -> [[Float]] {
        let box = try BoxStage(layout: layout, mode: layout == nil ? .automatic : .alwaysUseChannelBased)
        if inBus { box.engine.maximumFullVoiceCount = 0 }
        if let wall { try box.add(wall.size, at: wall.centre, box.material(absorption: 0)) }
        try box.play(Self.click, at: place, flags: part, loops: false)
        return try box.stage.render(4096)
    }

    /// A large wall 2 m to the right, and the source whose image in it is at `image`.
    private func aside(_ image: SIMD3<Float>, inBus: Bool = false) throws -> [[Float]] {
        let wall = (size: SIMD3<Float>(0.5, 60, 60), centre: SIMD3<Float>(2.25, 0, 0))
        return try heard(.earlyReflections, from: SIMD3(4 - image.x, image.y, image.z), wall: wall, inBus: inBus)
    }

    private func place(_ azimuth: Double, _ elevation: Double, _ distance: Double = 5) -> SIMD3<Float> {
        SIMD3<Float>(HeadDirection.vector(azimuth: -azimuth, elevation: elevation) * distance)
    }

    /// To the right and up.
    private static let directions: [(azimuth: Double, elevation: Double)] = [
        (30, 0), (50, 0), (70, 0), (90, 0), (110, 0), (140, 0), (60, 30), (100, -30),
    ]

    @Test func `a reflection has the delay between the ears that KEMAR has there, within 5 per cent`() throws {
        let rows = try Table.load("kemar-ears.csv").rows
        for direction in Self.directions where direction.elevation == 0 {
            let row = try TestFailure.unwrap(
                rows.first {
                    $0.number("elevation_deg") == 0 && $0.number("azimuth_deg_left") == direction.azimuth
                })
            let ears = EarComparison(try aside(place(direction.azimuth, 0)))
            for (range, wanted) in [
                (250.0...400, row.number("itd_250_400_us")), (200...1500, row.number("itd_200_1500_us")),
            ] {
                let found = ears.delay(range)
                #expect(abs(found / wanted - 1) < 0.05, "\(direction.azimuth)°: \(found) µs for \(wanted)")
            }
        }
    }

    @Test func `a reflection is heard as direct sound from its image is: delay, and every octave at both ears`() throws
    {
        for direction in Self.directions {
            let image = place(direction.azimuth, direction.elevation)
            let reflected = try aside(image)
            let direct = try heard(.directPathTransmission, from: image, wall: nil)
            let delays = [reflected, direct].map { EarComparison($0).delay(200...1500) }
            #expect(abs(delays[0] - delays[1]) < 10, "\(direction): \(delays[0]) µs for \(delays[1])")
            for ear in 0..<2 {
                let (found, wanted) = (
                    Measure.octaveEnergies(of: reflected[ear]), Measure.octaveEnergies(of: direct[ear])
                )
                for octave in 2...8 { #expect(abs(found[octave] - wanted[octave]) < 0.5, "\(direction), \(octave)") }
            }
        }
    }

    /// The lateral angle in KEMAR's measurement that a delay belongs to, degrees.
    private func angle(_ delay: Double, _ rows: [Table.Row]) -> Double {
        let front = rows.filter { $0.number("elevation_deg") == 0 && $0.number("azimuth_deg_left") <= 90 }
            .map { (angle: $0.number("azimuth_deg_left"), delay: $0.number("itd_200_1500_us")) }
        guard let above = front.firstIndex(where: { $0.delay >= delay }), above > 0 else { return delay <= 0 ? 0 : 90 }
        let (a, b) = (front[above - 1], front[above])
        return a.angle + (delay - a.delay) / (b.delay - a.delay) * (b.angle - a.angle)
    }

    @Test func `in the ambisonic bus it comes from within 10 degrees of there`() throws {
        let rows = try Table.load("kemar-ears.csv").rows
        for azimuth in [30.0, 50, 70, 90] {
            let found = angle(EarComparison(try aside(place(azimuth, 0), inBus: true)).delay(200...1500), rows)
            #expect(abs(found - azimuth) < 10, "\(azimuth)°: \(found)°")
        }
    }

    @Test(arguments: [
        kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic,
        kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_7_1_C, kAudioChannelLayoutTag_Atmos_7_1_4, nil,
    ])
    func `a reflection from straight above is as loud as direct sound from its image, within half a decibel`(
        layout: AudioChannelLayoutTag?
    ) throws {
        let ceiling = (size: SIMD3<Float>(60, 0.5, 60), centre: SIMD3<Float>(0, 2.25, 0))
        let image = SIMD3<Float>(0, 3.5, 0)
        let levels = try [
            heard(.earlyReflections, from: SIMD3(0, 0.5, 0), wall: ceiling, layout),
            heard(.directPathTransmission, from: image, wall: nil, layout),
        ].map(Self.level)
        #expect(abs(levels[0] - levels[1]) < 0.5, "\(levels[0]) dB for \(levels[1])")
        // Loudspeakers have the sound's own power, 1/r² re that at 1 m.
        let own = Self.level([Self.click]) - 20 * log10(3.5)
        if layout != nil { #expect(abs(levels[0] - own) < 0.5, "\(levels[0]) dB for \(own)") }
    }

    /// Of all channels together, from 180 Hz to 5.6 kHz.
    private static func level(_ channels: [[Float]]) -> Double {
        let energies = channels.map { Measure.octaveEnergies(of: $0)[3...7].reduce(0) { $0 + pow(10, $1 / 10) } }
        return 10 * log10(energies.reduce(0, +))
    }
}

/// What two ears hear of the same sound, up to 1.5 kHz.
private struct EarComparison {
    /// Hz, and the phase by which the left ear is ahead.
    private let phases: [(frequency: Double, phase: Double)]

    init(_ ears: [[Float]]) {
        let (left, right) = (Spectrum(of: ears[0]), Spectrum(of: ears[1]))
        phases = (1..<left.count / 2).compactMap { bin in
            guard (200...1500).contains(left.frequency(bin)) else { return nil }
            let re = left.real[bin] * right.real[bin] + left.imaginary[bin] * right.imaginary[bin]
            let im = left.imaginary[bin] * right.real[bin] - left.real[bin] * right.imaginary[bin]
            return (left.frequency(bin), atan2(im, re))
        }
    }

    /// Microseconds by which the right ear is earlier: the lag of the largest cross-correlation, all frequencies alike,
    /// as `kemar-ears.csv` has it.
    func delay(_ range: ClosedRange<Double>) -> Double {
        let used = phases.filter { range.contains($0.frequency) }
        func best(_ lags: StrideThrough<Double>) -> Double {
            var (found, most) = (Double.nan, -Double.infinity)
            for lag in lags {
                var sum = 0.0
                for bin in used { sum += cos(bin.phase + 2e-6 * Double.pi * bin.frequency * lag) }
                if sum > most { (found, most) = (lag, sum) }
            }
            return found
        }
        let coarse = best(stride(from: -1000, through: 1000, by: 25))
        return best(stride(from: coarse - 25, through: coarse + 25, by: 1))
    }
}
