import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// Runs a graph and collects what comes out, in calls of any length.
struct RenderBench {
    let executor = Executor()
    let channels: Int

    /// - Parameter threads: that render; nil for as many as the engine takes by itself.
    init(_ graph: Graph, channels: Int, threads: Int? = nil) throws {
        self.channels = channels
        executor.threadCount = threads
        executor.install(try GraphCompiler.compile(graph), at: 0)
    }

    /// - Parameter cuts: lengths of the render calls, repeated until `frames` are there.
    func render(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] {
        let memory = (0..<channels).map { _ in SampleBlock(frames) }
        var done = 0
        var call = 0
        while done < frames {
            let run = min(cuts[call % cuts.count], frames - done)
            call += 1
            let pointers = memory.map { $0.pointer + done }
            pointers.withUnsafeBufferPointer { table in
                if let base = table.baseAddress { executor.render(run, into: base, channels: channels) }
            }
            executor.collect()
            done += run
        }
        return memory.map(\.array)
    }
}

/// Sample memory that a class keeps, so that plain pointers into it stay valid.
final class SampleBlock {
    let pointer: UnsafeMutablePointer<Float>
    let count: Int

    init(_ count: Int) {
        self.count = count
        pointer = .allocate(capacity: max(count, 1))
        pointer.initialize(repeating: 0, count: max(count, 1))
    }

    convenience init(_ samples: [Float]) {
        self.init(samples.count)
        for (index, sample) in samples.enumerated() { pointer[index] = sample }
    }

    deinit { pointer.deallocate() }
    var array: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}

/// A resident sound and a player of it.
final class TestPlayer {
    let samples: [SampleBlock]
    private let table: UnsafeMutablePointer<UnsafePointer<Float>>
    let source: SampleSource
    let box: ControlledBox<PlayerRenderer>

    init(
        _ channels: [[Float]], loops: Bool = false, gain: Float = 1, step: UInt64 = PlayerRenderer.unityStep,
        outputs: Int? = nil
    ) {
        samples = channels.map { SampleBlock($0) }
        table = .allocate(capacity: channels.count)
        for (index, block) in samples.enumerated() { (table + index).initialize(to: UnsafePointer(block.pointer)) }
        source = SampleSource(
            channels: UnsafePointer(table), channelCount: channels.count, frameCount: Int64(channels[0].count),
            loops: loops)
        box = ControlledBox(
            PlayerRenderer(
                source: source, outputCount: outputs ?? channels.count,
                parameters: PlayerRenderer.Parameters(
                    gain: gain, step: step, table: SincTable.shared(ratio: Double(step) / 4_294_967_296), rampFrames: 0)
            ))
    }

    deinit { table.deallocate() }

    var outputs: Int { samples.count }

    func node(in graph: inout Graph, outputs: Int = 1) -> Graph.NodeID {
        graph.add("player", .player(box.pointer), owner: self, inputs: [], outputs: [outputs])
    }

    func start(on bench: RenderBench, at position: Int64 = 0, from frame: Int64 = 0) {
        bench.executor.send(.voice(.player(box.pointer), .start(from: frame, at: position)), keeping: box, at: position)
    }
}

/// Numbers that are different everywhere and reproducible.
func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    let random = CounterRandom(seed: seed, object: 7)
    return (0..<count).map { Float(random.unit(UInt64($0)) * 2 - 1) }
}
