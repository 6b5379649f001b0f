import OssicleCore
import OssicleDSP
import OssicleGraph
@testable import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct AmbisonicRendererTests {
    private static let ambix = SoundFieldFormat((0..<16).map { SoundFieldFormat.Channel(index: $0, gain: 1) })

    private static func parameters(_ angle: Double, frames: Int, gain: Float = 1) -> AmbientRenderer.Parameters {
        let (s, c) = DeterministicMath.sincos(angle)
        return AmbientRenderer.Parameters(
            gain: gain, right: SIMD3<Float>(Float(c), 0, Float(-s)), up: SIMD3(0, 1, 0),
            back: SIMD3<Float>(Float(s), 0, Float(c)),
            rampFrames: frames)
    }

    /// A field of noise, turned a little every 512 frames.
    private static func render(_ decoding: FieldDecoding, cuts: [Int]) throws -> [[Float]] {
        let box = ControlledBox(AmbisonicRenderer(format: ambix, decoding: decoding, outputCount: 2))
        var graph = Graph()
        let player = TestPlayer((0..<16).map { noise(4096, seed: UInt64($0)) })
        let strip = graph.add("bed", .ambisonic(box.pointer), owner: box, inputs: [16], outputs: [2])
        graph.connect(Graph.Port(player.node(in: &graph, outputs: 16)), to: Graph.Port(strip))
        graph.output = Graph.Port(strip)
        let bench = try RenderBench(graph, channels: 2)
        player.start(on: bench)
        var out: [[Float]] = [[], []]
        for step in 0..<8 {
            box.control.cell.write(parameters(Double(step) * 0.3, frames: 400, gain: step == 5 ? 0.25 : 1))
            let part = bench.render(512, cuts: cuts)
            for channel in 0..<2 { out[channel] += part[channel] }
        }
        return out
    }

    @Test("The same bytes however blocks are cut", arguments: [[1], [5, 1, 100], [64, 63, 1], [127]])
    func cuts(_ cuts: [Int]) throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        let ears = FieldDecoding.binaural(
            AmbisonicHRTFFilters(head: head, order: 3))
        let speakers = FieldDecoding.panned(FieldSpeakers.gains(order: 3, panner: VBAPPanner(.stereo)))
        for decoder in [ears, speakers] {
            let (whole, parts) = (try Self.render(decoder, cuts: [512]), try Self.render(decoder, cuts: cuts))
            #expect(Measure.sameBytes(whole[0], parts[0]) && Measure.sameBytes(whole[1], parts[1]))
            #expect(Measure.rms(whole[0]) > 0.01 && Measure.isFinite(whole[0] + whole[1]))
        }
    }

    @Test("Quaternions lead back to the axes they were made from", arguments: 0..<24)
    func turns(index: Int) {
        let random = CounterRandom(seed: 9, object: 2)
        func unit(_ n: Int) -> Float { Float(random.unit(UInt64(6 * index + n)) * 2 - 1) }
        let right = HeadDirection.unit(SIMD3(unit(0), unit(1), unit(2)))
        let up = HeadDirection.unit(SIMD3<Float>(right.cross(Vector(SIMD3(unit(3), unit(4), unit(5))))))
        let back = right.cross(up)
        let axes = Rotation(
            right: Vector(SIMD3<Float>(right)), up: Vector(SIMD3<Float>(up)), back: Vector(SIMD3<Float>(back))
        ).axes
        #expect(
            (axes.right - right).magnitude < 1e-6 && (axes.up - up).magnitude < 1e-6
                && (axes.back - back).magnitude < 1e-6)
    }

    @Test("Half turns about every axis, and what is not finite, have quaternions too")
    func halfTurns() {
        for signs in [Vector(1, -1, -1), SIMD3(-1, 1, -1), SIMD3(-1, -1, 1)] {
            let axes = Rotation(
                right: Vector(signs.x, 0, 0), up: Vector(0, signs.y, 0), back: Vector(0, 0, signs.z)
            ).axes
            #expect(axes.right.x == signs.x && axes.up.y == signs.y && axes.back.z == signs.z)
        }
        #expect(
            Rotation(right: Vector(.nan, 0, 0), up: Vector(0, .infinity, 0), back: Vector(0, 0, 1)) == .identity)
    }
}
