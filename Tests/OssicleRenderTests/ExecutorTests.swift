import OssicleCore
import OssicleGraph
import OssicleRender
import Testing

@Suite struct ExecutorTests {
    @Test func `without a plan there is silence and time goes on`() {
        let executor = Executor()
        let block = SampleBlock(Array(repeating: 1, count: 300))
        withUnsafePointer(to: block.pointer) { executor.render(300, into: $0, channels: 1) }
        #expect(block.array.allSatisfy { $0 == 0 })
        #expect(executor.position == 300)
    }

    @Test func `a plan is swapped on its frame and the old one is handed back`() throws {
        final class Witness {}
        weak var witness: Witness?
        let executor = Executor()
        let (one, two) = (
            TestPlayer([Array(repeating: 1, count: 4000)]), TestPlayer([Array(repeating: 2, count: 4000)])
        )
        do {
            let owner = Witness()
            witness = owner
            var graph = Graph()
            graph.keepAlive(one)
            graph.output = Graph.Port(
                graph.add("one", .player(one.box.pointer), owner: owner, inputs: [], outputs: [1]))
            executor.install(try GraphCompiler.compile(graph), at: 0)
        }
        var graph = Graph()
        graph.output = Graph.Port(two.node(in: &graph))
        executor.send(.voice(.player(one.box.pointer), .start(from: 0, at: 0)), keeping: one, at: 0)
        executor.install(try GraphCompiler.compile(graph), at: 200)
        executor.send(.voice(.player(two.box.pointer), .start(from: 0, at: 0)), keeping: two, at: 200)
        let block = SampleBlock(400)
        withUnsafePointer(to: block.pointer) { executor.render(400, into: $0, channels: 1) }
        #expect(block.array[0..<200].allSatisfy { $0 == 1 } && block.array[200...].allSatisfy { $0 == 2 })
        #expect(witness != nil)
        executor.collect()
        #expect(witness == nil)
    }

    /// A plan that is silent, and an object that lives as long as it.
    private func plan(keeping object: AnyObject) throws -> RenderPlan {
        let player = TestPlayer([Array(repeating: 1, count: 400)])
        var graph = Graph()
        graph.keepAlive(object)
        graph.output = Graph.Port(player.node(in: &graph))
        return try GraphCompiler.compile(graph)
    }

    private final class Witness {}

    @Test func `a plan that was never taken goes when the next one comes, and the one in force stays`() throws {
        let executor = Executor()
        weak var first: Witness?
        weak var second: Witness?
        weak var third: Witness?
        func install(_ witness: Witness) throws { executor.install(try plan(keeping: witness), at: executor.position) }
        do {
            let (one, two, three) = (Witness(), Witness(), Witness())
            (first, second, third) = (one, two, three)
            try install(one)
            executor.renderSilently(100)
            #expect(executor.hasTakenPlan)
            try install(two)
            #expect(!executor.hasTakenPlan)
            try install(three)
        }
        executor.collect()
        #expect(first != nil && second == nil && third != nil, "only what the render side has, and what it will have")
        executor.renderSilently(100)
        executor.collect()
        #expect(first == nil && third != nil && executor.hasTakenPlan)
    }

    @Test func `a plan for later does not go when one comes for later still`() throws {
        let executor = Executor()
        weak var witness: Witness?
        do {
            let object = Witness()
            witness = object
            executor.install(try plan(keeping: object), at: 200)
        }
        executor.install(try plan(keeping: Witness()), at: 300)
        executor.collect()
        executor.renderSilently(250)
        #expect(witness != nil)
        executor.renderSilently(250)
        executor.collect()
        #expect(witness == nil)
    }

    @Test func `what a command points to lives until the command has been carried out`() throws {
        let executor = Executor()
        weak var witness: ControlledBox<EnvironmentOutputRenderer>?
        do {
            let box = ControlledBox(EnvironmentOutputRenderer(EnvironmentOutputRenderer.Parameters(volume: 1)))
            witness = box
            executor.send(.reset(.environmentOutput(box.pointer)), keeping: box, at: 500)
        }
        executor.renderSilently(400)
        executor.collect()
        #expect(witness != nil, "it is due 100 frames later")
        executor.renderSilently(400)
        executor.collect()
        #expect(witness == nil)
    }

    @Test func `time begins again with nothing left over: what waited for a later time has been carried out`() throws {
        let executor = Executor()
        let gates = [StartGate(), StartGate(), StartGate()]
        executor.renderSilently(1000)
        executor.send(.openGate(gates[0].view), keeping: gates[0], at: executor.position)
        executor.resetTime()
        #expect(gates[0].view.isOpen && executor.position == 0)
        executor.send(.openGate(gates[1].view), keeping: gates[1], at: executor.position)
        executor.renderSilently(1)
        #expect(gates[1].view.isOpen)
        executor.send(.openGate(gates[2].view), keeping: gates[2], at: executor.position)
        #expect(executor.abandon().contains { $0 === gates[2] })
        executor.renderSilently(1)
        withExtendedLifetime(gates) { #expect(!gates[2].view.isOpen) }
    }

    @Test func `commands beyond the ring's capacity wait and are not lost`() throws {
        let executor = Executor(commandCapacity: 4)
        let player = TestPlayer([Array(repeating: 1, count: 4000)])
        var graph = Graph()
        graph.output = Graph.Port(player.node(in: &graph))
        executor.install(try GraphCompiler.compile(graph), at: 0)
        for _ in 0..<50 {
            executor.send(.voice(.player(player.box.pointer), .start(from: 0, at: 0)), keeping: player, at: 0)
        }
        let block = SampleBlock(128)
        for _ in 0..<40 {
            withUnsafePointer(to: block.pointer) { executor.render(16, into: $0, channels: 1) }
            executor.collect()
        }
        #expect(block.array[15] == 1)
    }
}

extension Executor {
    /// Renders to nowhere.
    fileprivate func renderSilently(_ frames: Int) {
        let block = SampleBlock(frames)
        withUnsafePointer(to: block.pointer) { render(frames, into: $0, channels: 1) }
    }
}
