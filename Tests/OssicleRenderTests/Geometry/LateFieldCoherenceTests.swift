import OssicleCore
import OssicleDSP
@testable import OssicleRender
import OssicleTestKit
import Testing

/// Between two ears in a late field.
@Suite struct LateFieldCoherenceTests {
    private static let frames = 128 * 3000

    /// Correlation of the ears by octave from 125 Hz to 8 kHz, of ears that are equally loud.
    private func correlations(_ ears: [[Float]]) -> [Double] {
        let sums = Measure.octaveEnergies(of: zip(ears[0], ears[1]).map { $0 + $1 })
        let differences = Measure.octaveEnergies(of: zip(ears[0], ears[1]).map { $0 - $1 })
        return (2...8).map { band in
            let (sum, difference) = (Decibels.energy(sums[band]), Decibels.energy(differences[band]))
            return (sum - difference) / (sum + difference)
        }
    }

    /// Sixteen noises of their own from the `DiffuseDirections`.
    private func isotropic(_ output: GeometryOutput) -> [[Float]] {
        let filters = AmbisonicHRTFFilters(head: output.head.table, sampleRate: 48_000, order: 3)
        let mix = FieldMix(.binaural(filters), outputCount: 2)
        let signals = (0..<16).map { SampleBlock(noise(Self.frames, seed: UInt64(100 + $0))) }
        let encoders = OwnedMemory(count: 16, SIMD16<Float>.zero)
        for index in 0..<16 { encoders.pointer[index] = DiffuseDirections.encoders[index] }
        let ears = (0..<2).map { _ in SampleBlock(Self.frames) }
        for start in stride(from: 0, to: Self.frames, by: Grid.quantum) {
            signals.map { $0.pointer + start }.withUnsafeBufferPointer { inputs in
                ears.map { $0.pointer + start }.withUnsafeBufferPointer { outputs in
                    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
                    mix.sums.add(inputs, encoders.pointer, Grid.quantum)
                    _ = mix.play(to: outputs, offset: 0, Grid.quantum)
                }
            }
        }
        return ears.map(\.array)
    }

    @Test(
        "a room's ears are correlated as in an isotropic field of the same decoder: within 0.1 from 1 kHz and 0.2 below, where few modes and the first echoes of the network scatter; the goal of 0.05 is missed",
        arguments: [0, 3])
    func coherence(room: Int) throws {
        let bench = try LateFieldBench(
            noise(Self.frames), meanFreeTime: DiffuseRoom.all[room].meanFreeTime, isBinaural: true)
        bench.set(DiffuseRoom.all[room].parameters())
        bench.start()
        let found = correlations(bench.render(Self.frames).map { Array($0.dropFirst(24_000)) })
        let wanted = correlations(isotropic(bench.output))
        for octave in 0..<7 {
            let tolerance = octave < 3 ? 0.2 : 0.1
            #expect(
                abs(found[octave] - wanted[octave]) < tolerance,
                "\(125 << octave) Hz: \(found[octave]) for \(wanted[octave])")
        }
    }
}
