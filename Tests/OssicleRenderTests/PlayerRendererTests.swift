import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct PlayerRendererTests {
    private func bench(_ player: TestPlayer) throws -> RenderBench {
        var graph = Graph()
        graph.output = Graph.Port(player.node(in: &graph))
        return try RenderBench(graph, channels: 1)
    }

    @Test func `plays a sound bit for bit at unity and is silent before and after`() throws {
        let sound = noise(1000)
        let player = TestPlayer([sound])
        let bench = try bench(player)
        player.start(on: bench, at: 300)
        let out = bench.render(2000)[0]
        #expect(out[0..<300].allSatisfy { $0 == 0 })
        #expect(Array(out[300..<1300]) == sound)
        #expect(out[1300...].allSatisfy { $0 == 0 })
    }

    @Test func `reports the end on the frame after the last one`() throws {
        let player = TestPlayer([noise(1000)])
        let bench = try bench(player)
        player.start(on: bench, at: 300)
        _ = bench.render(2000, cuts: [97])
        #expect(player.box.control.status.pointee.finishedAt.load() == 1300)
    }

    @Test func `loops without a seam`() throws {
        let sound = noise(333)
        let player = TestPlayer([sound], loops: true)
        let bench = try bench(player)
        player.start(on: bench)
        let out = bench.render(5000)[0]
        let expected: [Float] = (0..<5000).map { sound[$0 % 333] }
        #expect(out == expected)
    }

    @Test(arguments: [[64], [127], [1], [4096], [1, 63, 64, 500]])
    func `gives the same bytes however calls are cut`(cuts: [Int]) throws {
        func run(_ cuts: [Int]) throws -> [Float] {
            let player = TestPlayer([noise(3000)], loops: true, gain: 0.7, step: UInt64(1.0884353741 * 4_294_967_296))
            let bench = try bench(player)
            player.start(on: bench)
            return bench.render(8192, cuts: cuts)[0]
        }
        #expect(try run(cuts) == run([512]))
    }

    @Test func `a gain set before the start is one multiplication`() throws {
        let sound = noise(500)
        let player = TestPlayer([sound], gain: 0.3)
        let bench = try bench(player)
        player.start(on: bench)
        let expected: [Float] = sound.map { $0 * 0.3 }
        #expect(bench.render(500)[0] == expected)
    }

    @Test func `a pause fades over one quantum, holds its place, and resumes`() throws {
        let player = TestPlayer([Array(repeating: 1, count: 4000)])
        let bench = try bench(player)
        player.start(on: bench)
        bench.executor.send(.voice(.player(player.box.pointer), .pause), keeping: player, at: 512)
        bench.executor.send(.voice(.player(player.box.pointer), .resume(at: 0)), keeping: player, at: 1024)
        let out = bench.render(6000)[0]
        #expect(out[511] == 1 && out[640...1024].allSatisfy { $0 == 0 } && out[1200] == 1)
        let largestStep = zip(out[500..<1200], out[501..<1201]).map { abs($0 - $1) }.max() ?? 0
        #expect(largestStep < 0.01)
        // 384 frames of silence push the end back by as many.
        #expect(player.box.control.status.pointee.finishedAt.load() == 4000 + 384)
    }

    @Test func `a stream window plays the samples of the resident sound, through loop seams and rate changes`() throws {
        let sound = noise(700)
        let step = UInt64(1.37 * 4_294_967_296)
        func run(streamed: Bool) throws -> [Float] {
            let resident = TestPlayer([sound], loops: true, step: step)
            guard streamed else {
                let bench = try bench(resident)
                resident.start(on: bench)
                return bench.render(4096)[0]
            }
            let window = StreamWindow(channelCount: 1, capacity: 1024, start: 0)
            let box = ControlledBox(
                PlayerRenderer(
                    source: window.source(frameCount: 700, loops: true), outputCount: 1,
                    parameters: PlayerRenderer.Parameters(
                        gain: 1, step: step, table: SincTable.shared(ratio: Double(step) / 4_294_967_296), rampFrames: 0
                    )))
            var graph = Graph()
            graph.keepAlive(window)
            graph.output = Graph.Port(graph.add("stream", .player(box.pointer), owner: box, inputs: [], outputs: [1]))
            let bench = try RenderBench(graph, channels: 1)
            bench.executor.send(.voice(.player(box.pointer), .start(from: 0, at: 0)), keeping: box, at: 0)
            var out: [Float] = []
            while out.count < 4096 {
                while window.room > 0 {
                    let at = Int(window.nextFrame % 700)
                    window.write(atMost: 700 - at) { planes, count in
                        for index in 0..<count { planes[0][index] = sound[at + index] }
                        return count
                    }
                }
                out += bench.render(256)[0]
            }
            #expect(box.control.status.pointee.starvedFrames.load() == 0)
            return out
        }
        #expect(try run(streamed: true) == run(streamed: false))
    }

    @Test func `a starved stream is silence and is counted`() throws {
        let window = StreamWindow(channelCount: 1, capacity: 1024, start: 0)
        let box = ControlledBox(
            PlayerRenderer(
                source: window.source(frameCount: 5000, loops: false), outputCount: 1,
                parameters: PlayerRenderer.Parameters(
                    gain: 1, step: PlayerRenderer.unityStep, table: SincTable.shared(ratio: 1), rampFrames: 0)))
        var graph = Graph()
        graph.keepAlive(window)
        graph.output = Graph.Port(graph.add("stream", .player(box.pointer), owner: box, inputs: [], outputs: [1]))
        let bench = try RenderBench(graph, channels: 1)
        bench.executor.send(.voice(.player(box.pointer), .start(from: 0, at: 0)), keeping: box, at: 0)
        window.write(atMost: 200) { planes, count in
            for index in 0..<count { planes[0][index] = 1 }
            return count
        }
        let out = bench.render(512)[0]
        #expect(out[0..<200].allSatisfy { $0 == 1 } && out[200...].allSatisfy { $0 == 0 })
        #expect(box.control.status.pointee.starvedFrames.load() == 312)
    }

    @Test func `several channels into one output are their mean`() throws {
        let (a, b) = (noise(256, seed: 1), noise(256, seed: 2))
        let player = TestPlayer([a, b], outputs: 1)
        let bench = try bench(player)
        player.start(on: bench)
        let expected: [Float] = zip(a, b).map { pair in (pair.0 + pair.1) * 0.5 }
        #expect(bench.render(256)[0] == expected)
    }
}
