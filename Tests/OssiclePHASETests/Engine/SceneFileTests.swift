import Foundation
@testable import OssicleScenes
import OssicleTestSupport
import PHASE
import Synchronization
import Testing

@Suite("Scenes from files") struct SceneFileTests {
    /// A tone in a box of two materials behind a wall, as a file: the listener is turned, the wall scaled unevenly.
    private static let document = #"""
        {
          "asset": {"version": "2.0"},
          "scenes": [{"nodes": [0, 2, 3]}],
          "nodes": [
            {"name": "wall", "translation": [0, 0, -2], "mesh": 0, "children": [1]},
            {"name": "tone", "translation": [0.5, 0.25, -1], "extensions": {"OSSICLE_audio": {"source": {"gain": 0.5}}}},
            {"name": "head", "matrix": [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0.5, 0, 0.25, 1],
             "extensions": {"OSSICLE_audio": {"listener": {}}}},
            {"name": "far", "translation": [3, 0, 0], "extensions": {"OSSICLE_audio": {"source": {}}}}
          ],
          "materials": [{"name": "a", "extensions": {"OSSICLE_audio": {"preset": "glass"}}}],
          "extensions": {"OSSICLE_audio": {
            "version": 1,
            "engine": {"seed": 3, "reverb": "smallRoom", "spatialization": "binaural"},
            "sounds": [{"name": "noise", "uri": "noise.wav"}],
            "parameters": [{"name": "level", "type": "number", "value": 0.5, "minimum": 0, "maximum": 1, "global": true}],
            "groups": [{"name": "all", "gain": 0.75}],
            "mixers": [{"name": "there", "type": "spatial", "direct": {}, "late": {"level": 0.25},
              "distance": {"model": "geometric", "rolloff": 0.5},
              "sourceDirectivity": {"model": "cardioid", "bands": [{"pattern": 0.5}]}}],
            "events": [{"name": "play", "root": {"type": "random", "children": [
              {"node": {"type": "sampler", "sound": "noise", "mixer": "there", "playback": "looping", "group": "all",
                "gainParameter": "level"}},
              {"node": {"type": "sampler", "sound": "noise", "mixer": "there", "rate": 0.5}}]}}],
            "instances": [{"name": "one", "event": "play", "source": "tone", "start": 0},
                          {"name": "two", "event": "play", "source": "far", "start": 0.05}]
          }}
        }
        """#

    private static let noise: [Float] = (0..<9600).map { index in
        let number = (index * 7919 + index * index % 997) % 2001 - 1000
        return Float(number) / 4000
    }

    private static func folder(_ text: String = document) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 9600))
        buffer.frameLength = 9600
        let planes = try #require(buffer.floatChannelData)
        for frame in 0..<9600 { planes[0][frame] = noise[frame] }
        let url = folder.url.appendingPathComponent("noise.wav")
        let file = try AVAudioFile(
            forWriting: url, settings: format.settings, commonFormat: .pcmFormatFloat32, interleaved: false)
        try file.write(from: buffer)
        file.close()
        // The triangles of Model I/O's box, so that the same scene can be made in Swift.
        var scene = try SceneDocument(
            Array(withoutMesh(text).utf8), name: "a.gltf", folder: SceneFolder(path: folder.url.path))
        scene.meshes = [try boxMesh()]
        scene.nodes[0].mesh = 0
        try Data(scene.bytes(binary: false)).write(to: folder.url.appendingPathComponent("a.gltf"))
        return folder
    }

    private static func withoutMesh(_ text: String) -> String { text.replacing(#""mesh": 0, "#, with: "") }

    private static var box: MDLMesh {
        MDLMesh.newBox(
            withDimensions: simd_float3(1, 2, 0.25), segments: simd_uint3(1, 1, 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
    }

    private static func boxMesh() throws -> SceneMesh {
        let mesh = box, submesh = try #require(mesh.submeshes?.firstObject as? MDLSubmesh)
        let data = try #require(mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition, as: .float3))
        let vertices = (0..<mesh.vertexCount).map { index in
            let place = data.dataStart + index * data.stride
            return SIMD3(
                place.loadUnaligned(as: Float.self), place.loadUnaligned(fromByteOffset: 4, as: Float.self),
                place.loadUnaligned(fromByteOffset: 8, as: Float.self))
        }
        let indices = submesh.indexBuffer(asIndexType: .uInt32).map()
        let triangles = (0..<submesh.indexCount / 3).map { triangle in
            let corners = (0..<3).map {
                indices.bytes.loadUnaligned(fromByteOffset: 4 * (3 * triangle + $0), as: UInt32.self)
            }
            return SIMD3(corners[0], corners[1], corners[2])
        }
        return SceneMesh(name: "", primitives: [ScenePrimitive(vertices: vertices, triangles: triangles, material: 0)])
    }

    // MARK: The same scene in Swift

    private static func sceneInSwift(_ stage: Stage) throws -> [PHASESoundEvent] {
        let engine = stage.engine
        engine.randomSeed = 3
        engine.defaultReverbPreset = .smallRoom
        let material = PHASEMaterial(engine: engine, preset: .glass)
        let wall = PHASEOccluder(
            engine: engine, shapes: [PHASEShape(engine: engine, mesh: box, materials: [material])])
        wall.transform = .translation(simd_float3(0, 0, -2))
        let tone = PHASESource(engine: engine)
        tone.gain = 0.5
        tone.transform = .translation(simd_float3(0.5, 0.25, -1))
        try wall.addChild(tone)
        let head = PHASEListener(engine: engine)
        head.transform = simd_float4x4(
            simd_float4(0, 0, -1, 0), simd_float4(0, 1, 0, 0), simd_float4(1, 0, 0, 0), simd_float4(0.5, 0, 0.25, 1))
        let far = PHASESource(engine: engine)
        far.transform = .translation(simd_float3(3, 0, 0))
        for object in [wall, head, far] { try engine.rootObject.addChild(object) }

        try stage.register("noise", [noise])
        let level = PHASENumberMetaParameterDefinition(value: 0.5, minimum: 0, maximum: 1, identifier: "level")
        try engine.assetRegistry.registerGlobalMetaParameter(metaParameterDefinition: level)
        let group = PHASEGroup(identifier: "all")
        group.gain = 0.75
        group.register(engine: engine)
        let pipeline = try #require(PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]))
        pipeline.entries[.lateReverb]?.sendLevel = 0.25
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "there")
        let distance = PHASEGeometricSpreadingDistanceModelParameters()
        distance.rolloffFactor = 0.5
        mixer.distanceModelParameters = distance
        let band = PHASECardioidDirectivityModelSubbandParameters()
        band.pattern = 0.5
        mixer.sourceDirectivityModelParameters = PHASECardioidDirectivityModelParameters(subbandParameters: [band])
        let first = PHASESamplerNodeDefinition(soundAssetIdentifier: "noise", mixerDefinition: mixer)
        first.playbackMode = .looping
        first.group = group
        first.gainMetaParameterDefinition = level
        let second = PHASESamplerNodeDefinition(soundAssetIdentifier: "noise", mixerDefinition: mixer)
        second.rate = 0.5
        let random = PHASERandomNodeDefinition()
        random.addSubtree(first, weight: 1)
        random.addSubtree(second, weight: 1)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: random, identifier: "play")
        try engine.start()
        let events = try [tone, far].map { source in
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: "there", source: source, listener: head)
            return try PHASESoundEvent(engine: engine, assetIdentifier: "play", mixerParameters: parameters)
        }
        events[0].start()
        events[1].start(at: AVAudioTime(sampleTime: 2400, atRate: 48_000))
        groups.withLock { $0.append(group) }
        return events
    }

    /// Generators refer to their group weakly.
    private static let groups = Mutex<[PHASEGroup]>([])

    @Test("sound as the same scene in Swift, byte by byte")
    func sameBytes() throws {
        let folder = try Self.folder()
        let swift = try Stage(mode: .alwaysUseBinaural)
        let events = try Self.sceneInSwift(swift)
        let expected = try withExtendedLifetime(events) { try swift.render(24_000) }

        let file = try Stage()
        let scene = try PHASEScene(contentsOf: folder.url.appendingPathComponent("a.gltf"), engine: file.engine)
        try file.start()
        scene.start()
        let found = try file.render(24_000)
        #expect(file.engine.lastError == nil)
        #expect(expected.map { $0.reduce(0) { max($0, abs($1)) } }.allSatisfy { $0 > 0.001 })
        #expect(found == expected)
    }

    @Test("are written and sound the same again, from one file or two", arguments: ["b.gltf", "b.glb"])
    func roundTrip(name: String) throws {
        let folder = try Self.folder(), other = try TemporaryFolder()
        func sound(_ url: URL) throws -> ([[Float]], PHASEScene) {
            let stage = try Stage()
            let scene = try PHASEScene(contentsOf: url, engine: stage.engine)
            try stage.start()
            scene.start()
            return (try stage.render(9600), scene)
        }
        let (expected, scene) = try sound(folder.url.appendingPathComponent("a.gltf"))
        let place = other.url.appendingPathComponent(name)
        try scene.write(to: place)
        let (found, again) = try sound(place)
        #expect(found == expected)
        let bytes = try Data(contentsOf: place)
        try again.write(to: place)
        #expect(try Data(contentsOf: place) == bytes)
    }

    @Test("are written with their objects where they are")
    func moved() throws {
        let folder = try Self.folder(
            Self.document.replacing(#""translation": [0, 0, -2], "#, with: #""scale": [1, 2, 1], "#))
        let stage = try Stage(), url = folder.url.appendingPathComponent("a.gltf")
        let scene = try PHASEScene(contentsOf: url, engine: stage.engine)
        let tone = try #require(scene.sources["tone"])
        // The wall is stretched; below it the source's own place is stretched with it.
        #expect(tone.worldTransform.columns.3 == simd_float4(0.5, 0.5, -1, 1))
        tone.worldTransform = .translation(simd_float3(2, 3, 4))
        tone.gain = 0.125
        try scene.write(to: url)
        let second = try Stage(), again = try PHASEScene(contentsOf: url, engine: second.engine)
        let columns = try #require(again.sources["tone"]?.worldTransform.columns)
        #expect(simd_distance(simd_make_float3(columns.3), simd_float3(2, 3, 4)) < 1e-5)
        #expect(again.sources["tone"]?.gain == 0.125)
        #expect(scene.objects["wall"] is PHASEOccluder)
        #expect(second.engine.lastError == nil)
    }

    @Test("leave the engine as it was where they cannot be loaded")
    func failure() throws {
        let folder = try Self.folder(), stage = try Stage(), url = folder.url.appendingPathComponent("a.gltf")
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("noise.wav"))
        #expect(throws: PHASEAssetError.self) { try PHASEScene(contentsOf: url, engine: stage.engine) }
        #expect(throws: PHASEAssetError.self) {
            try PHASEScene(contentsOf: folder.url.appendingPathComponent("none.gltf"), engine: stage.engine)
        }
        #expect(stage.engine.rootObject.children.isEmpty)
        #expect(stage.engine.groups.isEmpty)
        let whole = try Self.folder(), place = whole.url.appendingPathComponent("a.gltf")
        let scene = try PHASEScene(contentsOf: place, engine: stage.engine)
        let error = try #require(throws: PHASEAssetError.self) {
            try PHASEScene(contentsOf: place, engine: stage.engine)
        }
        #expect(error.code == .alreadyExists)
        #expect(stage.engine.rootObject.children.count == 3)
        scene.remove()
        #expect(stage.engine.rootObject.children.isEmpty)
        _ = try PHASEScene(contentsOf: place, engine: stage.engine)
    }

    // MARK: Timelines

    private static let timeline = #"""
        {"version": 1, "tracks": [
          {"target": "position", "node": "far", "keys": [{"time": 0, "value": [3, 0, 0]}, {"time": 1, "value": [5, 0, 0]}]},
          {"target": "orientation", "node": "head", "keys": [{"time": 0, "value": [0, 0, 0, 1]}]},
          {"target": "gain", "node": "tone", "keys": [{"time": 0, "value": 0}, {"time": 1, "value": 1}]},
          {"target": "groupGain", "group": "all", "keys": [{"time": 0, "value": 0.25}]},
          {"target": "parameter", "parameter": "level", "keys": [{"time": 0, "value": 0}, {"time": 1, "value": 1}]}],
         "actions": [{"time": 0.25, "action": "start", "instance": "two"}, {"time": 0.5, "action": "stop", "instance": "two"},
           {"time": 0.75, "action": "start", "instance": "two"}, {"time": 0.75, "action": "mute", "group": "all"}]}
        """#

    @Test("follow their timelines")
    func timelines() throws {
        let folder = try Self.folder(), stage = try Stage(updateMode: .manual)
        let scene = try PHASEScene(contentsOf: folder.url.appendingPathComponent("a.gltf"), engine: stage.engine)
        let url = folder.url.appendingPathComponent("t.json")
        try Data(Self.timeline.utf8).write(to: url)
        let timeline = try PHASESceneTimeline(contentsOf: url, scene: scene)
        #expect(timeline.duration == 1)
        try stage.start()
        try timeline.advance(to: 0)
        #expect(timeline.nextActionTime == 0.25)
        #expect(scene.sources["tone"]?.gain == 0)
        #expect(scene.objects["head"]?.transform.columns.0 == simd_float4(1, 0, 0, 0))
        #expect(scene.objects["head"]?.transform.columns.3 == simd_float4(0.5, 0, 0.25, 1))
        try timeline.advance(to: 0.25)
        let first = try #require(scene.soundEvents["two"])
        #expect(first.renderingState == .started)
        #expect(scene.objects["far"]?.transform.columns.3 == simd_float4(3.5, 0, 0, 1))
        #expect(stage.engine.assetRegistry.globalMetaParameters["level"]?.value as? Double == 0.25)
        try timeline.advance(to: 0.8)
        // What was stopped plays anew.
        #expect(scene.soundEvents["two"] !== first)
        #expect(scene.soundEvents["two"]?.renderingState == .started)
        #expect(scene.groups["all"]?.isMuted == true)
        #expect(scene.groups["all"]?.gain == 0.25)
        #expect(timeline.nextActionTime == nil)
        #expect(stage.engine.lastError == nil)
    }
}
