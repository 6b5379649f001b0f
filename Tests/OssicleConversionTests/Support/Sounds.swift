import Foundation
import OssicleCore
import OssicleTestSupport

/// Test sounds in double precision.
enum Sounds {
    static func sine(
        _ frequency: Double, rate: Double, count: Int, amplitude: Double = 1, phase: Double = 0
    ) -> [Double] {
        (0..<count).map { amplitude * sin(2 * .pi * frequency * Double($0) / rate + phase) }
    }

    static func noise(_ count: Int, seed: UInt64 = 1, amplitude: Double = 1) -> [Double] {
        let random = CounterRandom(seed: seed, object: 7)
        return (0..<count).map { amplitude * (2 * random.unit(UInt64($0)) - 1) }
    }

    /// Noise without anything above `band` hertz that begins and ends softly.
    static func softNoise(_ count: Int, rate: Double, below band: Double) -> [Double] {
        let spectrum = Spectrum(of: noise(count, amplitude: 0.5).map { Float($0) }, sampleRate: rate)
        let filtered = spectrum.filtered { $0 < band ? 1 : 0 }.first
        return (0..<count).map { filtered[$0] * pow(sin(.pi * Double($0) / Double(count)), 4) }
    }

    /// The middle half, where filters have settled.
    static func middle(_ sound: [Double]) -> [Float] {
        sound[(sound.count / 4)..<(3 * sound.count / 4)].map { Float($0) }
    }

    static func energy(_ sound: some Sequence<Double>) -> Double { sound.reduce(0) { $0 + $1 * $1 } }
}
