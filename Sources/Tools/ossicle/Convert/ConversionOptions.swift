import ArgumentParser
import OssicleCodecs

/// What the sound files to be made shall be; what is not asked for stays as it is.
struct ConversionOptions: ParsableArguments, Sendable {
    @Option(help: "Format of the files. Otherwise the ending of OUT tells or, in a folder, each file keeps its own.")
    var format: OutputFormat?

    @Option(help: "How samples are coded, where the format leaves a choice.")
    var codec: CodecName?

    @Option(parsing: .unconditional, help: ArgumentHelp("Sample rate, in hertz.", valueName: "hertz"))
    var rate: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of channels: more are mixed down, fewer are spread.", valueName: "count"))
    var channels: Int?

    @Option(parsing: .unconditional, help: "Bits of a sample, where the codec leaves a choice.")
    var bits: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Bits per second of a lossy codec: 128000 or 128k.", valueName: "rate"))
    var bitrate: BitRate?

    @Option(parsing: .unconditional, help: "How hard an encoder tries: 0 (smallest file) to 1 (best sound).")
    var quality: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("""
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
        throw ValidationError("\(name) \(value) is outside \(range.lowerBound) to \(range.upperBound): give a value in that range.")
    }

    var encoder: EncoderSettings { EncoderSettings(bitRate: bitrate?.bitsPerSecond, quality: quality) }
}
