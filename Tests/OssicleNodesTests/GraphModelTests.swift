import Testing
@testable import OssicleNodes

@Suite struct GraphModelTests {
    private let source = PlainNode("source")
    private let effect = PlainNode("effect")
    private let mixer = PlainNode("mixer")

    @Test func `a connection's format precedes the one that was set, and that the node's own`() {
        var model = GraphModel<PlainNode>()
        model.attach(source)
        let key = BusKey(source, .output, bus: 0)
        #expect(model.format(of: key, node: source) == PlainFormat())
        model.setFormat(PlainFormat(channels: 2), of: key)
        #expect(model.format(of: key, node: source).channels == 2)
        model.attach(mixer)
        model.connect(source, 0, to: [(mixer, 3)], format: PlainFormat(channels: 4))
        #expect(model.format(of: key, node: source).channels == 4)
        #expect(model.format(of: BusKey(mixer, .input, bus: 3), node: mixer).channels == 4)
        model.setFormat(PlainFormat(channels: 6), of: BusKey(mixer, .input, bus: 3))
        #expect(model.wire(into: mixer, 3)?.channels == 6 && model.format(of: key, node: source).channels == 6)
    }

    @Test func `a node that keeps its format gives out its input's`() {
        effect.keepsFormat = true
        let model = GraphModel(chain: [source, effect], rates: [32_000])
        #expect(model.format(of: BusKey(effect, .output, bus: 0), node: effect).sampleRate == 32_000)
    }

    @Test func `a connection replaces those of its busses, and a detached node takes its own along`() {
        var model = GraphModel(chain: [source, effect, mixer])
        model.connect(source, 0, to: [(mixer, 0)], format: PlainFormat())
        #expect(model.wires.count == 1 && model.wires(into: mixer).first?.source === source)
        #expect(model.wires(from: effect).isEmpty && model.wires(into: effect).isEmpty)
        model.detach(source)
        #expect(model.wires.isEmpty && !model.contains(source) && model.nodes.count == 2)
    }

    @Test func `inputs are in the order of their busses`() {
        var model = GraphModel<PlainNode>()
        for node in [source, effect, mixer] { model.attach(node) }
        model.connect(source, 0, to: [(mixer, 5)], format: PlainFormat())
        model.connect(effect, 0, to: [(mixer, 2)], format: PlainFormat())
        #expect(model.wires(into: mixer).map(\.targetBus) == [2, 5])
        #expect(model.wire(into: mixer, 2)?.source === effect && model.wire(into: mixer, 4) == nil)
    }

    @Test func `a cycle is found through any of its nodes`() {
        var model = GraphModel(chain: [source, effect, mixer])
        #expect(model.cycle(through: source) == nil)
        model.connect(mixer, 0, to: [(source, 0)], format: PlainFormat())
        for node in [source, effect, mixer] { #expect(model.cycle(through: node) === node) }
    }

    @Test func `a source's properties act at the first mixer behind its effects`() {
        source.isMixingSource = true
        mixer.appliesMixing = true
        let model = GraphModel(chain: [source, effect, mixer, PlainNode("output")])
        #expect(model.mixerWires(from: source).map(\.target.title) == ["mixer"])
        #expect(model.wires(into: mixer).first.flatMap { model.mixingSource(of: $0) } === source)
    }

    @Test func `latency is the longest path's`() {
        var model = GraphModel(chain: [source, effect, mixer])
        let slow = PlainNode("slow")
        (effect.latency, slow.latency, mixer.latency) = (0.25, 0.5, 0.125)
        model.attach(slow)
        model.connect(source, 0, to: [(effect, 0), (slow, 0)], format: PlainFormat())
        model.connect(slow, 0, to: [(mixer, 1)], format: PlainFormat())
        #expect(model.longestLatency(from: source, to: mixer, final: 1) == 1.625)
        #expect(model.longestLatency(from: effect, to: nil, final: 1) == 0.125)
    }
}
