import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleConversion

@Suite("Length and priming of the rate conversion")
struct RateStageTests {
    private static let rates: [(Double, Double)] =
        RateCase.rates + [
            (48_000, 16_000), (44_100, 22_050), (48_000, 47_999), (12_345.678, 48_000),
            (1000, 256_000), (256_000, 1000),
        ]

    @Test("N frames become N times the ratio, halves up", arguments: rates)
    func counts(_ source: Double, _ target: Double) throws {
        for quality in [0, 64, 127] {
            for count in [0, 1, 2, 3, 100, 1023, 4410, 10_007] {
                let out = try Conversion.resampled([Double](repeating: 0.5, count: count), from: source, to: target) {
                    $0.rateQuality = quality
                }
                #expect(
                    out.count == Int((Double(count) * target / source).rounded(.toNearestOrAwayFromZero)),
                    "\(count) frames, quality \(quality)")
            }
        }
    }

    /// Frames by which a slow bump at second 0.1 comes late, with settings.
    private func delay(
        from source: Double, to target: Double,
        _ set: (inout ConversionSettings) -> Void
    ) throws -> (frames: Double, priming: (leading: Int, trailing: Int)) {
        func bump(_ rate: Double) -> [Double] {
            (0..<Int(rate / 4)).map { exp(-pow((Double($0) / rate - 0.1) * 2000, 2)) }
        }
        let conversion = try Conversion(from: Conversion.doubles(source), to: Conversion.doubles(target), set)
        let out = try conversion.run([bump(source)])[0]
        return (
            Measure.delay(of: out.map { Float($0) }, after: bump(target).map { Float($0) }, range: 4000),
            conversion.converter.priming
        )
    }

    @Test("Normal priming has no latency and asks for frames behind", arguments: rates.prefix(4))
    func normal(_ source: Double, _ target: Double) throws {
        let (frames, priming) = try delay(from: source, to: target) { $0.primeMethod = .normal }
        #expect(abs(frames) < 0.01)
        #expect(priming.leading == 0 && priming.trailing > 0)
    }

    @Test("Without priming sound comes later by the trailing frames", arguments: rates.prefix(4))
    func none(_ source: Double, _ target: Double) throws {
        let trailing = try delay(from: source, to: target) { $0.primeMethod = .normal }.priming.trailing
        let (frames, priming) = try delay(from: source, to: target) { $0.primeMethod = .none }
        #expect(abs(frames - Double(trailing) * target / source) < 0.01)
        #expect(priming == (0, 0))
    }

    @Test("Priming with leading frames begins at the frame behind them", arguments: rates.prefix(4))
    func pre(_ source: Double, _ target: Double) throws {
        let (frames, priming) = try delay(from: source, to: target) { $0.primeMethod = .pre }
        #expect(priming.leading > 0 && priming.trailing > 0)
        #expect(abs(frames + Double(priming.leading) * target / source) < 0.01)
    }

    @Test("Leading frames are taken for what was before, so that a piece converts as within the whole")
    func preInTheMiddle() throws {
        let sound = Sounds.softNoise(1 << 14, rate: 44_100, below: 18_000)
        let whole = try Conversion.resampled(sound, from: 44_100, to: 48_000)
        let conversion = try Conversion(from: Conversion.doubles(44_100), to: Conversion.doubles(48_000)) {
            $0.primeMethod = .pre
        }
        let start = 147 * 50 // there an output frame falls on an input frame
        let piece = try conversion.run([Array(sound[(start - conversion.converter.priming.leading)...])])[0]
        let errors = (0..<4000).map { abs(piece[$0] - whole[160 * 50 + $0]) }
        #expect((errors.max() ?? 1) < 1e-6)
    }

    @Test("Nothing beyond the priming shapes a sample", arguments: [0, 32, 64, 96, 127])
    func reach(_ quality: Int) throws {
        for algorithm in [ConversionSettings.RateAlgorithm.normal, .mastering, .minimumPhase] {
            var impulse = [Double](repeating: 0, count: 12_000)
            impulse[6000] = 1
            let conversion = try Conversion(from: Conversion.doubles(48_000), to: Conversion.doubles(44_100)) {
                ($0.rateQuality, $0.rateAlgorithm, $0.primeMethod) = (quality, algorithm, .pre)
            }
            let (leading, trailing) = conversion.converter.priming
            let out = try Conversion.resampled(impulse, from: 48_000, to: 44_100) {
                ($0.rateQuality, $0.rateAlgorithm) = (quality, algorithm)
            }
            let ratio = 44_100.0 / 48_000
            let before = Sounds.energy(out[..<Int(Double(6000 - trailing) * ratio)])
            let behind = Sounds.energy(out[Int((Double(6000 + leading) * ratio).rounded(.up))...])
            let beyond = 10 * log10(max(before, behind) / Sounds.energy(out))
            #expect(beyond < -105, "\(algorithm): \(beyond) dB")
        }
    }

    @Test("What is not finite is silence to the filter")
    func notFinite() throws {
        var sound = Sounds.sine(1000, rate: 44_100, count: 8000)
        let clean = try {
            var gap = sound; gap[3000] = 0; gap[4000] = 0;
            return try Conversion.resampled(gap, from: 44_100, to: 48_000)
        }()
        (sound[3000], sound[4000]) = (.nan, .infinity)
        let out = try Conversion.resampled(sound, from: 44_100, to: 48_000)
        #expect(out == clean)
    }
}
