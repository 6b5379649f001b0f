import OssicleCore
import OssicleDSP
@testable import OssicleRender
import OssicleTestKit
import Testing

@Suite struct DiffuseBinauralTests {
    /// A head measured at the corners and faces of a cube, each direction with filters and delays of its own: nothing
    /// about it is symmetric.
    private static func lopsidedHead() -> HRTFFilters {
        let faces = [
            Vector(1, 0, 0), Vector(-1, 0, 0), Vector(0, 1, 0), Vector(0, -1, 0), Vector(0, 0, 1), Vector(0, 0, -1),
        ]
        let corners = (0..<8).map { HeadDirection.unit(CubeCorner.direction($0)) }
        let directions = (corners + faces).enumerated().map { index, vector in
            HRTFData.Direction(
                vector: vector, delays: SIMD2(Float(3 + index), Float(20 - index)) / 48_000,
                left: Signal.noise(count: 24, seed: UInt64(index)),
                right: Signal.noise(count: 24, seed: UInt64(100 + index)))
        }
        return HRTFFilters(HRTFData(sampleRate: 48_000, tapCount: 24, directions: directions, isLeftHalf: false))
    }

    private static func render(_ head: HRTFFilters, _ corners: [[Float]], cuts: [Int]) -> [[Float]] {
        let ears = DiffuseBinaural(head: head.table, latency: 16)
        let (inputs, outputs) = (corners.map { SampleBlock($0) }, (0..<2).map { _ in SampleBlock(corners[0].count) })
        var (done, turn) = (0, 0)
        while done < corners[0].count {
            let run = min(cuts[turn % cuts.count], corners[0].count - done)
            inputs.map { $0.pointer + done }.withUnsafeBufferPointer { table in
                guard let base = table.baseAddress else { return }
                ears.process(base, left: outputs[0].pointer + done, right: outputs[1].pointer + done, run)
            }
            done += run
            turn += 1
        }
        return withExtendedLifetime(head) { outputs.map(\.array) }
    }

    @Test(
        "Each corner sounds through both ears' filters of its direction, at their delays to the nearest frame",
        arguments: [true, false])
    func impulse(isSymmetric: Bool) throws {
        let head = isSymmetric ? try HRTFFilters(sampleRate: 48_000) : Self.lopsidedHead()
        for corner in 0..<8 {
            var inputs = [[Float]](repeating: [Float](repeating: 0, count: 512), count: 8)
            inputs[corner][10] = 1
            let output = Self.render(head, inputs, cuts: [128])
            var (left, right) = (
                [Float](repeating: 0, count: head.tapCount), [Float](repeating: 0, count: head.tapCount)
            )
            let delays = head.table.interpolate(CubeCorner.direction(corner), left: &left, right: &right)
            for (ear, taps, delay) in [(0, left, delays.left), (1, right, delays.right)] {
                var expected = [Float](repeating: 0, count: 512)
                for (k, tap) in taps.enumerated() { expected[10 + 16 + Int(delay.rounded()) + k] = tap }
                let error = zip(output[ear], expected).map { ($0 - $1).magnitude }.max() ?? .nan
                #expect(error < 1e-6, "corner \(corner), ear \(ear)")
            }
        }
    }

    @Test("The same bytes however blocks are cut", arguments: [[1], [5, 1, 100], [64, 63, 1], [127]])
    func cuts(_ cuts: [Int]) throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        let corners = (0..<8).map { Signal.noise(count: 1000, seed: UInt64($0)) }
        let (whole, parts) = (Self.render(head, corners, cuts: [128]), Self.render(head, corners, cuts: cuts))
        #expect(Measure.sameBytes(whole[0], parts[0]) && Measure.sameBytes(whole[1], parts[1]))
    }
}
