import Foundation
import OssicleTestSupport
import Testing

@testable import OssicleAnalysis

@Suite("Pitch, onsets and clicks") struct PitchAndTransientTests {
    private static let rate = 48_000.0

    private static func pitch(_ sound: [Double]) -> PitchAnalysis.Pitch? {
        PitchAnalysis(range: 50...5000, sampleRate: rate).pitch(of: sound[...])
    }

    @Test("a sine's pitch is right to a cent", arguments: [55.0, 110, 261.63, 440, 987.77, 1975.5, 3520])
    func sines(frequency: Double) throws {
        let sound = (0..<4000).map { 0.3 * sin(2 * .pi * frequency * Double($0) / Self.rate + 1) }
        let found = try #require(Self.pitch(sound))
        #expect(abs(1200 * log2(found.frequency / frequency)) < 1)
        #expect(found.clarity > 0.95)
    }

    @Test("ten harmonics have the pitch of their fundamental, also without it", arguments: [1, 2])
    func harmonics(first: Int) throws {
        let sound = (0..<4000).map { (frame: Int) -> Double in
            (first...10).reduce(0.0) { (sum: Double, harmonic: Int) -> Double in
                let angle: Double = 2 * .pi * 196 * Double(harmonic) * Double(frame) / Self.rate
                return sum + sin(angle) / Double(harmonic)
            }
        }
        let found = try #require(Self.pitch(sound))
        #expect(abs(1200 * log2(found.frequency / 196)) < 1)
    }

    @Test("noise and silence have no pitch")
    func none() {
        for seed in 1...8 { #expect(Self.pitch(Signal.noise(count: 4000, seed: UInt64(seed)).map(Double.init)) == nil) }
        #expect(Self.pitch(Array(repeating: 0, count: 4000)) == nil)
    }

    @Test("bursts begin where they were put, to the sample for noise")
    func onsets() {
        let starts = [4000, 20_000, 33_333]
        var sound = Signal.noise(count: 60_000, seed: 3, amplitude: 0.001).map(Double.init)
        for (index, start) in starts.enumerated() {
            let burst = Signal.noise(count: 4800, seed: UInt64(10 + index), amplitude: 0.3)
            for (offset, sample) in burst.enumerated() {
                sound[start + offset] += Double(sample) * exp(-Double(offset) / 1000)
            }
        }
        let found = Transients.onsets([sound], sampleRate: Self.rate, rise: 10, floor: 1e-6)
        #expect(found.count == 3)
        for (found, start) in zip(found, starts) { #expect(abs(found - start) < 8) }
        // 10 ms after 50 ms that are as loud are no onset.
        #expect(
            Transients.onsets(
                [Signal.noise(count: 48_000, seed: 2).map(Double.init)], sampleRate: Self.rate, rise: 10, floor: 1e-7
            ).count == 1)
    }

    @Test("a step in a sine is a click where it is, the sine, noise and a fade have none")
    func clicks() {
        let sine = (0..<48_000).map { 0.5 * sin(2 * .pi * 440 * Double($0) / Self.rate) }
        var broken = sine
        for frame in 20_000..<48_000 { broken[frame] += 0.05 }
        let found = Transients.clicks(broken, ratio: 8, least: 0.001)
        #expect(found.count == 1 && abs((found.first ?? 0) - 20_000) <= 1)
        #expect(Transients.clicks(sine, ratio: 8, least: 0.001).isEmpty)
        for seed in 1...4 {
            #expect(
                Transients.clicks(
                    Signal.noise(count: 48_000, seed: UInt64(seed)).map(Double.init), ratio: 8, least: 0.001
                ).isEmpty)
        }
        let faded = sine.enumerated().map { $1 * min(Double($0) / 4800, 1) }
        #expect(Transients.clicks(faded, ratio: 8, least: 0.001).isEmpty)
    }
}
