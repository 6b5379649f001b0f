import Foundation
import OssicleBatch

/// A folder for manifests and results that disappears with the test.
final class BatchFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-batch-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Every file in a folder of it, hidden ones too.
    func files(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
    }

    func bytes(_ name: String) -> [UInt8] { FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } ?? [] }

    func manifest(_ lines: String...) throws -> Manifest {
        try Manifest(Data(lines.joined(separator: "\n").utf8), name: "rows.jsonl", folder: url.path)
    }

    /// Computes one shard of rows.
    @discardableResult
    func run(
        _ manifest: Manifest, to out: String, shard: String = "0/1", jobs: Int = 1, seed: UInt64 = 7, tar: Bool = false,
        format: SoundFormat = .wav, anew: Bool = false, report: @escaping @Sendable (String) -> Void = { _ in },
        until isAsked: @escaping @Sendable () -> Bool = { false }
    ) throws -> BatchProgress {
        var options = BatchOptions(folder: path(out))
        options.shard = Shard(shard) ?? .whole
        (options.jobs, options.archives, options.startsAnew) = (jobs, tar, anew)
        let work = RowWork(manifest, seed: seed, format: format, version: "test", renderer: ConstantRenderer())
        return try BatchRun(work, options, report: report).run(until: isAsked)
    }
}

/// Renders a scene as a constant; the seed is its level.
struct ConstantRenderer: SceneRenderer {
    func render(_ job: SceneJob) throws -> RenderedScene {
        let frames = Int((job.seconds ?? 0.01) * Double(job.sampleRate))
        let level = Float(job.seed % 1000) / 1000
        return RenderedScene(
            channels: Array(repeating: Array(repeating: level, count: frames), count: 2),
            layout: job.layout ?? "binaural")
    }
}

/// A room that takes a thousandth of a second: no rays, no reflections, 10 ms.
enum Tiny {
    static let members = #""rate": 8000, "rays": 0, "order": 0, "quality": "low", "length": 0.01"#
    static func row(_ id: String, _ others: String = "") -> String {
        #"{"id": "\#(id)", "box": [4, 3, 5], "source": {"wall": 0.3, "distance": [0.5, 3]}, "listener": {"wall": 0.5, "height": 1.5}, \#(members)\#(others)}"#
    }
}
