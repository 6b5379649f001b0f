import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleDSP

@Suite struct InstrumentTablesTests {
    /// A sine of a share of the sample's Nyquist frequency, read at a ratio: what is left of it, and what came along,
    /// in dB.
    private func read(_ share: Double, ratio: Double) -> (tone: Double, rest: Double) {
        let tables = InstrumentTables.shared, table = tables.table(ratio: ratio)
        let reach = InstrumentTables.longestReach, frames = 4000
        let source = Signal.sine(share * 24_000, count: Int(Double(frames) * ratio) + 2 * reach + 8, phase: 0.3)
        var sound = [Float](repeating: 0, count: frames)
        source.withUnsafeBufferPointer { memory in
            guard let start = memory.baseAddress else { return }
            _ = SincInterpolator.process(
                source: start + reach, table: table.pointee, position: 1 << 30,
                step: UInt64((ratio * 0x1p32).rounded()), to: &sound, frames)
        }
        let tone = Measure.tone(share * 24_000 * ratio, in: sound)
        return (Measure.decibels(tone.amplitude), Measure.decibels(tone.residual * 2.0.squareRoot()))
    }

    @Test(arguments: [0.8908987, 0.7071068, 0.5])
    func `below its own pitch a sample passes flat, and its images lie 60 dB down`(ratio: Double) {
        // Images of a share s of Nyquist begin at 2 − s.
        for share in [0.05, 0.2, 0.4, 0.55] {
            let found = read(share, ratio: ratio)
            #expect(abs(found.tone) < 0.1 && found.rest < -60, "\(share) \(ratio) \(found)")
        }
    }

    @Test(arguments: [1.1892, 1.7, 3.1, 6.4, 13])
    func `above its own pitch what would fold back is 60 dB down`(ratio: Double) {
        // 1.45 of the output's Nyquist frequency folds to 0.55; the next table lies up to a quarter octave higher.
        for share in [1.45, 1.7] where share / ratio < 0.98 {
            let source = read(share / ratio, ratio: ratio)
            #expect(max(source.tone, source.rest) < -55, "\(share) \(ratio) \(source)")
        }
        let low = read(0.3 / ratio, ratio: ratio)
        #expect(abs(low.tone) < 0.1 && low.rest < -60)
    }
}
