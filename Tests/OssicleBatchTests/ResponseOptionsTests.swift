import Foundation
import OssicleBatch
import OssicleFiles
import OssicleScenes
import Testing

/// Rows with what `ossicle rir` can do besides: patterns, materials of one's own, orders, metrics, paths.
@Suite("Options of rows' responses") struct ResponseOptionsTests {
    private struct Outcome {
        var sound: [[Float]] = []
        var record = JSONValue.null
        var paths: [UInt8] = []
        var said: [String] = []

        var energy: Double { sound[0].reduce(0) { $0 + Double($1) * Double($1) } }

        func member(_ names: String...) -> JSONValue? {
            names.reduce(record) { value, name in
                switch value {
                case .object(let members)?: members[name]
                case .array(let list)?: Int(name).flatMap { list.indices.contains($0) ? list[$0] : nil }
                default: nil
                }
            }
        }
    }

    /// Computes a row of a box of 9 × 4 × 6 m with its source 2 m to the right of a listener who looks along −z.
    private func row(_ members: String, listener: String = "[4, 1.5, 3]") throws -> Outcome {
        let folder = try BatchFolder()
        let shape = members.contains("lshape") ? "" : #""box": [9, 4, 6], "#
        let row =
            #"{"id": "c", \#(shape)"rate": 16000, "rays": 0, "quality": "low", "length": 0.05, "seed": 1, "source": [6, 1.5, 3], "listener": \#(listener), \#(members)}"#
        nonisolated(unsafe) var outcome = Outcome()
        let done = try folder.run(try folder.manifest(row), to: "out") { outcome.said.append($0) }
        guard done.made == 1 else { return outcome }
        let audio = try ResidentAudio(path: folder.path("out/c.wav"))
        outcome.sound = withExtendedLifetime(audio) { (0..<audio.channelCount).map { Array(audio.samples($0)) } }
        outcome.record = try JSONValue(folder.bytes("out/results.jsonl").dropLast(), file: "results")
        outcome.paths = folder.bytes("out/c.paths.json")
        return outcome
    }

    @Test(
        "a microphone's pattern has its gain p + (1 − p) cos θ in the direction of the source",
        arguments: [
            ("\"figure-eight\"", 0.0, 0.0), ("\"figure-eight\"", 90, 1), ("\"cardioid\"", 0, 0.5),
            ("0.75", 90, 0.5), ("[0.75]", 90, 0.5), ("\"cardioid\"", -90, 1),
        ])
    func pattern(pattern: String, yaw: Double, gain: Double) throws {
        let listener = #"{"position": [4, 1.5, 3], "yaw": \#(yaw)}"#
        let plain = try row(#""order": 0"#, listener: listener)
        let heard = try row(#""order": 0, "pattern": \#(pattern)"#, listener: listener)
        #expect(abs((heard.energy / plain.energy).squareRoot() - gain) < 0.01)
    }

    @Test("a wall of a row's own material, by name and by values, takes what it says of a reflection")
    func materials() throws {
        // The floor alone reflects: a quarter of the energy is left.
        func energy(_ floor: String) throws -> Double {
            try row(
                #""order": 1, "material": {"walls": "dead", "floor": \#(floor)}, "materials": {"dead": {"absorption": 1, "scattering": 0}, "half": {"absorption": 0.75, "scattering": 0}, "same": "half"}"#
            ).energy
        }
        let direct = try energy("\"dead\"")
        let whole = try energy(#"{"absorption": 0, "scattering": 0}"#) - direct
        for floor in ["\"half\"", "\"same\"", #"{"absorption": 0.75, "scattering": 0}"#] {
            #expect(abs((try energy(floor) - direct) / whole / 0.25 - 1) < 0.05)
        }
    }

    @Test("a list of paths has an order of ten in a box, the direct one first, and more orders more energy")
    func paths() throws {
        let high = try row(#""order": 10, "paths": true"#), low = try row(#""order": 3"#)
        let list = try JSONCursor(try JSONValue(high.paths, file: "paths"), file: "paths").list()[0].object()
        let paths = try list.required("paths").list().map { try $0.object() }
        #expect(abs(try paths[0].required("delay").number(in: 0...1) - 2 / 343.2) < 1e-5)
        #expect(try paths.map { try $0.required("order").integer(in: 0...20) }.max() == 10)
        #expect(high.energy > low.energy && low.paths.isEmpty)
        guard case .array(let files)? = high.member("files") else { Issue.record("no files"); return }
        #expect(files.count == 2)
    }

    @Test("metrics all has sides, and of ears their correlation; without it a record has neither")
    func metrics() throws {
        let all = try row(#""order": 2, "metrics": "all", "receiver": "binaural""#), plain = try row(#""order": 2"#)
        guard case .array(let iacc)? = all.member("sources", "0", "response", "iacc") else {
            Issue.record("no IACC")
            return
        }
        let isShare = iacc.allSatisfy { if case .number(let value) = $0 { (0...1).contains(value) } else { true } }
        #expect(isShare && iacc.count == 8)
        #expect(all.member("sources", "0", "lf") != nil && plain.member("sources", "0", "lf") == nil)
        #expect(plain.member("sources", "0", "response") == nil)
    }

    @Test("waves change what is below the crossover only")
    func waves() throws {
        let plain = try row(#""order": 3"#), waves = try row(#""order": 3, "waves": {"crossover": 100}"#)
        #expect(plain.sound[0].count == waves.sound[0].count && plain.sound != waves.sound)
    }

    @Test(
        "what cannot be meant is refused with member, value, rule and cure",
        arguments: [
            (#""pattern": "heart""#, "pattern is “heart”; patterns are omni"),
            (#""pattern": "cardioid", "receiver": "binaural""#, "a pattern is that of microphones"),
            (#""head": "a.sofa""#, "a head has two ears: take the receiver binaural"),
            (#""waves": {"crossover": 3}"#, "waves.crossover is 3"), (#""metrics": "some""#, "metrics is “some”"),
            (#""materials": {"a": {"absorption": [0.1, 0.2]}}"#, "materials.a.absorption has 2 values"),
            (#""order": 1001"#, "order is 1001"), (#""speech": {"level": 999}"#, "speech.level is 999"),
            (#""lshape": {"size": [9, 4, 6], "notch": [1, 1]}, "order": 999"#, "choose an order of at most "),
        ])
    func refusals(members: String, words: String) throws {
        let said = try row(members).said.joined()
        #expect(said.contains(words), "\(said)")
    }
}
