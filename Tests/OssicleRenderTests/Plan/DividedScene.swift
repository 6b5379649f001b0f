import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// Moving binaural voices with sends to two rooms, some of them in the ambisonic bus, and a second listener and a tap
/// who hear some: as an engine lays them out.
final class DividedScene {
    let bench: RenderBench
    let graph: Graph
    private let output: GeometryOutput
    private let strips: [ControlledBox<SpatialRenderer>]
    private let rooms: [ControlledBox<ReverbRenderer>]
    private var step = 0

    /// - Parameter voices: 80 are enough for two threads.
    init(voices: Int, threads: Int) throws {
        let output = try GeometryOutput(isBinaural: true)
        self.output = output
        let strips = (0..<voices).map { _ in
            ControlledBox(SpatialRenderer(sampleRate: 48_000, spatializer: output.spatializer, outputCount: 2))
        }
        self.strips = strips
        rooms = (0..<2).map { ControlledBox(ReverbRenderer(.smallRoom, sampleRate: 48_000, seed: UInt64($0))) }
        var graph = Graph(capacity: 2 * voices + 8)
        graph.keepAlive(output)
        let ears = (0..<3).map { _ in RendererBox(BinauralMixRenderer(BinauralMix(tapCount: output.head.tapCount))) }
        let fields = (0..<2).map { _ in output.field([]) }
        let mixes = ears.map {
            Graph.Port(graph.add("ears", .binauralMix($0.pointer), owner: $0, inputs: [0], outputs: [2]))
        }
        let buses = fields.map {
            Graph.Port(graph.add("bus", .fieldMix($0.pointer), owner: $0, inputs: [0], outputs: [2]))
        }
        let reverbs = rooms.map { box in
            graph.add(
                "room", .reverb(box.pointer, fields[0].pointer.pointee.sums), owner: box, inputs: [1], outputs: [0])
        }
        for reverb in reverbs { graph.connect(Graph.Port(reverb), to: buses[0]) }
        var players: [TestPlayer] = []
        for (index, strip) in strips.enumerated() {
            var targets = BinauralTargets(common: ears[0].pointer.pointee.sums)
            var field = FieldTargets(common: fields[0].pointer.pointee.sums)
            if index % 3 == 0 { targets.listener = ears[1].pointer.pointee.sums }
            if index % 3 == 0 { field.listener = fields[1].pointer.pointee.sums }
            if index % 40 == 8 { targets.tap = ears[2].pointer.pointee.sums }
            let node = graph.add(
                "strip", .spatial(strip.pointer, targets, field), owner: strip, inputs: [1], outputs: [0, 1, 0])
            // The other half ends within the test, and is silent behind that.
            let player = TestPlayer([noise(index % 2 == 0 ? 4000 : 700, seed: UInt64(index))], loops: index % 2 == 0)
            graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(node))
            graph.connect(Graph.Port(node), to: mixes[0])
            if index % 3 == 0 { graph.connect(Graph.Port(node), to: mixes[1]) }
            if index % 40 == 8 { graph.connect(Graph.Port(node), to: mixes[2]) }
            graph.connect(Graph.Port(node, 1), to: Graph.Port(reverbs[index % 5 == 0 ? 1 : 0]))
            graph.connect(Graph.Port(node, 2), to: buses[0])
            if index % 3 == 0 { graph.connect(Graph.Port(node, 2), to: buses[1]) }
            players.append(player)
        }
        let master = RendererBox(ChannelRenderer(matrix: [0.1, 0, 0, 0.1], inputCount: 2, outputCount: 2))
        let end = graph.add("master", .channels(master.pointer), owner: master, inputs: [2], outputs: [2])
        for port in [mixes[0], buses[0]] { graph.connect(port, to: Graph.Port(end)) }
        graph.output = Graph.Port(end)
        graph.sideOutputs = [mixes[1], buses[1], mixes[2]]
        self.graph = graph
        bench = try RenderBench(graph, channels: 8, threads: threads)
        move()
        for (index, player) in players.enumerated() { player.start(on: bench, at: Int64(index % 7 * 50)) }
    }

    /// Every voice moves on, and changes its level and some their tier.
    func move() {
        for (index, strip) in strips.enumerated() {
            let angle = Double(index + 13 * step)
            strip.control.cell.write(
                SpatialRenderer.Parameters(
                    directGain: 0.5, equalizer: .transparent, equalizerVersion: 0,
                    target: MotionTarget(
                        offset: Vector(60 * DeterministicMath.sin(angle), 10, 60 * DeterministicMath.cos(angle)),
                        drift: .zero,
                        head: .identity, frames: 700),
                    tier: index % 4 == 3 ? .bus : .full, reverbSend: index % 4 == 0 ? 0.2 : 0, rampFrames: 300))
        }
        step += 1
    }

    /// All outputs, while the voices move and the plan is replaced by an equal one.
    func render(_ frames: Int, cuts: [Int]) throws -> [[Float]] {
        var out = Array(repeating: [Float](), count: bench.channels)
        while out[0].count < frames {
            for (channel, samples) in bench.render(min(777, frames - out[0].count), cuts: cuts).enumerated() {
                out[channel] += samples
            }
            move()
            bench.executor.install(try GraphCompiler.compile(graph), at: bench.executor.position)
        }
        return out
    }
}
