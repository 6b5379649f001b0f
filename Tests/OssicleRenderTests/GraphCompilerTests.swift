import OssicleGraph
import OssicleRender
import Testing

@Suite struct GraphCompilerTests {
    /// A one-channel mixer as a plain node.
    private func through(_ graph: inout Graph, gain: Float = 1) -> Graph.NodeID {
        let box = RendererBox(ChannelRenderer(matrix: [gain], inputCount: 1, outputCount: 1))
        return graph.add("through", .channels(box.pointer), owner: box, inputs: [1], outputs: [1])
    }

    //  a ──┐
    //  b ──┼──▶ mixer ──▶ output
    //  c ──┘
    @Test func `sums in the order of the connections`() throws {
        let sounds = [noise(256, seed: 1), noise(256, seed: 2), noise(256, seed: 3)]
        let players = sounds.map { TestPlayer([$0]) }
        var graph = Graph()
        let mixer = through(&graph)
        for player in players { graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(mixer)) }
        graph.output = Graph.Port(mixer)
        let bench = try RenderBench(graph, channels: 1)
        for player in players { player.start(on: bench) }
        let expected: [Float] = (0..<256).map { frame in
            let pair: Float = sounds[0][frame] + sounds[1][frame]
            return pair + sounds[2][frame]
        }
        #expect(bench.render(256)[0] == expected)
    }

    //  a ──▶ x ──┬──▶ y ──┐
    //            └────────┴──▶ z
    @Test func `a split path keeps its samples until the last reader`() throws {
        let sound = noise(300)
        let player = TestPlayer([sound])
        var graph = Graph()
        let (x, y, z) = (through(&graph), through(&graph, gain: 0.5), through(&graph))
        graph.connect(Graph.Port(player.node(in: &graph)), to: Graph.Port(x))
        graph.connect(Graph.Port(x), to: Graph.Port(y))
        graph.connect(Graph.Port(x), to: Graph.Port(z))
        graph.connect(Graph.Port(y), to: Graph.Port(z))
        graph.output = Graph.Port(z)
        let bench = try RenderBench(graph, channels: 1)
        player.start(on: bench)
        let expected: [Float] = sound.map { $0 + $0 * 0.5 }
        #expect(bench.render(300)[0] == expected)
    }

    @Test func `what the output does not hear is not rendered`() throws {
        var graph = Graph()
        let (heard, unheard) = (TestPlayer([noise(64)]), TestPlayer([noise(64)]))
        graph.output = Graph.Port(heard.node(in: &graph))
        _ = unheard.node(in: &graph)
        #expect(try GraphCompiler.compile(graph).stepCount == 1)
    }

    @Test func `a mixer without inputs is silent`() throws {
        var graph = Graph()
        graph.output = Graph.Port(through(&graph))
        #expect(try RenderBench(graph, channels: 1).render(256)[0].allSatisfy { $0 == 0 })
    }

    //  a ──┬──▶ x ──▶ output
    //      └──▶ y ──▶ side output     b ──▶ side output
    @Test func `side outputs come behind the output, in their order, and change nothing in it`() throws {
        let players = [UInt64(1), 2].map { TestPlayer([noise(256, seed: $0)], loops: true) }
        var graph = Graph()
        let (a, b) = (players[0].node(in: &graph), players[1].node(in: &graph))
        let (x, y) = (through(&graph), through(&graph, gain: 0.5))
        for node in [x, y] { graph.connect(Graph.Port(a), to: Graph.Port(node)) }
        graph.output = Graph.Port(x)
        graph.sideOutputs = [Graph.Port(y), Graph.Port(b)]
        for channels in 1...4 {
            let bench = try RenderBench(graph, channels: channels)
            for player in players { player.start(on: bench) }
            let out = bench.render(256)
            let all = [
                noise(256, seed: 1), noise(256, seed: 1).map { $0 * 0.5 }, noise(256, seed: 2),
                [Float](repeating: 0, count: 256),
            ]
            #expect(out == Array(all.prefix(channels)))
        }
    }

    @Test func `errors name the node`() {
        var cyclic = Graph()
        let (a, b) = (through(&cyclic), through(&cyclic))
        cyclic.connect(Graph.Port(a), to: Graph.Port(b))
        cyclic.connect(Graph.Port(b), to: Graph.Port(a))
        cyclic.output = Graph.Port(b)
        #expect(throws: GraphError.cycle(through: "through")) { try GraphCompiler.compile(cyclic) }
        #expect(throws: GraphError.noOutput) { try GraphCompiler.compile(Graph()) }
        var unlike = Graph()
        let stereo = RendererBox(ChannelRenderer(matrix: [1, 0, 0, 1], inputCount: 2, outputCount: 2))
        let wide = unlike.add("wide", .channels(stereo.pointer), owner: stereo, inputs: [2], outputs: [2])
        unlike.connect(Graph.Port(through(&unlike)), to: Graph.Port(wide))
        unlike.output = Graph.Port(wide)
        #expect(throws: GraphError.channelMismatch(from: "through", channels: 1, to: "wide", expects: 2)) {
            try GraphCompiler.compile(unlike)
        }
    }

    @Test func `a chain of ten thousand nodes compiles`() throws {
        var graph = Graph()
        var last = through(&graph)
        for _ in 0..<10_000 {
            let next = through(&graph)
            graph.connect(Graph.Port(last), to: Graph.Port(next))
            last = next
        }
        graph.output = Graph.Port(last)
        #expect(try GraphCompiler.compile(graph).stepCount == 10_001)
    }
}
