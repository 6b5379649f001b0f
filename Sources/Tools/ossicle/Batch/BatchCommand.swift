import ArgumentParser
import Foundation
import OssicleBatch
import OssicleRendering

struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Compute a data set: the responses, mixes and renderings that the rows of a manifest describe.",
        discussion: """
            A manifest has a JSON object in each line; Documentation/DataSets.md says what rows can be. Results are named by the rows' ids. What \
            is drawn at random in a row follows from the seed and the row's id alone, so that the same bytes come out of any number of shards, \
            threads and restarts; ossicle verify prints one hash for all.

            A shard that was ended or killed continues where it was when the same command is given again. Rows that cannot be done are reported and \
            left out, and the exit status is then 3.
            """)

    @Argument(help: ArgumentHelp("A manifest: JSON Lines, or a .json with one row or a list.", valueName: "manifest"))
    var manifest: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The folder of the results; made if need be.", valueName: "folder"))
    var out: String

    @Option(
        help: ArgumentHelp(
            "Which part of the rows, such as 3/64: each 64th, from row 3 on. Counted from 0.", valueName: "i/n"))
    var shard = Shard.whole

    @Option(parsing: .unconditional, help: "The seed of the data set.")
    var seed: UInt64 = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rows at a time; OSSICLE_THREADS and all cores otherwise.", valueName: "count"))
    var jobs: Int?

    @Option(
        help: "Of mixes and renderings whose rows name none: wav (32-bit floating point), flac (24 bits) or flac16.")
    var format = SoundFormat.wav

    @Flag(help: "Write one .tar for WebDataset in place of files: each row's sounds and id.json.")
    var tar = false

    @Flag(help: "Begin anew where there are results.")
    var overwrite = false

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) {
            throw ValidationError("--jobs \(jobs) is outside 1 to 1024: give a count in that range.")
        }
    }

    func run() throws {
        // Rows are what is shared out: within a row there is one thread, also where a scene is rendered.
        let jobs = jobs ?? WorkerCount.wanted
        setenv("OSSICLE_THREADS", "1", 1)
        Interruption.watch()
        let started = ContinuousClock.now
        let work = RowWork(
            try Manifest(contentsOfFile: manifest), seed: seed, format: format, version: Ossicle.version,
            renderer: RowRenderer())
        var options = BatchOptions(folder: out)
        (options.shard, options.jobs, options.archives, options.startsAnew) = (shard, jobs, tar, overwrite)
        let progress = Progress("computing")
        let run = try BatchRun(work, options) { sentence in
            progress.clear()
            StandardError.write((sentence.hasPrefix("Warning: ") ? "" : "Error: ") + sentence + "\n")
        }
        let done = try run.run(until: { Interruption.isAsked }) { now in
            let seconds = max(started.duration(to: .now) / .seconds(1), 1e-9)
            let rate = Text.number(Double(now.made) / seconds, decimals: 1)
            let failed = now.failed > 0 ? ", \(now.failed) failed" : ""
            progress.show(
                Double(now.done) / Double(max(now.total, 1)),
                "(\(now.done) of \(now.total) rows, \(rate) a second\(failed))")
        }
        progress.clear()
        let report = BatchReport(done, run.digest, self, elapsed: started.duration(to: .now))
        print(json ? try report.json : report.text)
        if done.done < done.total { throw ExitCode(Interruption.isAsked ? Interruption.status : 1) }
        if done.failed > 0 { throw ExitCode(BatchCommand.failureStatus) }
    }

    /// The exit status where rows could not be done and all others were.
    static let failureStatus: Int32 = 3
}

extension Shard: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package var defaultValueDescription: String { "0/1" }
}

extension SoundFormat: ExpressibleByArgument {}

/// Threads that the surroundings ask for.
enum WorkerCount {
    static var wanted: Int {
        let named = ProcessInfo.processInfo.environment["OSSICLE_THREADS"].flatMap { Int($0) }
        return min(max(named ?? ProcessInfo.processInfo.activeProcessorCount, 1), 1024)
    }
}

/// What `ossicle batch` prints.
struct BatchReport: Encodable {
    let folder, shard, sha256: String
    /// Of the shard; made now, there already, impossible.
    let rows, made, kept, failed: Int
    let seconds, rowsPerSecond: Double

    init(_ progress: BatchProgress, _ digest: String, _ command: BatchCommand, elapsed: Duration) {
        (folder, shard, sha256) = (command.out, "\(command.shard.index)/\(command.shard.count)", digest)
        (rows, made, kept, failed) = (progress.total, progress.made, progress.kept, progress.failed)
        seconds = elapsed / .seconds(1)
        rowsPerSecond = Double(made) / max(seconds, 1e-9)
    }

    var text: String {
        let counts =
            ["\(made) of \(rows) computed"] + (kept > 0 ? ["\(kept) there already"] : [])
            + (failed > 0 ? ["\(failed) failed"] : [])
        let left = rows - made - kept - failed
        let lines = [
            ("rows", (counts + (left > 0 ? ["\(left) left: the same command continues"] : [])).joined(separator: ", ")),
            (
                "speed",
                "\(Text.number(rowsPerSecond, decimals: 1)) rows a second, \(Text.number(seconds, decimals: 1)) s"
            ),
            ("folder", folder), ("sha-256", sha256),
        ]
        return lines.map { Text.left($0.0, width: 10) + " " + $0.1 }.joined(separator: "\n")
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
