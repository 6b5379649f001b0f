import Dispatch
import OssicleGraph
import OssicleRender
import Synchronization
import Testing

@testable import OssiclePlayback

/// A tap behind a source that counts frames: sample i of the sound is i.
@Suite struct TapTests {
    @Test(
        "Buffers follow each other without a gap, whatever the render calls are",
        arguments: [[512], [64, 127, 1, 900]])
    func buffers(calls: [Int]) throws {
        let bench = try TapBench(bufferSize: 100)
        for round in 0..<4 { bench.render(calls[round % calls.count]) }
        let rendered = (0..<4).reduce(0) { $0 + calls[$1 % calls.count] }
        let whole = bench.received
        #expect(whole.count == rendered / 100 && whole.allSatisfy { $0.samples.count == 100 })
        bench.tap.flush()
        let all = bench.received
        #expect(all.flatMap(\.samples) == (0..<rendered).map { Float($0) })
        #expect(all.map(\.frame) == all.indices.map { Int64(100 * $0) })
        #expect(all.allSatisfy { $0.hostTime == UInt64($0.frame) + 7 })
        #expect(bench.tap.droppedFrames == 0)
    }

    @Test("A size out of range is moved into it", arguments: [(0, 64), (-5, 64), (64, 64), (300, 300)])
    func sizes(wanted: Int, given: Int) throws {
        let bench = try TapBench(bufferSize: wanted)
        bench.render(given)
        #expect(bench.received.map(\.samples.count) == [given])
    }

    @Test("Another format of the bus ends the buffer under way and begins a new renderer")
    func format() throws {
        let bench = try TapBench(bufferSize: 1000)
        bench.render(300)
        let before = bench.tap.renderer(channels: 1)
        bench.host.sampleRate = 44_100
        let after = bench.tap.renderer(channels: 1)
        #expect(before !== after && after === bench.tap.renderer(channels: 1))
        #expect(bench.received.map(\.samples.count) == [300])
    }

    @Test("At a device, what a slow block leaves for more than a minute is dropped and counted; offline nothing is")
    func dropping() throws {
        for (mode, dropped) in [(RenderMode.device, 100), (.offline, 0)] {
            // At 10 Hz a minute has 600 frames.
            let bench = try TapBench(bufferSize: 100, sampleRate: 10)
            let hold = DispatchSemaphore(value: 0)
            bench.host.beforeBlock = { hold.wait() }
            for _ in 0..<7 { bench.render(100, mode) }
            #expect(bench.tap.droppedFrames == dropped)
            for _ in 0..<7 { hold.signal() }
            #expect(bench.received.count == 7 - dropped / 100)
        }
    }

    @Test("A list that was given out stays as it is when taps come and go")
    func list() {
        let (host, list) = (TapBench.Host(), TapList())
        let first = Tap(host, bufferSize: 64) { _, _ in }
        let second = Tap(host, bus: 1, bufferSize: 64) { _, _ in }
        list.add(first)
        let given = list.all
        list.add(second)
        #expect(given.count == 1 && list.all.count == 2)
        #expect(list.remove { $0.bus == 1 }.first === second && list.all.first === first)
    }
}

/// A tap in a plan that an executor renders.
private final class TapBench {
    struct Received {
        let samples: [Float]
        let frame: Int64
        let hostTime: UInt64
    }

    final class Host: TapHost, @unchecked Sendable {
        var sampleRate = 48_000.0
        var beforeBlock: @Sendable () -> Void = {}

        func tappedFormat(_ bus: Int) -> any TapFormat { Format(sampleRate: sampleRate) }
        func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64 { UInt64(frame) + 7 }
        func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
            queue.async { [beforeBlock] in
                beforeBlock()
                block()
            }
        }
    }

    private struct Format: TapFormat {
        var channels: Int { 1 }
        let sampleRate: Double
        func makeTapBuffer(capacity: Int) -> (any TapBuffer)? { Buffer(capacity) }
    }

    private final class Buffer: TapBuffer {
        private let memory: UnsafeMutablePointer<Float>
        private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
        private var length = 0

        init(_ capacity: Int) {
            memory = .allocate(capacity: capacity)
            memory.initialize(repeating: -1, count: capacity)
            table = .allocate(capacity: 1)
            table.initialize(to: memory)
        }

        deinit {
            table.deallocate()
            memory.deallocate()
        }

        var planes: UnsafePointer<UnsafeMutablePointer<Float>>? { UnsafePointer(table) }
        func setLength(_ frames: Int) { length = frames }
        var samples: [Float] { Array(UnsafeBufferPointer(start: memory, count: length)) }
    }

    private final class Inbox: Sendable {
        let all = Mutex<[Received]>([])
    }

    let host = Host()
    let tap: Tap
    private let inbox = Inbox()
    private let executor = Executor()

    init(bufferSize: Int, sampleRate: Double = 48_000) throws {
        host.sampleRate = sampleRate
        tap = Tap(host, bufferSize: bufferSize) { [inbox] buffer, time in
            let samples = (buffer as? Buffer)?.samples ?? []
            inbox.all.withLock { $0.append(Received(samples: samples, frame: time.frame, hostTime: time.hostTime)) }
        }
        var graph = Graph()
        let source = RendererBox(
            BlockRenderer { ports, context in
                for frame in 0..<context.frames { ports.output(0)[frame] = Float(context.position + Int64(frame)) }
            })
        let node = graph.add("source", .block(source.pointer), owner: source, inputs: [], outputs: [1])
        let renderer = tap.renderer(channels: 1)
        let step = graph.add("tap", .tap(renderer.pointer), owner: renderer, inputs: [1], outputs: [])
        graph.addObserver(step)
        graph.connect(Graph.Port(node), to: Graph.Port(step))
        graph.output = Graph.Port(node)
        executor.install(try GraphCompiler.compile(graph), at: 0)
    }

    func render(_ frames: Int, _ mode: RenderMode = .offline) {
        var output = [Float](repeating: 0, count: max(frames, 1))
        output.withUnsafeMutableBufferPointer { output in
            guard var plane = output.baseAddress else { return }
            withUnsafePointer(to: &plane) { executor.render(frames, into: $0, channels: 1) }
        }
        tap.attend(framesAhead: 0, mode: mode)
    }

    /// All buffers so far, once their blocks have returned.
    var received: [Received] {
        tap.drain()
        return inbox.all.withLock { $0 }
    }
}
