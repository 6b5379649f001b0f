import Foundation
import OssicleAVFAudio
import OssicleInspection
import Testing

/// A player behind an equaliser, and one that feeds nothing.
private struct PlayedGraph {
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let idle = AVAudioPlayerNode()
    let equalizer = AVAudioUnitEQ(numberOfBands: 2)
    let buffer: AVAudioPCMBuffer

    init() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        for node in [player, equalizer, idle] { engine.attach(node) }
        try engine.connectNode(player, to: equalizer, format: format)
        try engine.connectNode(equalizer, to: engine.mainMixerNode, format: format)
        let noise = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
        noise.frameLength = 4800
        var random = SeededRandom(state: 4)
        for channel in 0..<2 {
            for frame in 0..<4800 {
                noise.floatChannelData?[channel][frame] = Float.random(in: -0.5...0.5, using: &random)
            }
        }
        try engine.start()
        player.scheduleBuffer(noise, at: nil, options: .loops)
        player.play()
    }

    func render(_ blocks: Int, _ act: (Int) -> Void = { _ in }) throws -> [Float] {
        var all: [Float] = []
        for block in 0..<blocks {
            act(block)
            _ = try engine.renderOffline(512, to: buffer)
            if let plane = buffer.floatChannelData?[0] { all += UnsafeBufferPointer(start: plane, count: 512) }
        }
        return all
    }
}

@Suite("An AVAudioEngine that is inspected") struct GraphInspectionTests {
    @Test func soundIsTheSameToTheBit() throws {
        let plain = try PlayedGraph().render(40)
        let graph = try PlayedGraph(), inspector = HeldInspector()
        graph.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        let watched = try graph.render(40) { block in
            if block % 16 == 2 { inspected.setWatched(true) }
            if block % 16 == 12 { inspected.setWatched(false) }
            _ = inspected.snapshot()
            _ = inspected.takeSound()
        }
        #expect(plain.contains { $0 != 0 })
        #expect(plain.map(\.bitPattern) == watched.map(\.bitPattern))
        #expect(graph.engine.isInspectionEnabled)
        inspected.setWatched(false)
        #expect(!graph.engine.isInspectionEnabled)
    }

    @Test func snapshotIsTheGraph() throws {
        let graph = try PlayedGraph(), inspector = HeldInspector()
        graph.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        inspected.setWatched(true)
        _ = inspected.snapshot()
        _ = try graph.render(20)
        let view = try #require(inspected.snapshot().graph)
        #expect(Set(view.nodes.map(\.name)) == Set(graph.engine.nodeReports().map(\.name)))
        #expect(view.wires.count == 3)
        let player = try #require(view.nodes.first { $0.name == "AVAudioPlayerNode 1" })
        let idle = try #require(view.nodes.first { $0.name == "AVAudioPlayerNode 2" })
        #expect(player.kind == "source" && player.isActive && player.silence == 0)
        #expect(abs(player.peak - 20 * log10(0.5)) < 0.2)
        // Nothing was rendered since.
        #expect(inspected.snapshot().graph?.nodes.map(\.peak) == view.nodes.map(\.peak))
        #expect(!idle.isActive && idle.silence == nil)
        #expect(abs(view.nodes.reduce(0) { $0 + $1.cost } - 1) < 0.02)
        let sound = inspected.takeSound()
        #expect(sound.channels == 2 && sound.samples.values.contains { $0 != 0 })
        inspected.setWatched(false)
        #expect(!graph.engine.isInspectionEnabled && inspected.takeSound().channels == 0)
    }

    @Test func environmentIsAScene() throws {
        let engine = AVAudioEngine(), player = AVAudioPlayerNode(), environment = AVAudioEnvironmentNode()
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512)
        for node in [player, environment] { engine.attach(node) }
        try engine.connectNode(player, to: environment, format: mono)
        try engine.connectNode(environment, to: engine.mainMixerNode, format: stereo)
        player.position = AVAudio3DPoint(x: 2, y: 0, z: -4)
        player.volume = 0.5
        let inspector = HeldInspector()
        engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        let snapshot = inspected.snapshot()
        let scene = try #require(snapshot.scene), graph = try #require(snapshot.graph)
        let source = try #require(scene.sources.first), listener = try #require(scene.listeners.first)
        let voice = try #require(scene.voices.first)
        #expect(source.position == [2, 0, -4] && listener.position == [0, 0, 0] && listener.forward == [0, 0, -1])
        #expect(graph.nodes.first { $0.id == source.id }?.name == source.name)
        // By the inverse law with a reference of 1 m.
        #expect(voice.source == source.id && voice.listener == listener.id)
        #expect(abs((voice.distance ?? 0) - 20.0.squareRoot()) < 0.001)
        #expect(abs(voice.direct - 20 * log10(0.5 / 20.0.squareRoot())) < 0.02)
        #expect(
            scene.paths.values == [0, Float(source.id), Float(listener.id), Float(voice.direct), 2, 2, 0, -4, 0, 0, 0])
        try inspected.perform(InspectorCommand(.move, InspectedTarget(.source, source.id), position: [1, 1, -1]))
        #expect(player.position == AVAudio3DPoint(x: 1, y: 1, z: -1))
        let target = InspectedTarget(.listener, listener.id)
        try inspected.perform(InspectorCommand(.move, target, position: [0, 1, 0]))
        try inspected.perform(InspectorCommand(.turn, target, value: 90))
        #expect(environment.listenerPosition == AVAudio3DPoint(x: 0, y: 1, z: 0))
        #expect(environment.listenerAngularOrientation.yaw == -90)
        #expect(inspected.detail(of: target)?.title == "AVAudioEnvironmentNode")
        engine.detach(environment)
        #expect(inspected.snapshot().scene == nil)
        engine.inspector = nil
    }

    @Test func commandsDoWhatTheySay() throws {
        let graph = try PlayedGraph(), inspector = HeldInspector()
        graph.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        let nodes = try #require(inspected.snapshot().graph).nodes
        func target(_ name: String) throws -> InspectedTarget {
            InspectedTarget(.node, try #require(nodes.first { $0.name == name }).id)
        }
        let (player, effect, mixer) = (
            try target("AVAudioPlayerNode 1"), try target("AVAudioUnitEQ 1"), try target("AVAudioMixerNode 1")
        )
        graph.player.volume = 0.5
        try inspected.perform(InspectorCommand(.mute, player, value: 1))
        #expect(graph.player.volume == 0)
        #expect(try graph.render(8).suffix(512).allSatisfy { $0 == 0 })
        try inspected.perform(InspectorCommand(.mute, player, value: 0))
        #expect(graph.player.volume == 0.5)
        try inspected.perform(InspectorCommand(.solo, try target("AVAudioPlayerNode 2"), value: 1))
        #expect(graph.player.volume == 0 && graph.idle.volume == 1)
        try inspected.perform(InspectorCommand(.mute, effect, value: 1))
        #expect(graph.equalizer.bypass)
        try inspected.perform(InspectorCommand(.set, mixer, parameter: "outputVolume", value: 0.25))
        #expect(graph.engine.mainMixerNode.outputVolume == 0.25)
        let names = try #require(inspected.detail(of: effect)).parameters.map(\.name)
        let gain = try #require(names.first)
        try inspected.perform(InspectorCommand(.set, effect, parameter: gain, value: 1e8))
        for command in [
            InspectorCommand(.mute, mixer, value: 1), InspectorCommand(.set, mixer, parameter: "none", value: 1),
            InspectorCommand(.move, player, value: 1), InspectorCommand(.mute, InspectedTarget(.node, 99), value: 1),
        ] {
            #expect(throws: InspectorCommandError.self) { try inspected.perform(command) }
        }
        graph.engine.inspector = nil
        #expect(graph.player.volume == 0.5)
    }
}
