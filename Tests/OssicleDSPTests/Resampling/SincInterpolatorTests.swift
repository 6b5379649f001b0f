import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct SincInterpolatorTests {
    /// The signal played at `ratio` source frames per output frame, in blocks of the given sizes.
    static func played(
        _ source: [Float], ratio: Double, count: Int, blocks: [Int] = [128], start: UInt64 = 0
    ) -> [Float] {
        let table = SincTable(ratio: ratio)
        let step = SincInterpolator.step(ratio: ratio)
        let needed = SincInterpolator.framesNeeded(position: start, step: step, table: table, count)
        let padded =
            [Float](repeating: 0, count: table.lookBehind) + source
            + [Float](repeating: 0, count: max(needed - source.count, 0))
        var position = start
        return padded.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            return render([Float](repeating: 0, count: count), blocks: blocks) { _, to, n in
                position = SincInterpolator.process(
                    source: base + table.lookBehind, table: table, position: position, step: step, to: to, n)
            }
        }
    }

    @Test("Unit step from a whole position copies bit for bit")
    func copies() {
        let source = Signal.noise(count: 1000)
        #expect(Measure.sameBytes(Self.played(source, ratio: 1, count: 900, start: 3 << 32), Array(source[3..<903])))
    }

    @Test("1 kHz from 44.1 to 48 kHz has the right pitch and less than −90 dB of distortion and noise")
    func purity() {
        let output = Self.played(
            Signal.sine(1000, sampleRate: 44100, count: 22_050), ratio: 44100.0 / 48000, count: 23_000)
        let tone = Measure.pitch(near: 1000, in: Array(output[200..<22_800]))
        #expect(abs(tone.frequency - 1000) < 1e-4)
        #expect(tone.signalToNoise > 90)
    }

    @Test(
        "The pass band is flat within 0.1 dB to 0.9 Nyquist",
        arguments: [44100.0 / 48000, 48000.0 / 44100, 2, 0.5, 4, 0.25])
    func passBand(ratio: Double) {
        for part in [0.01, 0.3, 0.6, 0.8, 0.9] {
            // Cycles per source frame, at `part` of the lower Nyquist frequency.
            let cycles = 0.5 * part / max(ratio, 1)
            let output = Self.played(
                Signal.sine(cycles * 48000, count: 20_000), ratio: ratio, count: Int(18_000 / ratio))
            let tone = Measure.tone(
                cycles * ratio * 48000, in: Array(output.dropFirst(1000).prefix(8000).dropLast(200)))
            #expect(abs(Measure.decibels(tone.amplitude)) < 0.1, "\(part) Nyquist")
        }
    }

    @Test("Images of a tone at 0.9 Nyquist stay below −80 dB when speed goes down")
    func images() {
        for ratio in [44100.0 / 48000, 0.5, 0.25] {
            let output = Self.played(Signal.sine(0.45 * 48000, count: 9000), ratio: ratio, count: 8000)
            let tone = Measure.tone(0.45 * ratio * 48000, in: Array(output[400..<7600]))
            #expect(tone.signalToNoise > 80, "ratio \(ratio)")
        }
    }

    @Test(
        "A tone above 1.1 times the new Nyquist frequency stays below −80 dB when speed goes up",
        arguments: [1.5, 2, 3.99])
    func aliases(ratio: Double) {
        let output = Self.played(Signal.sine(1.1 * 24000 / ratio, count: 40_000), ratio: ratio, count: 8000)
        #expect(Measure.decibels(Measure.rms(output[400..<7600]) * 2.0.squareRoot()) < -80)
    }

    @Test("Playback gives the same bytes however calls are cut")
    func cuts() {
        let source = Signal.noise(count: 9000)
        let whole = Self.played(source, ratio: 0.918_75, count: 6000, start: 12345)
        for blocks in [[1], awkwardCuts] {
            #expect(
                Measure.sameBytes(
                    whole, Self.played(source, ratio: 0.918_75, count: 6000, blocks: blocks, start: 12345)))
        }
    }
}
