import Glibc
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import Synchronization
import Testing

/// Plans whose strands run on several threads.
@Suite struct DividedPlanTests {
    @Test func `voices have the same bytes on one, two, three and seven threads, however calls are cut`() throws {
        let whole = try DividedScene(voices: 90, threads: 1)
        #expect(whole.bench.executor.workerCount == 0)
        let expected = try whole.render(1300, cuts: [512])
        for channel in expected { #expect(channel.contains { $0 != 0 }) }
        for (threads, cuts) in [(2, [512]), (3, [100, 37]), (7, [777])] {
            let scene = try DividedScene(voices: 90, threads: threads)
            #expect(scene.bench.executor.workerCount == threads - 1)
            #expect(try scene.render(1300, cuts: cuts) == expected)
        }
    }

    @Test func `a small plan is not divided and has no workers`() throws {
        let (small, large) = (try DividedScene(voices: 40, threads: 2), try DividedScene(voices: 90, threads: 2))
        #expect(small.bench.executor.workerCount == 0)
        #expect(large.bench.executor.workerCount == 1)
        #expect(try !GraphCompiler.compile(small.graph).view.pointee.isDivided)
        #expect(try GraphCompiler.compile(large.graph).view.pointee.isDivided)
    }

    @Test func `many voices are rendered several blocks in a row, but not beside the client's code`() throws {
        let (small, large) = (try DividedScene(voices: 40, threads: 1), try DividedScene(voices: 90, threads: 1))
        #expect(try GraphCompiler.compile(small.graph).view.pointee.blockCount == 1)
        #expect(try GraphCompiler.compile(large.graph).view.pointee.blockCount == RenderPlan.mostBlocks)
        var graph = large.graph
        let box = RendererBox(
            BlockRenderer { ports, context in
                for frame in 0..<context.frames { ports.output(0)[frame] = 0 }
            })
        graph.sideOutputs.append(
            Graph.Port(graph.add("block", .block(box.pointer), owner: box, inputs: [], outputs: [1])))
        #expect(try GraphCompiler.compile(graph).view.pointee.blockCount == 1)
    }

    @Test func `blocks in a row end on the grid, and each begins where the one before ends`() {
        let first = RenderContext(position: 1000, frames: 24, isControlPoint: false, framesLeftInCall: 700)
        let span = RenderSpan(first, frames: 300)
        #expect(span.blockCount == 4)
        #expect((0..<4).map { span[$0].position } == [1000, 1024, 1152, 1280])
        #expect((0..<4).map { span[$0].frames } == [24, 128, 128, 20])
        #expect((0..<4).map { span[$0].framesLeftInCall } == [700, 676, 548, 420])
        #expect((0..<4).map { span[$0].isControlPoint } == [false, true, true, true])
        let short = RenderSpan(first, frames: 5)
        #expect(short.blockCount == 1 && short[0].frames == 5)
    }

    /// Layers of nodes that each read some of the layers before; samples and gains are small whole numbers, so that
    /// sums are exact in any order and a buffer that is reused too early shows.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `any graph gives what its nodes give one after the other`(seed: UInt64) throws {
        let random = CounterRandom(seed: seed, object: 3)
        var draw: UInt64 = 0
        func pick(_ count: Int) -> Int {
            draw += 1
            return min(Int(random.unit(draw) * Double(count)), count - 1)
        }
        var graph = Graph()
        var (nodes, values): ([Graph.NodeID], [[Double]]) = ([], [])
        let sounds = (0..<40).map { _ in (0..<300).map { _ in Float(pick(5) - 2) } }
        let players = sounds.map { TestPlayer([$0]) }
        for (player, sound) in zip(players, sounds) {
            nodes.append(player.node(in: &graph))
            values.append(sound.map(Double.init))
        }
        for index in 0..<1200 {
            let gain = Float(pick(3) - 1)
            let box = RendererBox(ChannelRenderer(matrix: [gain], inputCount: 1, outputCount: 1))
            let node = graph.add("node", .channels(box.pointer), owner: box, inputs: [1], outputs: [1])
            var sum = [Double](repeating: 0, count: 300)
            // Most read players, so that numbers stay small.
            for _ in 0..<(1 + pick(3)) {
                let from = index % 10 == 0 ? pick(nodes.count) : pick(players.count + index / 100)
                graph.connect(Graph.Port(nodes[from]), to: Graph.Port(node))
                for frame in sum.indices { sum[frame] += values[from][frame] }
            }
            nodes.append(node)
            values.append(sum.map { $0 * Double(gain) })
        }
        let heard = (0..<60).map { nodes.count - 1 - 20 * $0 }
        graph.output = Graph.Port(nodes[heard[0]])
        graph.sideOutputs = heard.dropFirst().map { Graph.Port(nodes[$0]) }
        for node in nodes { graph.addRoot(node) }
        #expect(values.joined().allSatisfy { $0.magnitude < 16_777_216 })
        #expect(try GraphCompiler.compile(graph).view.pointee.isDivided)
        for threads in [1, 2, 7] {
            let bench = try RenderBench(graph, channels: heard.count, threads: threads)
            for player in players { player.start(on: bench) }
            let out = bench.render(300, cuts: [128, 60])
            for (place, node) in heard.enumerated() { #expect(out[place].map(Double.init) == values[node]) }
        }
    }

    @Test func `time stretchers have the same bytes on every number of threads`() throws {
        let expected = try StretchedPlayers(12, threads: 1).bench.render(1500, cuts: [512])
        for channel in expected { #expect(channel.contains { $0 != 0 }) }
        for threads in [2, 3, 7] {
            let players = try StretchedPlayers(12, threads: threads)
            #expect(players.bench.executor.workerCount == threads - 1)
            #expect(players.bench.render(1500, cuts: [512]) == expected)
        }
    }

    @Test func `a domain that is all there is has its own strands on several threads`() throws {
        let expected = try StretchedPlayers(12, threads: 1, isInDomain: true).bench.render(1500)
        for threads in [2, 3] {
            let players = try StretchedPlayers(12, threads: threads, isInDomain: true)
            #expect(players.bench.executor.workerCount == threads - 1)
            #expect(players.bench.render(1500) == expected)
        }
    }

    @Test func `the client's code runs on the thread that renders, in the order of the plan`() throws {
        final class Log: Sendable {
            let calls = Mutex<[(thread: UInt, number: Int)]>([])
        }
        let log = Log()
        var graph = try StretchedPlayers.graph(12)
        let boxes = (0..<20).map { number in
            RendererBox(
                BlockRenderer { ports, context in
                    log.calls.withLock { $0.append((RenderGate.currentThread, number)) }
                    for frame in 0..<context.frames { ports.output(0)[frame] = Float(number) }
                })
        }
        let box = ControlledBox(ChannelRenderer(matrix: [1], inputCount: 1, outputCount: 1))
        let mixer = graph.add("mixer", .channels(box.pointer), owner: box, inputs: [1], outputs: [1])
        for box in boxes {
            let node = graph.add("block", .block(box.pointer), owner: box, inputs: [], outputs: [1])
            graph.connect(Graph.Port(node), to: Graph.Port(mixer))
        }
        graph.sideOutputs = [Graph.Port(mixer)]
        let bench = try RenderBench(graph, channels: 2, threads: 7)
        #expect(bench.render(1280, cuts: [128])[1].allSatisfy { $0 == 190 })
        let calls = log.calls.withLock { $0 }
        #expect(calls.allSatisfy { $0.thread == RenderGate.currentThread })
        #expect(calls.map(\.number) == (0..<10).flatMap { _ in 0..<20 })
    }
}

/// Workers by themselves.
@Suite struct RenderWorkerTests {
    @Test func `workers that never get a core delay nothing`() throws {
        let expected = try DividedScene(voices: 90, threads: 1).render(1500, cuts: [512])
        let scene = try DividedScene(voices: 90, threads: 3)
        let isHeld = Hold()
        // The new workers stand at their first instruction until the sound is there.
        scene.bench.executor.workerSetting = RenderWorkers.Setting(begin: { isHeld.wait() }, end: {})
        #expect(try scene.render(1500, cuts: [512]) == expected)
        isHeld.isOver.store(true, ordering: .releasing)
    }

    @Test func `each worker begins and ends once, and is gone with its executor`() throws {
        let counts = Counts()
        do {
            let scene = try DividedScene(voices: 90, threads: 4)
            scene.bench.executor.workerSetting = counts.setting
            _ = try scene.render(800, cuts: [128])
            scene.bench.executor.workerSetting = counts.setting
            _ = try scene.render(800, cuts: [128])
            #expect(counts.begun.load(ordering: .acquiring) >= 3)
        }
        #expect(counts.begun.load(ordering: .acquiring) == 6)
        #expect(counts.ended.load(ordering: .acquiring) == 6)
    }

    @Test func `an executor that is abandoned has no workers, and gets new ones with the next plan`() throws {
        let scenes = try [1, 3].map { try DividedScene(voices: 90, threads: $0) }
        for scene in scenes {
            _ = try scene.render(777, cuts: [128])
            scene.bench.executor.abandon()
            #expect(scene.bench.executor.workerCount == 0)
            #expect(scene.bench.render(300).joined().allSatisfy { $0 == 0 })
            scene.bench.executor.install(try GraphCompiler.compile(scene.graph), at: scene.bench.executor.position)
        }
        #expect(scenes.map(\.bench.executor.workerCount) == [0, 2])
        #expect(scenes[1].bench.render(2000) == scenes[0].bench.render(2000))
    }

    @Test func `no threads, or more than there may be, are a number of threads that there may be`() {
        #expect(RenderWorkers(count: 0) == nil)
        #expect(RenderWorkers(count: -1) == nil)
        #expect(RenderWorkers(count: 1000)?.count == 63)
        #expect((1...64).contains(RenderWorkers.standardThreadCount))
    }

    private final class Hold: Sendable {
        let isOver = Atomic(false)
        func wait() { while !isOver.load(ordering: .acquiring) { usleep(1000) } }
    }

    private final class Counts: Sendable {
        let begun = Atomic(0)
        let ended = Atomic(0)
        var setting: RenderWorkers.Setting {
            RenderWorkers.Setting(
                begin: { [self] in begun.add(1, ordering: .releasing) },
                end: { [self] in ended.add(1, ordering: .releasing) })
        }
    }
}
