import Foundation
import OssicleScenes

/// What `ossicle batch` is to do with a manifest.
package struct BatchOptions: Sendable {
    /// Where results go; made where it is not there.
    package var folder: String
    package var shard = Shard.whole
    /// Rows at a time, each on a thread of its own.
    package var jobs = 1
    /// One archive for the shard in place of files.
    package var archives = false
    /// Begins anew in place of going on.
    package var startsAnew = false

    package init(folder: String) { self.folder = folder }
}

/// How far a shard is.
package struct BatchProgress: Sendable, Hashable {
    /// Rows that were computed, that were there already, that cannot be done, and of the shard.
    package var made = 0, kept = 0, failed = 0
    package var total = 0

    package var done: Int { made + kept + failed }
}

/// Computes the rows of a shard on several threads.
///
///     rows ──▶ worker: draw, compute, write beside its place ──▶ in the order of the rows: put in place, note in the journal
///
/// A row is in the journal only when its files are in their places, so that a process may be killed at any moment and
/// the next one continues. Results come in the order of the rows whatever their number of threads; a worker that is far
/// ahead of the slowest row waits, so that memory does not grow.
package final class BatchRun: @unchecked Sendable {
    private let work: RowWork
    private let options: BatchOptions
    private let report: @Sendable (String) -> Void
    private let journal: Journal
    private let archive: Archive?

    /// Guards all below.
    private let condition = NSCondition()
    private var progress: BatchProgress
    private var next = 0
    private var committed = 0
    private var outcomes: [Int: Outcome] = [:]
    private var failure: BatchError?
    private var failures: [RowError] = []
    private var isCancelled = false
    private var running = 0

    /// Rows between the first that is not in its place and the last that is begun, for each thread.
    private static let lead = 8
    /// Bytes of a worker's stack: the renderer of scenes is deep.
    private static let stack = 8 << 20
    /// Failures kept for the file of them.
    private static let mostFailures = 100_000

    private enum Outcome {
        case made(RowWork.Product, files: [(unfinished: String, place: String)])
        case kept(String)
        case failed(RowError)
    }

    /// Looks at what an earlier process left.
    /// - Parameter report: receives sentences about rows that cannot be done, and others that begin with “Warning: ”,
    ///   on any thread.
    package init(
        _ work: RowWork, _ options: BatchOptions, report: @escaping @Sendable (String) -> Void
    ) throws(BatchError) {
        (self.work, self.options, self.report) = (work, options, report)
        let rows = options.shard.rowCount(of: work.manifest.rowCount)
        progress = BatchProgress(total: max(rows, 0))
        do {
            try FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
        } catch {
            throw BatchError(
                "“\(options.folder)”", "could not be made", rule: "results need a folder", cure: "choose another --out")
        }
        let header = JSONValue.object([
            "version": JSONValue(1), "shard": .string("\(options.shard.index)/\(options.shard.count)"),
            "seed": .string("\(work.seed)"), "tar": .bool(options.archives),
        ]).line
        journal = try Journal(
            options.folder, options.shard, rows: progress.total, header: header, startsAnew: options.startsAnew)
        archive = options.archives ? try Archive(options.folder, options.shard, startsAnew: options.startsAnew) : nil
        if let archive { try archive.cut(to: journal.archiveEnd(within: archive.size)) }
        removeUnfinished()
    }

    /// What a killed process of this shard left.
    private func removeUnfinished() {
        let prefix = unfinishedPrefix
        for name in (try? FileManager.default.contentsOfDirectory(atPath: options.folder)) ?? []
        where name.hasPrefix(prefix) { unlink(path(name)) }
    }

    private var unfinishedPrefix: String { ResultNames.hidden + options.shard.name("row", "") }

    private func path(_ name: String) -> String { (options.folder as NSString).appendingPathComponent(name) }

    /// Computes what is left of the shard. Rows that cannot be done are reported and left out.
    /// - Parameters:
    ///   - isAsked: whether to end: rows that are begun are done, no others begin.
    ///   - show: called some ten times a second on this thread.
    /// - Returns: what became of the rows; fewer than all of them where it was asked to end.
    package func run(
        until isAsked: @escaping @Sendable () -> Bool = { false }, show: (BatchProgress) -> Void = { _ in }
    ) throws(BatchError) -> BatchProgress {
        defer {
            journal.unlock()
            archive?.unlock()
        }
        running = min(max(options.jobs, 1), max(progress.total, 1))
        for number in 0..<running {
            let thread = Thread { self.work(number) }
            thread.stackSize = BatchRun.stack
            thread.start()
        }
        condition.lock()
        while running > 0 {
            _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
            if isAsked() { isCancelled = true }
            let now = progress
            condition.unlock()
            show(now)
            condition.lock()
        }
        condition.unlock()
        if let failure { throw failure }
        journal.synchronise()
        archive?.synchronise()
        if progress.done == progress.total { try finish() }
        return progress
    }

    /// One worker's life.
    private func work(_ number: Int) {
        while let position = claimed() {
            let outcome = autoreleased { self.outcome(position) }
            condition.lock()
            outcomes[position] = outcome
            commit()
            condition.broadcast()
            condition.unlock()
        }
        condition.lock()
        running -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// The next row; nil where there is none any more.
    private func claimed() -> Int? {
        condition.lock()
        defer { condition.unlock() }
        while next < progress.total, next >= committed + BatchRun.lead * options.jobs, failure == nil, !isCancelled {
            condition.wait()
        }
        guard next < progress.total, failure == nil, !isCancelled else { return nil }
        next += 1
        return next - 1
    }

    private func outcome(_ position: Int) -> Outcome {
        do throws(RowError) {
            let row = try work.prepared(options.shard.row(position))
            if isDone(row) { return .kept(row.source.id) }
            let unfinished = path("\(unfinishedPrefix)\(position)")
            let product = try work.product(of: row, scratch: unfinished + ".flac")
            for warning in product.warnings { report("Warning: \(row.source.error(warning))") }
            guard archive == nil else { return .made(product, files: []) }
            var files: [(unfinished: String, place: String)] = []
            for (index, file) in product.files.enumerated() {
                let name = "\(unfinished).\(index)"
                do throws(BatchError) { try AppendedFile.write(file.bytes, to: name) } catch {
                    throw row.source.error(error.description)
                }
                files.append((name, path(file.name)))
            }
            return .made(product, files: files)
        } catch {
            return .failed(error)
        }
    }

    private func isDone(_ row: RowWork.Prepared) -> Bool {
        condition.lock()
        let record = journal.earlierRecord(row.source.id)
        condition.unlock()
        guard let record else { return false }
        guard record.input == row.input else {
            if archive != nil { refuseChange(row.source.id) }
            return false
        }
        return archive != nil || record.files.allSatisfy { SizedFile.size(path($0.name)) == $0.byteCount }
    }

    /// An archive is only added to.
    private func refuseChange(_ id: String) {
        condition.lock()
        failure =
            failure
            ?? BatchError(
                "“\(options.folder)”", "has row “\(id)” in an archive already, of another content",
                rule: "archives are not changed", cure: "give another --out, or --overwrite to begin anew")
        condition.unlock()
    }

    /// Puts rows into their places, as far as there is no gap. Under the lock.
    private func commit() {
        while failure == nil, let outcome = outcomes.removeValue(forKey: committed) {
            do throws(BatchError) {
                switch outcome {
                case .kept(let id):
                    journal.keep(id, at: committed)
                    progress.kept += 1
                case .made(let product, let files):
                    for file in files { try AppendedFile.move(file.unfinished, to: file.place) }
                    let record = try archive?.add(product) ?? product.record
                    try journal.add(record, at: committed)
                    progress.made += 1
                case .failed(let error):
                    progress.failed += 1
                    if failures.count < BatchRun.mostFailures { failures.append(error) }
                    report("\(error)")
                }
            } catch {
                failure = error
            }
            committed += 1
        }
    }

    /// The shard's results, what it is, and what of it failed.
    private func finish() throws(BatchError) {
        var digest = SetDigest()
        journal.forEachRecord { digest.add($0) }
        try archive?.finish()
        try journal.finish()
        let shard = options.shard
        try write(
            JSONValue.object([
                "version": JSONValue(1), "manifest": .string(work.manifest.name),
                "manifestSha256": .string(work.manifest.digest), "seed": .string("\(work.seed)"),
                "ossicle": .string(work.version), "shard": JSONValue(shard.index), "shards": JSONValue(shard.count),
                "rows": JSONValue(work.manifest.rowCount), "done": JSONValue(progress.made + progress.kept),
                "failed": JSONValue(progress.failed), "sha256": .string(digest.hex),
            ]).bytes, to: shard.name(ResultNames.facts, "json"))
        let failures = shard.name(ResultNames.failures, "jsonl")
        guard !self.failures.isEmpty else {
            unlink(path(failures))
            return
        }
        let lines = self.failures.map { failure in
            var members: [String: JSONValue] = ["line": JSONValue(failure.line), "error": .string(failure.finding)]
            members["id"] = failure.id.map(JSONValue.string)
            return JSONValue.object(members).line + "\n"
        }
        try write(Array(lines.joined().utf8), to: failures)
    }

    private func write(_ bytes: [UInt8], to name: String) throws(BatchError) {
        let unfinished = path(unfinishedPrefix + name)
        try AppendedFile.write(bytes, to: unfinished)
        try AppendedFile.move(unfinished, to: path(name))
    }

    /// Digest of the shard's files; of what is finished.
    package var digest: String {
        var digest = SetDigest()
        journal.forEachRecord { digest.add($0) }
        return digest.hex
    }
}

/// What Foundation makes on a thread goes with the row, where it has pools.
private func autoreleased<Value>(_ body: () -> Value) -> Value {
    #if canImport(ObjectiveC)
    autoreleasepool(invoking: body)
    #else
    body()
    #endif
}

/// The size of a file by its path.
enum SizedFile {
    /// Nil where there is no file.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
