import OssicleCore
import OssicleRender
import Testing
@testable import OssicleNodes

@Suite struct GraphLoweringTests {
    private let source = PlainNode("source", constant: 0.5)
    private let effect = PlainNode("effect")
    private let output = PlainNode("output")

    init() {
        output.role = .output
        output.convertsInputs = true
        effect.keepsFormat = true
    }

    private var deviceRates: [ObjectIdentifier: Double] { [ObjectIdentifier(output): 48_000] }

    private func lower(_ model: GraphModel<PlainNode>) throws -> GraphLowering<PlainNode>.Result {
        try GraphLowering.lower(
            model, output: output, rate: 48_000, deviceRates: deviceRates,
            GraphLowering.Options(isInspected: false, keepsParts: false))
    }

    private func render(_ plan: RenderPlan, frames: Int) -> [Float] {
        let executor = Executor()
        executor.install(plan, at: 0)
        var block = [Float](repeating: 0, count: frames)
        block.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            withUnsafePointer(to: base) { executor.render(frames, into: $0, channels: 1) }
        }
        return block
    }

    @Test func `a chain on one clock renders, and every node has the engine's clock`() throws {
        effect.gain = 0.5
        let made = try lower(GraphModel(chain: [source, effect, output]))
        #expect(render(made.plan, frames: 300).allSatisfy { $0 == 0.25 })
        #expect(made.clocks.count == 3 && made.clocks.values.allSatisfy { $0.rate == 48_000 && $0.box == nil })
        #expect(made.waiting.isEmpty)
    }

    @Test func `what the output does not reach is left out`() throws {
        var model = GraphModel(chain: [source, effect, output])
        let idle = PlainNode("idle", constant: 1)
        model.attach(idle)
        #expect(try lower(model).clocks[ObjectIdentifier(idle)] == nil)
    }

    @Test func `a node at another rate has a clock of its own`() throws {
        let made = try lower(GraphModel(chain: [source, effect, output], rates: [24_000, 24_000]))
        let clock = try #require(made.clocks[ObjectIdentifier(source)])
        #expect(clock.rate == 24_000 && clock.fastest == 0.5 && clock.box != nil)
        #expect(made.clocks[ObjectIdentifier(output)]?.box == nil)
        // A constant passes the rate converter at gain 1 once its filter has filled.
        #expect(render(made.plan, frames: 4800).suffix(100).allSatisfy { abs($0 - 0.5) < 1e-3 })
        #expect(clock.box?.control.load() ?? 0 >= 2400)
    }

    @Test func `a mixer sees the properties of the source behind an effect`() throws {
        source.isMixingSource = true
        source.properties.volume = 0.75
        output.appliesMixing = true
        _ = try lower(GraphModel(chain: [source, effect, output]))
        #expect(output.mixings.map { $0?.volume } == [0.75])
    }

    @Test func `a source at a speed of its own leaves the clock of the node that plays it`() throws {
        source.isMixingSource = true
        source.properties.rate = 1.5
        output.playsSourcesAtTheirSpeed = true
        let made = try lower(GraphModel(chain: [source, output]))
        #expect(made.clocks[ObjectIdentifier(source)]?.fastest == 2)
    }

    @Test func `faults name their nodes`() {
        func fault(_ body: () throws -> Void) -> NodeFault<PlainNode>? {
            do { try body() } catch { return error as? NodeFault<PlainNode> }
            return nil
        }
        func check(_ model: GraphModel<PlainNode>) -> NodeFault<PlainNode>? {
            fault { try GraphLowering.check(model, output: output, rate: 48_000, deviceRates: deviceRates) }
        }
        if case .formats(let node, let input, let output) = check(
            GraphModel(chain: [source, effect, output], rates: [24_000, 48_000]))
        {
            #expect(node === effect && input.sampleRate == 24_000 && output.sampleRate == 48_000)
        } else {
            Issue.record("formats")
        }
        effect.keepsFormat = false
        let plain = GraphModel(chain: [source, PlainNode("inner"), output], rates: [24_000, 48_000])
        if case .rates(let node, _, _) = check(plain) { #expect(node !== output) } else { Issue.record("rates") }
        var split = GraphModel(chain: [source, effect, output], rates: [48_000])
        split.connect(source, 0, to: [(effect, 0), (output, 1)], format: PlainFormat(sampleRate: 24_000))
        split.connect(effect, 0, to: [(output, 0)], format: PlainFormat(sampleRate: 24_000))
        #expect(check(split) == nil)
        let mixer = PlainNode("mixer")
        mixer.convertsInputs = true
        split.attach(mixer)
        split.connect(effect, 0, to: [(mixer, 0)], format: PlainFormat(sampleRate: 24_000))
        split.connect(mixer, 0, to: [(output, 0)], format: PlainFormat(sampleRate: 32_000))
        if case .splitOverClocks(let wire) = check(split) {
            #expect(wire.format.sampleRate == 24_000)
        } else {
            Issue.record("split")
        }
    }
}
