import ArgumentParser
import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif
import OssicleAcoustics
import OssicleCore
import Testing

@testable import ossicle

/// Maps of a room over a grid.
@Suite("ossicle map") struct MapTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder + "/" + name }

    private static let room = ["--box", "6x3x5", "--material", "brick", "--source", "1,1.5,1", "--rays", "256"]

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    @Test("writes a picture, a line for each place and JSON, the same bytes on one thread and on seven")
    func files() throws {
        for threads in ["1", "7"] {
            try MapCommand.parse(
                Self.room + [
                    "--grid", "4,3,1.6", "--only", "g,t30,sti,lf,iacc", "--threads", threads, "-o",
                    path("\(threads).svg"),
                    "--csv", path("\(threads).csv"), "--json", path("\(threads).json"),
                ]
            ).run()
        }
        for ending in ["svg", "csv", "json"] { #expect(try text("1.\(ending)") == text("7.\(ending)")) }
        #expect(XMLParser(data: Data(try text("1.svg").utf8)).parse())
        let rows = try text("1.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 13 && rows.allSatisfy { $0.count == rows[0].count })
        #expect(rows[0][..<5] == ["x", "y", "z", "g", "g_31.5"])
        // Cell middles of 1.5 by 1.67 m.
        #expect(rows[1][..<3] == ["0.7500", "1.6000", "0.8333"])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(try text("1.json").utf8)) as? [String: Any])
        let places = try #require(json["places"] as? [[String: Any]])
        #expect(places.count == 12 && json["columns"] as? Int == 4)
        let column = try #require(rows[0].firstIndex(of: "iacc"))
        for row in rows.dropFirst() {
            let value = try #require(Double(row[column]))
            #expect(value > 0 && value <= 1)
        }
    }

    @Test("G of places in the open is that of the distance, and is drawn with a level of speech")
    func open() throws {
        // Far below: a sheet that all but nothing comes back from.
        let sheet = "v -4 0 -4\nv -4 0 4\nv 4 0 4\nv 4 0 -4\nusemtl cardboard\nf 1 2 3 4\n"
        try sheet.write(toFile: path("sheet.obj"), atomically: true, encoding: .utf8)
        try MapCommand.parse([
            path("sheet.obj"), "--source", "0,60,0", "--grid", "3,3,59", "--only", "g,spl", "--speech-level", "60",
            "--rays", "64", "-o", path("open.svg"), "--csv", path("open.csv"),
        ]).run()
        let rows = try text("open.csv").split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
        let (g, spl) = (try #require(rows[0].firstIndex(of: "g")), try #require(rows[0].firstIndex(of: "spl")))
        #expect(rows.count == 10)
        for row in rows.dropFirst() {
            let (x, y, z) = (Double(row[0]) ?? 0, (Double(row[1]) ?? 0) - 60, Double(row[2]) ?? 0)
            let level = 20 - 10 * log10(x * x + y * y + z * z)
            #expect(abs((Double(row[g]) ?? 99) - level) < 0.2)
            #expect(abs((Double(row[spl]) ?? 99) - (60 + level - 20)) < 0.3)
        }
    }

    @Test("what makes no sense is refused with a cure, and nothing is written")
    func refusals() throws {
        func refuses(_ more: [String], _ words: String) {
            #expect {
                var command = try MapCommand.parse(Self.room + ["-o", path("no.svg")] + more)
                try command.run()
            } throws: { error in
                "\(error)".contains(words) || MapCommand.message(for: error).contains(words)
            }
        }
        refuses(["--only", "spl"], "--speech-level")
        refuses(["--grid", "0,3"], "0,3")
        refuses(["--csv", path("no.txt")], "not .csv")
        refuses(["--grid", "3,3,4"], "another height")
        refuses(["--source", "9,1,1"], "outside the room")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
