import OssicleCore
import OssicleDSP
@testable import OssicleRender
import OssicleTestSupport
import Testing

/// Between two ears in a late field.
@Suite struct LateFieldCoherenceTests {
    /// Correlation of the ears by octave from 125 Hz to 8 kHz, of ears that are equally loud: energies of their sum and
    /// of their difference.
    private func correlations(_ sum: [Double], _ difference: [Double]) -> [Double] {
        (2...8).map { (octave: Int) -> Double in
            let (both, apart) = (sum[octave], difference[octave])
            return (both - apart) / (both + apart)
        }
    }

    private func octaves(_ signal: [Float]) -> [Double] {
        Measure.octaveEnergies(of: signal).map { Decibels.energy($0) }
    }

    /// Through the decoder's filters, whose channels are incoherent and (in N3D weights) equally strong.
    private func isotropic(_ output: GeometryOutput) -> [Double] {
        let filters = AmbisonicHRTFFilters(head: output.head, order: 3)
        let table = filters.table
        var (sum, difference) = ([Double](repeating: 0, count: 10), [Double](repeating: 0, count: 10))
        for channel in 0..<table.channelCount {
            let (left, right) = (table.filter(0, channel), table.filter(1, channel))
            let weight = 1 / Double(2 * SphericalHarmonics.order(of: channel) + 1)
            let silence = [Float](repeating: 0, count: 8192 - table.tapCount)
            let added = octaves((0..<table.tapCount).map { left[$0] + right[$0] } + silence)
            let taken = octaves((0..<table.tapCount).map { left[$0] - right[$0] } + silence)
            for band in 0..<10 {
                if added[band] > 0 { sum[band] += added[band] * weight }
                if taken[band] > 0 { difference[band] += taken[band] * weight }
            }
        }
        return withExtendedLifetime((output, filters)) { correlations(sum, difference) }
    }

    private func expect(_ ears: [[Float]], _ output: GeometryOutput) {
        let found = correlations(
            octaves(zip(ears[0], ears[1]).map { $0 + $1 }), octaves(zip(ears[0], ears[1]).map { $0 - $1 }))
        let wanted = isotropic(output)
        for octave in 0..<7 {
            #expect(
                abs(found[octave] - wanted[octave]) < 0.05,
                "\(125 << octave) Hz: \(found[octave]) for \(wanted[octave])")
        }
    }

    @Test(
        "in the answer of a room to an impulse, the ears are correlated as in an isotropic field, within 0.05 in every octave",
        arguments: [0, 2, 3], [UInt64(1), 2])
    func coherence(room: Int, seed: UInt64) throws {
        let bench = try LateFieldBench(
            Signal.impulse(count: 128), meanFreeTime: DiffuseRoom.all[room].meanFreeTime, isBinaural: true, seed: seed)
        bench.set(DiffuseRoom.all[room].parameters())
        bench.start()
        expect(bench.render(1 << 17), bench.output)
    }
}
