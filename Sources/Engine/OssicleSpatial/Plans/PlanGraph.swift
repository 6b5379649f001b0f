import OssicleDSP
import OssicleGraph
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents

/// What plays, as a graph.
struct PlanGraph {
    /// A plan, and what is in it besides events.
    struct Compiled {
        let plan: RenderPlan
        let mixes: [ListenerMix]
        let taps: [Tap]
        let fading: [InsertChain]
    }

    /// Where a mix receives sound, and where it gives it out.
    private struct BusPorts {
        let direct, late, output: Graph.Port
        /// Rooms of all, where the listener is nil, or of each; also those that are being left.
        var rooms: [(listener: UInt64?, isPresent: Bool, port: Graph.Port)] = []
        /// The ambisonic bus, which all that is diffuse adds to; the port says they come first, and plays.
        var field: (sums: FieldSums, order: Graph.Port)?
        /// What binaural voices add to; the port says they come first, and plays.
        var ears: (sums: BinauralSums, order: Graph.Port)?

        /// Where the sends to a listener go: its own rooms where there are any, else those of all; and into what is
        /// left.
        func rooms(of listener: UInt64?) -> [Graph.Port] {
            let own = listener.map { number in rooms.contains { $0.isPresent && $0.listener == number } } ?? false
            return rooms.filter { room in
                room.listener == listener || room.listener == nil && !(own && room.isPresent)
            }.map(\.port)
        }
    }

    private let stage: OutputStage
    private let position: Int64
    /// A channel may add to the ambisonic buses.
    private let usesField: Bool
    /// Voices are measured, because somebody looks.
    private let isMetered: Bool
    private var graph = Graph()
    private var taps: [Tap] = []
    private var chains: [InsertChain] = []

    private init(_ stage: OutputStage, _ events: [EventInstance], isMetered: Bool, at position: Int64) {
        self.stage = stage
        self.isMetered = isMetered
        self.position = position
        usesField = events.contains { event in
            event.channels.all.contains {
                $0.channel.early != nil || $0.channel.paths != nil || $0.channel.tier == .bus
            }
        }
        for object in stage.tables { graph.keepAlive(object) }
    }

    /// The channels of a listener with an output of its own go to both mixes; the engine's is the same without it.
    static func compile(
        _ events: [EventInstance], _ outlets: Outlets, on stage: OutputStage, at position: Int64
    ) throws -> Compiled {
        var builder = PlanGraph(stage, events, isMetered: outlets.metersVoices, at: position)
        let mixes = outlets.listeners.filter { $0.bus != nil }
        builder.add(events, outlets, mixes)
        return Compiled(
            plan: try GraphCompiler.compile(builder.graph), mixes: mixes, taps: builder.taps,
            fading: builder.chains.filter(\.isFading))
    }

    private mutating func add(_ events: [EventInstance], _ outlets: Outlets, _ mixes: [ListenerMix]) {
        let main = addBus(stage.main, outlets.inserts)
        graph.output = main.output
        addTaps(outlets.taps, behind: main.output)
        chains.append(outlets.inserts)
        var own: [UInt64: BusPorts] = [:]
        for mix in mixes {
            guard let bus = mix.bus else { continue }
            let ports = addBus(bus, nil)
            graph.sideOutputs.append(ports.output)
            addTaps(mix.taps, behind: ports.output)
            own[mix.listener] = ports
        }
        for event in events {
            for entry in event.channels.all {
                let listener = event.parts.bindings[entry.mixer].listener
                let buses = [main] + [listener.flatMap { own[$0] }].compactMap(\.self)
                add(entry.channel, entry.mixer, of: event, listener: listener, to: buses)
            }
        }
    }

    private mutating func addTaps(_ list: TapList, behind port: Graph.Port) {
        for tap in list.all {
            let renderer = tap.renderer(channels: stage.channelCount)
            let node = graph.add(
                "tap", .tap(renderer.pointer), owner: renderer, inputs: [stage.channelCount], outputs: [])
            graph.addObserver(node)
            graph.connect(port, to: Graph.Port(node))
            taps.append(tap)
        }
    }

    /// Adds a mix: its rooms, its insert effects and its master.
    private mutating func addBus(_ bus: OutputBus, _ chain: InsertChain?) -> BusPorts {
        let channelCount = stage.channelCount
        for object in bus.companions { graph.keepAlive(object) }
        let isProcessed = chain?.renew(channels: channelCount, sampleRate: stage.sampleRate, at: position) ?? false
        let master = graph.add(
            "master", .master(bus.master.pointer), owner: bus.master,
            inputs: Array(repeating: channelCount, count: isProcessed ? 3 : 2), outputs: [channelCount])
        var head = master
        if isProcessed, let chain {
            let mix = RendererBox(MixRenderer(channelCount: channelCount))
            head = graph.add(
                "mix", .mix(mix.pointer), owner: mix, inputs: [channelCount, channelCount],
                outputs: [channelCount, channelCount, channelCount])
            for port in 0..<2 { graph.connect(Graph.Port(head, port), to: Graph.Port(master, port)) }
            chain.lead([Graph.Port(head, 2)], to: [Graph.Port(master, 2)], in: &graph, channels: channelCount)
        }
        var ports = BusPorts(direct: Graph.Port(head, 0), late: Graph.Port(head, 1), output: Graph.Port(master))
        if let ears = bus.ears {
            ports.ears = addEars("ears", ears)
            if let order = ports.ears?.order { graph.connect(order, to: ports.direct) }
        }
        for room in bus.presetRooms {
            guard let field = addField(&ports, bus) else { break }
            let port = addRoom("reverb", .reverb(room.box.pointer, field.sums), room.box, field.order)
            ports.rooms.append((room.listener, room.isPresent, port))
        }
        for room in bus.fieldRooms {
            guard let field = addField(&ports, bus) else { break }
            let port = addRoom("late field", .lateField(room.box.pointer, field.sums), room.box, field.order)
            ports.rooms.append((room.listener, room.isPresent, port))
        }
        for room in bus.responseRooms {
            guard let field = addField(&ports, bus) else { break }
            let port = addRoom("measured room", .convolution(room.box.pointer, field.sums), room.box, field.order)
            ports.rooms.append((room.listener, room.isPresent, port))
        }
        if usesField || bus.hasField { _ = addField(&ports, bus) }
        return ports
    }

    private mutating func addEars(
        _ name: String, _ ears: RendererBox<BinauralMixRenderer>
    ) -> (sums: BinauralSums, order: Graph.Port) {
        let node = graph.add(
            name, .binauralMix(ears.pointer), owner: ears, inputs: [0], outputs: [stage.channelCount])
        return (ears.pointer.pointee.sums, Graph.Port(node))
    }

    /// The mix's ambisonic bus, which is in the plan where anything is to add to it.
    private mutating func addField(
        _ ports: inout BusPorts, _ bus: OutputBus
    ) -> (sums: FieldSums, order: Graph.Port)? {
        if ports.field == nil {
            let node = graph.add(
                "bus", .fieldMix(bus.field.pointer), owner: bus.field, inputs: [0], outputs: [stage.channelCount])
            graph.connect(Graph.Port(node), to: ports.late)
            ports.field = (bus.field.pointer.pointee.sums, Graph.Port(node))
        }
        return ports.field
    }

    /// A room that adds to a bus.
    private mutating func addRoom(
        _ name: String, _ renderer: RendererReference, _ owner: AnyObject, _ order: Graph.Port
    ) -> Graph.Port {
        let port = Graph.Port(graph.add(name, renderer, owner: owner, inputs: [1], outputs: [0]))
        graph.connect(port, to: order)
        return port
    }

    /// Adds a mixer channel with the voices that play into it.
    private mutating func add(
        _ channel: MixerChannel, _ mixer: Int, of event: EventInstance, listener: UInt64?, to buses: [BusPorts]
    ) {
        let name = channel.blueprint.identifier
        let sends = channel.blueprint.isSpatial
        let ears = sends ? buses.compactMap(\.ears) : []
        let isTapped = !ears.isEmpty && !channel.isVirtual
        let tapped = isTapped ? tappedEars(of: channel, name, event.parts.outlets[mixer]) : nil
        let targets = ears.first.map {
            BinauralTargets(common: $0.sums, listener: ears.dropFirst().first?.sums, tap: tapped?.sums)
        }
        let fields = buses.compactMap(\.field)
        let field = FieldTargets(common: fields.first?.sums, listener: fields.dropFirst().first?.sums)
        let usesBus = !ears.isEmpty && !fields.isEmpty
        guard let body = channel.body(targets, usesBus ? field : nil) else {
            // Its voices advance and are not rendered.
            return addVoices(of: event, to: channel, mixer).forEach { graph.addRoot($0) }
        }
        let direct = ears.isEmpty ? stage.channelCount : 0
        let node = graph.add(
            "mixer “\(name)”", body.reference, owner: body.owner, inputs: [channel.inputChannels],
            outputs: sends ? [direct, 1, 0] : [direct])
        for object in channel.ears.alive { graph.keepAlive(object) }
        let early = channel.early.map { box in
            graph.add(
                "reflections “\(name)”", .earlyReflections(box.pointer, field), owner: box, inputs: [1], outputs: [0])
        }
        let paths = channel.paths.map { box in
            graph.add(
                "paths “\(name)”", .paths(box.pointer, field), owner: box, inputs: [1],
                outputs: [stage.channelCount, 0])
        }
        for added in ears + [tapped].compactMap(\.self) { graph.connect(Graph.Port(node), to: added.order) }
        for bus in buses {
            if ears.isEmpty { graph.connect(Graph.Port(node), to: bus.direct) }
            if sends { for room in bus.rooms(of: listener) { graph.connect(Graph.Port(node, 1), to: room) } }
        }
        for (_, order) in fields {
            if usesBus { graph.connect(Graph.Port(node, 2), to: order) }
            if let early { graph.connect(Graph.Port(early), to: order) }
            if let paths { graph.connect(Graph.Port(paths, 1), to: order) }
        }
        if let paths { for bus in buses { graph.connect(Graph.Port(paths), to: bus.direct) } }
        let inputs = [node, early, paths].compactMap { $0.map { Graph.Port($0) } }
        let voices = addVoices(of: event, to: channel, mixer).map { Graph.Port($0) }
        guard let outlets = event.parts.outlets[mixer] else {
            for input in inputs { for voice in voices { graph.connect(voice, to: input) } }
            return
        }
        _ = outlets.inserts.renew(channels: channel.inputChannels, sampleRate: stage.sampleRate, at: position)
        outlets.inserts.lead(voices, to: inputs, in: &graph, channels: channel.inputChannels)
        chains.append(outlets.inserts)
        addTaps(outlets.taps, behind: tapped?.order ?? Graph.Port(node))
    }

    /// Where ears listen, a channel's sound stands in the sums of its mix only; what taps hear of it goes to sums of
    /// its own.
    private mutating func tappedEars(
        of channel: MixerChannel, _ name: String, _ outlets: MixerOutlets?
    ) -> (sums: BinauralSums, order: Graph.Port)? {
        guard let outlets, !outlets.taps.all.isEmpty, let ears = channel.tappedEars(stage) else { return nil }
        let added = addEars("ears of “\(name)”", ears)
        graph.addObserver(added.order.node)
        return added
    }

    private mutating func addVoices(
        of event: EventInstance, to channel: MixerChannel, _ mixer: Int
    ) -> [Graph.NodeID] {
        event.voices.filter { $0.generator.mixer == mixer }.map { voice in
            graph.add(
                "voice “\(event.tree.nodes[voice.node].identifier)”", voice.player.body.reference,
                owner: voice.player.body.owner,
                inputs: [], outputs: [channel.inputChannels], meter: isMetered ? voice.meter : nil)
        }
    }
}
