import OssicleCore
import OssicleDSP
@testable import OssicleRender
import OssicleTestKit
import Testing

@Suite struct CrossfadedBinauralTests {
    private static let channels = (0..<16).map { Signal.noise(count: 3000, seed: UInt64($0)) }

    /// A sound field's filters for a head that is not symmetric.
    private static func head(seed: UInt64) -> AmbisonicHRTFFilters {
        let directions = (0..<8).map { corner -> HRTFData.Direction in
            let (x, y): (Float, Float) = (corner & 1 == 0 ? -1 : 1, corner & 2 == 0 ? -1 : 1)
            let z: Float = corner & 4 == 0 ? -1 : 1
            return HRTFData.Direction(
                vector: HeadDirection.unit(SIMD3(x, y, z)),
                delays: SIMD2(Float(corner), Float(9 - corner)) / 48_000,
                left: Signal.noise(count: 32, seed: seed + UInt64(corner)),
                right: Signal.noise(count: 32, seed: seed + 50 + UInt64(corner)))
        }
        let head = HRTFFilters(
            HRTFData(sampleRate: 48_000, tapCount: 32, directions: directions, isLeftHalf: false))
        return AmbisonicHRTFFilters(head: head.table, sampleRate: 48_000, order: 3)
    }

    /// Renders with the first head, and gives the ears those of `changes` at their frames; blocks end there and are cut
    /// by `cuts` in between.
    private static func render(
        _ first: AmbisonicHRTFFilters, changes: [(at: Int, head: AmbisonicHRTFFilters)] = [], cuts: [Int] = [128]
    ) -> [[Float]] {
        let ears = CrossfadedBinaural(AmbisonicBinaural(first.table))
        let kept = changes.map { RendererBox(AmbisonicBinaural($0.head.table)) }
        let (inputs, outputs) = (channels.map { SampleBlock($0) }, (0..<2).map { _ in SampleBlock(channels[0].count) })
        var (done, turn) = (0, 0)
        while done < channels[0].count {
            for (change, box) in zip(changes, kept) where change.at == done { ears.cell.write(box.pointer) }
            let next = changes.map(\.at).filter { $0 > done }.min() ?? channels[0].count
            let run = min(cuts[turn % cuts.count], next - done)
            inputs.map { $0.pointer + done }.withUnsafeBufferPointer { table in
                guard let base = table.baseAddress else { return }
                ears.process(base, left: outputs[0].pointer + done, right: outputs[1].pointer + done, run)
            }
            done += run
            turn += 1
        }
        return withExtendedLifetime((first, changes, kept)) { outputs.map(\.array) }
    }

    @Test(
        "After a change the field is, to the byte, that of the new head; until its memory is full, that of the old one")
    func change() {
        let (a, b) = (Self.head(seed: 1), Self.head(seed: 200))
        let (old, new, changed) = (Self.render(a), Self.render(b), Self.render(a, changes: [(1000, b)]))
        let history = AmbisonicBinaural(b.table).history
        for ear in 0..<2 {
            #expect(
                Measure.sameBytes(Array(changed[ear].prefix(1000 + history)), Array(old[ear].prefix(1000 + history))))
            #expect(
                Measure.sameBytes(
                    Array(changed[ear].dropFirst(1000 + history + 128)), Array(new[ear].dropFirst(1000 + history + 128))
                ))
            let half = 1000 + history + 64
            #expect(abs(changed[ear][half] - (old[ear][half] + new[ear][half]) / 2) < 1e-5)
        }
    }

    @Test(
        "Two changes in a row end at the last, the same bytes however blocks are cut",
        arguments: [[1], [5, 1, 100], [64, 63, 1], [127]])
    func cuts(_ cuts: [Int]) {
        let (a, b, c) = (Self.head(seed: 1), Self.head(seed: 200), Self.head(seed: 400))
        let whole = Self.render(a, changes: [(1000, b), (1010, c)]),
            parts = Self.render(a, changes: [(1000, b), (1010, c)], cuts: cuts)
        let last = Self.render(c)
        for ear in 0..<2 {
            #expect(Measure.sameBytes(whole[ear], parts[ear]))
            #expect(Measure.sameBytes(Array(whole[ear].suffix(1000)), Array(last[ear].suffix(1000))))
        }
    }
}
