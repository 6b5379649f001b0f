import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// A late field with a sound at its input, and what keeps both.
final class LateFieldBench {
    typealias Parameters = LateFieldRenderer.Parameters

    let output: GeometryOutput
    let renderer: ControlledBox<LateFieldRenderer>
    let player: TestPlayer
    /// Of the bus.
    let meter = RendererBox(StepMeter())
    let bench: RenderBench

    /// From loudspeakers, it is the signals of the `DiffuseDirections` that come out.
    init(_ sound: [Float], meanFreeTime: Double = 0.0147, isBinaural: Bool = false, seed: UInt64 = 1) throws {
        output = try GeometryOutput(isBinaural: isBinaural)
        let ears =
            isBinaural ? AmbisonicHRTFFilters(head: output.head, order: 3) : nil
        renderer = withExtendedLifetime(ears) {
            ControlledBox(
                LateFieldRenderer(sampleRate: 48_000, meanFreeTime: meanFreeTime, seed: seed, ears: ears?.table))
        }
        player = TestPlayer([sound])
        var graph = Graph()
        let source = player.node(in: &graph)
        let field = output.field(Self.directions)
        let node = graph.add(
            "late", .lateField(renderer.pointer, field.pointer.pointee.sums), owner: renderer, inputs: [1],
            outputs: [0])
        graph.connect(Graph.Port(source), to: Graph.Port(node))
        let count = isBinaural ? 2 : 16
        let bus = graph.add("bus", .fieldMix(field.pointer), owner: field, inputs: [0], outputs: [count], meter: meter)
        graph.connect(Graph.Port(node), to: Graph.Port(bus))
        graph.output = Graph.Port(bus)
        graph.keepAlive(output)
        bench = try RenderBench(graph, channels: count)
    }

    /// Encoders, times the inverse of their weights, are orthogonal: what was encoded comes out again.
    static let directions = DiffuseDirections.encoders.map { encoder in
        var row = encoder
        for channel in 0..<16 { row[channel] *= Float(2 * SphericalHarmonics.order(of: channel) + 1) / 16 }
        return row
    }

    func set(_ parameters: Parameters) { renderer.control.cell.write(parameters) }

    func start(at position: Int64 = 0) { player.start(on: bench, at: position) }

    func render(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] { bench.render(frames, cuts: cuts) }
}

/// A diffuse field in a room.
struct DiffuseRoom: Sendable {
    let volume, surface: Double
    let t60: OctaveBands

    var meanFreeTime: Double { 4 * volume / surface / 343.2 }
    /// 20 V/S + 12 ms (Lindau 2012).
    var mixingTime: Double { (20 * volume / surface + 12) / 1000 }

    /// ∫ e(t) dt from `start` on, e(t) = 4πc/V·e^(−13.8 t/T).
    func energy(after start: Double) -> OctaveBands {
        t60.map { time in
            let t = Double(time)
            return Float(
                4 * DeterministicMath.pi * 343.2 / volume * t / 13.8155 * DeterministicMath.exp(-13.8155 * start / t))
        }
    }

    func parameters(start: Double? = nil, rampFrames: Int = 4800) -> LateFieldRenderer.Parameters {
        let start = start ?? mixingTime
        return LateFieldRenderer.Parameters(
            t60: t60, energy: energy(after: start), start: start, rampFrames: rampFrames)
    }

    static let all = [
        DiffuseRoom(
            volume: 240, surface: 268, t60: OctaveBands([1.6, 1.6, 1.5, 1.4, 1.369, 1.369, 1.2, 1.0, 0.75, 0.6])),
        DiffuseRoom(volume: 35, surface: 65, t60: OctaveBands(repeating: 0.35)),
        DiffuseRoom(volume: 111, surface: 145, t60: OctaveBands([0.5, 0.5, 0.6, 0.8, 1.0, 1.2, 1.2, 1.0, 0.7, 0.5])),
        DiffuseRoom(volume: 5189, surface: 1600, t60: OctaveBands([2.3, 2.2, 2.1, 1.9, 1.8, 1.7, 1.6, 1.4, 1.0, 0.7])),
    ]
}
