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
        let (one, two) = (TestPlayer([Array(repeating: 1, count: 4000)]), TestPlayer([Array(repeating: 2, count: 4000)]))
        do {
            let owner = Witness()
            witness = owner
            var graph = Graph()
            graph.keepAlive(one)
            graph.output = Graph.Port(graph.add("one", .player(one.box.pointer), owner: owner, inputs: [], outputs: [1]))
            executor.install(try GraphCompiler.compile(graph), at: 0)
        }
        var graph = Graph()
        graph.output = Graph.Port(two.node(in: &graph))
        executor.send(.voice(.player(one.box.pointer), .start(from: 0, at: 0)), at: 0)
        executor.install(try GraphCompiler.compile(graph), at: 200)
        executor.send(.voice(.player(two.box.pointer), .start(from: 0, at: 0)), at: 200)
        let block = SampleBlock(400)
        withUnsafePointer(to: block.pointer) { executor.render(400, into: $0, channels: 1) }
        #expect(block.array[0..<200].allSatisfy { $0 == 1 } && block.array[200...].allSatisfy { $0 == 2 })
        #expect(witness != nil)
        executor.collect()
        #expect(witness == nil)
    }

    @Test func `commands beyond the ring's capacity wait and are not lost`() throws {
        let executor = Executor(commandCapacity: 4)
        let player = TestPlayer([Array(repeating: 1, count: 4000)])
        var graph = Graph()
        graph.output = Graph.Port(player.node(in: &graph))
        executor.install(try GraphCompiler.compile(graph), at: 0)
        for _ in 0..<50 { executor.send(.voice(.player(player.box.pointer), .start(from: 0, at: 0)), at: 0) }
        let block = SampleBlock(128)
        for _ in 0..<40 {
            withUnsafePointer(to: block.pointer) { executor.render(16, into: $0, channels: 1) }
            executor.collect()
        }
        #expect(block.array[15] == 1)
    }
}
