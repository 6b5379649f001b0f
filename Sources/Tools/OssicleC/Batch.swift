import Foundation
import OssicleAcoustics
import OssicleBatch
import OssicleHeader
import OssicleRendering
import Synchronization

/// What became of a data set, behind a handle.
final class Report: Sendable {
    let facts: CText

    init(_ facts: some Encodable) { self.facts = CText(json: facts) }
}

/// What `ossicle_report_facts` says of a batch.
private struct BatchFacts: Encodable {
    let folder, shard, sha256: String
    let rows, made, kept, failed: Int
    /// About rows that cannot be done, or are odd.
    let messages: [String]
}

/// Whether the work is to end, and what was said meanwhile. Any thread.
private final class BatchWatch: Sendable {
    static let mostMessages = 1000
    private let state = Mutex((ends: false, messages: [String]()))

    var ends: Bool { state.withLock { $0.ends } }
    var messages: [String] { state.withLock { $0.messages } }

    func end() { state.withLock { $0.ends = true } }

    func add(_ message: String) {
        state.withLock { if $0.messages.count < BatchWatch.mostMessages { $0.messages.append(message) } }
    }
}

extension ossicle_batch_options {
    fileprivate static var standard: ossicle_batch_options {
        var options = ossicle_batch_options()
        options.size = MemoryLayout<ossicle_batch_options>.size
        return options
    }

    fileprivate func chosen(_ folder: String) throws -> BatchOptions {
        try Check.integer("options.jobs", jobs, in: 0...1024)
        var options = BatchOptions(folder: folder)
        if let shard {
            let text = String(cString: shard)
            guard let known = Shard(text) else {
                throw Fault(
                    "options.shard", "is “\(text)”", rule: "it is a number and how many shards there are",
                    cure: "give such as 0/64")
            }
            options.shard = known
        }
        options.jobs = (WorkerPool(limit: jobs) ?? .shared).workers
        (options.archives, options.startsAnew) = (tar != 0, overwrite != 0)
        return options
    }

    fileprivate func manifest(_ path: String) throws -> Manifest {
        guard let base, let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
            return try Manifest(contentsOfFile: path)
        }
        return try Manifest(
            bytes, name: URL(fileURLWithPath: path).lastPathComponent, folder: String(cString: base))
    }

    fileprivate func soundFormat() throws -> SoundFormat {
        let name = format.map { String(cString: $0) } ?? "wav"
        guard let known = SoundFormat(rawValue: name) else {
            throw Fault(
                "options.format", "is “\(name)”",
                rule: "formats are \(SoundFormat.allCases.map(\.rawValue).joined(separator: ", "))",
                cure: "give one of these")
        }
        return known
    }
}

/// What `ossicle_report_facts` says of a check.
private struct VerifyFacts: Encodable {
    struct Finding: Encodable { let kind, name, message: String }

    let rows, files, bytes, failedRows: Int
    let rowsOfManifest: Int?
    let findings: [Finding]
    let sha256: String

    init(_ found: Verification) {
        (rows, files, bytes, failedRows) = (found.rows, found.files, found.bytes, found.failedRows)
        (rowsOfManifest, sha256) = (found.rowsOfManifest, found.digest)
        findings = found.problems.map { Finding(kind: $0.kind.rawValue, name: $0.name, message: $0.words) }
    }
}

@c @implementation
public func ossicle_batch_options_init(_ options: UnsafeMutablePointer<ossicle_batch_options>?) {
    options?.pointee = .standard
}

@c @implementation
public func ossicle_batch(
    _ manifest: UnsafePointer<CChar>?, _ folder: UnsafePointer<CChar>?,
    _ given: UnsafePointer<ossicle_batch_options>?, _ report: HandlePlace?, _ error: ErrorPlace?
) -> Int32 {
    make(report, error, "report") {
        let path = try String(manifest, named: "manifest")
        let folder = try String(folder, named: "folder")
        let given = try options(
            given, defaults: .standard, cure: "set them by ossicle_batch_options_init of the same header")
        let manifest = try given.manifest(path)
        let options = try given.chosen(folder), watch = BatchWatch()
        let work = RowWork(
            manifest, seed: given.seed, format: try given.soundFormat(), version: OssicleVersion.text,
            renderer: RowRenderer())
        let run = try BatchRun(work, options) { watch.add($0) }
        let done = try run.run(until: { watch.ends }) { now in
            let share = Double(now.done) / Double(max(now.total, 1))
            if let progress = given.progress, progress(share, given.context) != 0 { watch.end() }
        }
        guard done.done == done.total else {
            throw Fault(
                "The progress function ended the data set; the same call continues it.", code: OSSICLE_CANCELLED)
        }
        return Report(
            BatchFacts(
                folder: folder, shard: "\(options.shard.index)/\(options.shard.count)", sha256: run.digest,
                rows: done.total, made: done.made, kept: done.kept, failed: done.failed, messages: watch.messages))
    }
}

@c @implementation
public func ossicle_verify(_ folder: UnsafePointer<CChar>?, _ report: HandlePlace?, _ error: ErrorPlace?) -> Int32 {
    make(report, error, "report") {
        Report(VerifyFacts(try Verification(folder: String(folder, named: "folder"))))
    }
}

@c @implementation
public func ossicle_report_facts(_ report: OpaquePointer?) -> UnsafePointer<CChar>? {
    (try? Handles.object(report, Report.self, "report"))?.facts.pointer
}

@c @implementation
public func ossicle_report_free(_ report: OpaquePointer?) { Handles.free(report, Report.self) }
