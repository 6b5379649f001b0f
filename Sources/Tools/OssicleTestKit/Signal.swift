import Foundation
import OssicleCore

/// Test signals with known answers.
public enum Signal {
    /// amplitude·sin(2π·frequency·t + phase), frequency in Hz, phase in radians; computed in double precision.
    public static func sine(_ frequency: Double, sampleRate: Double = 48000, count: Int, amplitude: Double = 1, phase: Double = 0) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate + phase)) }
    }

    /// Silence but for one sample of height `height`.
    public static func impulse(count: Int, at index: Int = 0, height: Float = 1) -> [Float] {
        var signal = [Float](repeating: 0, count: count)
        if signal.indices.contains(index) { signal[index] = height }
        return signal
    }

    /// White noise, uniform in ±amplitude; the same seed gives the same samples.
    public static func noise(count: Int, seed: UInt64 = 1, amplitude: Double = 1) -> [Float] {
        let random = CounterRandom(seed: seed, object: 0)
        return (0..<count).map { Float(amplitude * (2 * random.unit(UInt64($0)) - 1)) }
    }

    public static func silence(count: Int) -> [Float] { [Float](repeating: 0, count: count) }
}
