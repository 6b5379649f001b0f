import Foundation
import FoundationXML
import OssicleFiles
import Testing
@testable import ossicle

@Suite("Scene commands") struct SceneCommandTests {
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples/Scenes")
    private static var rooms: String { examples.appendingPathComponent("two-rooms.gltf").path }
    private static var walk: String { examples.appendingPathComponent("two-rooms.walk.json").path }

    /// A scene whose sound is 0.1 s of a constant, in a mono channel mixer, without rooms and heads.
    private static func folder(
        _ others: String = "", channels: Int = 1, mixer: String = #"{"name": "m", "type": "channel", "layout": "mono"}"#
    ) throws -> SoundFolder {
        let folder = try SoundFolder()
        let wave = try #require(
            WaveFile(
                channels: Array(repeating: [Float](repeating: 0.25, count: 4800), count: channels), sampleRate: 48_000))
        try Data(wave.bytes).write(to: URL(fileURLWithPath: folder.path("c.wav")))
        let text = #"""
            {"asset": {"version": "2.0"}, "nodes": [
              {"name": "head", "extensions": {"OSSICLE_audio": {"listener": {}}}},
              {"name": "mouth", "translation": [0, 0, -1], "extensions": {"OSSICLE_audio": {"source": {}}}}\#(others)],
             "extensions": {"OSSICLE_audio": {"version": 1, "engine": {"seed": 5}, "sounds": [{"name": "c", "uri": "c.wav"}], "mixers": [\#(mixer)],
               "events": [{"name": "e", "root": {"type": "sampler", "sound": "c", "mixer": "m"}}],
               "instances": [{"name": "i", "event": "e", "source": "mouth"}]}}}
            """#
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("a.gltf")))
        try Data(
            #"{"version": 1, "duration": 0.3, "actions": [{"time": 0.1000208, "action": "start", "instance": "i"}]}"#
                .utf8
        )
        .write(to: URL(fileURLWithPath: folder.path("t.json")))
        return folder
    }

    @Test("a sound begins in the frame of its action and the file says what was rendered")
    func actions() throws {
        let folder = try Self.folder(), output = folder.path("out.wav")
        let run = try ToolProcess([
            "render", folder.path("a.gltf"), "--timeline", folder.path("t.json"), "--layout", "stereo", "--json", "-o",
            output,
        ])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        #expect(report["frames"] as? Int == 14_400)
        #expect(report["seed"] as? Int == 5)
        #expect(report["layout"] as? String == "stereo")
        #expect(
            report["sha256"] as? String == SHA256.hex(of: Array(try Data(contentsOf: URL(fileURLWithPath: output)))))
        let audio = try ResidentAudio(path: output)
        #expect(audio.channelCount == 2)
        // 0.1000208 s are 4,800.998 frames: the first frame that is not before is 4,801.
        let first = try #require(audio.samples(0).firstIndex { $0 != 0 })
        #expect((4801...4802).contains(first))
        #expect(audio.samples(0)[4801 + 2000] > 0.1)
        #expect(audio.samples(0)[14_399] == 0)
    }

    @Test("the example renders to the same bytes at one thread and at two, and nothing is left beside the files")
    func sameBytes() throws {
        let folder = try SoundFolder()
        for threads in ["1", "2"] {
            let run = try ToolProcess([
                "render", Self.rooms, "--timeline", Self.walk, "--seconds", "0.25", "--threads", threads, "-o",
                folder.path("\(threads).wav"),
                "--picture", folder.path("\(threads).svg"),
            ])
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.isEmpty)
        }
        #expect(
            FileManager.default.contents(atPath: folder.path("1.wav"))
                == FileManager.default.contents(atPath: folder.path("2.wav")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == 4)
        #expect(XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: folder.path("1.svg")))).parse())
    }

    @Test(
        "what cannot be rendered is an error with a cure",
        arguments: [
            (["--layout", "binaural"], "does not say how long it is: give --seconds"),
            (["--seconds", "1", "--listener", "x"], "no listener “x”: give one of head"),
            (["--seconds", "1", "--timeline", "a.gltf"], "version"), (["--seconds", "0"], "outside 0.001 to 3600"),
            (["--seconds", "1", "-o", "a.mp3"], "is not .wav"),
        ])
    func faults(options: [String], message: String) throws {
        let folder = try Self.folder()
        let resolved = options.map { $0 == "a.gltf" ? folder.path($0) : $0 }
        let output = options.contains("-o") ? [] : ["-o", folder.path("o.wav")]
        let run = try ToolProcess(["render", folder.path("a.gltf")] + resolved + output)
        #expect(run.status != 0)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("o.wav")))
    }

    private static func channels(_ path: String) throws -> [[Float]] {
        let audio = try ResidentAudio(path: path)
        return (0..<audio.channelCount).map { Array(audio.samples($0)) }
    }

    @Test(
        "stems of the example are the parts that the mix is the sum of",
        arguments: [("binaural", 2), ("ambisonic:1", 4), ("ambisonic:7:n3d", 64)])
    func stems(layout: String, channelCount: Int) throws {
        let folder = try SoundFolder()
        let run = try ToolProcess([
            "render", Self.rooms, "--timeline", Self.walk, "--seconds", "0.5", "--layout", layout, "--stems", "--json",
            "-o",
            folder.path("m.wav"),
        ])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        // 32-bit sums of a signal at some −10 dBFS, in another order.
        #expect((report["stemResidual"] as? Double ?? -200) < -110)
        let mix = try Self.channels(folder.path("m.wav"))
        let parts = try ["talk", "background"].map { try Self.channels(folder.path("m.\($0).wav")) }
        #expect(mix.count == channelCount)
        for channel in mix.indices {
            for frame in mix[channel].indices {
                #expect(abs(mix[channel][frame] - parts[0][channel][frame] - parts[1][channel][frame]) < 3e-6)
            }
        }
        #expect(parts.allSatisfy { $0[0].contains { abs($0) > 1e-3 } })
        #expect(folder.files == ["m.background.wav", "m.talk.wav", "m.wav"])
    }

    @Test("stems by groups are the groups and the rest, and one event of two instances is taken apart")
    func groupStems() throws {
        let folder = try Self.folder()
        let text = try String(contentsOfFile: folder.path("a.gltf"), encoding: .utf8)
            .replacing(#""mixers":"#, with: #""groups": [{"name": "g"}], "mixers":"#)
            .replacing(
                #""events": ["#,
                with:
                    #""events": [{"name": "f", "root": {"type": "sampler", "sound": "c", "mixer": "m", "group": "g", "level": 0.5}}, "#
            )
            .replacing(
                #""instances": ["#,
                with:
                    #""instances": [{"name": "j", "event": "f", "start": 0}, {"name": "k", "event": "f", "start": 0.05}, "#
            )
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("a.gltf")))
        func first(_ name: String) throws -> Int? { try Self.channels(folder.path(name))[0].firstIndex { $0 != 0 } }
        let groups = try ToolProcess([
            "render", folder.path("a.gltf"), "--timeline", folder.path("t.json"), "--layout", "stereo", "--group-stems",
            "-o",
            folder.path("o.wav"),
        ])
        #expect(groups.status == 0, "\(groups.errors)")
        #expect(try first("o.g.wav") == 0 && first("o.other.wav") ?? 0 >= 4801)
        let instances = try ToolProcess([
            "render", folder.path("a.gltf"), "--timeline", folder.path("t.json"), "--layout", "stereo", "--stems", "-o",
            folder.path("p.wav"),
        ])
        #expect(instances.status == 0, "\(instances.errors)")
        #expect(try first("p.j.wav") == 0 && first("p.k.wav") == 2400 && first("p.i.wav") ?? 0 >= 4801)
    }

    @Test("a signal leaves no file behind")
    func interrupted() throws {
        let folder = try SoundFolder(), process = Process()
        // Threads of tests block signals, and what they start would, too.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "--default-signal=INT", ToolProcess.program.path, "render", Self.rooms, "--seconds", "3000", "-o",
            folder.path("o.wav"),
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        // Not by a task, which may have to wait minutes for the tests beside it.
        Thread.sleep(forTimeInterval: 0.5)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal || process.terminationStatus == 130)
        #expect(folder.files == [])
    }

    // MARK: Lint

    private static func findings(_ folder: SoundFolder, timeline: String? = nil) -> [LintFinding] {
        SceneLint.result(of: folder.path("a.gltf"), timeline: timeline.map(folder.path)).findings
    }

    @Test("lint finds nothing in the example")
    func clean() {
        #expect(SceneLint.result(of: Self.rooms, timeline: Self.walk).findings == [])
    }

    @Test("lint sees sounds that are missing or do not fit")
    func sounds() throws {
        let gone = try Self.folder()
        try FileManager.default.removeItem(atPath: gone.path("c.wav"))
        #expect(Self.findings(gone).map(\.rule) == [.missingAsset])
        #expect(Self.findings(gone).map(\.severity) == [.error])
        let stereo = try Self.folder(channels: 2)
        #expect(Self.findings(stereo).map(\.rule) == [.layout])
        #expect(Self.findings(stereo)[0].severity == .error)
        let spatial = try Self.folder(channels: 2, mixer: #"{"name": "m", "type": "spatial", "direct": {}}"#)
        #expect(Self.findings(spatial).map(\.rule) == [.layout])
        #expect(Self.findings(spatial)[0].severity == .warning)
    }

    @Test("lint sees nodes of one name, nodes out of the scene, sources without use and scales")
    func nodes() throws {
        let folder = try Self.folder(
            #", {"name": "x", "scale": [1, 2, 1]}, {"name": "x", "scale": [1, -1, 1]}, {"name": "idle", "extensions": {"OSSICLE_audio": {"source": {}}}}"#
        )
        let found = Self.findings(folder)
        #expect(found.map(\.rule) == [.duplicateName, .unused, .transform, .transform])
        #expect(found[3].message.contains("“x” is mirrored"))
        #expect(found.allSatisfy { $0.severity == .warning })
    }

    @Test("lint sees faults of the documents, and clipping ahead")
    func documents() throws {
        let folder = try Self.folder()
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path("t.json")))
        #expect(Self.findings(folder, timeline: "t.json").map(\.rule) == [.timeline])
        let near = try Self.folder(
            mixer: #"{"name": "m", "type": "spatial", "direct": {}, "distance": {"model": "geometric", "rolloff": 1}}"#)
        #expect(Self.findings(near) == [])
        let text = try String(contentsOfFile: near.path("a.gltf"), encoding: .utf8).replacing(
            "[0, 0, -1]", with: "[0, 0, -0.2]")
        try Data(text.utf8).write(to: URL(fileURLWithPath: near.path("a.gltf")))
        // A peak of 0.25 from 0.2 m is 1.25: +1.9 dBFS.
        #expect(Self.findings(near).map(\.rule) == [.clipping])
        #expect(Self.findings(near)[0].message.contains("1.9 dBFS"))
        try Data("[]".utf8).write(to: URL(fileURLWithPath: near.path("a.gltf")))
        #expect(Self.findings(near).map(\.rule) == [.file])
    }

    @Test("lint names each part of a scene in which nothing plays")
    func silent() throws {
        let folder = try Self.folder(), path = URL(fileURLWithPath: folder.path("a.gltf"))
        var scene = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        var extensions = try #require(scene["extensions"] as? [String: [String: Any]])
        extensions["OSSICLE_audio"]?["instances"] = [Any]()
        scene["extensions"] = extensions
        try JSONSerialization.data(withJSONObject: scene).write(to: path)
        let found = Self.findings(folder)
        #expect(found.allSatisfy { $0.rule == .unused && $0.severity == .warning })
        for words in ["The sound “c”", "The mixer “m”", "The event “e”", "has no instances"] {
            #expect(found.count { $0.message.contains(words) } == 1, "\(words) in \(found)")
        }
    }

    @Test("lint's exit status is that of the worst finding")
    func status() throws {
        let folder = try Self.folder(#", {"name": "idle", "extensions": {"OSSICLE_audio": {"source": {}}}}"#)
        let path = folder.path("a.gltf")
        #expect(try ToolProcess(["lint", path]).status == 0)
        #expect(try ToolProcess(["lint", path, "--strict"]).status == 1)
        let run = try ToolProcess(["lint", path, Self.rooms, "--json"])
        let results = try #require(try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]])
        #expect(results.map { ($0["findings"] as? [Any])?.count } == [1, 0])
        #expect(try ToolProcess(["lint", folder.path("none.gltf")]).status == 1)
    }
}
