import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleConversion

/// The converter of builds that look for no libraries, by the bounds that hold for libsoxr's.
@Suite("Our own rate conversion")
struct SincResamplerTests {
    static let cases = RateCase.rates.flatMap { source, target in
        [32, 64, 96, 127].map { RateCase(source: source, target: target, quality: $0) }
    }

    /// A whole sound, in pieces of `length` frames, until as much has come out as it makes.
    private static func convert(_ sound: [Double], _ rate: RateCase, pieces length: Int = 4096) throws -> [Double] {
        let resampler = try SincResampler(
            from: rate.source, to: rate.target, channelCount: 1,
            recipe: RateRecipe(quality: rate.quality, algorithm: rate.algorithm))
        let total = Int((Double(sound.count) * rate.target / rate.source).rounded(.toNearestOrAwayFromZero))
        let memory = PlaneMemory(channelCount: 1, capacity: length)
        var (out, taken) = ([Double](), 0)
        while out.count < total {
            for index in 0..<length { memory.planes[0][index] = taken + index < sound.count ? sound[taken + index] : 0 }
            taken += length
            resampler.put(memory.frames(length))
            while case let frames = resampler.take(min(length, total - out.count)), frames.count > 0 {
                out += UnsafeBufferPointer(start: frames.planes[0], count: frames.count)
            }
        }
        return out
    }

    private static func tone(_ rate: RateCase, _ frequency: Double) throws -> Measure.Tone {
        let sound = Sounds.sine(frequency, rate: rate.source, count: rate.count)
        return Measure.tone(frequency, in: Sounds.middle(try convert(sound, rate)), sampleRate: rate.target)
    }

    @Test("1 kHz stays clean: 105 dB at low, 125 at medium, 145 above", arguments: cases)
    func distortion(_ rate: RateCase) throws {
        let tone = try Self.tone(rate, 1000)
        #expect(
            tone.signalToNoise > (rate.quality >= 96 ? 145 : rate.quality >= 64 ? 125 : 105), "\(tone.signalToNoise) dB"
        )
        #expect(abs(tone.amplitude - 1) < 1e-3)
    }

    @Test("The pass band is flat within 0.1 dB to 0.9 Nyquist and has no images", arguments: cases)
    func passBand(_ rate: RateCase) throws {
        for share in [0.45, 0.9] {
            let tone = try Self.tone(rate, share * rate.lowerNyquist)
            #expect(abs(Measure.decibels(tone.amplitude)) < 0.1 && tone.signalToNoise > 90, "\(share) Nyquist: \(tone)")
        }
    }

    @Test(
        "What lies above the new Nyquist frequency is 90 dB down", arguments: cases.filter { $0.source > $0.target })
    func aliases(_ rate: RateCase) throws {
        for share in [1.001, 1.08, 3] where share * rate.target < rate.source {
            let sound = Sounds.sine(share * rate.lowerNyquist, rate: rate.source, count: rate.count, phase: 0.3)
            let level = Measure.level(Sounds.middle(try Self.convert(sound, rate))) + 3.01
            #expect(level < -90, "\(share) Nyquist: \(level) dB")
        }
    }

    @Test("An impulse comes out where it was, and any cut gives the same bytes")
    func place() throws {
        for (source, target) in [(44_100.0, 48_000.0), (48_000, 44_100), (12_345.678, 48_000)] {
            let rate = RateCase(source: source, target: target, quality: 127)
            var sound = [Double](repeating: 0, count: 4000)
            sound[1000] = 1
            let whole = try Self.convert(sound, rate)
            let peak = try #require(whole.indices.max { whole[$0] < whole[$1] })
            #expect(abs(Double(peak) - 1000 * target / source) <= 0.5)
            #expect(try Self.convert(sound, rate, pieces: 1) == whole)
            #expect(try Self.convert(sound, rate, pieces: 777) == whole)
        }
    }

    @Test("A minimum-phase filter is refused by an error that names the trait")
    func minimumPhase() {
        let rate = RateCase(source: 44_100, target: 48_000, quality: 96, algorithm: .minimumPhase)
        #expect {
            try Self.convert([0], rate)
        } throws: {
            ($0 as? ConversionError)?.kind == .unsupported && "\($0)".contains("SystemLibraries")
        }
    }

    @Test("Whole sounds keep their length and level")
    func wholeSounds() throws {
        let sound = Sounds.sine(1000, rate: 44_100, count: 44_100).map { Float($0) }
        var out = [Float](repeating: 0, count: 48_000)
        try sound.withUnsafeBufferPointer { input in
            try out.withUnsafeMutableBufferPointer { output in
                try WholeResampling.convert(input, from: 44_100, to: 48_000, into: output)
            }
        }
        let tone = Measure.tone(1000, in: Sounds.middle(out.map { Double($0) }), sampleRate: 48_000)
        #expect(abs(tone.amplitude - 1) < 1e-4 && tone.signalToNoise > 130, "\(tone)")
    }
}
