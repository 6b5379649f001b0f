import Testing
@testable import OssicleSoundEvents

/// Trees are written as nested kinds; leaves are named by their asset.
private indirect enum Sketch {
    case play(String)
    case all([Sketch])
    case random([(Double, Sketch)], queue: Int)
    case selection([(String, Sketch)])
    case blend(EventTree.BlendInput, [(BlendRange, Sketch)])

    func tree() throws -> EventTree {
        var nodes: [EventTree.Node] = []
        add(to: &nodes)
        let parameters = [
            ParameterBlueprint(identifier: "amount", kind: .number(NumberLimits(minimum: 0, maximum: 1), initial: 0)),
            ParameterBlueprint(identifier: "surface", kind: .text(initial: "grass")),
        ]
        return try #require(EventTree(nodes: nodes, mixers: [], parameters: parameters))
    }

    @discardableResult private func add(to nodes: inout [EventTree.Node]) -> Int {
        let index = nodes.count
        let kind: EventTree.Kind =
            switch self {
            case .play(let name): .sampler(SamplerLeaf(asset: name, generator: Generator(mixer: 0)))
            case .all: .container
            case .random(let children, let queue): .random(weights: children.map(\.0), uniqueQueue: queue)
            case .selection(let children): .selection(parameter: 1, texts: children.map(\.0))
            case .blend(let input, let children): .blend(input, ranges: children.map(\.0))
            }
        nodes.append(EventTree.Node(identifier: "\(index)", definition: index, kind: kind))
        nodes[index].children = children.map { $0.add(to: &nodes) }
        return index
    }

    private var children: [Sketch] {
        switch self {
        case .play: []
        case .all(let children): children
        case .random(let children, _): children.map(\.1)
        case .selection(let children): children.map(\.1)
        case .blend(_, let children): children.map(\.1)
        }
    }
}

private func assets(_ activations: [Activation], in tree: EventTree) -> [String] {
    activations.compactMap { tree.sampler($0.node)?.asset }
}

@Suite struct EventTreeTests {
    /// The assets of `count` triggers of a tree.
    private func triggers(_ sketch: Sketch, seed: UInt64 = 1, count: Int) throws -> [[String]] {
        let tree = try sketch.tree()
        var history = SelectionHistory()
        return (0..<count).map { event in
            let trigger = Trigger(seed: seed, event: UInt64(event))
            return assets(
                tree.activate(parameters: ParameterValues(tree.parameters), trigger: trigger, history: &history),
                in: tree)
        }
    }

    @Test("weights 2 : 1 are met within 4 σ over 3,000 triggers", arguments: [1, 2, 0xDEAD_BEEF] as [UInt64])
    func weights(seed: UInt64) throws {
        let plays = try triggers(.random([(2, .play("a")), (1, .play("b"))], queue: 0), seed: seed, count: 3000)
        let count = plays.count { $0 == ["a"] }
        // σ of a binomial count = √(n·p·q) = √(3000·2/9) = 25.8
        #expect(abs(count - 2000) < 103)
    }

    @Test("weights below 1 and NaN count as 1 (4 σ)")
    func smallWeights() throws {
        let plays = try triggers(.random([(0, .play("a")), (.nan, .play("b"))], queue: 0), count: 3000)
        let count = plays.count { $0 == ["a"] }
        // σ = √(3000/4) = 27.4
        #expect(abs(count - 1500) < 109)
    }

    @Test("the same seed chooses the same, another seed otherwise")
    func seeds() throws {
        let sketch = Sketch.random((0..<8).map { (1, .play("\($0)")) }, queue: 0)
        #expect(try triggers(sketch, seed: 7, count: 200) == triggers(sketch, seed: 7, count: 200))
        #expect(try triggers(sketch, seed: 7, count: 200) != triggers(sketch, seed: 8, count: 200))
    }

    @Test(
        "a child does not come again within the unique queue, and a queue as long as the list goes round and round",
        arguments: [1, 2, 3, 4, 99])
    func uniqueQueue(length: Int) throws {
        let plays = try triggers(.random((0..<4).map { (Double($0 * $0), .play("\($0)")) }, queue: length), count: 500)
            .flatMap { $0 }
        #expect(plays.count == 500)
        for (index, play) in plays.enumerated() {
            #expect(!plays[max(0, index - min(length, 3))..<index].contains(play))
        }
        #expect(Set(plays).count == 4)
    }

    @Test("a queue on a single child plays that child every time; no child plays nothing")
    func degenerateRandom() throws {
        #expect(try triggers(.random([(1, .play("a"))], queue: 5), count: 3) == [["a"], ["a"], ["a"]])
        #expect(try triggers(.random([], queue: 0), count: 1) == [[]])
    }

    @Test("a switch plays the child of the current text, and nothing without one")
    func selection() throws {
        let tree = try Sketch.selection([
            ("gravel", .play("crunch")), ("grass", .play("swish")), ("grass", .play("late")),
        ]).tree()
        var values = ParameterValues(tree.parameters)
        var history = SelectionHistory()
        for (text, expected) in [("grass", ["swish"]), ("gravel", ["crunch"]), ("snow", [])] {
            values.set(1, to: text)
            let active = tree.activate(parameters: values, trigger: Trigger(seed: 1, event: 0), history: &history)
            #expect(assets(active, in: tree) == expected)
        }
    }

    @Test("a container plays all, in order, and lets the choices below it decide")
    func container() throws {
        let sketch = Sketch.all([
            .play("a"), .selection([("grass", .play("b")), ("snow", .play("no"))]), .all([.play("c")]),
        ])
        #expect(try triggers(sketch, count: 1) == [["a", "b", "c"]])
    }

    @Test("the talk's blend: one child full at 0, the other at 1, linear in between (1e-15)")
    func blend() throws {
        let tree = try Sketch.blend(
            .parameter(0),
            [
                (.below(value: 1, full: 0, curve: .linear), .play("dry")),
                (.above(value: 0, full: 1, curve: .linear), .play("wet")),
            ]
        ).tree()
        var values = ParameterValues(tree.parameters)
        var history = SelectionHistory()
        let active = tree.activate(parameters: values, trigger: Trigger(seed: 1, event: 0), history: &history)
        #expect(assets(active, in: tree) == ["dry", "wet"])
        for wet in [0, 0.25, 0.3, 1] {
            values.set(0, to: wet)
            let gains = tree.gains(of: active, parameters: values, distances: [])
            #expect(abs(gains[0] - (1 - wet)) < 1e-15 && abs(gains[1] - wet) < 1e-15)
        }
    }

    @Test("gains multiply down the tree, and distance blends follow their mixer's distance")
    func nestedGains() throws {
        let near = BlendRange.below(value: 10, full: 0, curve: .linear)
        let tree = try Sketch.blend(
            .parameter(0),
            [
                (
                    .above(value: 0, full: 1, curve: .linear),
                    .all([.blend(.distance(mixer: 0), [(near, .play("near"))]), .play("plain")])
                )
            ]
        ).tree()
        var values = ParameterValues(tree.parameters)
        values.set(0, to: 0.5)
        let active = tree.leaves.map(Activation.init)
        #expect(tree.gains(of: active, parameters: values, distances: [5]) == [0.25, 0.5])
        #expect(tree.gains(of: active, parameters: values, distances: [.nan]) == [0, 0.5])
        #expect(tree.gains(of: active, parameters: values, distances: []) == [0, 0.5])
    }

    @Test("the way to a leaf names every node above it, and its blends multiply to the leaf's gain")
    func way() throws {
        let half = BlendRange.above(value: 0, full: 1, curve: .linear)
        let tree = try Sketch.all([
            .play("other"),
            .blend(
                .parameter(0),
                [
                    (half, .play("no")),
                    (
                        half,
                        .selection([
                            ("snow", .play("no")), ("grass", .blend(.distance(mixer: 0), [(half, .play("leaf"))])),
                        ])
                    ),
                ]),
        ]).tree()
        var values = ParameterValues(tree.parameters)
        values.set(0, to: 0.5)
        let leaf = try #require(tree.leaves.first { tree.sampler($0)?.asset == "leaf" })
        let way = tree.way(to: leaf, parameters: values, distances: [0.25])
        #expect(way.map(\.child) == [1, 1, 1, 0])
        #expect(
            way.map { $0.blend?.gain } == [nil, 0.5, nil, 0.25] && way.map { $0.blend?.input } == [nil, 0.5, nil, 0.25])
        #expect(tree.gains(of: [Activation(node: leaf)], parameters: values, distances: [0.25]) == [0.125])
        #expect(
            tree.way(to: 0, parameters: values, distances: []).isEmpty
                && tree.way(to: 99, parameters: values, distances: []).isEmpty)
    }

    @Test("an array that is not a tree is refused")
    func malformed() {
        let node = { (children: [Int]) in
            EventTree.Node(identifier: "n", definition: 0, kind: .container, children: children)
        }
        #expect(EventTree(nodes: [], mixers: [], parameters: []) == nil)
        #expect(EventTree(nodes: [node([0])], mixers: [], parameters: []) == nil)
        #expect(EventTree(nodes: [node([1]), node([0])], mixers: [], parameters: []) == nil)
        #expect(EventTree(nodes: [node([1, 1]), node([])], mixers: [], parameters: []) == nil)
        #expect(EventTree(nodes: [node([2]), node([])], mixers: [], parameters: []) == nil)
        #expect(EventTree(nodes: [node([1]), node([])], mixers: [], parameters: []) != nil)
    }
}
