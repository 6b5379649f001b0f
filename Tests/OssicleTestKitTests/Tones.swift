import Foundation
import OssicleTestKit
import OssicleTestSupport

/// Sounds with known answers.
enum Tones {
    static let rate = 48_000.0

    static func sine(_ frequency: Double, seconds: Double = 1, amplitude: Double = 1) -> [Float] {
        Signal.sine(frequency, count: Int(seconds * rate), amplitude: amplitude)
    }

    static func noise(_ seconds: Double, _ seed: UInt64 = 1, _ amplitude: Double = 0.5) -> [Float] {
        Signal.noise(count: Int(seconds * rate), seed: seed, amplitude: amplitude)
    }

    static func silence(_ seconds: Double) -> [Float] { Signal.silence(count: Int(seconds * rate)) }

    static func sound(_ channels: [Float]..., labels: [UInt32]? = nil) throws -> Sound {
        try Sound(channels: channels, sampleRate: rate, channelLabels: labels)
    }

    /// Noise of which the level falls by 60 dB in `seconds`.
    static func decay(_ seconds: Double, length: Double = 2) -> [Float] {
        noise(length).enumerated().map { $1 * Float(pow(10, -3 * Double($0) / rate / seconds)) }
    }
}
