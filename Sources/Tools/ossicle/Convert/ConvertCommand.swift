import ArgumentParser
import Foundation
import OssicleAcoustics

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
        guard paths.count > 1 else { throw ValidationError("Where to write is missing: name a file or a folder as the last argument.") }
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs \(jobs) is outside 1 to 1024: give a number in that range.") }
        if overwrite, skipExisting { throw ValidationError("--overwrite and --skip-existing exclude each other: give one of them.") }
    }

    func run() throws {
        let plan = try ConversionPlan(Array(paths.dropLast()), to: paths.last ?? "", format: options.format, overwrites: overwrite, skipsExisting: skipExisting)
        let started = ContinuousClock.now
        if plan.jobs.count == 1, plan.skipped == 0, let job = plan.jobs.first {
            let report = try FileConversion(job: job, options: options, overwrites: overwrite).run(ShareProgress("converting").show)
            print(report.text)
            print(ConversionSummary(converted: [report], failed: 0, skipped: 0, elapsed: started.duration(to: .now)).speed)
        } else {
            try convertAll(plan, started)
        }
    }

    private func convertAll(_ plan: ConversionPlan, _ started: ContinuousClock.Instant) throws {
        let outcomes = BulkConversion(plan: plan, options: options, workers: jobs.map { WorkerPool(workers: $0) } ?? .shared).run(StandardError.tell)
        let reports = outcomes.compactMap { if case .converted(let report) = $0 { report } else { nil } }
        let summary = ConversionSummary(converted: reports, failed: outcomes.count - reports.count, skipped: plan.skipped, elapsed: started.duration(to: .now))
        print(summary.text)
        if summary.failed > 0 { throw ExitCode.failure }
    }
}
