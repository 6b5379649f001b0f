import OssicleGraph
import OssicleRender

/// A queue player alone in a graph, with a control side that keeps a diary.
final class QueueBench {
    struct Ending: Equatable {
        let name: String
        let outcome: QueueEntry.Outcome
        let at: Int64
    }

    let bench: RenderBench
    let box = ControlledBox(QueuePlayerRenderer())
    private(set) var endings: [Ending] = []

    init(channels: Int = 1) throws {
        var graph = Graph()
        graph.output = Graph.Port(
            graph.add("player", .queuePlayer(box.pointer), owner: box, inputs: [], outputs: [channels]))
        bench = try RenderBench(graph, channels: channels)
    }

    var mail: UnsafeMutablePointer<PlayerMail> { box.control }

    func schedule(
        _ name: String = "", _ samples: [Float], loops: Bool = false, at start: Int64? = nil,
        _ interruption: QueueEntry.Sound.Interruption = .none
    ) {
        schedule(name, [samples], loops: loops, at: start, interruption)
    }

    func schedule(
        _ name: String = "", _ channels: [[Float]], loops: Bool = false, at start: Int64? = nil,
        _ interruption: QueueEntry.Sound.Interruption = .none
    ) {
        let sound = ResidentSound(channels, loops: loops)
        schedule(name, sound.source, keeping: sound, at: start, interruption)
    }

    func schedule(
        _ name: String, _ source: SampleSource, keeping owner: AnyObject, at start: Int64? = nil,
        _ interruption: QueueEntry.Sound.Interruption = .none
    ) {
        send(name, .sound(QueueEntry.Sound(source: source, start: start, interruption: interruption)), keeping: owner)
    }

    func play(at time: Int64? = nil, gate: StartGate? = nil) {
        send("play", .play(at: time, gate: gate?.view), keeping: gate)
    }
    func pause() { send("pause", .pause) }
    func stop() { send("stop", .stop) }

    private func send(_ name: String, _ content: QueueEntry.Content, keeping companion: AnyObject? = nil) {
        TestEntry(name, content, companion).send(to: mail)
    }

    func render(_ frames: Int, cuts: [Int] = [512]) -> [Float] { renderAll(frames, cuts: cuts)[0] }

    func renderAll(_ frames: Int, cuts: [Int] = [512]) -> [[Float]] {
        let output = bench.render(frames, cuts: cuts)
        collect()
        return output
    }

    func collect() {
        mail.pointee.collect { entry, owner in
            guard entry.outcome != .carriedOut, let owner = owner as? TestEntry else { return }
            self.endings.append(Ending(name: owner.name, outcome: entry.outcome, at: entry.endedAt))
        }
    }
}

/// An entry's memory and what it points to.
final class TestEntry {
    let name: String
    private let pointer = UnsafeMutablePointer<QueueEntry>.allocate(capacity: 1)
    private let companion: AnyObject?

    init(_ name: String, _ content: QueueEntry.Content, _ companion: AnyObject?) {
        self.name = name
        self.companion = companion
        pointer.initialize(to: QueueEntry(content))
    }

    func send(to mail: UnsafeMutablePointer<PlayerMail>) { mail.pointee.send(pointer, of: self) }

    deinit { pointer.deallocate() }
}

/// A sound in memory.
final class ResidentSound {
    private let samples: [SampleBlock]
    private let table: UnsafeMutablePointer<UnsafePointer<Float>>
    let source: SampleSource

    init(_ channels: [[Float]], loops: Bool = false) {
        samples = channels.map { SampleBlock($0) }
        table = .allocate(capacity: channels.count)
        for (index, block) in samples.enumerated() { (table + index).initialize(to: UnsafePointer(block.pointer)) }
        source = SampleSource(
            channels: UnsafePointer(table), channelCount: channels.count, frameCount: Int64(channels[0].count),
            loops: loops)
    }

    deinit { table.deallocate() }
}

func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
