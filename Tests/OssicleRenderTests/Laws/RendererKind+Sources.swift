import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

extension RendererKind {
    /// What makes sound of its own, or ends it.
    func source(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        switch self {
        case .stream: try stream(sound)
        case .queuePlayer: try queuePlayer(sound)
        case .block: try block(sound)
        case .tap: try tap(sound)
        default: try player(sound)
        }
    }

    private func player(_ sound: (Int) -> [Float]) throws -> LawBench {
        let player = TestPlayer([sound(0), sound(1)])
        return try LawBench(
            .player(player.box.pointer), owner: player, inputs: [], outputs: [2], sound: sound,
            start: { player.start(on: $0, at: 300) },
            change: { player.box.control.cell.write(Self.slower) })
    }

    private static var slower: PlayerRenderer.Parameters {
        PlayerRenderer.Parameters(
            gain: 0.5, step: SincInterpolator.step(ratio: 0.8), table: SincTable.shared(ratio: 0.8), rampFrames: 500)
    }

    private func stream(_ sound: (Int) -> [Float]) throws -> LawBench {
        let samples = SampleBlock(sound(0))
        let feed = RendererBox(
            BlockRenderer { ports, context in
                for frame in 0..<context.frames {
                    let at = Int(context.position) + frame
                    ports.output(0)[frame] = at < samples.count ? samples.pointer[at] : 0
                }
            })
        let box = ControlledBox(
            StreamRenderer(
                feed: .block(feed.pointer), owner: feed, channelCount: 1, outputCount: 1,
                parameters: PlayerRenderer.Parameters(
                    gain: 1, step: PlayerRenderer.unityStep, table: SincTable.shared(ratio: 1), rampFrames: 0)))
        return try LawBench(
            .stream(box.pointer), owner: box, inputs: [], outputs: [1], sound: sound,
            start: { $0.executor.send(.voice(.stream(box.pointer), .start(from: 0, at: 300)), keeping: box, at: 0) },
            change: { box.control.cell.write(Self.slower) })
    }

    private func queuePlayer(_ sound: (Int) -> [Float]) throws -> LawBench {
        let box = ControlledBox(QueuePlayerRenderer())
        func send(_ content: QueueEntry.Content, keeping owner: AnyObject? = nil) {
            TestEntry("", content, owner).send(to: box.control)
        }
        let (first, second) = (ResidentSound([sound(0)]), ResidentSound([Array(sound(1).prefix(500))]))
        send(.sound(QueueEntry.Sound(source: first.source)), keeping: first)
        send(.play(at: 300, gate: nil))
        return try LawBench(
            .queuePlayer(box.pointer), owner: box, inputs: [], outputs: [1], sound: sound,
            change: {
                send(.sound(QueueEntry.Sound(source: second.source, start: 2000, interruption: .cut)), keeping: second)
            })
    }

    private func block(_ sound: (Int) -> [Float]) throws -> LawBench {
        let box = RendererBox(
            BlockRenderer { ports, context in
                for frame in 0..<context.frames { ports.output(0)[frame] = -ports.input(0)[frame] }
            })
        return try LawBench(.block(box.pointer), owner: box, inputs: [1], outputs: [1], sound: sound)
    }

    private func tap(_ sound: (Int) -> [Float]) throws -> LawBench {
        let source = TapSource(channelCount: 2, capacity: 1 << 18)
        let box = RendererBox(TapRenderer(source))
        return try LawBench(
            .tap(box.pointer), owner: box, inputs: [2], outputs: [], sound: sound,
            collect: {
                var out: [[Float]] = [[], []]
                while source.read({ _, frames, copy in
                    let blocks = [SampleBlock(frames), SampleBlock(frames)]
                    copy(blocks.map(\.pointer))
                    for channel in 0..<2 { out[channel] += blocks[channel].array }
                }) {}
                return out
            })
    }

    /// Mixers and what stands at the end of a mix.
    func mixer(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        switch self {
        case .channels:
            let box = ControlledBox(ChannelRenderer(matrix: [1, 0.5, 0, 0.25], inputCount: 2, outputCount: 2))
            return try LawBench(
                .channels(box.pointer), owner: box, inputs: [2], outputs: [2], sound: sound,
                change: { box.control.write(ChannelRenderer.Parameters(gain: 0.3, rampFrames: 700)) })
        case .master:
            let box = ControlledBox(MasterRenderer(sampleRate: rate, channelCount: 2))
            return try LawBench(.master(box.pointer), owner: box, inputs: [2, 2], outputs: [2], sound: sound)
        case .mix:
            let box = RendererBox(MixRenderer(channelCount: 2))
            return try LawBench(.mix(box.pointer), owner: box, inputs: [2, 2], outputs: [2, 2, 2], sound: sound)
        case .crossFade:
            let box = RendererBox(CrossFadeRenderer(channelCount: 2, frames: 1000))
            return try LawBench(.crossFade(box.pointer), owner: box, inputs: [2, 2], outputs: [2], sound: sound)
        default:
            let box = ControlledBox(
                MatrixRenderer(
                    matrix: [1, 0, 0.5, 0.5, 0, 1], inputCount: 2, outputCount: 3, sides: [.left, .middle, .right],
                    parameters: MatrixRenderer.Parameters()))
            return try LawBench(
                .matrix(box.pointer), owner: box, inputs: [2], outputs: [3], sound: sound,
                change: {
                    box.control.setEntry(0.7, input: 1, output: 0)
                    box.control.cell.write(MatrixRenderer.Parameters(gain: 0.5, left: 0.2, right: 1, revision: 1))
                })
        }
    }

    /// A part of the graph with a clock of its own: one source at twice the rate, or faster.
    func timeDomain(_ rate: Double, _ sound: (Int) -> [Float]) throws -> LawBench {
        if self == .stretchExit {
            let exit = ControlledBox(
                TimeExit<TimeStretcher>(
                    sampleRate: rate, channelCount: 1, parameters: TimeStretcher.Parameters(rate: 1.25)))
            return try domain(ratio: 1, .stretch(exit.pointer), exit, sound) {
                exit.control.write(TimeStretcher.Parameters(rate: 0.8, cents: 300))
            }
        }
        let exit = ControlledBox(
            TimeExit<RateConverter>(
                sampleRate: 2 * rate, channelCount: 1, parameters: RateConverter.Parameters(from: 2 * rate, to: rate)))
        return try domain(ratio: 2, .rate(exit.pointer), exit, sound) {}
    }

    private func domain(
        ratio: Double, _ exit: ExitReference, _ owner: AnyObject, _ sound: (Int) -> [Float],
        change: @escaping () -> Void
    ) throws -> LawBench {
        let player = TestPlayer([sound(0)])
        var inner = Graph()
        let end = inner.add("exit", .exit(exit), owner: owner, inputs: [1], outputs: [])
        inner.connect(Graph.Port(player.node(in: &inner)), to: Graph.Port(end))
        inner.addRoot(end)
        let plan = try GraphCompiler.compile(inner)
        let (arena, isNew) = (RenderArena(), RendererBox(true))
        let exits = arena.copy([DomainRenderer.Plan.Exit(exit, channelCount: 1, isNew: isNew.pointer)])
        let view = arena.copy([DomainRenderer.Plan(plan.view, exits: arena.base(of: exits), exitCount: 1)])
        let box = ControlledBox(DomainRenderer(ratio: ratio))
        return try LawBench(
            .domain(box.pointer, arena.base(of: view)), subject: self == .domain ? nil : .exit(exit), owner: box,
            inputs: [], outputs: [1], sound: sound,
            keeping: [plan, arena, isNew, owner], start: { player.start(on: $0) }, change: change)
    }
}
