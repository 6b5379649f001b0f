import OssicleCore
import OssicleGraph
import OssicleRender
import Testing

/// The laws every renderer keeps, and what concerns memory.
@Suite struct QueueLawTests {
    /// Something of everything, with control calls at fixed frames.
    private func scene(cuts: [Int]) throws -> (output: [[Float]], endings: [QueueBench.Ending]) {
        let player = try QueueBench(channels: 2)
        func pair(_ count: Int, _ seed: UInt64) -> [[Float]] {
            [noise(count, seed: seed), noise(count, seed: seed + 100)]
        }
        player.schedule("a", pair(301, 1))
        player.schedule("loop", pair(93, 2), loops: true)
        player.schedule("b", pair(500, 3), at: 1203, .cut)
        player.schedule("none", pair(0, 4))
        player.schedule("c", pair(64, 5), at: 1800)
        player.schedule("second loop", pair(37, 6), loops: true)
        player.play(at: 41)
        var output = player.renderAll(2500, cuts: cuts)
        func add(_ frames: Int) {
            for (channel, samples) in player.renderAll(frames, cuts: cuts).enumerated() { output[channel] += samples }
        }
        player.pause()
        add(333)
        player.schedule("d", pair(222, 7), at: 2700, .atLoop)
        player.play(at: 3000)
        add(1500)
        player.stop()
        player.schedule("e", pair(1000, 8))
        player.play()
        add(700)
        return (output, player.endings)
    }

    @Test(arguments: [[1], [64], [127], [1024], [4096], [3, 500, 1, 129]])
    func `how calls are cut changes neither a bit nor a report`(cuts: [Int]) throws {
        let (whole, part) = (try scene(cuts: [512]), try scene(cuts: cuts))
        #expect(part.output.map { $0.map(\.bitPattern) } == whole.output.map { $0.map(\.bitPattern) })
        #expect(part.endings == whole.endings)
        #expect(whole.endings.map(\.name) == ["a", "loop", "b", "none", "c", "second loop", "d"])
    }

    @Test func `players behind one gate start in the same block when it opens`() throws {
        let gate = StartGate()
        let players = [ControlledBox(QueuePlayerRenderer()), ControlledBox(QueuePlayerRenderer())]
        var graph = Graph()
        let channels = ChannelBox()
        let mixer = graph.add("both", .channels(channels.box.pointer), owner: channels, inputs: [1, 1], outputs: [2])
        for (index, player) in players.enumerated() {
            let node = graph.add("player", .queuePlayer(player.pointer), owner: player, inputs: [], outputs: [1])
            graph.connect(Graph.Port(node), to: Graph.Port(mixer, index))
        }
        graph.output = Graph.Port(mixer)
        let bench = try RenderBench(graph, channels: 2)
        let sound = noise(100)
        func send(_ player: ControlledBox<QueuePlayerRenderer>) {
            let resident = ResidentSound([sound])
            TestEntry("", .sound(QueueEntry.Sound(source: resident.source)), resident).send(to: player.control)
            TestEntry("", .play(at: nil, gate: gate.view), gate).send(to: player.control)
        }
        send(players[0])
        #expect(bench.render(300) == [silence(300), silence(300)])
        send(players[1])
        #expect(bench.render(300) == [silence(300), silence(300)])
        bench.executor.send(.openGate(gate.view), keeping: gate, at: 637)
        #expect(bench.render(200) == [silence(37) + sound + silence(63), silence(37) + sound + silence(63)])
    }

    @Test func `gives everything back that it holds when it goes`() throws {
        weak var held: TestEntry?
        weak var waiting: TestEntry?
        weak var unread: TestEntry?
        weak var reported: TestEntry?
        do {
            let player = try QueueBench()
            func send(_ sound: ResidentSound) -> TestEntry {
                let entry = TestEntry("", .sound(QueueEntry.Sound(source: sound.source)), sound)
                entry.send(to: player.mail)
                return entry
            }
            reported = send(ResidentSound([noise(10)]))
            held = send(ResidentSound([noise(1000)]))
            waiting = send(ResidentSound([noise(1000)]))
            player.play()
            _ = player.bench.render(100)
            player.pause()
            player.play(at: 5000)
            unread = send(ResidentSound([noise(10)]))
            #expect(held != nil && waiting != nil && unread != nil && reported != nil)
        }
        #expect(held == nil && waiting == nil && unread == nil && reported == nil)
    }

    // MARK: Streams

    @Test func `a stream sounds as the same samples in memory do`() throws {
        let sound = noise(5000)
        func output(streamed: Bool) throws -> [Float] {
            let player = try QueueBench()
            player.schedule("before", noise(99, seed: 9))
            let window = StreamWindow(channelCount: 1, capacity: 8192, start: 0)
            if streamed {
                window.write(atMost: 5000) { planes, count in
                    for frame in 0..<count { planes[0][frame] = sound[frame] }
                    return count
                }
                player.schedule("sound", window.source(frameCount: 5000, loops: false), keeping: window)
            } else {
                player.schedule("sound", sound)
            }
            player.play()
            let output = player.render(5200, cuts: [333])
            #expect(player.mail.pointee.starvedFrames.load() == 0)
            #expect(player.endings.last == .init(name: "sound", outcome: .finished, at: 5099))
            return output
        }
        #expect(try output(streamed: true) == output(streamed: false))
    }

    @Test func `counts what a stream owes, is silent meanwhile and goes on in time`() throws {
        let sound = noise(1000)
        let player = try QueueBench()
        let window = StreamWindow(channelCount: 1, capacity: 1024, start: 0)
        func deliver(_ frames: Range<Int>) {
            window.write(atMost: frames.count) { planes, count in
                for frame in 0..<count { planes[0][frame] = sound[frames.lowerBound + frame] }
                return count
            }
        }
        deliver(0..<300)
        player.schedule("late", window.source(frameCount: 1000, loops: false), keeping: window)
        player.play()
        var output = player.render(400)
        #expect(player.mail.pointee.starvedFrames.load() == 100)
        deliver(300..<1000)
        output += player.render(700)
        let expected: [Float] = sound[..<300] + silence(100) + sound[400...] + silence(100)
        #expect(output == expected)
        #expect(player.mail.pointee.starvedFrames.load() == 100)
        #expect(player.endings == [.init(name: "late", outcome: .finished, at: 1000)])
    }
}

/// Two mono inputs to two outputs, unchanged.
private final class ChannelBox {
    let box = RendererBox(ChannelRenderer(matrix: [1, 0, 0, 1], inputCount: 2, outputCount: 2))
}
