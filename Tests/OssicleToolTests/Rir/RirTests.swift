import ArgumentParser
import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif
import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes
import Testing
@testable import ossicle

@Suite("ossicle rir")
struct RirTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "ossicle-rir-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

    private static let room = [
        "--box", "6x3x5", "--material", "carpet_on_concrete", "--source", "1,1.5,1.2", "--listener", "4.5,1.6,3.1",
        "--quality", "low",
    ]

    private func run(_ arguments: [String]) throws { try RirCommand.parse(Self.room + arguments).run() }

    private func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    @Test(
        "arguments that make no sense are refused in words",
        arguments: [
            (["--source", "1,2,3", "--listener", "3,2,1"], "The scene is missing"),
            (["a.obj", "--box", "1x2x3", "--source", "1,2,3", "--listener", "3,2,1"], "scene “a.obj” and --box"),
            (room + ["--rate", "7"], "--rate 7 is outside"),
            (room + ["--order", "1001"], "--order 1001 is outside 0 to 1000"),
            (room + ["--length", "nan"], "--length nan is outside"),
            (room + ["--source", "1,2"], "'1,2' is invalid"), (room + ["--source", "1,2,nan"], "invalid"),
            (room + ["--box", "6x3"], "'6x3' is invalid"),
            (room + ["--receiver", "ambisonic:8"], "'ambisonic:8' is invalid"),
            (room + ["--receiver", "array"], "The array has no microphones"),
            (room + ["--microphone", "0,0,0"], "add --receiver array"),
            (room + ["--facing", "0,0,0", "--yaw", "3"], "exclude each other"),
            (room + ["--threads", "0"], "--threads 0"),
        ])
    func refusals(arguments: [String], words: String) {
        #expect { try RirCommand.parse(arguments) } throws: { RirCommand.message(for: $0).contains(words) }
    }

    @Test(
        "what cannot be done is told with its cure, and leaves nothing behind",
        arguments: [
            (["--output", "a.mp3"], "neither .wav nor .sofa"),
            (["--output", "a.wav", "--picture", "a.png"], "is not .svg"),
            (["--output", "none/a.wav"], "does not exist"),
            (["--output", "a.wav", "--json", "a.wav"], "into one file"),
            (["--output", "a.wav", "--material", "oak=marmalade"], "marmalade"),
            (["--output", "a.wav", "--source", "4.5,1.6,3.1"], "at least 1 cm apart"),
            (["--output", "a.wav", "--receiver", "array", "--microphones", "none.csv"], "cannot be read"),
        ])
    func failures(arguments: [String], words: String) {
        let placed = arguments.map {
            ["a.mp3", "a.wav", "a.png", "none/a.wav", "none.csv"].contains($0) ? path($0) : $0
        }
        #expect { try run(placed) } throws: { "\($0)".contains(words) }
        #expect(files == [])
    }

    @Test("writes floating point that begins with the direct sound, a picture that is well-formed, and metrics")
    func everything() throws {
        try run(["--output", path("a.wav"), "--picture", path("a.svg"), "--json", path("a.json")])
        #expect(files == ["a.json", "a.svg", "a.wav"])
        let wave = try bytes("a.wav")
        func number(at place: Int, size: Int) -> Int { (0..<size).reduce(0) { $0 | Int(wave[place + $1]) << (8 * $1) } }
        #expect(number(at: 4, size: 4) == wave.count - 8 && number(at: 20, size: 2) == 3)
        #expect(number(at: 22, size: 2) == 1 && number(at: 34, size: 2) == 32)
        #expect(number(at: 54, size: 4) == wave.count - 58 && number(at: 46, size: 4) == (wave.count - 58) / 4)
        let samples = stride(from: 58, to: wave.count, by: 4).map { Float(bitPattern: UInt32(number(at: $0, size: 4))) }
        let distance = (Vector(1, 1.5, 1.2) - Vector(4.5, 1.6, 3.1)).magnitude
        let place = samples.prefix(1500).enumerated().max { $0.element.magnitude < $1.element.magnitude }?.offset ?? 0
        #expect(abs(Double(place) - distance / 343.2 * 48_000) < 1)
        // 0.16 frames beside its place (sinc: 0.957), and the mean of what 4 m of air leave of all frequencies (ISO
        // 9613-1: 0.891).
        #expect(abs(Double(samples[place]) * distance - 0.852) < 0.05)

        #expect(XMLParser(data: Data(try bytes("a.svg"))).parse())
        let svg = String(decoding: try bytes("a.svg"), as: UTF8.self)
        for words in [
            "Decay in each octave band", "Ways of sound, from above", "Energy by direction", "31.5 Hz", "16 kHz",
            "source", "listener",
        ] {
            #expect(svg.contains(words), "\(words)")
        }
        let metrics = try #require(
            try JSONSerialization.jsonObject(with: Data(try bytes("a.json"))) as? [[String: Any]])
        #expect(metrics.count == 1 && (metrics[0]["bands"] as? [[String: Any]])?.count == 10)
        #expect((metrics[0]["bands"] as? [[String: Any]])?[5]["frequency"] as? Double == 1000)
    }

    @Test("the number of threads does not change a byte, and nothing is replaced unasked")
    func threads() throws {
        for (name, count) in [("a.wav", "1"), ("b.wav", "3")] {
            try run(["--output", path(name), "--threads", count, "--receiver", "ambisonic:2"])
        }
        let areSame = try bytes("a.wav") == bytes("b.wav")
        #expect(areSame)
        #expect { try run(["--output", path("a.wav")]) } throws: { "\($0)".contains("give --overwrite") }
        try run(["--output", path("a.wav"), "--overwrite"])
        let isOther = try bytes("a.wav") != bytes("b.wav")
        #expect(isOther)
    }

    @Test("several pairs become several files of sound, or one SOFA file")
    func pairs() throws {
        let two = ["--listener", "2,1.2,4", "--rays", "0"]
        try run(two + ["--output", path("a.wav")])
        #expect(files == ["a-1.wav", "a-2.wav"])
        try run(
            two + [
                "--output", path("b.sofa"), "--receiver", "array", "--microphone", "-0.1,0,0", "--microphone",
                "0.1,0,0",
            ])
        #expect(files == ["a-1.wav", "a-2.wav", "b.sofa"])
        #expect(try bytes("b.sofa").starts(with: [0x89, 0x48, 0x44, 0x46]))
    }

    @Test(
        "a listener looks where it is told",
        arguments: [
            ([], Vector(0, 0, -1)), (["--yaw", "90"], Vector(-1, 0, 0)), (["--pitch", "90"], Vector(0, 1, 0)),
            (["--facing", "10,0,0"], Vector(1, 0, 0)),
        ])
    func orientation(arguments: [String], ahead: Vector) throws {
        let pose = try ListenerOptions.parse(arguments).pose(at: .zero)
        #expect((pose.forward - ahead).magnitude < 1e-9)
        #expect((pose.right.cross(pose.up) - pose.back).magnitude < 1e-9)
    }

    @Test("a scene from a file sounds like the box it describes")
    func file() throws {
        let box = try BoxScene(
            size: Vector(6, 3, 5), materials: [MaterialLibrary["carpet_on_concrete"] ?? MaterialLibrary.opaque])
        let mesh = box.occluder.geometry.mesh
        let lines =
            mesh.vertices.map { "v \($0.x) \($0.y) \($0.z)" } + ["usemtl Carpet_on_concrete.001"]
            + mesh.triangles.map { "f \($0.x + 1) \($0.y + 1) \($0.z + 1)" }
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.appendingPathComponent("room.obj"))
        try run(["--output", path("a.wav"), "--rays", "0"])
        try RirCommand.parse([path("room.obj")] + Self.room.dropFirst(4) + ["--output", path("b.wav"), "--rays", "0"])
            .run()
        let areSame = try bytes("a.wav") == bytes("b.wav")
        #expect(areSame)
    }
}
