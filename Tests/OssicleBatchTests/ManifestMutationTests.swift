import Foundation
import OssicleBatch
import OssicleTestSupport
import Testing

/// Whatever is in a manifest, its rows end in a result or an error. `OSSICLE_MUTATIONS` makes longer runs.
@Suite("Damaged manifests") struct ManifestMutationTests {
    private static let rows = [
        #"{"id": "a", "count": 3, "lshape": {"size": [6, 3, 5], "notch": [2, 2]}, "material": {"walls": {"choice": ["brick", "wood"]}, "floor": {"absorption": [0.1, 0.3], "scattering": 0.2}}, "source": {"wall": 0.3, "distance": [0.5, 3]}, "listener": {"wall": 0.5, "height": {"normal": [1.5, 0.2], "min": 1, "max": 2}, "facing": [1, 1, 1]}, "receiver": {"linear": {"count": 2, "spacing": 0.04}}, "rate": 8000, "rays": 8, "order": 1, "length": 0.02}"#,
        #"{"id": "b", "box": {"uniform": [[3, 2, 3], [5, 3, 6]]}, "t60": 0.3, "sources": [{"position": [1, 1, 1], "dry": "dry.wav"}, {"wall": 0.2, "role": "echo", "ratio": 3, "dry": "dry.wav", "start": 0.01}], "listener": [2, 1.5, 2], "noise": {"kind": "speech", "snr": {"logUniform": [1, 30]}}, "stems": true, "level": -3, "rate": 8000, "rays": 0, "order": 0, "length": 0.01, "seconds": 0.05, "format": "flac"}"#,
        #"{"id": "c", "scene": "a.gltf", "timeline": "t.json", "layout": "5.1", "seconds": 0.01, "seed": 4, "rate": 8000}"#,
        #"{"id": "d", "box": [4, 3, 5], "material": ["brick", "wood", "glass", "brick", "wood", "glass"], "sources": {"repeat": 2, "of": [{"integer": [1, 2]}, 1, 1]}, "listener": {"position": [3, 1, 3], "yaw": 30, "pitch": 5}, "receiver": "ambisonic:1", "air": {"temperature": 10, "humidity": 40}, "rate": 8000, "rays": 8, "length": 0.01}"#,
    ]

    nonisolated(unsafe) private static let extremes: [Any] = [
        -1, 0, 2_147_483_648, 9_007_199_254_740_993, 1e308, -1e308, 0.5, 1e-300, NSNull(), "", "\u{0}", "../x", true,
        [[[] as [Any]]], ["": NSNull()], ["uniform": [0, 1]], ["repeat": 3, "of": 1], [1, 2, 3],
    ]

    /// So small that a row with extreme values is still a fraction of a second, whatever of it is taken.
    private static func isCheap(_ row: [String: Any]) -> Bool {
        func number(_ name: String, _ most: Double) -> Bool { ((row[name] as? NSNumber)?.doubleValue ?? 0) <= most }
        return number("rays", 64) && number("length", 0.1) && number("seconds", 1) && number("rate", 48_000)
            && number("count", 4) && row["length"] != nil && row["rays"] != nil
            && (row["quality"] as? String) != "reference"
    }

    @Test("with any value replaced end in results or errors")
    func values() throws {
        let folder = try BatchFolder()
        try Self.dry(folder)
        var (count, failed, made) = (0, 0, 0)
        for row in Self.rows {
            let tree = try #require(try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
            for spoilt in Self.spoilt(tree, seed: &count) {
                guard let members = spoilt as? [String: Any], members["scene"] != nil || Self.isCheap(members),
                    JSONSerialization.isValidJSONObject(members)
                else { continue }
                let text = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
                let progress = try folder.run(try folder.manifest(text), to: "out", anew: true)
                #expect(progress.done == progress.total)
                (failed, made) = (failed + progress.failed, made + progress.made)
            }
        }
        #expect(failed > 100)
        #expect(made > 10)
    }

    @Test("with any byte spoilt end in results or errors")
    func bytes() throws {
        let folder = try BatchFolder()
        try Self.dry(folder)
        var mutator = Mutator(seed: 18), kept = 0
        for index in 0..<mutationCount(300) {
            let bytes = mutator.mutate(Array(Self.rows[index % Self.rows.count].utf8), most: 2)
            guard let manifest = try? Manifest(Data(bytes), name: "a.jsonl", folder: folder.url.path) else { continue }
            let tree = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
            guard manifest.rowCount < 10, tree.map({ $0["scene"] != nil || Self.isCheap($0) }) ?? true else { continue }
            kept += try folder.run(manifest, to: "out", anew: true).made
        }
        #expect(kept > 0)
    }

    private static func dry(_ folder: BatchFolder) throws {
        let wave = (0..<400).map { Int16(truncatingIfNeeded: $0 &* 7919) }
        // A WAVE file of 16 bits, 8 kHz.
        var bytes = Array("RIFF".utf8)
        func word(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        bytes += word(36 + 800, 4) + Array("WAVEfmt ".utf8) + word(16, 4) + word(1, 2) + word(1, 2) + word(8000, 4)
        bytes += word(16_000, 4) + word(2, 2) + word(16, 2) + Array("data".utf8) + word(800, 4)
        bytes += wave.flatMap { word(Int($0), 2) }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("dry.wav")))
    }

    /// The tree with one value replaced, or one member left out, each in turn.
    private static func spoilt(_ tree: Any, seed: inout Int) -> [Any] {
        seed += 1
        var found: [Any] = [extremes[seed % extremes.count], extremes[(seed * 7 + 3) % extremes.count]]
        if let members = tree as? [String: Any] {
            for name in members.keys.sorted() {
                for value in spoilt(members[name] ?? NSNull(), seed: &seed) {
                    found.append(members.merging([name: value]) { $1 })
                }
                found.append(members.filter { $0.key != name })
            }
        } else if let list = tree as? [Any] {
            for index in list.indices {
                for value in spoilt(list[index], seed: &seed) {
                    var copy = list
                    copy[index] = value
                    found.append(copy)
                }
            }
        }
        return found
    }
}
