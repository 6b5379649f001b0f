import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleFiles

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert sound files: format, rate, channels, bits, loudness; one, or many at once.",
        usage: "ossicle convert [<options>] <in> ... <out>",
        discussion: """
            One file becomes another whose ending tells the format: ossicle convert talk.wav talk.flac. Several files, or folders with all they \
            hold, go into a folder: ossicle convert *.wav takes/ out/ --format flac. Each file keeps one core busy (OSSICLE_THREADS or --jobs \
            say how many at a time); one that fails is named and does not hold up the others, and the exit status is then 1. Titles, artists and the \
            like are carried over. Nothing is overwritten without --overwrite, an input never.

            A path of - is standard input or output: cat talk.wav | ossicle convert - - --format flac >talk.flac. What goes out is sent when it is \
            whole, and the report then goes to standard error.

            \(SoundFormats.sentence)
            """)

    @Argument(help: ArgumentHelp("Sound files or folders and, last, the file or folder to write.", valueName: "path"))
    var paths: [String]

    @OptionGroup var options: ConversionOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Files converted at the same time.", valueName: "count"))
    var jobs: Int?

    @Flag(help: "Replace files that exist.")
    var overwrite = false

    @Flag(help: "Leave out what exists already, for instance to go on after an interruption.")
    var skipExisting = false

    func validate() throws {
        guard paths.count > 1 else {
            throw ValidationError("Where to write is missing: name a file or a folder as the last argument.")
        }
        if paths.contains(StandardStream.argument) { try checkStreams() }
        if let jobs, !(1...1024).contains(jobs) {
            throw ValidationError("--jobs \(jobs) is outside 1 to 1024: give a number in that range.")
        }
        if overwrite, skipExisting {
            throw ValidationError("--overwrite and --skip-existing exclude each other: give one of them.")
        }
    }

    private func checkStreams() throws {
        guard paths.count == 2 else {
            throw ValidationError(
                "- stands for one sound, standard input or output: give it with one other path, not \(paths.count - 1)."
            )
        }
        if paths[1] == StandardStream.argument, options.format == nil {
            let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("Standard output has no name that tells a format: give --format, one of \(formats).")
        }
    }

    @Flag(help: "Write for programs: a JSON object with all conversions in place of the report.")
    var json = false

    func run() throws {
        if paths.contains(StandardStream.argument) { return try convertStream() }
        let plan = try ConversionPlan(
            Array(paths.dropLast()), to: paths.last ?? "", format: options.format, overwrites: overwrite,
            skipsExisting: skipExisting)
        let started = ContinuousClock.now
        if plan.jobs.count == 1, plan.skipped == 0, let job = plan.jobs.first {
            print(try text(of: try convert(job), started))
        } else {
            try convertAll(plan, started)
        }
    }

    private func convert(_ job: ConversionPlan.Job) throws -> ConversionReport {
        let progress = Progress("converting")
        defer { progress.clear() }
        return try FileConversion(job: job, options: options, overwrites: overwrite).run { progress.show($0) }
    }

    private func text(of report: ConversionReport, _ started: ContinuousClock.Instant) throws -> String {
        let summary = ConversionSummary(converted: [report], failed: 0, skipped: 0, elapsed: started.duration(to: .now))
        return json ? try summary.json : report.text + "\n" + summary.speed
    }

    /// From standard input, to standard output, or both.
    private func convertStream() throws {
        let input = paths[0] == StandardStream.argument ? try StandardStream.receivedInput() : nil
        defer { input?.discard() }
        let output =
            paths[1] == StandardStream.argument
            ? try StandardStream.temporaryFile(ending: options.format?.rawValue ?? "") : nil
        defer { output?.discard() }
        let names = (input.map { [$0.path: StandardStream.inputName] } ?? [:]).merging(
            output.map { [$0.path: StandardStream.outputName] } ?? [:]
        ) { $1 }
        do {
            let plan = try ConversionPlan(
                [input?.path ?? paths[0]], to: output?.path ?? paths[1], format: options.format, overwrites: overwrite,
                skipsExisting: skipExisting)
            guard plan.jobs.count == 1, let job = plan.jobs.first, !FileSystem.isFolder(paths[0]),
                !FileSystem.isFolder(paths[1]), !paths[1].hasSuffix("/")
            else {
                if plan.skipped == 1 { return print("skipped \(paths[1]), which exists") }
                throw ToolError(
                    "- stands for one sound and goes with one file: name a file, not the folder \(paths.first { $0 != StandardStream.argument } ?? "")."
                )
            }
            let started = ContinuousClock.now
            var report = try convert(job)
            report.job = ConversionPlan.Job(
                input: names[job.input] ?? job.input, output: names[job.output] ?? job.output, format: job.format)
            guard let output else { return print(try text(of: report, started)) }
            try StandardStream.send(output.path)
            StandardError.write(try text(of: report, started) + "\n")
        } catch {
            throw StandardStream.renamed(error, names)
        }
    }

    private func convertAll(_ plan: ConversionPlan, _ started: ContinuousClock.Instant) throws {
        let outcomes = BulkConversion(
            plan: plan, options: options, workers: jobs.map { WorkerPool(workers: $0) } ?? .shared
        ).run(StandardError.tell)
        let reports = outcomes.compactMap { if case .converted(let report) = $0 { report } else { nil } }
        let summary = ConversionSummary(
            converted: reports, failed: outcomes.count - reports.count, skipped: plan.skipped,
            elapsed: started.duration(to: .now))
        print(json ? try summary.json : summary.text)
        if summary.failed > 0 { throw ExitCode.failure }
    }
}
