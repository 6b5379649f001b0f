import Foundation
@testable import OssicleScenes
import OssicleTestSupport
import Testing

@Suite("Audio extension") struct SceneAudioTests {
    @Test("is read with all its members")
    func values() throws {
        let scene = try SceneExample.scene(), audio = scene.audio
        #expect(audio.engine.seed == 7)
        #expect(audio.engine.medium?.delays == false)
        #expect(audio.sounds[1].layout == .surround51)
        guard case .mapped(let mapping) = audio.parameters[2].kind else { return #expect(Bool(false)) }
        #expect(mapping.envelope.segments.map(\.curve) == [.sigmoid, .linear])
        guard case .spatial(let spatial) = audio.mixers[0].kind,
            case .cone(let cone) = spatial.listenerDirectivity?.model
        else { return #expect(Bool(false)) }
        #expect(cone.bands[0].outerAngle == 180)
        #expect(cone.bands[0].frequency == 1000)
        guard case .container(let container) = audio.events[0].root.kind,
            case .sampler(let sampler) = container.children[0].kind
        else { return #expect(Bool(false)) }
        #expect(sampler.level == -12)
        #expect(sampler.priority == 3)
        #expect(container.children.count == 6)
        #expect(audio.instances[0].start == 0.25)
        #expect(audio.instances[1].start == nil)
        #expect(scene.nodes[1].roles.source?.gain == 0.5)
        #expect(scene.nodes.map(\.isOccluder) == [true, false, false, true, false])
        #expect(scene.materials.map { $0.material?.name } == ["brick", "felt", "glass"])
        #expect(scene.materials[1].material?.absorption.values.last == 0.8)
    }

    @Test("is written as it was read, and the same bytes each time", arguments: [false, true])
    func roundTrip(binary: Bool) throws {
        let scene = try SceneExample.scene(), bytes = scene.bytes(binary: binary)
        let again = try SceneDocument(bytes, name: "a.gltf")
        #expect(again == scene)
        #expect(again.bytes(binary: binary) == bytes)
    }

    @Test("leaves out what is as it would be without")
    func defaults() throws {
        var scene = SceneDocument(name: "a")
        scene.audio.mixers = [SceneMixer()]
        scene.audio.mixers[0].name = "m"
        let expected = try JSONValue(text: #"{"version": 1, "mixers": [{"name": "m", "type": "spatial"}]}"#)
        #expect(JSONValue.object(scene.audio.members) == expected)
    }

    @Test("keeps floating-point numbers and odd texts exactly")
    func exactly() throws {
        let texts = ["", "a\"b\\c\n\t", "\u{1}\u{1F}", "ä→𝄞"],
            numbers = [0.1, 1e-300, -1.7976931348623157e308, 123456789012345680]
        let value = JSONValue.array(
            texts.map(JSONValue.string) + numbers.map(JSONValue.number) + [.bool(true), .null, JSONValue(Float(0.1))])
        #expect(try JSONValue(value.bytes, file: "test") == value)
        #expect(JSONValue(Float(0.1)) == .number(0.1))
        for bits in stride(from: UInt32(0x3000_0000), to: 0x5000_0000, by: 0x0010_1017) {
            guard case .number(let number) = JSONValue(Float(bitPattern: bits)) else { continue }
            #expect(Float(number).bitPattern == bits)
        }
    }

    private static let root = "extensions.OSSICLE_audio"

    @Test(
        "names the place of each fault",
        arguments: [
            ("version", "2", "version is 2; version 1 is read"), ("engine.seed", "-1", "engine.seed is -1"),
            ("engine.reverb", "\"cave\"", "engine.reverb is “cave”; it is one of none, smallRoom"),
            ("engine.revreb", "1", "engine has a member “revreb”; known there are acoustics"),
            (
                "engine.groupPreset", "\"day\"",
                "groupPreset is “day”; it names one of the group presets, and there are night"
            ),
            ("sounds[1].name", "\"voice\"", "sounds[1].name is “voice”; names are unique, and sounds[0] has it"),
            ("sounds[0].uri", "3", "sounds[0].uri is 3"), ("sounds[0]", "{}", "sounds[0] has no name"),
            ("parameters[0].value", "2", "parameters[0].value is 2.0; it lies between minimum and maximum"),
            ("parameters[2].input", "\"surface\"", "parameters[2].input is “surface”"),
            ("parameters[2].input", "\"howl\"", "parameters[2].input is “howl”"),
            (
                "parameters[2].envelope.segments[1].end", "[0.5, 1]",
                "parameters[2].envelope.segments[1].end has an x of 0.5"
            ),
            ("parameters[0].type", "\"text\"", "parameters[0].type is “text”; it is one of number, string, mapped"),
            ("groups[0].gain", "1.5", "groups[0].gain is 1.5; it is a number from 0 to 1"),
            ("groupPresets[0].settings[0].group", "\"x\"", "groupPresets[0].settings[0].group is “x”"),
            ("duckers[0].targets", "[\"x\"]", "duckers[0].targets[0] is “x”"),
            ("mixers[0].gainParameter", "\"surface\"", "mixers[0].gainParameter is “surface”"),
            ("mixers[0].direct.parameter", "\"x\"", "mixers[0].direct.parameter is “x”"),
            ("mixers[1].direct", "null", "mixers[1].direct is null"),
            ("mixers[2].orientation", "[0, 0, 0]", "mixers[2].orientation is a list of 3"),
            ("mixers[0].layout", "\"mono\"", "mixers[0] has a member “layout”"),
            (
                "mixers[0].distance.cullDistance", "0",
                "mixers[0].distance.cullDistance is 0; it is a number of 1 or more"
            ),
            (
                "mixers[0].listenerDirectivity.bands[0].outerAngle", "10",
                "bands[0].outerAngle is 10.0; the outer cone is no narrower"
            ),
            (
                "events[0].root.children[0].level", "20",
                "events[0].root.children[0].level is 20.0; with calibration “relativeSPL”"
            ),
            ("events[0].root.children[0].sound", "\"x\"", "events[0].root.children[0].sound is “x”"),
            ("events[0].root.children[2].children[1].node.mixer", "\"x\"", "children[2].children[1].node.mixer is “x”"),
            (
                "events[0].root.children[3].parameter", "\"wind\"",
                "children[3].parameter is “wind”; it names one of the string"
            ),
            (
                "events[0].root.children[4].distanceMixer", "\"near\"",
                "children[4] has both parameter and distanceMixer"
            ),
            ("events[0].root.type", "\"pullStream\"", "play a file with a sampler"),
            ("events[0].root.children", "[]", "events[0].root.children is a list of 0; it has at least one"),
            ("events[1].name", "\"voice\"", "events[1].name is “voice”; sounds, events and global parameters share"),
            ("instances[0].event", "\"x\"", "instances[0].event is “x”"),
            (
                "instances[0].source", "\"head\"",
                "instances[0].source is “head”; it names one of the nodes that are sources"
            ),
            ("instances[0].bindings[0].listener", "\"mouth\"", "instances[0].bindings[0].listener is “mouth”"),
            ("instances[0].start", "-1", "instances[0].start is -1"),
        ])
    func faults(path: String, value: String, message: String) throws {
        let error = try #require(throws: SceneFileError.self) {
            try SceneExample.scene([("\(Self.root).\(path)", try JSONValue(text: value))])
        }
        #expect("\(error)".contains("\(Self.root).\(message)") || "\(error)".contains(message), "\(error)")
        #expect("\(error)".hasPrefix("Scene “a.gltf”: "))
    }

    @Test("says what a node or a material lacks")
    func nodes() throws {
        for (path, value, message) in [
            ("nodes[3].mesh", nil, "nodes[3] has no mesh"),
            ("nodes[2].name", JSONValue.string("mouth"), "nodes[2] is called “mouth”"),
            ("nodes[1].name", nil, "instances[0].source is “mouth”"),
            ("materials[1].extensions.OSSICLE_audio.preset", .string("wood"), "has both preset and absorption"),
            ("materials[0].extensions.OSSICLE_audio", .object([:]), "has neither preset and absorption"),
            (
                "materials[1].extensions.OSSICLE_audio.scattering", .array([JSONValue(0), JSONValue(1)]),
                "is a list of 2; it is a list of 1 or 10 numbers"
            ),
        ] as [(String, JSONValue?, String)] {
            let error = try #require(throws: SceneFileError.self) { try SceneExample.scene([(path, value)]) }
            #expect("\(error)".contains(message), "\(error)")
        }
        let error = try #require(throws: SceneFileError.self) {
            try SceneExample.scene([
                (
                    "nodes[1].extensions.OSSICLE_audio",
                    JSONValue.object(["source": .object([:]), "listener": .object([:])])
                )
            ])
        }
        #expect("\(error)".contains("a scene with 2 listeners does not say which is meant"), "\(error)")
    }
}
