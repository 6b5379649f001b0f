import Foundation
import OssicleCore
import OssicleTestSupport
import Testing

/// The test kit's tools against signals whose answers are known.
@Suite struct MeasureTests {
    @Test("Pitch, amplitude and noise of a tone in noise are found")
    func tones() {
        let noise = Signal.noise(count: 9600, amplitude: 0.01)
        let signal = zip(Signal.sine(997.3, count: 9600, amplitude: 0.5, phase: 1), noise).map { $0 + $1 }
        let tone = Measure.pitch(near: 996, in: signal)
        #expect(abs(tone.frequency - 997.3) < 1e-2 && abs(tone.amplitude - 0.5) < 1e-3 && abs(tone.phase - 1) < 1e-2)
        // Uniform noise has an RMS of amplitude/√3.
        #expect(abs(tone.residual - 0.01 / 3.0.squareRoot()) < 2e-4)
    }

    @Test("The decay of exponentially dying noise is found per octave within 5 %")
    func decay() {
        let times = [0.5, 2.0]
        for time in times {
            let channels = (1...6).map { (seed: UInt64) -> [Float] in
                let noise: [Float] = Signal.noise(count: Int(time * 48000 * 1.2), seed: seed)
                return noise.enumerated().map { (frame: Int, sample: Float) -> Float in
                    let decades: Double = -3 * Double(frame) / 48000 / time
                    return sample * Float(pow(10, decades))
                }
            }
            for found in Measure.reverberationTimes(channels, bands: 4...8) { #expect(abs(found / time - 1) < 0.05) }
        }
        #expect(Measure.reverberationTime(energies: [1, 1, 1]).isNaN)
    }

    @Test("White noise has 3 dB more energy per octave, and all of it lies inside its band")
    func bands() {
        let energies = Measure.octaveEnergies(of: Signal.noise(count: 1 << 18))
        for band in 4..<9 { #expect(abs(energies[band + 1] - energies[band] - 3.01) < 0.2) }
        #expect(Measure.energyOutside(900, 1100, in: Signal.sine(1000, count: 48000)) < -80)
        #expect(Measure.energyOutside(0, 900, in: Signal.sine(1000, count: 48000)) > -0.01)
    }

    @Test("A whole delay is found exactly, also a negative one")
    func delay() {
        let noise = Signal.noise(count: 2000)
        let shifted = Signal.silence(count: 37) + noise
        #expect(abs(Measure.delay(of: shifted, after: noise, range: 50) - 37) < 1e-4)
        #expect(abs(Measure.delay(of: noise, after: shifted, range: 50) + 37) < 1e-4)
        #expect(
            Measure.onset(of: shifted) == 37 + (noise.firstIndex { $0.magnitude >= 0.1 * Measure.peak(noise) } ?? -1))
        #expect(Measure.onset(of: Signal.silence(count: 5)) == nil)
    }

    @Test("Bytes are compared, not values")
    func bytes() {
        #expect(Measure.sameBytes([.nan, 1], [.nan, 1]))
        #expect(!Measure.sameBytes([0], [-0.0]) && !Measure.sameBytes([1], [1, 1]))
    }
}
