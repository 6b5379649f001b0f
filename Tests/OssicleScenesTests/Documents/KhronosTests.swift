import Foundation
import OssicleCore
import Testing
@testable import OssicleScenes

/// Khronos' drafts of sound, against their own tables.
@Suite struct KhronosTests {
    /// - Parameters:
    ///   - positional: of the emitter. - more: members of the document.
    private func document(
        positional: String = "{}", emitter: String = "", source: String = #""autoPlay": true"#,
        node: String = #"{"emitters": [0]}"#, nodes: String = "", scene: String = "", environment: String = ""
    ) -> String {
        #"""
        {"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_audio_emitter"],
         "scenes": [{"nodes": [0, 1]\#(scene)}],
         "nodes": [{"name": "camera", "camera": 0}, {"name": "duck", "translation": [1, 2, 3], "extensions": {"KHR_audio_emitter": \#(node)}}\#(nodes)],
         "extensions": {"KHR_audio_emitter": {
            "audio": [{"uri": "a.wav"}], "sources": [{"audio": 0, \#(source)}],
            "emitters": [{"type": "positional", "gain": 0.5, "sources": [0], "positional": \#(positional)\#(emitter)}, {"type": "global", "sources": [0]}]}\#(environment)}}
        """#
    }

    private func read(_ text: String, _ draft: KhronosDraft? = .august2026, channels: Int = 2) throws -> SceneDocument {
        try SceneDocument(Array(text.utf8), name: "k.gltf", folder: SceneFolder(path: "/tmp"), draft: draft) { _ in
            channels
        }
    }

    private func mixer(_ scene: SceneDocument) throws -> SceneSpatialMixer {
        guard case .spatial(let mixer) = try #require(scene.audio.mixers.first).kind else { throw CancellationError() }
        return mixer
    }

    /// Of the mixer's envelope at a distance, by straight lines.
    private func gain(_ scene: SceneDocument, at distance: Double) throws -> Double {
        guard case .envelope(let curve) = try #require(try mixer(scene).distance).model else {
            throw CancellationError()
        }
        var (x, y) = (curve.envelope.start[0], curve.envelope.start[1])
        for segment in curve.envelope.segments {
            if distance <= segment.end[0] {
                return segment.end[0] > x
                    ? y + (segment.end[1] - y) * (distance - x) / (segment.end[0] - x) : segment.end[1]
            }
            (x, y) = (segment.end[0], segment.end[1])
        }
        return y
    }

    @Test func `the drafts are read only if one is chosen`() throws {
        let scene = try read(document(), nil)
        #expect(scene.audio == SceneAudio() && scene.warnings.contains { $0.contains("2024, 2026-08") })
        #expect(throws: SceneFileError.self) { try read(document(), .year2024) }
        #expect(try read(document(node: #"{"emitter": 0}"#), .year2024).audio.instances.count == 1)
        #expect(try read(document(node: #"{"emitter": 0}"#)).audio.instances.count == 1)
    }

    @Test func `a source of an emitter at a node becomes an instance that begins at once if it says so`() throws {
        let audio = try read(document(source: #""gain": 0.5, "loop": true, "autoPlay": true"#)).audio
        #expect(audio.sounds.map(\.uri) == ["a.wav"])
        let instance = try #require(audio.instances.first)
        #expect(instance.source == "duck" && instance.start == 0)
        guard case .sampler(let sampler) = try #require(audio.events.first).root.kind else {
            return #expect(Bool(false))
        }
        #expect(sampler.level == 0.25 && sampler.playback == .looping)
        #expect(try read(document(source: #""loop": false"#)).audio.instances.first?.start == nil)
        let loud = try read(document(source: #""gain": 4"#)).audio.events[0].root.kind
        guard case .sampler(let amplified) = loud else { return #expect(Bool(false)) }
        #expect(amplified.calibration == .relativeSPL && abs(amplified.level - 6.0206) < 1e-3)
    }

    /// The three formulas of the draft.
    @Test(arguments: [
        ("inverse", 1.0, 0.8, 0.0), ("inverse", 2, 1, 40), ("exponential", 1, 1.5, 0), ("exponential", 3, 0.5, 30),
        ("linear", 1, 1, 10),
        ("linear", 2, 0.5, 20),
    ])
    func `distance models follow their formulas`(
        model: String, reference: Double, rolloff: Double, maximum: Double
    ) throws {
        let scene = try read(
            document(
                positional:
                    #"{"distanceModel": "\#(model)", "refDistance": \#(reference), "rolloffFactor": \#(rolloff), "maxDistance": \#(maximum)}"#
            ))
        for distance in [0.1, 0.9, 1, 1.7, 2.3, 5, 9.9, 17, 29, 200] {
            let d = max(maximum > 0 ? min(distance, maximum) : distance, reference)
            let expected =
                switch model {
                case "inverse": reference / (reference + rolloff * (d - reference))
                case "exponential": pow(d / reference, -rolloff)
                default: 1 - rolloff * (d - reference) / (maximum - reference)
                }
            let found = try gain(scene, at: distance)
            #expect(abs(found - expected) < 0.001 * max(expected, 0.01), "\(distance)")
        }
    }

    @Test func `cones have their angles in degrees, a custom curve its points`() throws {
        let cone = try mixer(
            read(
                document(
                    positional:
                        #"{"shapeType": "cone", "coneInnerAngle": 1.0471975, "coneOuterAngle": 2.094395, "coneOuterGain": 0.25}"#
                )
            ))
        guard case .cone(let bands) = try #require(cone.sourceDirectivity).model, let band = bands.bands.first else {
            return #expect(Bool(false))
        }
        #expect(abs(band.innerAngle - 60) < 1e-4 && abs(band.outerAngle - 120) < 1e-4 && band.outerGain == 0.25)
        #expect(try mixer(read(document())).sourceDirectivity == nil)
        let custom = try read(
            document(
                positional:
                    #"{"distanceModel": "custom", "refDistance": 1, "maxDistance": 5, "extensions": {"KHR_audio_environment": {"distanceCurve": [1, 0.5, 0.25]}}}"#
            ))
        for (distance, expected) in [(0.5, 1.0), (2, 0.75), (4, 0.375), (50, 0.25)] {
            let found = try gain(custom, at: distance)
            #expect(abs(found - expected) < 1e-9)
        }
    }

    @Test func `global emitters go straight to the outputs with the channels of their file`() throws {
        let text = document(scene: #", "extensions": {"KHR_audio_emitter": {"emitters": [1]}}"#)
        for (channels, layout) in [(1, SceneLayout.mono), (2, .stereo), (6, .surround51)] {
            guard case .channel(let bed) = try #require(read(text, channels: channels).audio.mixers.last).kind else {
                return #expect(Bool(false))
            }
            #expect(bed.layout == layout)
        }
        #expect(throws: SceneFileError.self) { try read(text, channels: 3) }
    }

    @Test func `without a listener the camera hears, without a camera the origin`() throws {
        #expect(try read(document()).nodes[0].roles.listener != nil)
        let text = document().replacing(#", "camera": 0"#, with: "")
        let scene = try read(text)
        #expect(scene.nodes.last?.roles.listener != nil && scene.warnings.contains { $0.contains("origin") })
    }

    private static let environment =
        #", "KHR_audio_environment": {"listeners": [{"gain": 0.5, "spatializationModel": "HRTF"}], "environments": [{"reverb": {"preset": "concertHall", "mix": 0.4}}, {"reverb": {"preset": "smallRoom", "mix": 0.2}}]}"#

    @Test func `an environment is a reverb preset and sends, a listener is bound, a zone has a surface of its size`()
        throws
    {
        let scene = try read(
            document(
                emitter: #", "extensions": {"KHR_audio_environment": {"directLevel": 0.75, "reverbLevel": 0.5}}"#,
                nodes:
                    #", {"name": "ear", "extensions": {"KHR_audio_environment": {"listener": 0}}}, {"name": "tunnel", "extensions": {"KHR_audio_environment": {"environment": 1, "shape": {"type": "box", "size": [4, 3, 30]}, "blendDistance": 1, "priority": 2}}}"#,
                scene: #", "extensions": {"KHR_audio_environment": {"environment": 0, "activeListener": 0}}"#,
                environment: Self.environment
            ).replacing(#""nodes": [0, 1]"#, with: #""nodes": [0, 1, 2, 3]"#))
        #expect(scene.audio.engine.reverb == .largeHall && scene.audio.engine.spatialization == .binaural)
        #expect(scene.nodes[2].roles.listener?.gain == 0.5 && scene.nodes[0].roles.listener == nil)
        let mixer = try mixer(scene)
        #expect(mixer.direct?.level == 0.75 && abs((mixer.late?.level ?? 0) - 0.2) < 1e-12)
        let zone = try #require(scene.nodes.last)
        #expect(
            zone.roles.zone?.reverb == .smallRoom && zone.roles.zone?.priority == 2
                && zone.roles.zone?.borderWidth == 0.5)
        // Half the mix of the default environment.
        #expect(abs((zone.roles.zone?.level ?? 0) + 6.02) < 0.01)
        let mesh = scene.meshes[try #require(zone.mesh)].triangles(nil)
        #expect(
            mesh.triangles.count == 12 && mesh.vertices.map(\.z).max() == 15 && mesh.vertices.map(\.y).min() == -1.5)
    }

    /// Volume by the divergence theorem: positive where triangles are counter-clockwise from outside.
    @Test(arguments: [
        (#"{"type": "box", "size": [2, 3, 4]}"#, 24.0, 1e-6), (#"{"type": "sphere", "radius": 2}"#, 33.51, 0.08),
    ])
    func `surfaces of zones are closed and look outwards`(shape: String, volume: Double, tolerance: Double) throws {
        let scene = try read(
            document(
                nodes:
                    #", {"name": "z", "extensions": {"KHR_audio_environment": {"environment": 0, "shape": \#(shape)}}}"#,
                environment: Self.environment
            ).replacing(#""nodes": [0, 1]"#, with: #""nodes": [0, 1, 2]"#))
        let mesh = scene.meshes[0].triangles(nil)
        let found = mesh.triangles.indices.reduce(0.0) { sum, index in
            let corners = mesh.corners(index)
            return sum + corners.0.dot(corners.1.cross(corners.2)) / 6
        }
        #expect(abs(found / volume - 1) < tolerance)
        var edges: [SIMD2<Int32>: Int] = [:]
        for triangle in mesh.triangles {
            for (a, b) in [(triangle.x, triangle.y), (triangle.y, triangle.z), (triangle.z, triangle.x)] {
                edges[SIMD2(a, b), default: 0] += 1
            }
        }
        #expect(edges.allSatisfy { $0.value == 1 && edges[SIMD2($0.key.y, $0.key.x)] == 1 })
    }

    @Test(arguments: [
        (#"{"uri": "a.wav"}"#, #"{"bufferView": 0, "mimeType": "audio/wav"}"#, "sounds in buffers are not mapped"),
        (#""autoPlay": true"#, #""gain": 9"#, "12 dB"),
        (#""type": "positional""#, #""type": "ambient""#, "global or positional"),
        (#""positional": {}"#, #""positional": {"distanceModel": "magic"}"#, "distanceModel is “magic”"),
        (#""positional": {}"#, #""positional": {"distanceModel": "linear"}"#, "maxDistance"),
        (#""positional": {}"#, #""positional": {"shapeType": "box"}"#, "omnidirectional and cone"),
        (#""emitters": [0]}"#, #""emitters": [7]}"#, "emitters are numbered 0 to 1"),
        (
            #""extensions": {"KHR_audio_emitter": {"#, #""extensions": {"KHR_audio_graph": {}, "KHR_audio_emitter": {"#,
            "graphs of sound"
        ),
    ])
    func `what is not mapped is named with its path`(old: String, new: String, message: String) throws {
        let text = document().replacing(old, with: new)
        #expect(text != document())
        let error = try #require(throws: SceneFileError.self) { try read(text) }
        #expect("\(error)".contains(message), "\(error)")
    }

    @Test func `reverbs by impulse responses are refused, unknown parameters become warnings`() throws {
        func environment(_ reverb: String) -> String {
            document(environment: #", "KHR_audio_environment": {"environments": [{"reverb": \#(reverb)}]}"#)
        }
        let error = try #require(throws: SceneFileError.self) {
            try read(environment(#"{"type": "impulseResponse", "audio": 0}"#))
        }
        #expect("\(error)".contains("environments[0].reverb.type"))
        #expect(try read(environment(#"{"decayTime": 2}"#)).warnings.contains { $0.contains("decayTime of 2.0 s") })
        #expect(throws: SceneFileError.self) { try read(environment(#"{"preset": "moon"}"#)) }
    }
}
