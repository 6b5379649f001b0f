import Foundation
import OssicleAVFAudio

/// AVAudioEngine: life and graph.
let graphCases: [MisuseCase] = [
    MisuseCase("graph: start, stop, pause, reset, prepare and render in any order") {
        let graph = try OfflineGraph(starts: false)
        var random = SeededNumbers(seed: 1)
        for _ in 0..<300 {
            let step = random.next(8)
            note("step \(step)")
            switch step {
            case 0: try graph.engine.start()
            case 1: graph.engine.stop()
            case 2: graph.engine.pause()
            case 3: graph.engine.reset()
            case 4: graph.engine.prepare()
            case 5: if graph.engine.isRunning { try graph.expectUnchanged("a legal order of calls") }
            case 6: try? graph.engine.enableManualRenderingMode(.offline, format: graph.format, maximumFrameCount: 4096)
            default: _ = graph.engine.dumpGraph()
            }
        }
        graph.engine.stop()
        try graph.engine.start()
        try graph.expectUnchanged("300 calls")
    },
    MisuseCase("graph: connections that cannot be") {
        let graph = try OfflineGraph(), (engine, mixer) = (graph.engine, graph.engine.mainMixerNode)
        let stranger = AVAudioMixerNode(), inner = AVAudioMixerNode()
        engine.attach(inner)
        try graph.refuses("connect an unattached node") { engine.connect(stranger, to: mixer, format: graph.format) }
        try graph.refuses("connect a node to itself") { engine.connect(inner, to: inner, format: graph.format) }
        for bus in [-1, 1, Int.max, .min] {
            try graph.refuses("connect from bus \(bus)") {
                engine.connect(graph.source, to: inner, fromBus: bus, toBus: 0, format: graph.format)
            }
        }
        for bus in [-1, Int.max, .min] {
            try graph.refuses("connect to bus \(bus)") {
                engine.connect(graph.source, to: mixer, fromBus: 0, toBus: bus, format: graph.format)
            }
        }
        try graph.refuses("connect the output onwards") {
            engine.connect(engine.outputNode, to: inner, format: graph.format)
        }
        try graph.refuses("connect a source's input") { engine.connect(inner, to: graph.source, format: graph.format) }
        engine.connect(inner, to: mixer, format: graph.format)
        try graph.expectUnchanged("a second connection to the mixer")
        try graph.refuses("close a circle") { engine.connect(mixer, to: inner, format: graph.format) }
        try graph.refuses("connect to a point without a node") {
            var gone: AVAudioMixerNode? = AVAudioMixerNode()
            let point = gone.map { AVAudioConnectionPoint(node: $0, bus: 0) }
            gone = nil
            engine.connect(graph.source, to: [point].compactMap { $0 }, fromBus: 0, format: graph.format)
        }
    },
    MisuseCase("graph: the engine's own nodes are detached and attached") {
        let graph = try OfflineGraph(), engine = graph.engine
        for node in [engine.outputNode, engine.inputNode] as [AVAudioNode] {
            note("detach \(node)")
            engine.detach(node)
            engine.attach(node)
            try graph.render()
        }
        try engine.connectNode(engine.mainMixerNode, to: engine.outputNode, format: graph.format)
        engine.attach(engine.mainMixerNode)
        try graph.expectUnchanged("attaching what is attached")
        AVAudioEngine().attach(graph.source)
        try graph.expectUnchanged("attaching to a second engine")
        note("detach the main mixer")
        engine.detach(engine.mainMixerNode)
        try graph.render()
        try engine.connectNode(graph.source, to: engine.mainMixerNode, format: graph.format)
        try graph.render()
    },
    MisuseCase("graph: queries of buses that are not there") {
        let graph = try OfflineGraph(), engine = graph.engine
        for bus in Hostile.integers where bus != 0 {
            note("bus \(bus)")
            for node in [graph.source, engine.mainMixerNode, engine.outputNode, AVAudioPlayerNode()] as [AVAudioNode] {
                _ = (
                    node.inputFormat(forBus: bus), node.outputFormat(forBus: bus), node.name(forInputBus: bus),
                    node.name(forOutputBus: bus)
                )
                _ = (
                    engine.inputConnectionPoint(for: node, inputBus: bus),
                    engine.outputConnectionPoints(for: node, outputBus: bus)
                )
                engine.disconnectNodeInput(node, bus: bus)
                engine.disconnectNodeOutput(node, bus: bus)
                node.removeTap(onBus: bus)
            }
            _ = graph.source.destination(forMixer: engine.mainMixerNode, bus: bus)
        }
        try graph.expectUnchanged("queries")
    },
    MisuseCase("graph: taps of any size, on any bus, twice, from within a tap") {
        let graph = try OfflineGraph(), mixer = graph.engine.mainMixerNode
        for bus in [-1, 1, Int.max, .min] {
            try graph.refuses("tap bus \(bus)") {
                mixer.installTap(onBus: bus, bufferSize: 512, format: nil) { _, _ in }
            }
        }
        for size in Hostile.frames {
            note("tap of \(size) frames")
            mixer.installTap(onBus: 0, bufferSize: size, format: nil) { [weak mixer] _, _ in mixer?.removeTap(onBus: 0)
            }
            try graph.render(4096)
            mixer.removeTap(onBus: 0)
            mixer.removeTap(onBus: 0)
        }
        graph.engine.drainCallbacks()
        try graph.expectUnchanged("taps")
    },
    MisuseCase("graph: manual rendering out of range") {
        let graph = try OfflineGraph(), engine = graph.engine, small = try graph.buffer(frames: 16)
        try expectThrown("render 4097 frames") {
            _ = try engine.renderOffline(4097, to: try graph.buffer(frames: 8192))
        }
        try expectThrown("render .max frames") { _ = try engine.renderOffline(.max, to: small) }
        try expectThrown("render more than the buffer holds") { _ = try engine.renderOffline(64, to: small) }
        try expectThrown("render into one channel") {
            _ = try engine.renderOffline(16, to: try graph.buffer(frames: 16, channels: 1))
        }
        try expectThrown("render at another rate") {
            _ = try engine.renderOffline(16, to: try graph.buffer(frames: 16, rate: 44_100))
        }
        try expectThrown("enable while running") {
            try engine.enableManualRenderingMode(.offline, format: graph.format, maximumFrameCount: 64)
        }
        try graph.expectUnchanged("refused calls")
        engine.stop()
        for count in [0, UInt32.max] {
            try expectThrown("at most \(count) frames") {
                try engine.enableManualRenderingMode(.offline, format: graph.format, maximumFrameCount: count)
            }
        }
        try expectThrown("render while stopped") { _ = try engine.renderOffline(16, to: small) }
    },
    MisuseCase("graph: nodes outlive their engine") {
        let player = AVAudioPlayerNode(), mixer = AVAudioMixerNode(), delay = AVAudioUnitDelay(),
            environment = AVAudioEnvironmentNode()
        do {
            let graph = try OfflineGraph()
            for node in [player, mixer, delay, environment] as [AVAudioNode] {
                graph.engine.attach(node)
                try graph.engine.connectNode(node, to: graph.engine.mainMixerNode, format: graph.format)
            }
            player.scheduleBuffer(try graph.buffer(frames: 4096), at: nil, options: .loops)
            player.play()
            player.installTap(onBus: 0, bufferSize: 256, format: nil) { _, _ in }
            try graph.render()
        }
        note("the engine is gone")
        player.volume = 0.5
        player.stop()
        player.play()
        _ = (
            player.lastRenderTime, player.engine, player.latency, mixer.nextAvailableInputBus,
            delay.auAudioUnit.parameterTree
        )
        player.removeTap(onBus: 0)
        delay.reset()
        delay.wetDryMix = 3
        environment.listenerPosition = AVAudio3DPoint(x: 1, y: 2, z: 3)
        let next = try OfflineGraph()
        next.engine.attach(player)
        try next.engine.connectNode(player, to: next.engine.mainMixerNode, format: next.format)
        try next.render()
    },
    MisuseCase("graph: nodes are used after they are detached") {
        let graph = try OfflineGraph(), engine = graph.engine
        for node in [
            AVAudioUnitDelay(), AVAudioUnitReverb(), AVAudioUnitTimePitch(), AVAudioUnitEQ(numberOfBands: 3),
            AVAudioUnitVarispeed(),
        ] as [AVAudioUnit] {
            note("\(node)")
            try graph.insert(node)
            try graph.render()
            engine.disconnectNodeInput(node)
            engine.disconnectNodeOutput(node)
            try graph.render()
            node.reset()
            engine.detach(node)
            node.reset()
            try graph.render()
            node.reset()
            _ = node.lastRenderTime
            try engine.connectNode(graph.source, to: engine.mainMixerNode, format: graph.format)
        }
        try graph.expectUnchanged("detaching")
    },
]

/// Numbers that are the same in every run.
struct SeededNumbers {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
