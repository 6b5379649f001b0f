import Foundation
import OssicleBatch
import OssicleFiles
import Testing

/// What rows mean: draws, places, errors.
@Suite("Rows of a data set") struct RowTests {
    /// The record of the only row, from the results.
    private static func record(_ folder: BatchFolder, _ out: String = "out") throws -> [String: Any] {
        let data = Data(folder.bytes("\(out)/results.jsonl"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private static func records(_ folder: BatchFolder, _ out: String = "out") throws -> [[String: Any]] {
        try folder.bytes("\(out)/results.jsonl").split(separator: 0x0A).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
        }
    }

    @Test("say in their records what was computed")
    func records() throws {
        let folder = try BatchFolder()
        let manifest = try folder.manifest(
            #"{"id": "a1", "box": [6, 3, 5], "material": "brick", "source": [1, 1.5, 1], "listener": [4, 1.5, 3], "receiver": "binaural", "quality": "low", "length": 0.3}"#
        )
        #expect(try folder.run(manifest, to: "out").made == 1)
        let record = try Self.record(folder)
        let file = try #require((record["files"] as? [[String: Any]])?.first)
        #expect(file["name"] as? String == "a1.wav")
        #expect(file["sha256"] as? String == SHA256.hex(of: folder.bytes("out/a1.wav")))
        #expect(file["channels"] as? Int == 2)
        #expect(file["frames"] as? Int == 14_400)
        let room = try #require(record["room"] as? [String: Any])
        #expect(room["volume"] as? Double == 90)
        #expect(room["surface"] as? Double == 126)
        let source = try #require((record["sources"] as? [[String: Any]])?.first)
        #expect(abs(try #require(source["distance"] as? Double) - 13.0.squareRoot()) < 1e-4)
        // Ahead is −z; the source is 3 m to the left and 2 m ahead.
        let azimuth: Double = atan2(3, 2) * 180 / Double.pi
        #expect(abs(try #require(source["azimuth"] as? Double) - azimuth) < 1e-3)
        #expect((source["t30"] as? [Double])?.count == 10)
    }

    @Test("keep drawn positions away from walls and as far from the listener as is asked, in a box and in an L")
    func places() throws {
        let folder = try BatchFolder()
        for shape in [
            #""box": {"uniform": [[3, 2.5, 3], [6, 4, 9]]}"#, #""lshape": {"size": [6, 3, 5], "notch": [3, 2]}"#,
        ] {
            let row =
                #"{"id": "p", "count": 100, \#(shape), "listener": {"wall": 0.6, "height": 1.2}, "#
                + #""source": {"wall": 0.4, "distance": [0.7, 1.1], "height": {"uniform": [1, 2]}}, \#(Tiny.members)}"#
            let manifest = try folder.manifest(row)
            #expect(try folder.run(manifest, to: "out", anew: true).made == 100)
            var heights: Set<Double> = []
            for record in try Self.records(folder) {
                let size = try #require((record["room"] as? [String: Any])?["size"] as? [Double])
                let source = try #require((record["sources"] as? [[String: Any]])?.first)
                let listener = try #require((record["listener"] as? [String: Any])?["position"] as? [Double])
                let position = try #require(source["position"] as? [Double])
                #expect((0.6999...1.1001).contains(try #require(source["distance"] as? Double)))
                #expect(listener[1] == 1.2)
                for axis in 0..<3 {
                    #expect((0.3999...size[axis] - 0.3999).contains(position[axis]))
                    if axis != 1 { #expect((0.5999...size[axis] - 0.5999).contains(listener[axis])) }
                }
                if shape.contains("lshape") {
                    // The notch takes x from 3 and z from 3 on.
                    let (x, z) = (max(3 - position[0], 0), max(3 - position[2], 0))
                    #expect((x * x + z * z).squareRoot() >= 0.3999)
                }
                heights.insert(position[1])
            }
            #expect(heights.count > 90)
        }
    }

    @Test("draw numbers, choices, lines and lists, each by its own place")
    func draws() throws {
        let folder = try BatchFolder()
        try Data("brick\n\n  wood \nglass\n".utf8).write(to: URL(fileURLWithPath: folder.path("walls.txt")))
        let start =
            #"{"id": "d", "count": 400, "box": [4, 3, {"choice": [5, {"uniform": [6, 7]}]}], "material": {"line": "walls.txt"}, "#
            + #""listener": [1, 1, 1], "sources": {"repeat": {"integer": [1, 3]}, "of": {"position": [{"normal": [2, 0.2], "min": 1.5, "max": 3}, 1.5, 2]}}, "#
        try folder.run(try folder.manifest(start + Tiny.members + "}"), to: "out")
        // Another member changes no draw.
        try folder.run(
            try folder.manifest(
                start + Tiny.members
                    + #", "t60": 0.3}"#.replacing(#", "t60": 0.3"#, with: #", "air": {"humidity": 30}"#)), to: "two")
        let (records, others) = (try Self.records(folder), try Self.records(folder, "two"))
        #expect(records.count == 400)
        var counts: [String: Int] = [:]
        var places: [Double] = []
        for (record, other) in zip(records, others) {
            let room = try #require(record["room"] as? [String: Any])
            #expect(
                NSDictionary(dictionary: room)
                    == NSDictionary(dictionary: try #require(other["room"] as? [String: Any])))
            counts[try #require((room["materials"] as? [String])?.first), default: 0] += 1
            let depth = try #require((room["size"] as? [Double])?[2])
            counts[depth == 5 ? "five" : "more", default: 0] += 1
            #expect(depth == 5 || (6...7).contains(depth))
            let sources = try #require(record["sources"] as? [[String: Any]])
            counts["\(sources.count)", default: 0] += 1
            places += sources.compactMap { ($0["position"] as? [Double])?[0] }
        }
        // Four standard deviations of a share of 1/3 of 400: ±38.
        for name in ["brick", "wood", "glass", "1", "2", "3"] {
            #expect((95...171).contains(counts[name] ?? 0), "\(name)")
        }
        #expect((160...240).contains(counts["five"] ?? 0))
        let mean = places.reduce(0, +) / Double(places.count)
        let deviation = (places.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(places.count)).squareRoot()
        #expect(abs(mean - 2) < 0.04)
        #expect(abs(deviation - 0.2) < 0.03)
    }

    @Test("grow without a change to those that were there")
    func growth() throws {
        let folder = try BatchFolder()
        let row = Tiny.row("g").dropFirst()
        try folder.run(try folder.manifest(#"{"count": 3, "# + row), to: "few")
        try folder.run(try folder.manifest(#"{"count": 5, "# + row), to: "more")
        #expect(folder.files("more").contains("g-000004.wav"))
        for name in folder.files("few") where name.hasSuffix(".wav") {
            #expect(folder.bytes("few/\(name)") == folder.bytes("more/\(name)"))
        }
    }

    @Test(
        "that cannot be done name row, path, value, rule and cure",
        arguments: [
            (#""box": [6, 3]"#, "box is a list of 2; it is a list of 3 numbers: give as many."),
            (#""box": [6, 3, 0]"#, "box[2] is 0; it is a number from 0.1 to 10000: give one in that range."),
            (
                #""box": [6, 3, 5], "source": [9, 1, 1]"#,
                "source is 9, 1, 1; the room has x from 0 to 6, y from 0 to 3, z from 0 to 5 m: give a position in it."
            ),
            (#""box": [6, 3, 5], "source": {"wall": 2}"#, "rule"),
            (#""box": [6, 3, 5], "colour": 1"#, "has a member “colour”; known there are"),
            (#""box": [6, 3, 5], "receiver": "stereo""#, "receiver is “stereo”; it is mono, binaural, ambisonic:0"),
            (
                #""box": [6, 3, 5], "receiver": {"linear": {"count": 8, "spacing": 2}}"#,
                "has microphone 0 outside the room"
            ),
            (
                #""box": [{"uniform": [3, 2]}, 3, 5]"#,
                "box[0].uniform is a list of 2; it is a list of two, the lower first"
            ),
            (#""box": [6, 3, 5], "noise": {"kind": "pink", "snr": 3}"#, "noise is there without a dry sound"),
            (#""box": [6, 3, 5], "dry": "none.wav""#, "none.wav"),
            (#""box": [6, 3, 5], "quality": "best""#, "quality is “best”; it is one of low, medium, high, reference"),
            (#""scene": "a.gltf", "box": [6, 3, 5]"#, "has a member “box”"),
            (#""boxes": 1"#, "has neither box, lshape or mesh nor scene"),
        ])
    func errors(members: String, words: String) throws {
        let folder = try BatchFolder()
        let place = members.contains("source") ? "" : #", "source": [1, 1, 1]"#
        let row =
            #"{"id": "x", \#(members)\#(members.contains("scene") ? "" : place + #", "listener": [3, 1.5, 2], "rate": 8000, "rays": 0"#)}"#
        nonisolated(unsafe) var said: [String] = []
        #expect(try folder.run(try folder.manifest(row), to: "out") { said.append($0) }.failed == 1)
        #expect(said.count == 1)
        #expect(said[0].hasPrefix("Row “x” (rows.jsonl, line 1): "))
        if words == "rule" {
            #expect(said[0].contains("source asks for a position at 2 m from the surfaces; 4096 draws found none"))
        } else {
            #expect(said[0].contains(words), "\(said[0])")
        }
    }

    @Test("of scenes are rendered with their seed, or one of their own")
    func scenes() throws {
        let folder = try BatchFolder()
        try folder.run(
            try folder.manifest(
                #"{"id": "a2", "scene": "two-rooms.glb", "timeline": "walk.json", "layout": "binaural", "seed": 7, "seconds": 0.1}"#,
                #"{"id": "a3", "scene": "two-rooms.glb", "rate": 16000, "format": "flac"}"#), to: "out")
        let records = try Self.records(folder)
        #expect(records[0]["seed"] as? Int == 7)
        #expect(records[0]["layout"] as? String == "binaural")
        #expect(records[1]["seed"] as? Int != nil)
        #expect(folder.bytes("out/a3.flac").starts(with: Array("fLaC".utf8)))
    }

    @Test("are a list in a .json document too")
    func document() throws {
        let folder = try BatchFolder()
        let text = "[\n \(Tiny.row("a")),\n \(Tiny.row("b"))\n]"
        let list = try Manifest(Data(text.utf8), name: "rows.json", folder: folder.url.path)
        try folder.run(list, to: "list")
        try folder.run(try folder.manifest(Tiny.row("a"), Tiny.row("b")), to: "lines")
        #expect(folder.bytes("list/results.jsonl") == folder.bytes("lines/results.jsonl"))
        #expect(throws: BatchError.self) { try Manifest(Data("[".utf8), name: "a.json", folder: "") }
        #expect(throws: BatchError.self) { try Manifest(Data("\n \n".utf8), name: "a.jsonl", folder: "") }
    }
}
