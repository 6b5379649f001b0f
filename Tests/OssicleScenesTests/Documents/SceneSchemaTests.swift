import Foundation
@testable import OssicleScenes
import Testing

/// The parts of JSON Schema (draft 2020-12) that our schemas use.
private struct Schema {
    let root: JSONValue
    /// Of the repository.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    init(_ name: String) throws {
        let bytes = try Data(
            contentsOf: Schema.folder.appendingPathComponent("Documentation/Schemas/\(name).schema.json"))
        root = try JSONValue(Array(bytes), file: name)
    }

    func accepts(_ value: JSONValue, _ schema: JSONValue? = nil) -> Bool {
        guard case .object(let rules) = schema ?? root else { return true }
        return rules.allSatisfy { accepts(value, $0.key, $0.value, rules) }
    }

    private func accepts(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ rules: [String: JSONValue]) -> Bool
    {
        switch (keyword, rule, value) {
        case ("$ref", .string(let name), _): accepts(value, definition(name))
        case ("type", .string(let type), _): Self.isOfType(value, type)
        case ("const", _, _): value == rule
        case ("enum", .array(let choices), _): choices.contains(value)
        case ("oneOf", .array(let choices), _): choices.count { accepts(value, $0) } == 1
        case ("minimum", .number(let limit), .number(let number)): number >= limit
        case ("maximum", .number(let limit), .number(let number)): number <= limit
        case ("minLength", .number(let limit), .string(let text)): Double(text.unicodeScalars.count) >= limit
        case ("maxLength", .number(let limit), .string(let text)): Double(text.unicodeScalars.count) <= limit
        case ("minItems", .number(let limit), .array(let list)): Double(list.count) >= limit
        case ("maxItems", .number(let limit), .array(let list)): Double(list.count) <= limit
        case ("items", _, .array(let list)): list.allSatisfy { accepts($0, rule) }
        case ("required", .array(let names), .object(let members)):
            names.allSatisfy { if case .string(let name) = $0 { members[name] != nil } else { false } }
        case ("properties", .object(let known), .object(let members)):
            known.allSatisfy { name, schema in members[name].map { accepts($0, schema) } ?? true }
        case ("additionalProperties", .bool(false), .object(let members)):
            if case .object(let known) = rules["properties"] {
                members.keys.allSatisfy { known[$0] != nil }
            } else {
                members.isEmpty
            }
        default: true
        }
    }

    func definition(_ reference: String) -> JSONValue {
        guard case .object(let whole) = root, case .object(let definitions) = whole["$defs"] else {
            return .bool(false)
        }
        return definitions[reference.replacing("#/$defs/", with: "")] ?? .bool(false)
    }

    private static func isOfType(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.object, "object"), (.array, "array"), (.string, "string"), (.bool, "boolean"), (.number, "number"): true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }
}

extension JSONValue {
    /// Every way to spoil one value, one member or one element of it a little.
    fileprivate var spoilt: [JSONValue] {
        let others: [JSONValue] = [
            .null, .bool(true), .string("x"), .string(""), .number(-1e9), .number(-0.001), .number(0.5), .number(3.5),
            .number(1e9),
            .array([]), .object([:]),
        ]
        switch self {
        case .object(let members):
            let changed = members.flatMap { name, value in
                value.spoilt.map { JSONValue.object(members.merging([name: $0]) { $1 }) }
            }
            let cut = members.keys.map { name in JSONValue.object(members.filter { $0.key != name }) }
            return others + changed + cut + [.object(members.merging(["odd": .null]) { $1 })]
        case .array(let list):
            var changed: [JSONValue] = []
            for index in list.indices {
                for value in list[index].spoilt {
                    var copy = list
                    copy[index] = value
                    changed.append(.array(copy))
                }
            }
            return others + changed + [.array(list.dropLast()), .array(list + [.null])]
        default: return others
        }
    }
}

@Suite("JSON Schemas") struct SceneSchemaTests {
    /// A value is accepted by the schema where the reader takes it, and by neither otherwise, apart from what a schema
    /// does not say: names that refer to something, and ranges that depend on other members.
    private static func compare(
        _ example: JSONValue, _ accepts: (JSONValue) -> Bool, _ read: (JSONObject) throws -> Void
    ) throws -> (taken: Int, refused: Int) {
        #expect(accepts(example))
        var (taken, refused) = (0, 0)
        for value in example.spoilt {
            var isRead = true
            do { try read(JSONCursor(value, file: "test").object()) } catch { isRead = false }
            // An order within the document, and one of two members, are beyond a schema.
            let isBeyond = Self.isBeyond(value, example)
            if !isBeyond {
                #expect(accepts(value) == isRead, "\(String(decoding: value.bytes, as: UTF8.self).prefix(4000))")
            }
            if isRead { taken += 1 } else { refused += 1 }
        }
        return (taken, refused)
    }

    private static func isBeyond(_ value: JSONValue, _ example: JSONValue) -> Bool {
        func rising(_ value: JSONValue) -> Bool {
            switch value {
            case .array(let list): return list.allSatisfy(rising)
            case .object(let members):
                if case .array(let start) = members["start"], case .number(var last) = start.first ?? .null,
                    case .array(let segments) = members["segments"]
                {
                    for segment in segments {
                        guard case .object(let parts) = segment, case .array(let end) = parts["end"],
                            case .number(let x) = end.first ?? .null
                        else { continue }
                        if x < last { return false }
                        last = x
                    }
                }
                if case .array(let keys) = members["keys"] {
                    var last = -1.0
                    for key in keys {
                        guard case .object(let parts) = key, case .number(let time) = parts["time"] else { continue }
                        if time <= last { return false }
                        last = time
                    }
                }
                return members.values.allSatisfy(rising)
            default: return true
            }
        }
        return !rising(value)
    }

    @Test("of the extension agrees with the reader on every slip")
    func audio() throws {
        let schema = try Schema("OSSICLE_audio")
        let example = try JSONValue(text: SceneExample.audio)
        let counts = try Self.compare(example, { schema.accepts($0) }) { _ = try SceneAudio($0) }
        #expect(counts.taken > 300)
        #expect(counts.refused > 2000)
    }

    @Test("of nodes and materials agrees with the reader on every slip")
    func nodes() throws {
        let schema = try Schema("OSSICLE_audio")
        for text in [
            #"{"source": {"gain": 0.5, "shape": "mesh"}, "listener": {"gain": 0.5}, "zone": {"reverb": "computed", "borderWidth": 2, "priority": 1, "level": 3}, "occluder": true}"#
        ] {
            _ = try Self.compare(try JSONValue(text: text), { schema.accepts($0, schema.definition("node")) }) {
                _ = try SceneRoles($0)
            }
        }
        for text in [
            #"{"preset": "brick"}"#,
            #"{"absorption": [0.5], "scattering": [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], "transmissionLoss": [30]}"#,
        ] {
            _ = try Self.compare(try JSONValue(text: text), { schema.accepts($0, schema.definition("material")) }) {
                _ = try SceneSurface($0)
            }
        }
    }

    @Test("of timelines agrees with the reader on every slip")
    func timelines() throws {
        let schema = try Schema("timeline")
        let counts = try Self.compare(try JSONValue(text: SceneExample.timeline), { schema.accepts($0) }) {
            _ = try SceneTimeline($0)
        }
        #expect(counts.taken > 100)
        #expect(counts.refused > 500)
    }

    @Test("accept the example of the repository, which the reader takes")
    func example() throws {
        let folder = Schema.folder.appendingPathComponent("Examples/Scenes")
        let bytes = Array(try Data(contentsOf: folder.appendingPathComponent("two-rooms.gltf")))
        let document = try JSONCursor(JSONValue(bytes, file: "two-rooms"), file: "two-rooms").object()
        let audio = try #require(try document.extension(SceneAudio.extensionName))
        #expect(try Schema("OSSICLE_audio").accepts(.object(audio.members)))
        let scene = try SceneDocument(contentsOfFile: folder.appendingPathComponent("two-rooms.gltf").path)
        #expect(scene.warnings.isEmpty)
        #expect(scene.meshes.reduce(0) { $0 + $1.triangleCount } == 132)
        let walk = folder.appendingPathComponent("two-rooms.walk.json")
        #expect(try SceneTimeline(contentsOfFile: walk.path, for: scene).length == 8)
        #expect(try Schema("timeline").accepts(JSONValue(Array(try Data(contentsOf: walk)), file: "walk")))
    }
}
