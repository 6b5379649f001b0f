import Foundation
import OssicleBatch
import Testing

/// `Documentation/Schemas/row.schema.json` beside what the reader takes. That rows of the documents are valid is
/// jsonschema's to say, in `Scripts/schema-check`.
@Suite("The JSON Schema of rows") struct RowSchemaTests {
    /// The members that the schema has at a place.
    private static func members(_ schema: Any, at path: String) throws -> Set<String> {
        var place: Any? = schema
        for step in path.split(separator: "/").map(String.init) {
            place = Int(step).map { (place as? [Any])?[$0] } ?? (place as? [String: Any])?[step]
        }
        let rules = try #require(place as? [String: Any], "\(path)")
        #expect(rules["additionalProperties"] as? Bool == false, "\(path)")
        return Set(try #require(rules["properties"] as? [String: Any], "\(path)").keys)
    }

    /// What the reader says that it knows at the place of a member `odd`.
    private static func known(_ error: String) throws -> Set<String> {
        let rule = try #require(
            error.firstMatch(of: /has a member “odd”; known there are ([A-Za-z0-9, ]+)/), "\(error)")
        return Set(rule.1.split(separator: ", ").map(String.init))
    }

    /// By a place in the schema, a row with a member that nothing has.
    private static let odd: KeyValuePairs = [
        "oneOf/0": #""odd": 1, \#(room)"#,
        "oneOf/1": #""odd": 1, "scene": "a.gltf""#,
        "oneOf/0/properties/lshape/anyOf/0": #""lshape": {"odd": 1}, "source": [1, 1, 1], "listener": [2, 1, 2]"#,
        "oneOf/0/properties/material/anyOf/2": #""material": {"odd": 1}, \#(room)"#,
        "oneOf/0/properties/air/anyOf/0": #""air": {"odd": 1}, \#(room)"#,
        "oneOf/0/properties/listener/anyOf/1": #""listener": {"odd": 1}, "box": [4, 3, 5], "source": [1, 1, 1]"#,
        "oneOf/0/properties/receiver/anyOf/1": #""receiver": {"odd": 1}, \#(room)"#,
        "oneOf/0/properties/receiver/anyOf/1/properties/linear/anyOf/0":
            #""receiver": {"linear": {"odd": 1}}, \#(room)"#,
        "oneOf/0/properties/receiver/anyOf/1/properties/circular/anyOf/0":
            #""receiver": {"circular": {"odd": 1}}, \#(room)"#,
        "oneOf/0/properties/materials/anyOf/0/additionalProperties/anyOf/1":
            #""materials": {"felt": {"odd": 1}}, \#(room)"#,
        "oneOf/0/properties/waves/anyOf/1": #""waves": {"odd": 1}, \#(room)"#,
        "oneOf/0/properties/speech/anyOf/0": #""speech": {"odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/0": #""length": {"uniform": [1, 2], "odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/1": #""length": {"logUniform": [1, 2], "odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/2": #""length": {"normal": [1, 2], "odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/3": #""length": {"integer": [1, 2], "odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/4": #""length": {"choice": [1, 2], "odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/5": #""quality": {"line": "a.txt", "odd": 1}, \#(room)"#,
        "$defs/draw/oneOf/6": #""dry": {"repeat": 1, "of": 2, "odd": 1}, \#(room)"#,
        "$defs/material/anyOf/1": #""material": {"absorption": 1, "odd": 1}, \#(room)"#,
        "$defs/source/anyOf/1": source(#""odd": 1"#),
        "$defs/source/anyOf/1/properties/directivity/anyOf/3": source(#""directivity": {"file": "a.clf", "odd": 1}"#),
        "$defs/source/anyOf/1/properties/path/anyOf/0/items/anyOf/1": source(#""path": [{"odd": 1}]"#),
        "$defs/noise/anyOf/0": #""noise": {"odd": 1}, "dry": "a.wav", \#(room)"#,
    ]

    private static let room = #""box": [4, 3, 5], "source": [1, 1, 1], "listener": [2, 1, 2]"#

    private static func source(_ members: String) -> String {
        #""box": [4, 3, 5], "listener": [2, 1, 2], "source": {"position": [1, 1, 1], \#(members)}"#
    }

    @Test("has the members of the reader, each of them and no other, at every place")
    func members() throws {
        let house = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let schema = try JSONSerialization.jsonObject(
            with: try Data(contentsOf: house.appendingPathComponent("Documentation/Schemas/row.schema.json")))
        let folder = try BatchFolder()
        let rows = Self.odd.enumerated().map { #"{"id": "r\#($0)", \#($1.value)}"# }
        let manifest = try folder.manifest(rows.joined(separator: "\n"))
        #expect(try folder.run(manifest, to: "out").failed == rows.count)
        var errors: [String: String] = [:]
        for line in folder.bytes("out/failures.jsonl").split(separator: 0x0A) {
            let failure = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
            errors[try #require(failure["id"] as? String)] = failure["error"] as? String
        }
        for (number, (place, _)) in Self.odd.enumerated() {
            var known = try Self.known(try #require(errors["r\(number)"], "\(place)"))
            // A count makes rows of one; a listener is the place that distances are from.
            if place.hasPrefix("oneOf"), place.count == 7 { known.insert("count") }
            if place.hasSuffix("listener/anyOf/1") { known.remove("distance") }
            #expect(try Self.members(schema, at: place) == known, "\(place)")
        }
        // A directivity in numbers is read as one of two kinds, which the schema tells apart.
        let failure = try folder.manifest(#"{"id": "d", \#(Self.source(#""directivity": {"odd": 1}"#))}"#)
        try folder.run(failure, to: "directivity")
        let error = String(decoding: folder.bytes("directivity/failures.jsonl"), as: UTF8.self)
        let kinds = "$defs/source/anyOf/1/properties/directivity/anyOf"
        let both = try Self.members(schema, at: "\(kinds)/1").union(Self.members(schema, at: "\(kinds)/2"))
        #expect(try Self.known(error) == both)
    }
}
