import ArgumentParser
import Foundation
import OssicleCodecs

/// What `ossicle convert` is going to do, checked as a whole before it begins: which file becomes which, and that
/// no sound is lost by it.
struct ConversionPlan: Equatable {
    struct Job: Equatable, Sendable {
        let input, output: String
        let format: OutputFormat
    }

    let jobs: [Job]
    /// Outputs that were there and shall stay, with `skipsExisting`.
    let skipped: Int
    let overwrites: Bool

    /// - Parameters:
    ///   - inputs: files and folders; folders are searched through, in alphabetical order, for files that end like
    ///     sound files.
    ///   - output: a file, or a folder when it is one, ends in a slash, or has to take more than one file.
    init(
        _ inputs: [String], to output: String, format: OutputFormat?, overwrites: Bool = false,
        skipsExisting: Bool = false
    ) throws {
        let isFolder =
            output.hasSuffix("/") || FileSystem.isFolder(output) || inputs.count > 1
            || inputs.contains(where: FileSystem.isFolder)
        let all =
            isFolder
            ? try Self.jobs(inputs, into: output, format: format)
            : [try Self.job(inputs.first ?? "", output, format: format)]
        try Self.checkCollisions(all)
        let (there, missing) = (
            all.filter { FileSystem.exists($0.output) }, all.filter { !FileSystem.exists($0.output) }
        )
        self.overwrites = overwrites
        skipped = skipsExisting ? there.count : 0
        jobs = skipsExisting ? missing : all
        if !overwrites, !skipsExisting, !there.isEmpty { throw Self.refusal(ofExisting: there.map(\.output)) }
    }

    private static func jobs(_ inputs: [String], into folder: String, format: OutputFormat?) throws -> [Job] {
        if FileSystem.exists(folder), !FileSystem.isFolder(folder) {
            throw ToolError("\(folder) is a file and cannot take several: name a folder as the last argument.")
        }
        let found = inputs.flatMap { sounds(at: $0, besides: folder) }
        guard !found.isEmpty else {
            throw ToolError(
                "\(inputs.joined(separator: ", ")) holds no sound file: name files, or folders with files that end in \(OutputFormat.endings.sorted().joined(separator: ", "))."
            )
        }
        return try found.map { input, place in
            let ending = (input as NSString).pathExtension
            guard let format = format ?? OutputFormat(ending: ending) else { throw unknownEnding(of: input) }
            let name =
                OutputFormat(ending: ending) == format
                ? place : (place as NSString).deletingPathExtension + "." + format.rawValue
            return Job(input: input, output: (folder as NSString).appendingPathComponent(name), format: format)
        }
    }

    private static func job(_ input: String, _ output: String, format: OutputFormat?) throws -> Job {
        guard let format = format ?? OutputFormat(ending: (output as NSString).pathExtension) else {
            throw unknownEnding(of: output)
        }
        return Job(input: input, output: output, format: format)
    }

    /// The files a named path stands for, each with its place in the output folder. What lies in the output folder is
    /// not taken from a folder: it was made by an earlier run.
    private static func sounds(at path: String, besides folder: String) -> [(input: String, place: String)] {
        guard FileSystem.isFolder(path) else { return [(path, (path as NSString).lastPathComponent)] }
        let made = FileSystem.resolved(folder) + "/"
        return FileSystem.files(in: path)
            .filter { OutputFormat.endings.contains(($0 as NSString).pathExtension.lowercased()) }
            .map { ((path as NSString).appendingPathComponent($0), $0) }
            .filter { FileSystem.resolved(path) + "/" == made || !FileSystem.resolved($0.0).hasPrefix(made) }
    }

    private static func checkCollisions(_ jobs: [Job]) throws {
        var makers: [String: String] = [:]
        let inputs = Dictionary(
            jobs.map { (FileSystem.identity($0.input), $0.input) }, uniquingKeysWith: { first, _ in first })
        for job in jobs {
            let output = FileSystem.identity(job.output)
            if let input = inputs[output] {
                throw ToolError(
                    "\(job.output) would overwrite the input \(input): choose another name or folder for the output.")
            }
            if let other = makers.updateValue(job.input, forKey: output) {
                throw ToolError(
                    "\(other) and \(job.input) would both become \(job.output): convert them into different folders, or rename one."
                )
            }
        }
    }

    private static func refusal(ofExisting outputs: [String]) -> ToolError {
        let names =
            outputs.prefix(5).joined(separator: ", ") + (outputs.count > 5 ? " and \(outputs.count - 5) more" : "")
        return ToolError(
            "\(names) \(outputs.count == 1 ? "exists" : "exist") already: give --overwrite to replace, --skip-existing to keep, or another output."
        )
    }

    private static func unknownEnding(of path: String) -> ToolError {
        let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
        return ToolError("\(path) does not end in a format one can write: give --format, one of \(formats).")
    }
}

/// What the sound files to be made shall be; what is not asked for stays as it is.
struct ConversionOptions: ParsableArguments, Sendable {
    @Option(help: "Format of the files. Otherwise the ending of OUT tells or, in a folder, each file keeps its own.")
    var format: OutputFormat?

    @Option(help: "How samples are coded, where the format leaves a choice.")
    var codec: CodecName?

    @Option(parsing: .unconditional, help: ArgumentHelp("Sample rate, in hertz.", valueName: "hertz"))
    var rate: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of channels: more are mixed down, fewer are spread.", valueName: "count"))
    var channels: Int?

    @Option(parsing: .unconditional, help: "Bits of a sample, where the codec leaves a choice.")
    var bits: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Bits per second of a lossy codec: 128000 or 128k.", valueName: "rate"))
    var bitrate: BitRate?

    @Option(parsing: .unconditional, help: "How hard an encoder tries: 0 (smallest file) to 1 (best sound).")
    var quality: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Integrated loudness to bring the sound to, in LUFS (EBU R 128), without a true peak above −1 dBTP.
            """, valueName: "LUFS"))
    var loudness: Double?

    @Flag(help: "Hide the loss of bits behind noise.")
    var dither = false

    func validate() throws {
        try check("--rate", rate, in: 1000...768_000)
        try check("--channels", channels, in: 1...64)
        try check("--bitrate", bitrate?.bitsPerSecond, in: 1000...10_000_000)
        try check("--quality", quality, in: 0...1)
        try check("--loudness", loudness, in: -70...0)
    }

    private func check<Value: Comparable>(_ name: String, _ value: Value?, in range: ClosedRange<Value>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "\(name) \(value) is outside \(range.lowerBound) to \(range.upperBound): give a value in that range.")
    }

    var encoder: EncoderSettings { EncoderSettings(bitRate: bitrate?.bitsPerSecond, quality: quality) }
}
