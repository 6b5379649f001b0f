import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct LoopFilterTests {
    /// dB of one pass through line 0 at a frequency, for a line of `length` frames.
    static func loss(_ frequency: Double, length: Int, t60: OctaveBands, sampleRate: Double) -> Double {
        var filter = LoopFilter(sampleRate: sampleRate, lengths: SIMD16(repeating: Int32(length)))
        filter.setTarget(t60, frames: 0)
        let input = Signal.sine(frequency, sampleRate: sampleRate, count: 48_000)
        var lanes = input.map { SIMD16<Float>(repeating: $0) }
        filter.process(&lanes, lanes.count)
        return Measure.gain(at: frequency, from: input, to: lanes.map { $0[0] }, sampleRate: sampleRate, skip: 16_000)
    }

    @Test("A line's loss per pass is the check table's within 0.01 dB")
    func checkTable() throws {
        for row in try Table.load("fdn-gain-check.csv").rows {
            let found = Self.loss(
                1000, length: Int(row.number("delay_samples")), t60: OctaveBands(repeating: Float(row.number("t60_s"))),
                sampleRate: row.number("sample_rate"))
            #expect(abs(found - row.number("gain_db")) < 0.01)
        }
    }

    @Test("At every octave centre the loss per pass is 60·m/(fs·T60) dB within 0.01 dB")
    func octaves() {
        let t60 = OctaveBands([6.6, 6.6, 6.5, 6.2, 5.6, 5.2, 4.5, 3.8, 3.5, 3.5])
        let centres = BandDecay.centreTimes(for: t60)
        for band in 1...8 {
            let found = Self.loss(OctaveBands.centre(band), length: 3001, t60: t60, sampleRate: 48000)
            #expect(abs(found + 60 * 3001 / 48000 / Double(centres[band])) < 0.01, "band \(band)")
        }
    }

    @Test("However crooked the decays, no frequency is amplified")
    func passivity() {
        let crooked = OctaveBands([60, 0.1, 60, 0.1, 60, 0.1, 60, 0.1, 60, 0.1])
        var filter = LoopFilter(sampleRate: 48000, lengths: SIMD16(repeating: 1801))
        filter.setTarget(crooked, frames: 0)
        var lanes = Signal.impulse(count: 65_536).map { SIMD16<Float>(repeating: $0) }
        filter.process(&lanes, lanes.count)
        let spectrum = OssicleTestSupport.Spectrum(of: lanes.map { $0[7] })
        #expect((0..<spectrum.count).allSatisfy { spectrum.energy($0) < 1 })
    }
}
