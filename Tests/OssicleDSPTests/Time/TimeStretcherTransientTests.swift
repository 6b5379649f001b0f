import Foundation
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct TimeStretcherTransientTests {
    static let settings: [(Double, Double)] = [
        (0.5, 0.0), (0.75, 0), (0.9, 0), (1.1, 0), (1.5, 0), (2, 0), (1, 1200), (1, -1200), (1.3, -300),
    ]

    /// Attacks at given frames: a burst that dies away within 30 ms, above a bed of soft tones.
    static func attacks(_ places: [Int], count: Int, bed: Double = 0, decay: Double = 300) -> [Float] {
        var signal = zip(
            Signal.sine(220, count: count, amplitude: bed), Signal.sine(1330, count: count, amplitude: bed)
        ).map { $0 + $1 }
        for place in places {
            for i in 0..<min(4800, count - place) {
                signal[place + i] += Float(0.8 * exp(-Double(i) / decay) * sin(Double(i) * 0.35 + 0.5))
            }
        }
        return signal
    }

    /// Energy of the 20 ms before an attack over that of the 20 ms behind it, in dB, and where it is. One millisecond
    /// belongs to neither.
    static func preEcho(_ output: [Float], near frame: Int) -> (level: Double, place: Int) {
        let range = max(frame - 1500, 0)..<min(frame + 2000, output.count)
        let peak = Measure.peak(output[range])
        let place = range.first { output[$0].magnitude > 0.3 * peak } ?? frame
        let before = Measure.energy(output[max(place - 1008, 0)..<max(place - 48, 0)])
        return (10 * log10(before / Measure.energy(output[place..<min(place + 960, output.count)]) + 1e-20), place)
    }

    @Test(
        "Nothing is heard before an attack out of silence: 60 dB down, and the attack lies within a millisecond of its place",
        arguments: settings)
    func sharp(rate: Double, cents: Double) {
        let places = Array(stride(from: 7001, to: 90_000, by: 9601))
        let output = TimeStretcherTests.played(
            Self.attacks(places, count: 96_000), rate, cents, count: Int(94_000 / rate))
        for place in places.dropLast() {
            let found = Self.preEcho(output, near: Int(Double(place) / rate))
            #expect(found.level < -60, "\(place)")
            #expect(abs(found.place - Int(Double(place) / rate)) < 48, "\(place)")
        }
    }

    @Test("Attacks in quick succession stay apart: 40 dB before each of them", arguments: settings)
    func quick(rate: Double, cents: Double) {
        let places = Array(stride(from: 7001, to: 60_000, by: 3600))
        let output = TimeStretcherTests.played(
            Self.attacks(places, count: 96_000, decay: 120), rate, cents, count: Int(64_000 / rate))
        for place in places { #expect(Self.preEcho(output, near: Int(Double(place) / rate)).level < -40, "\(place)") }
    }

    @Test("Above a bed of tones 40 dB below, an attack brings no more than the bed before it", arguments: settings)
    func bed(rate: Double, cents: Double) {
        let places = Array(stride(from: 7001, to: 90_000, by: 9601))
        let input = Self.attacks(places, count: 96_000, bed: 0.008)
        let output = TimeStretcherTests.played(input, rate, cents, count: Int(94_000 / rate))
        for place in places.dropLast() {
            let (bare, found) = (
                Self.preEcho(input, near: place).level, Self.preEcho(output, near: Int(Double(place) / rate)).level
            )
            // Higher pitch shortens the burst and with it the energy that the bed is compared with.
            #expect(found < bare + 3 + abs(cents) / 300, "\(place): \(found) for \(bare)")
        }
    }

    @Test("Steady tones, noise and slow beats are no onsets; a soft step of 6 dB is none either, one of 20 dB is")
    func detector() {
        func found(_ signal: [Float]) -> Int {
            var ring = FrameRing(channelCount: 1, capacity: 1 << 17)
            var detector = OnsetDetector(window: 4096)
            var count = 0
            let memory = TestMemory(count: signal.count, Float.zero, signal)
            let lanes = TestMemory(count: 1, memory.pointer)
            withExtendedLifetime(memory) { ring.append(lanes.pointer, offset: 0, frames: signal.count) }
            var (end, last) = (Int64(0), Int64(2000))
            while end < signal.count {
                detector.scan(ring, from: 0, to: end)
                if let onset = detector.next(after: last).0 { (count, last) = (count + 1, onset) }
                end += 512
            }
            return count
        }
        for frequency in [30, 80, 441, 5000.0] {
            #expect(found(Signal.sine(frequency, count: 96_000)) == 0, "\(frequency)")
        }
        for distance in [1, 7, 26, 110.0] {
            #expect(
                found(zip(Signal.sine(440, count: 96_000), Signal.sine(440 + distance, count: 96_000)).map { $0 + $1 })
                    == 0, "\(distance)")
        }
        #expect(found(Signal.noise(count: 96_000)) == 0)
        let noise = Signal.noise(count: 96_000)
        #expect(found(noise.enumerated().map { $1 * ($0 < 48_000 ? 0.5 : 1) }) == 0)
        #expect(found(noise.enumerated().map { $1 * ($0 < 48_000 ? 0.1 : 1) }) == 1)
    }
}
