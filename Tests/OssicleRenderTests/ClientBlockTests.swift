import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender
import OssicleTestSupport
import Testing

@Suite("What calls client blocks")
struct ClientBlockTests {
    /// One block without input, or behind `input`, at the output.
    private func bench(
        behind input: ((Ports, RenderContext) -> Void)? = nil, _ body: @escaping (Ports, RenderContext) -> Void
    ) throws -> RenderBench {
        var graph = Graph()
        let box = RendererBox(BlockRenderer(body))
        let node = graph.add(
            "subject", .block(box.pointer), owner: box, inputs: input == nil ? [] : [1], outputs: [1])
        if let input {
            let feed = RendererBox(BlockRenderer(input))
            let source = graph.add("input", .block(feed.pointer), owner: feed, inputs: [], outputs: [1])
            graph.connect(Graph.Port(source), to: Graph.Port(node))
        }
        graph.output = Graph.Port(node)
        return try RenderBench(graph, channels: 1)
    }

    @Test("Input is fetched for a whole render call, and what is missing is silent and noted")
    func input() throws {
        nonisolated(unsafe) var asked: [Int] = [], next = 0
        let feed = InputFeed(channels: 1, longest: 512) { frames, planes, _ in
            asked.append(frames)
            let count = min(frames, 500 - next)
            for frame in 0..<count { planes[frame] = Float(next + frame) }
            next += count
            return count > 0 ? count : nil
        }
        let out = try bench { feed.render($0, $1) }.render(600, cuts: [300])[0]
        #expect(asked.prefix(2) == [300, 300])
        #expect(out == (0..<500).map(Float.init) + [Float](repeating: 0, count: 100))
        #expect(feed.takeRanDry() && !feed.takeRanDry())
    }

    @Test("A source's planes are mixed to the output; what is not finite is 0 and counted")
    func source() throws {
        let count = NonFiniteCount()
        let source = ClientSource(channels: 2, PlaneMatrix([0.5, 0.5], inputs: 2), nonFinite: count) {
            frames, _, planes in
            for frame in 0..<frames { (planes[frame], planes[Grid.quantum + frame]) = (frame == 0 ? .nan : 1, 3) }
            return frames
        }
        let out = try bench { source.render($0, $1) }.render(256, cuts: [256])[0]
        #expect(out == (0..<256).map { $0 % 128 == 0 ? 1.5 : 2 })
        #expect(count.total == 2)
    }

    @Test("A hosted unit gets its input; bypassed it is passed by, retired it is silent")
    func hosted() throws {
        let renderer = HostedRenderer(channels: 1, hasInput: true, bypass: false), buffers = Buffers()
        #expect(renderer.give(1, bus: 0, to: buffers) == .noInput)
        let bench = try bench(behind: { ports, context in
            for frame in 0..<context.frames { ports.output(0)[frame] = 0.25 }
        }) { ports, context in
            renderer.render(ports, context) { ports, context in
                let frames = context.frames
                #expect(renderer.give(frames, bus: 1, to: buffers) == .noInput)
                #expect(renderer.give(frames + 1, bus: 0, to: buffers) == .tooManyFrames)
                buffers.lend(frames - 1)
                #expect(renderer.give(frames, bus: 0, to: buffers) == .unfitBuffers)
                buffers.lend(nil)
                #expect(renderer.give(frames, bus: 0, to: buffers) == nil)
                // The unit leaves its sound where its input was.
                for frame in 0..<frames { buffers.plane?[frame] *= frame == 3 ? .infinity : 2 }
                renderer.take(buffers, to: ports, frames)
                return true
            }
        }
        #expect(bench.render(64)[0] == (0..<64).map { $0 == 3 ? 0 : 0.5 })
        renderer.setBypass(true)
        #expect(bench.render(64)[0].allSatisfy { $0 == 0.25 })
        renderer.retire()
        #expect(bench.render(64)[0].allSatisfy { $0 == 0 })
    }

    private struct Event: LinkedEvent {
        var frame: Int64
        var number = 0
        var following: UnsafeMutablePointer<Event>?

        static func effective(_ frame: Int64, from start: Int64) -> Int64 { max(frame, start) }
    }

    @Test("Events arrive in order of time, each in its cycle; one too many is refused")
    func events() {
        let queue = EventQueue(capacity: 4, empty: Event(frame: 0))
        func taken(from start: Int64) -> [[Int64]] {
            var (found, next) = ([[Int64]](), queue.take(from: start, frames: 100))
            while let event = next {
                found.append([event.pointee.frame, Int64(event.pointee.number)])
                next = UnsafePointer(event.pointee.following)
            }
            return found
        }
        for (number, frame) in [150, 60, 50, 60].enumerated() {
            #expect(queue.send(Event(frame: Int64(frame), number: number)))
        }
        #expect(!queue.send(Event(frame: 1, number: 9)))
        #expect(taken(from: 0) == [[50, 2], [60, 1], [60, 3]])
        queue.send(Event(frame: 20, number: 4))
        #expect(taken(from: 100) == [[100, 4], [150, 0]])
        queue.send(Event(frame: 210))
        queue.clear()
        #expect(taken(from: 200).isEmpty)
    }

    @Test("Pulled sound goes to the channels of a map; a refusal is silent and its status comes back")
    func pulling() {
        let (input, left, right) = (PulledPlanes(channels: 1, capacity: 64), SampleBlock(100), SampleBlock(100))
        let converter = PullConverter(input, nil, PlaneMatrix([0, -1], inputs: 1, outputs: 2), outputs: 2)
        var positions: [Int64] = []
        let status = [left.pointer, right.pointer].withUnsafeBufferPointer { planes in
            planes.baseAddress.map {
                converter.render(100, into: $0, offset: 0) { frames, position in
                    positions.append(position)
                    let held = position == 0 ? frames : 0
                    for frame in 0..<held { input.memory[frame] = 1 }
                    input.complete(held, of: frames)
                    return position == 0 ? 0 : -7
                }
            }
        }
        #expect(status == -7 && positions == [0, 64])
        #expect(left.array == (0..<100).map { $0 < 64 ? 1 : 0 } && right.array.allSatisfy { $0 == 0 })
    }

    @Test("A ramp is cut at quanta, and each piece has the value of its end")
    func ramp() {
        let table = ParameterTable([7: ParameterValue(minimum: 0, maximum: 2)])
        nonisolated(unsafe) var updates = 0
        let ramps = ParameterRamps(table, UpdateTurn { updates += 1 })
        let change = ParameterEvent(frame: 128, change: .init(address: 7, value: 1, frames: 256))
        var pieces: [[Float]] = []
        withUnsafePointer(to: change) { event in
            let list = ParameterEvents(UnsafeRawPointer(event)) {
                ($0.assumingMemoryBound(to: ParameterEvent.self).pointee, nil)
            }
            ramps.cut(list, from: 0, frames: 512) { pieces.append([Float($0), Float($1), table[7]?.current ?? -1]) }
        }
        #expect(pieces == [[0, 128, 0], [128, 128, 0.5], [256, 128, 1], [384, 128, 1]])
        #expect(updates == 2 && table.takeRendered() && table[7]?.takeRendered() == true)
        #expect(table[7]?.limit(to: 0.5) == 0.5 && table[7]?.limit(to: .nan) == nil)
    }
}

/// A list of one buffer of 32-bit floats.
private final class Buffers: SampleBufferList {
    private(set) var plane: UnsafeMutablePointer<Float>?
    private var bytes = 0
    private let own = SampleMemory(count: 128)

    /// Has so many frames of memory; `nil` for none at all.
    func lend(_ frames: Int?) {
        plane = frames == nil ? nil : own.pointer
        bytes = 4 * (frames ?? 0)
    }

    var bufferCount: Int { 1 }
    func samples(ofBuffer index: Int) -> UnsafeMutableRawPointer? { plane.map { UnsafeMutableRawPointer($0) } }
    func byteCount(ofBuffer index: Int) -> Int { bytes }

    func setBuffer(_ index: Int, channels: Int, samples: UnsafeMutableRawPointer, byteCount: Int) {
        (plane, bytes) = (samples.assumingMemoryBound(to: Float.self), byteCount)
    }
}
