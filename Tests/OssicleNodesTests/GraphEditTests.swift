import OssicleCore
import OssicleGraph
import OssicleRender
import Testing
@testable import OssicleNodes

/// Two engines undergo the same random edits. One keeps what a change does not touch, the other makes every plan anew.
@Suite struct GraphEditTests {
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `a plan with kept parts has the steps and the sound of one that is made anew`(seed: UInt64) throws {
        let (kept, anew) = (EditedEngine(keepsParts: true), EditedEngine(keepsParts: false))
        var random = EditRandom(seed: seed)
        var sounding = 0
        var rendered = 0
        for edit in 0..<160 {
            let (kind, one, other, bus) = (random.next(16), random.next(64), random.next(64), random.next(12))
            for engine in [kept, anew] { engine.edit(kind, one, other, bus: bus, number: edit) }
            // Several changes may go into one plan.
            if random.next(3) == 0 { continue }
            let steps = try (kept.install(), anew.install())
            try #require(steps.0 == steps.1, "edit \(edit)")
            let sounds = (kept.render(200), anew.render(200))
            try #require(sounds.0 == sounds.1, "edit \(edit)")
            rendered += 1
            if sounds.0.contains(where: { $0 != 0 }) { sounding += 1 }
        }
        // Random graphs are heard more often than not.
        #expect(sounding * 2 > rendered, "\(sounding) of \(rendered)")
    }

    @Test func `an unchanged node and the other inputs of a mixer are not lowered again`() throws {
        let engine = EditedEngine(keepsParts: true)
        let mixer = engine.main
        let sources = (0..<3).map { _ in engine.add(.source, rate: 48_000) }
        for (bus, source) in sources.enumerated() { engine.connect(source, to: mixer, bus: bus) }
        _ = try engine.install()
        let late = engine.add(.source, rate: 48_000)
        engine.connect(late, to: mixer, bus: 3)
        _ = try engine.install()
        #expect(sources.map(\.lowerings) == [1, 1, 1] && late.lowerings == 1 && engine.output.lowerings == 1)
        #expect(mixer.loweredInputs == [0, 1, 2, 3])
        engine.model.detach(sources[1])
        _ = try engine.install()
        #expect(mixer.loweredInputs == [0, 1, 2, 3] && mixer.forgottenInputs == [1])
        #expect(mixer.desk.rows.keys.sorted() == [0, 2, 3])
    }
}

/// Numbers 0..<n from a seed.
private struct EditRandom {
    private let random: CounterRandom
    private var drawn: UInt64 = 0
    init(seed: UInt64) { random = CounterRandom(seed: seed, object: 11) }

    mutating func next(_ count: Int) -> Int {
        drawn += 1
        return min(Int(random.unit(drawn) * Double(count)), count - 1)
    }
}

/// A model, and an executor that renders it on through all edits.
private final class EditedEngine {
    var model = GraphModel<EditedNode>()
    let output = EditedNode(.output, "output", rate: 48_000)
    let main = EditedNode(.mixer, "main", rate: 48_000)
    private let keepsParts: Bool
    private let executor = Executor()
    private var made = 0

    init(keepsParts: Bool) {
        self.keepsParts = keepsParts
        model.attach(output)
        model.attach(main)
        connect(main, to: output, bus: 0)
    }

    func add(_ kind: EditedNode.Kind, rate: Double) -> EditedNode {
        made += 1
        let node = EditedNode(kind, "\(kind) \(made)", rate: rate)
        model.attach(node)
        return node
    }

    func edit(_ kind: Int, _ one: Int, _ other: Int, bus: Int, number: Int) {
        let node = model.nodes[one % model.nodes.count]
        switch kind {
        case 0...2: connect(add(.source, rate: one % 4 == 0 ? 24_000 : 48_000), to: target(other), bus: bus)
        case 3: connect(add(.effect, rate: 48_000), to: target(other), bus: bus)
        case 4: connect(add(.mixer, rate: 48_000), to: main, bus: bus)
        case 5 where node !== output && node !== main: model.detach(node)
        case 6 where node !== output && node !== main: model.disconnect { $0.target === node }
        case 7 where node !== main: model.disconnect { $0.source === node }
        case 8: setVolume(Float(number % 5) / 4, of: node)
        default: if node !== main { connect(node, to: target(other), bus: bus) }
        }
    }

    private func target(_ number: Int) -> EditedNode {
        let targets = model.nodes.filter { $0.kind == .effect || $0.kind == .mixer }
        return targets[number % targets.count]
    }

    /// As an engine: a change that cannot be rendered is none.
    func connect(_ source: EditedNode, to target: EditedNode, bus: Int) {
        guard source !== output, source.kind != .output else { return }
        var next = model
        let format =
            source.kind == .effect
            ? model.format(of: BusKey(source, .output, bus: 0), node: source) : PlainFormat(sampleRate: source.rate)
        next.connect(source, 0, to: [(target, target.kind == .mixer ? bus : 0)], format: format)
        guard next.cycle(through: source) == nil,
            (try? GraphLowering.check(next, output: output, rate: 48_000, deviceRates: deviceRates)) != nil
        else { return }
        model = next
    }

    private func setVolume(_ volume: Float, of node: EditedNode) {
        node.properties.volume = volume
        for wire in model.mixerWires(from: node) where node.isMixingSource {
            wire.target.apply(node.properties, at: wire.targetBus)
        }
    }

    private var deviceRates: [ObjectIdentifier: Double] { [ObjectIdentifier(output): 48_000] }

    /// - Returns: the steps' names.
    func install() throws -> [String] {
        let made = try GraphLowering.lower(
            model, output: output, rate: 48_000, deviceRates: deviceRates,
            GraphLowering.Options(isInspected: false, keepsParts: keepsParts))
        executor.install(made.plan, at: executor.position)
        executor.collect()
        let view = made.plan.view.pointee
        return (0..<view.stepCount).map { name(view.steps[$0].renderer) }
    }

    private func name(_ renderer: RendererReference) -> String {
        switch renderer {
        case .block(let pointer): return model.nodes.first { $0.box.pointer == pointer }?.title ?? "unknown block"
        case .matrix(let pointer):
            for node in model.nodes {
                if node.desk.sum?.box.pointer == pointer { return node.title }
                for (bus, row) in node.desk.rows where row.box.pointer == pointer { return "\(node.title) \(bus)" }
            }
            return "unknown row"
        case .domain: return "domain"
        default: return "other"
        }
    }

    func render(_ frames: Int) -> [Float] {
        var block = [Float](repeating: 0, count: frames)
        block.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            withUnsafePointer(to: base) { executor.render(frames, into: $0, channels: 1) }
        }
        return block
    }
}

/// A source of noise, an effect, a mixer with a row for each input, or the output.
private final class EditedNode: GraphNode {
    enum Kind { case source, effect, mixer, output }

    let kind: Kind
    let title: String
    let rate: Double
    let desk = ChannelMixer()
    let box: RendererBox<BlockRenderer>
    var properties = SourceMixing()
    let meter = RendererBox(StepMeter())
    private(set) var lowerings = 0
    private(set) var loweredInputs: [Int] = []
    private(set) var forgottenInputs: [Int] = []

    init(_ kind: Kind, _ title: String, rate: Double) {
        (self.kind, self.title, self.rate) = (kind, title, rate)
        let random = CounterRandom(seed: UInt64(title.utf8.reduce(7) { $0 * 31 % 65_521 + Int($1) }), object: 5)
        box = RendererBox(
            BlockRenderer { ports, context in
                for frame in 0..<context.frames {
                    ports.output(0)[frame] =
                        kind == .source
                        ? Float(random.unit(UInt64(bitPattern: context.position) &+ UInt64(frame))) - 0.5
                        : ports.input(0)[frame] * (kind == .effect ? 0.75 : 1)
                }
            })
    }

    var role: NodeRole { kind == .output ? .output : .inner }
    var numberOfOutputs: Int { 1 }
    var convertsInputs: Bool { kind == .mixer || kind == .output }
    var keepsFormat: Bool { kind == .effect }
    var timeChange: (any TimeChange)? { nil }
    var graphTaps: [GraphTap] { [] }
    var isMixingSource: Bool { kind == .source || kind == .mixer }
    var appliesMixing: Bool { kind == .mixer }
    var playsSourcesAtTheirSpeed: Bool { false }
    var hasOwnSpeed: Bool { false }
    var latency: Double { 0 }
    var lowersInputsAlone: Bool { kind == .mixer }

    func mixingProperties(at input: BusKey) -> SourceMixing { properties }
    func initialFormat(of bus: BusKey) -> PlainFormat { PlainFormat() }
    func apply(_ mixing: SourceMixing, at bus: Int) { desk.rows[bus]?.update(gain: mixing.volume, pan: 0) }

    func lower(_ lowering: inout NodeLowering<PlainFormat>) -> NodePorts {
        lowerings += 1
        if kind == .mixer { return desk.addSum(to: &lowering.graph, title, labels: [3], gain: 1, meter: nil) }
        let port = Graph.Port(
            lowering.graph.add(
                title, .block(box.pointer), owner: box, inputs: kind == .source ? [] : [1], outputs: [1]))
        return NodePorts(inputs: kind == .source ? [:] : [0: port], outputs: [0: port])
    }

    func lowerInput(_ input: NodeLowering<PlainFormat>.Bus, to graph: inout Graph) -> InputPorts? {
        loweredInputs.append(input.index)
        let ports = desk.addRow(to: &graph, title, bus: input.index, labels: [3])
        if let mixing = input.mixing { apply(mixing, at: input.index) }
        return ports
    }

    func forgetInput(_ bus: Int) {
        forgottenInputs.append(bus)
        desk.forgetRow(bus)
    }
}
