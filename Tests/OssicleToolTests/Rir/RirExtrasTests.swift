import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleFiles
import OssicleResponses
import Testing
@testable import ossicle

@Suite("ossicle rir: materials, sources, receivers and what it writes besides")
struct RirExtrasTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "ossicle-rir-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    private var written: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

    private static let room = [
        "--box", "6x3x5", "--source", "1,1.5,1.2", "--listener", "4.5,1.6,3.1", "--quality", "low", "--rays", "0",
        "--length", "0.1",
    ]

    private func run(_ arguments: [String]) throws { try RirCommand.parse(Self.room + arguments).run() }

    private func samples(_ name: String) throws -> [Float] {
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
        let start = bytes.count - (bytes.count - 58) / 4 * 4
        return stride(from: start, to: bytes.count, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
        }
    }

    private func json(_ name: String) throws -> [[String: Any]] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(name)))
                as? [[String: Any]])
    }

    @Test("paths are written with delay, levels, directions, corners and surfaces that the box's geometry has")
    func paths() throws {
        try run([
            "--material", "felt=0.75/30/0", "--material", "felt", "--order", "1", "--paths", path("p.json"), "--output",
            path("a.wav"),
        ])
        let facts = try json("p.json")
        let paths = try #require(facts.first?["paths"] as? [[String: Any]])
        #expect(paths.count == 7 && paths[0]["kind"] as? String == "direct")
        // The floor: the image is at y = −1.5.
        let length = Vector(3.5, 3.1, 1.9).magnitude
        let floor = try #require(paths.first { abs(($0["length"] as? Double ?? 0) - length) < 1e-6 })
        let surfaces = try #require(floor["surfaces"] as? [[String: String]])
        #expect(floor["order"] as? Int == 1 && surfaces == [["object": "box", "material": "felt"]])
        let air = Double(Medium().attenuation[5]) * length
        let levels = try #require(floor["levels"] as? [Double])
        #expect(abs(levels[5] - (10 * log10(0.25) - 20 * log10(length) - air)) < 0.01)
        let corner = try #require((floor["corners"] as? [[Double]])?.first)
        #expect(abs(corner[1]) < 1e-9)
        let departure = try #require(floor["departure"] as? [Double])
        #expect(abs(departure[1] + 3.1 / length) < 1e-9)
    }

    @Test("materials come from a JSON file, and the command line comes before it")
    func materials() throws {
        try Data(#"{"a": {"absorption": 0.5}, "b": "a", "c": "brick"}"#.utf8).write(
            to: folder.appendingPathComponent("m.json"))
        let options = try SceneOptions.parse(["--box", "1x1x1", "--materials", path("m.json"), "--material", "c=0.25"])
        let book = try options.book()
        #expect(book.material(for: "b")?.absorption == OctaveBands(repeating: 0.5))
        #expect(book.material(for: "c")?.absorption == OctaveBands(repeating: 0.25))
        #expect { try run(["--material", "x=2", "--output", path("a.wav")]) } throws: { "\($0)".contains("x") }
        #expect { try run(["--materials", path("none.json"), "--output", path("a.wav")]) } throws: {
            "\($0)".contains("cannot be read")
        }
    }

    @Test("a source that looks away is heard through its walls only, and one of several may be aimed on its own")
    func directivity() throws {
        // A cardioid's null: the direct sound vanishes.
        try run(["--order", "0", "--output", path("a.wav")])
        try run([
            "--order", "0", "--source-directivity", "cardioid", "--aim", "-2.5,1.4,-0.7", "--output", path("b.wav"),
        ])
        let peaks = try ["a.wav", "b.wav"].map { try samples($0).map(\.magnitude).max() ?? 0 }
        #expect(peaks[1] < peaks[0] * 0.002)
        #expect {
            try run(["--source-directivity", "cardioid", "--aim", "0,0,0", "--aim", "1,0,0", "--output", path("c.wav")])
        } throws: {
            "\($0)".contains("--aim is given 2 times for 1 sources")
        }
        #expect { try run(["--source-directivity", "none.txt", "--output", path("c.wav")]) } throws: {
            "\($0)".contains("none.txt")
        }
        for words in [
            ["--aim", "1,2,3"], ["--source-directivity", "cardioid:0"], ["--source-directivity", "cardioid:1:1,2"],
        ] {
            #expect(throws: (any Error).self) { try RirCommand.parse(Self.room + words) }
        }
        #expect(throws: Never.self) {
            try RirCommand.parse(Self.room + ["--source-directivity", "cardioid:2:0,0,3,6,10,20"])
        }
    }

    @Test("microphones have patterns, and fields orders up to 7 in N3D")
    func receivers() throws {
        try run(["--order", "0", "--output", path("a.wav"), "--facing", "8,1.7,5"])
        try run(["--order", "0", "--output", path("b.wav"), "--facing", "8,1.7,5", "--pattern", "figure-eight"])
        let (a, b) = (try samples("a.wav"), try samples("b.wav"))
        let ahead = try #require((Vector(8, 1.7, 5) - Vector(4.5, 1.6, 3.1)).direction)
        let cosine = try #require((Vector(1, 1.5, 1.2) - Vector(4.5, 1.6, 3.1)).direction).dot(ahead)
        #expect(zip(a, b).allSatisfy { abs($0 * Float(cosine) - $1) < 1e-5 })
        for words in [["--pattern", "cardioid", "--receiver", "binaural"], ["--head", "a.sofa"], ["--pattern", "2"]] {
            #expect(throws: (any Error).self) { try RirCommand.parse(Self.room + words) }
        }
        try run(["--order", "0", "--receiver", "ambisonic:7:n3d", "--output", path("c.wav")])
        #expect(try [UInt8](Data(contentsOf: folder.appendingPathComponent("c.wav")))[22] == 64)
    }

    @Test("several sources go into one file, and a dry sound is played through all with one stated gain")
    func files() throws {
        let dry = try #require(WaveFile(channels: [[1, 0, 0, -0.5]], sampleRate: 48_000))
        try Data(dry.bytes).write(to: folder.appendingPathComponent("dry.wav"))
        try run([
            "--order", "0", "--source", "2,1.5,4", "--multichannel", "--output", path("r.wav"), "--play-through",
            path("dry.wav"),
        ])
        #expect(written == ["dry.wav", "r-played-1.wav", "r-played-2.wav", "r.wav"])
        let response = try samples("r.wav")
        let played = try [samples("r-played-1.wav"), samples("r-played-2.wav")]
        let peak = played.flatMap(\.self).map(\.magnitude).max() ?? 0
        #expect(abs(20 * log10(Double(peak)) + 1) < 1e-3)
        // Interleaved: the first channel is the first source's.
        let first = stride(from: 0, to: response.count, by: 2).map { response[$0] }
        let wanted = (0..<first.count).map { first[$0] - ($0 >= 3 ? 0.5 * first[$0 - 3] : 0) }
        let scale = try #require(zip(played[0], wanted).max { abs($0.1) < abs($1.1) }.map { $0.0 / $0.1 })
        #expect(zip(played[0], wanted).allSatisfy { abs($0 - scale * $1) < 1e-5 })
    }
}
