import Foundation
import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct StreamRendererTests {
    /// A stream whose feed plays the samples of an array by its own clock, and writes down what it was asked for.
    private final class TestStream {
        let bench: RenderBench
        let box: ControlledBox<StreamRenderer>
        private let feed: RendererBox<BlockRenderer>
        private let asked: UnsafeMutablePointer<(frames: Int64, isInOrder: Bool, controlPoints: Int64)>

        init(_ channels: [[Float]], ratio: Double = 1, gain: Float = 1, outputs: Int? = nil) throws {
            let blocks = channels.map { SampleBlock($0) }
            let asked = UnsafeMutablePointer<(frames: Int64, isInOrder: Bool, controlPoints: Int64)>.allocate(
                capacity: 1)
            asked.initialize(to: (0, true, 0))
            self.asked = asked
            feed = RendererBox(
                BlockRenderer { ports, context in
                    let isWithinLines = context.frames <= Grid.framesToNextLine(from: context.position)
                    let isLine = context.position % Int64(Grid.quantum) == 0
                    if context.position != asked.pointee.frames || !isWithinLines || isLine != context.isControlPoint {
                        asked.pointee.isInOrder = false
                    }
                    if context.isControlPoint { asked.pointee.controlPoints += 1 }
                    for (channel, block) in blocks.enumerated() {
                        for frame in 0..<context.frames {
                            let at = Int(context.position) + frame
                            ports.output(channel)[frame] = at < block.count ? block.pointer[at] : 0
                        }
                    }
                    asked.pointee.frames += Int64(context.frames)
                })
            let step = SincInterpolator.step(ratio: ratio)
            let parameters = PlayerRenderer.Parameters(
                gain: gain, step: step, table: SincTable.shared(ratio: ratio), rampFrames: 0)
            box = ControlledBox(
                StreamRenderer(
                    feed: .block(feed.pointer), owner: feed, channelCount: channels.count,
                    outputCount: outputs ?? channels.count, parameters: parameters))
            var graph = Graph()
            graph.output = Graph.Port(
                graph.add("stream", .stream(box.pointer), owner: box, inputs: [], outputs: [outputs ?? channels.count]))
            bench = try RenderBench(graph, channels: outputs ?? channels.count)
            bench.executor.isWatched = false
        }

        deinit { asked.deallocate() }

        var askedFrames: Int { Int(asked.pointee.frames) }
        var wasAskedInOrder: Bool { asked.pointee.isInOrder }

        func send(_ command: VoiceCommand, at position: Int64 = 0) {
            bench.executor.send(.voice(.stream(box.pointer), command), keeping: box, at: position)
        }
    }

    @Test(arguments: [[512], [1], [127, 64], [4096]])
    func `at unity the feed's first frame comes out with the frame the stream starts at, bit for bit`(
        cuts: [Int]
    ) throws {
        let sound = noise(4000)
        let stream = try TestStream([sound])
        stream.send(.start(from: 0, at: 1017))
        let out = stream.bench.render(4000, cuts: cuts)[0]
        #expect(out[..<1017].allSatisfy { $0 == 0 } && Array(out[1017...]) == Array(sound[..<2983]))
        #expect(stream.askedFrames == 2983 && stream.wasAskedInOrder)
        #expect(stream.box.control.status.pointee.finishedAt.load() == -1)
    }

    @Test(arguments: [2.0, 0.5, 44_100 / 48_000.0, 48_000 / 44_100.0])
    func
        `at other rates a sine keeps its level and changes its pitch, and the feed is asked for no more than is needed`(
            ratio: Double
        ) throws
    {
        // 0.02 of the feed's sampling rate, well inside the pass band at any of these rates.
        let stream = try TestStream(
            [(0..<20_000).map { Float(0.5 * sin(2 * Double.pi * 0.02 * Double($0))) }], ratio: ratio)
        stream.send(.start(from: 0, at: 0))
        let out = stream.bench.render(8000)[0]
        let expected = (0..<8000).map { 0.5 * sin(2 * Double.pi * 0.02 * ratio * Double($0)) }
        let worst = zip(out, expected).dropFirst(400).map { abs(Double($0) - $1) }.max() ?? 1
        // Pass band flat within 0.1 dB: 1.2 % of the amplitude.
        #expect(worst < 0.006)
        let needed = Int(7999 * ratio) + SincTable.longestReach + 2
        #expect(stream.askedFrames <= needed && stream.askedFrames >= Int(7999 * ratio) && stream.wasAskedInOrder)
    }

    @Test(arguments: [[64], [127], [1], [4096], [1, 63, 64, 500]])
    func `gives the same bytes however calls are cut`(cuts: [Int]) throws {
        func run(_ cuts: [Int]) throws -> [[Float]] {
            let stream = try TestStream([noise(9000), noise(9000, seed: 2)], ratio: 0.91875, gain: 0.7)
            stream.send(.start(from: 0, at: 333))
            stream.send(.pause, at: 2000)
            stream.send(.resume(at: 3001), at: 2500)
            stream.send(.stop, at: 7000)
            return stream.bench.render(8192, cuts: cuts)
        }
        #expect(try run(cuts) == run([512]))
    }

    @Test func `a pause fades, asks for nothing, and goes on with the next frame`() throws {
        let ramp = (0..<8000).map { Float($0 + 1) / 8192 }
        let stream = try TestStream([ramp])
        stream.send(.start(from: 0, at: 0))
        stream.send(.pause, at: 1000)
        let before = stream.bench.render(2000)[0]
        #expect(before[999] == ramp[999] && before[1064] == ramp[1064] * 0.5)
        #expect(before[1128...].allSatisfy { $0 == 0 } && stream.askedFrames == 1128)
        stream.send(.resume(at: 2500), at: 2000)
        let after = stream.bench.render(1000)[0]
        #expect(
            after[..<500].allSatisfy { $0 == 0 } && after[564] == ramp[1128 + 64] * 0.5
                && after[700] == ramp[1128 + 200])
        #expect(stream.askedFrames == 1128 + 500)
    }

    @Test func `while a stream waits or sleeps it asks for nothing, and a stop fades`() throws {
        let stream = try TestStream([[Float](repeating: 1, count: 8000)])
        stream.send(.start(from: 0, at: 4000))
        #expect(stream.bench.render(3000)[0].allSatisfy { $0 == 0 } && stream.askedFrames == 0)
        _ = stream.bench.render(2000)
        stream.send(.sleep(advancing: false), at: 5000)
        _ = stream.bench.render(1000)
        #expect(stream.askedFrames == 1128)
        stream.send(.wake, at: 6000)
        stream.send(.stop, at: 6500)
        let out = stream.bench.render(2000)[0]
        let steepest = zip(out, out.dropFirst()).map { abs($0 - $1) }.max() ?? 1
        #expect(out[300] == 1 && out[700...].allSatisfy { $0 == 0 } && steepest < 1 / 127.0)
        #expect(stream.askedFrames == 1128 + 628)
    }

    @Test func `several channels into one output are their mean`() throws {
        let (a, b) = (noise(600, seed: 1), noise(600, seed: 2))
        let stream = try TestStream([a, b], outputs: 1)
        stream.send(.start(from: 0, at: 0))
        let expected: [Float] = zip(a, b).map { ($0 + $1) * 0.5 }
        #expect(stream.bench.render(600)[0] == expected)
    }

    @Test func `a seek leaves a stream alone`() throws {
        let sound = noise(4000)
        let stream = try TestStream([sound])
        stream.send(.start(from: 0, at: 0))
        stream.send(.seek(to: 100, at: 0), at: 1000)
        #expect(stream.bench.render(4000)[0] == sound)
    }

    @Test func `its rate may change while it plays, and the frames stay in order`() throws {
        let ramp = (0..<16_000).map { Float($0) / 16_384 }
        let stream = try TestStream([ramp])
        stream.send(.start(from: 0, at: 0))
        _ = stream.bench.render(1024)
        stream.box.control.cell.write(
            PlayerRenderer.Parameters(
                gain: 1, step: PlayerRenderer.unityStep * 2, table: SincTable.shared(ratio: 2), rampFrames: 0))
        let fast = stream.bench.render(1024)[0]
        stream.box.control.cell.write(
            PlayerRenderer.Parameters(
                gain: 1, step: PlayerRenderer.unityStep, table: SincTable.shared(ratio: 1), rampFrames: 0))
        let again = stream.bench.render(1024)[0]
        for frame in stride(from: 0, to: 1024, by: 100) {
            // A ramp comes through the filter as a ramp; the table's ripple is 0.1 dB.
            #expect(abs(fast[frame] / (Float(1024 + 2 * frame) / 16_384) - 1) < 0.012)
            #expect(again[frame] == Float(3072 + frame) / 16_384)
        }
        #expect(stream.wasAskedInOrder)
    }
}
