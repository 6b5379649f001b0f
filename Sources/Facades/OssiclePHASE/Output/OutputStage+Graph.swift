import OssicleAVFAudio
import OssicleGraph
import OssicleRender
import OssicleSoundEvents

/// What plays, as a graph.
extension OutputStage {
    /// A plan, and who is in it besides events.
    struct Compiled {
        let plan: RenderPlan
        let mixes: [ListenerMix]
        let taps: [Tap]
        let fading: [InsertChain]
    }

    /// Where a mix takes sound in, and where it gives it out.
    private struct BusPorts {
        let direct, late, output: Graph.Port
        /// The room of all, or, by listener, the rooms of each.
        var room: Graph.Port?
        var rooms: [UInt64: Graph.Port] = [:]
        /// Where corners of the cube go in, if anybody sends there.
        var early: Graph.Port?
    }

    /// The strips of a listener with an output of its own go to both mixes; the engine's does not notice.
    func compile(_ events: [EventInstance], _ outlets: Outlets, at position: Int64) throws -> Compiled {
        var graph = Graph()
        for object in tables { graph.keepAlive(object) }
        let reflects = events.contains { event in event.strips.values.contains { $0.early != nil || $0.ways != nil } }
        var (taps, fading) = (outlets.taps.taps, [outlets.inserts])
        let main = add(main, behind: outlets.inserts, reflects: reflects, position, to: &graph)
        graph.output = main.output
        outlets.taps.add(to: &graph, behind: main.output, channels: channelCount)
        let mixes = outlets.listeners.filter { $0.bus != nil }
        var own: [UInt64: BusPorts] = [:]
        for mix in mixes {
            guard let bus = mix.bus else { continue }
            let ports = add(bus, behind: nil, reflects: reflects, position, to: &graph)
            graph.sideOutputs.append(ports.output)
            mix.taps.add(to: &graph, behind: ports.output, channels: channelCount)
            own[mix.listener] = ports
            taps += mix.taps.taps
        }
        for event in events {
            for (mixer, strip) in event.strips.sorted(by: { $0.key < $1.key }) {
                let listener = event.bindings[mixer].listener?.number
                add(strip, mixer, of: event, heardBy: listener, to: [main] + [listener.flatMap { own[$0] }].compactMap(\.self), position, &graph)
                if let facade = event.facade(of: mixer) {
                    taps += facade.taps.taps
                    fading.append(facade.inserts)
                }
            }
        }
        return Compiled(plan: try GraphCompiler.compile(graph), mixes: mixes, taps: taps, fading: fading.filter(\.isFading))
    }

    /// Adds a mix: its rooms, its insert effects and its master.
    private func add(_ bus: OutputBus, behind chain: InsertChain?, reflects: Bool, _ position: Int64, to graph: inout Graph) -> BusPorts {
        for object in bus.companions { graph.keepAlive(object) }
        let isProcessed = chain?.renew(channels: channelCount, sampleRate: sampleRate, at: position) ?? false
        let master = graph.add("master", .master(bus.master.pointer), owner: bus.master,
                               inputs: Array(repeating: channelCount, count: isProcessed ? 3 : 2), outputs: [channelCount])
        var head = master
        if isProcessed, let chain {
            let mix = RendererBox(MixRenderer(channelCount: channelCount))
            head = graph.add("mix", .mix(mix.pointer), owner: mix, inputs: [channelCount, channelCount],
                             outputs: [channelCount, channelCount, channelCount])
            for port in 0..<2 { graph.connect(Graph.Port(head, port), to: Graph.Port(master, port)) }
            chain.lead([Graph.Port(head, 2)], to: [Graph.Port(master, 2)], in: &graph, channels: channelCount)
        }
        var ports = BusPorts(direct: Graph.Port(head, 0), late: Graph.Port(head, 1), output: Graph.Port(master))
        for room in bus.presets.ringing.rooms {
            let node = graph.add("reverb", .reverb(room.box.pointer), owner: room.box, inputs: [1], outputs: [channelCount])
            graph.connect(Graph.Port(node), to: ports.late)
            if room.isPresent { ports.room = Graph.Port(node) }
        }
        for room in bus.fields.ringing.rooms {
            let node = graph.add("late field", .lateField(room.box.pointer), owner: room.box, inputs: [1], outputs: [channelCount])
            graph.connect(Graph.Port(node), to: ports.late)
            if room.isPresent, let listener = room.listener { ports.rooms[listener] = Graph.Port(node) }
        }
        if reflects {
            let node = graph.add("early field", .earlyField(bus.early.box.pointer), owner: bus.early.box,
                                 inputs: [EarlyReflectionsRenderer.cornerCount], outputs: [channelCount])
            graph.connect(Graph.Port(node), to: ports.late)
            ports.early = Graph.Port(node)
        }
        return ports
    }

    /// Adds a strip with the voices that play into it.
    private func add(_ strip: MixerStrip, _ mixer: Int, of event: EventInstance, heardBy listener: UInt64?, to mixes: [BusPorts], _ position: Int64, _ graph: inout Graph) {
        guard let body = strip.body else {
            // Its voices go on unheard.
            return addVoices(of: event, to: strip, mixer, &graph).forEach { graph.addRoot($0) }
        }
        let sends = strip.blueprint.isSpatial
        let node = graph.add("mixer “\(strip.blueprint.identifier)”", body.reference, owner: body.owner,
                             inputs: [strip.inputChannels], outputs: sends ? [channelCount, 1] : [channelCount])
        for mix in mixes {
            graph.connect(Graph.Port(node), to: mix.direct)
            if sends, let room = listener.flatMap({ mix.rooms[$0] }) ?? mix.room { graph.connect(Graph.Port(node, 1), to: room) }
        }
        for object in strip.ears.alive { graph.keepAlive(object) }
        let early = strip.early.map { box in
            Graph.Port(graph.add("reflections “\(strip.blueprint.identifier)”", .earlyReflections(box.pointer), owner: box,
                                 inputs: [1], outputs: [EarlyReflectionsRenderer.cornerCount]))
        }
        if let early {
            for mix in mixes { if let field = mix.early { graph.connect(early, to: field) } }
        }
        let ways = strip.ways.map { box in
            graph.add("ways “\(strip.blueprint.identifier)”", .paths(box.pointer), owner: box, inputs: [1],
                      outputs: [channelCount, EarlyReflectionsRenderer.cornerCount])
        }
        if let ways {
            for mix in mixes {
                graph.connect(Graph.Port(ways), to: mix.direct)
                if let field = mix.early { graph.connect(Graph.Port(ways, 1), to: field) }
            }
        }
        let inputs = [Graph.Port(node)] + [early, ways.map { Graph.Port($0) }].compactMap(\.self)
        let voices = addVoices(of: event, to: strip, mixer, &graph).map { Graph.Port($0) }
        guard let facade = event.facade(of: mixer) else {
            for input in inputs { for voice in voices { graph.connect(voice, to: input) } }
            return
        }
        _ = facade.inserts.renew(channels: strip.inputChannels, sampleRate: sampleRate, at: position)
        facade.inserts.lead(voices, to: inputs, in: &graph, channels: strip.inputChannels)
        facade.taps.add(to: &graph, behind: Graph.Port(node), channels: channelCount)
    }

    private func addVoices(of event: EventInstance, to strip: MixerStrip, _ mixer: Int, _ graph: inout Graph) -> [Graph.NodeID] {
        event.voices.filter { $0.generator.mixer == mixer }.map { voice in
            graph.add("voice “\(event.tree.nodes[voice.node].identifier)”", voice.player.renderer, owner: voice.player.owner,
                      inputs: [], outputs: [strip.inputChannels])
        }
    }
}
