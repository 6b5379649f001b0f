import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

/// Waiting, seeking, and the two together, on a player whose samples tell their place.
@Suite struct VoiceCommandTests {
    private static let length = 48_000

    private final class Player {
        let player: TestPlayer
        let bench: RenderBench

        init(
            loops: Bool = false, step: UInt64 = PlayerRenderer.unityStep, frames: Int = VoiceCommandTests.length
        ) throws {
            player = TestPlayer([(0..<frames).map(VoiceCommandTests.sample)], loops: loops, step: step)
            var graph = Graph()
            graph.output = Graph.Port(player.node(in: &graph))
            bench = try RenderBench(graph, channels: 1)
        }

        func send(_ command: VoiceCommand, at position: Int64) {
            bench.executor.send(.voice(.player(player.box.pointer), command), keeping: player, at: position)
        }
        func render(_ frames: Int, cuts: [Int] = [512]) -> [Float] { bench.render(frames, cuts: cuts)[0] }
        var finishedAt: Int64 { player.box.control.status.pointee.finishedAt.load() }
        var endsAt: Int64 { player.box.control.status.pointee.endsAt.load() }
    }

    private static func sample(_ frame: Int) -> Float { Float(frame + 1) / 65_536 }
    private func place(_ sample: Float) -> Int { Int(sample * 65_536) - 1 }
    private func steepest(_ out: [Float]) -> Float { zip(out, out.dropFirst()).map { abs($0 - $1) }.max() ?? 1 }

    @Test(arguments: [[512], [1], [127], [4096]])
    func `a start waits for its frame, wherever in a block`(cuts: [Int]) throws {
        let player = try Player()
        player.send(.start(from: 0, at: 10_007), at: 0)
        let out = player.render(12_000, cuts: cuts)
        #expect(out[..<10_007].allSatisfy { $0 == 0 } && place(out[10_007]) == 0 && place(out[11_999]) == 1992)
        #expect(player.endsAt == 10_007 + 48_000)
    }

    @Test func `a start that waits may be put off, brought forward, paused and stopped`() throws {
        let (late, early, paused, stopped) = (try Player(), try Player(), try Player(), try Player())
        for player in [late, early, paused, stopped] { player.send(.start(from: 0, at: 2000), at: 0) }
        late.send(.wait(until: 3000), at: 1000)
        late.send(.wait(until: 9000), at: 3500)
        early.send(.wait(until: 1100), at: 1000)
        paused.send(.pause, at: 1000)
        paused.send(.resume(at: 1500), at: 1200)
        stopped.send(.stop, at: 1999)
        #expect(late.render(4000).firstIndex { $0 != 0 } == 3000)
        #expect(early.render(4000).firstIndex { $0 != 0 } == 1100)
        // Going on does not bring the start forward.
        #expect(paused.render(4000).firstIndex { $0 != 0 } == 2000)
        #expect(stopped.render(4000).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [[512], [1], [127], [4096]])
    func `a seek fades out over a quantum and goes on from its frame with its frame`(cuts: [Int]) throws {
        let player = try Player()
        player.send(.start(from: 0, at: 0), at: 0)
        player.send(.seek(to: 30_000, at: 5003), at: 4000)
        let out = player.render(8000, cuts: cuts)
        #expect(place(out[3999]) == 3999 && out[4064] == Self.sample(4064) * 0.5)
        #expect(out[4128...5003].allSatisfy { $0 == 0 } && out[5003 + 64] == Self.sample(30_064) * 0.5)
        #expect(place(out[5003 + 128]) == 30_128 && place(out[7999]) == 30_000 + 2996)
        #expect(steepest(out) < 0.01)
        #expect(player.endsAt == 5003 + 18_000)
    }

    @Test func `a seek whose time has passed goes on a quantum from now, and to the very beginning without a fade`()
        throws
    {
        let player = try Player()
        player.send(.start(from: 100, at: 0), at: 0)
        player.send(.seek(to: 0, at: 0), at: 1000)
        let out = player.render(2000)
        #expect(out[64] == Self.sample(164) * 0.5 && place(out[999]) == 1099)
        #expect(place(out[1128]) == 0 && place(out[1200]) == 72)
    }

    @Test func `loops take the place modulo their length, a one-shot beyond its end finishes`() throws {
        let (loop, single) = (try Player(loops: true, frames: 1000), try Player(frames: 1000))
        for player in [loop, single] {
            player.send(.start(from: 0, at: 0), at: 0)
            player.send(.seek(to: 5250, at: 700), at: 500)
        }
        #expect(place(loop.render(2000)[900]) == 450)
        #expect(single.render(2000)[628...].allSatisfy { $0 == 0 } && single.finishedAt == 700)
    }

    @Test func `a seek that finds the one-shot at its end comes too late, one just before it does not`() throws {
        let (late, timely) = (try Player(frames: 1000), try Player(frames: 1000))
        for player in [late, timely] { player.send(.start(from: 0, at: 0), at: 0) }
        late.send(.seek(to: 200, at: 0), at: 1010)
        timely.send(.seek(to: 200, at: 0), at: 950)
        #expect(late.render(4000)[1000...].allSatisfy { $0 == 0 } && late.finishedAt == 1000)
        #expect(place(timely.render(4000)[1078 + 300]) == 500 && timely.finishedAt == 1078 + 800)
    }

    @Test func `what is paused stays paused at the new place, and what sleeps wakes there`() throws {
        let (paused, fading, asleep, still) = (try Player(), try Player(), try Player(), try Player())
        for player in [paused, fading, asleep, still] { player.send(.start(from: 0, at: 0), at: 0) }
        paused.send(.pause, at: 1000)
        paused.send(.seek(to: 20_000, at: 0), at: 2000)
        paused.send(.resume(at: 3000), at: 2500)
        // The pause is still fading out when the seek comes, and when it is over.
        fading.send(.pause, at: 1000)
        fading.send(.seek(to: 20_000, at: 0), at: 1050)
        fading.send(.resume(at: 0), at: 1100)
        asleep.send(.sleep(advancing: true), at: 1000)
        asleep.send(.seek(to: 20_000, at: 2200), at: 2000)
        asleep.send(.wake, at: 3000)
        still.send(.sleep(advancing: false), at: 1000)
        still.send(.seek(to: 20_000, at: 0), at: 2000)
        still.send(.wake, at: 3000)
        let out = paused.render(5000)
        #expect(out[1128...3000].allSatisfy { $0 == 0 } && place(out[4000]) == 21_000)
        let faded = fading.render(5000)
        #expect(place(faded[4000]) == 20_000 + 4000 - 1128 && steepest(faded) < 0.01)
        #expect(place(asleep.render(5000)[4000]) == 20_000 + 1800)
        #expect(place(still.render(5000)[4000]) == 21_000)
    }

    @Test func `woken while it still fades out, it fades on and goes to its place then`() throws {
        let player = try Player()
        player.send(.start(from: 0, at: 0), at: 0)
        player.send(.sleep(advancing: false), at: 30_000)
        player.send(.wakeAt(5000), at: 30_050)
        let out = player.render(32_000)
        #expect(steepest(out) < 0.01 && place(out[30_128 + 1000]) == 6000)
    }

    @Test(arguments: [[512], [1], [127], [1, 63, 64, 500]])
    func `how calls are cut changes nothing, at any rate`(cuts: [Int]) throws {
        func run(_ cuts: [Int]) throws -> [Float] {
            let player = try Player(step: UInt64(1.37 * 4_294_967_296))
            player.send(.start(from: 50, at: 333), at: 0)
            player.send(.pause, at: 1000)
            player.send(.seek(to: 9000, at: 1500), at: 1100)
            player.send(.resume(at: 1401), at: 1200)
            player.send(.seek(to: 1000, at: 3001), at: 2800)
            player.send(.sleep(advancing: true), at: 4000)
            player.send(.wake, at: 5001)
            player.send(.seek(to: 47_000, at: 6000), at: 5555)
            return player.render(8192, cuts: cuts) + [Float(player.finishedAt)]
        }
        #expect(try run(cuts) == run([512]))
    }

    @Test func `the end is known ahead, to the frame`() throws {
        let player = try Player(step: UInt64(1.37 * 4_294_967_296), frames: 20_000)
        player.send(.start(from: 0, at: 1003), at: 0)
        _ = player.render(700)
        let predicted = player.endsAt
        _ = player.render(5000)
        #expect(player.endsAt == predicted)
        _ = player.render(20_000)
        #expect(player.finishedAt == predicted && predicted == 1003 + Int64((20_000 / 1.37).rounded(.up)))
    }

    @Test func `a streamed sound gets another window without a click`() throws {
        func window(from start: Int64) -> StreamWindow {
            let window = StreamWindow(channelCount: 1, capacity: 8192, start: start)
            window.write(atMost: 8192) { planes, count in
                for index in 0..<count { planes[0][index] = Self.sample(Int(start) + index) }
                return count
            }
            return window
        }
        let (first, second) = (window(from: 0), window(from: 20_000))
        let parameters = PlayerRenderer.Parameters(
            gain: 1, step: PlayerRenderer.unityStep, table: SincTable.shared(ratio: 1), rampFrames: 0)
        let box = ControlledBox(
            PlayerRenderer(
                source: first.source(frameCount: 48_000, loops: false), outputCount: 1, parameters: parameters))
        var graph = Graph()
        graph.keepAlive(first)
        graph.keepAlive(second)
        graph.output = Graph.Port(graph.add("streamed", .player(box.pointer), owner: box, inputs: [], outputs: [1]))
        let bench = try RenderBench(graph, channels: 1)
        bench.executor.send(.voice(.player(box.pointer), .start(from: 0, at: 0)), keeping: box, at: 0)
        bench.executor.send(
            .voice(.player(box.pointer), .replace(second.source(frameCount: 48_000, loops: false))), keeping: box,
            at: 3000)
        bench.executor.send(.voice(.player(box.pointer), .seek(to: 20_000, at: 0)), keeping: box, at: 3000)
        let out = bench.render(6000)[0]
        #expect(out[3064] == Self.sample(3064) * 0.5 && place(out[3128 + 1000]) == 21_000 && steepest(out) < 0.01)
        #expect(box.control.status.pointee.starvedFrames.load() == 0)
    }
}
