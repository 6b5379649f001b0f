import Foundation
import Testing
@testable import OssicleFiles

@Suite("Resampling of whole sounds") struct ResamplingTests {
    @Test(
        "The length is the source's times the ratio, rounded",
        arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 48_000), (8000, 48_000), (44_100, 11_025)])
    func length(source: Double, target: Double) throws {
        for frames in [0, 1, 2, 7, 441, 1000, 44_101] {
            let audio = try sound([[Float](repeating: 0.5, count: frames)], rate: source)
            let expected = Int((Double(frames) * target / source).rounded())
            #expect(try Resampling.convert(audio, to: target).frameCount == expected)
        }
    }

    @Test(
        "A sine keeps frequency, phase and level to 120 dB away from the ends",
        arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (48_000, 96_000)])
    func sine(source: Double, target: Double) throws {
        for frequency in [100.0, 1000, 10_000] {
            let audio = try sound(
                [Signal.sine(frequency, amplitude: 0.5, frames: Int(source), rate: source)], rate: source)
            let converted = try Resampling.convert(audio, to: target)
            let expected = Signal.sine(frequency, amplitude: 0.5, frames: Int(target), rate: target)
            let worst = (2000..<Int(target) - 2000).map { abs(converted[0][$0] - expected[$0]) }.max() ?? 1
            #expect(worst < 1e-6)
        }
    }

    @Test("The same sound gives the same bytes, alone or beside another channel")
    func deterministic() throws {
        let channels = Signal.tonesAndNoise(channels: 2, frames: 20_000)
        let both = try Resampling.convert(sound(channels, rate: 44_100), to: 48_000)
        let alone = try Resampling.convert(sound([channels[1]], rate: 44_100), to: 48_000)
        #expect(both.arrays[1] == alone.arrays[0])
    }

    @Test("Impossible rates give an error")
    func refusals() throws {
        let audio = try sound([[0, 1]], rate: 44_100)
        for rate in [0, -1, .nan, .infinity, 1e12, 1e-3] {
            #expect(throws: ResamplingError.self) { try Resampling.convert(audio, to: rate) }
        }
        #expect(try Resampling.convert(audio, to: 44_100) === audio)
    }
}
