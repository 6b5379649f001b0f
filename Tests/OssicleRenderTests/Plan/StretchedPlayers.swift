import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// Players behind time stretchers, each in a domain of its own, mixed.
struct StretchedPlayers {
    let bench: RenderBench

    /// - Parameter isInDomain: the mix runs at another rate, as the only step of the plan.
    init(_ count: Int, threads: Int, isInDomain: Bool = false) throws {
        var players: [TestPlayer] = []
        var graph = try Self.graph(count, players: &players)
        if isInDomain {
            let exit = ControlledBox(
                TimeExit<RateConverter>(
                    sampleRate: 24_000, channelCount: 1, parameters: RateConverter.Parameters(from: 24_000, to: 48_000))
            )
            var outer = Graph()
            outer.output = Graph.Port(try Self.domain(graph, ratio: 0.5, .rate(exit.pointer), exit, in: &outer))
            graph = outer
        }
        bench = try RenderBench(graph, channels: 1, threads: threads)
        for player in players { player.start(on: bench) }
    }

    static func graph(_ count: Int) throws -> Graph {
        var players: [TestPlayer] = []
        return try graph(count, players: &players)
    }

    private static func graph(_ count: Int, players: inout [TestPlayer]) throws -> Graph {
        var graph = Graph()
        let box = ControlledBox(ChannelRenderer(matrix: [1], inputCount: 1, outputCount: 1))
        let mixer = graph.add("mixer", .channels(box.pointer), owner: box, inputs: [1], outputs: [1])
        for index in 0..<count {
            let player = TestPlayer([noise(2000, seed: UInt64(index))], loops: true)
            var inner = Graph()
            inner.output = Graph.Port(player.node(in: &inner))
            let exit = ControlledBox(
                TimeExit<TimeStretcher>(
                    sampleRate: 48_000, channelCount: 1,
                    parameters: TimeStretcher.Parameters(rate: 0.8 + 0.03 * Double(index), cents: 100)))
            let node = try domain(inner, ratio: 1, .stretch(exit.pointer), exit, in: &graph)
            graph.connect(Graph.Port(node), to: Graph.Port(mixer))
            players.append(player)
        }
        graph.output = Graph.Port(mixer)
        return graph
    }

    /// Adds what a graph puts out as one step on a clock of its own.
    private static func domain(
        _ inner: Graph, ratio: Double, _ exit: ExitReference, _ owner: AnyObject, in graph: inout Graph
    ) throws -> Graph.NodeID {
        var inner = inner
        let end = inner.add("exit", .exit(exit), owner: owner, inputs: [1], outputs: [])
        if let output = inner.output { inner.connect(output, to: Graph.Port(end)) }
        inner.output = nil
        inner.addRoot(end)
        let plan = try GraphCompiler.compile(inner)
        let (arena, isNew) = (RenderArena(), RendererBox(true))
        let exits = arena.copy([DomainRenderer.Plan.Exit(exit, channelCount: 1, isNew: isNew.pointer)])
        let view = arena.copy([DomainRenderer.Plan(plan.view, exits: arena.base(of: exits), exitCount: 1)])
        let box = ControlledBox(DomainRenderer(ratio: ratio))
        for object in [plan, arena, isNew, owner] as [AnyObject] { graph.keepAlive(object) }
        return graph.add("domain", .domain(box.pointer, arena.base(of: view)), owner: box, inputs: [], outputs: [1])
    }
}
