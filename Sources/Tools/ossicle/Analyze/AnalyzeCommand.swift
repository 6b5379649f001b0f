import ArgumentParser
import Foundation
import OssicleAnalysis
import OssicleFiles

extension DirectionMethod.Name: ExpressibleByArgument {}

struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract:
            "Measure a sound file: levels, loudness, third octaves, decay of an impulse response, directions over time.",
        discussion: """
            Two channels count as ears, 4, 9 and 16 without labels as a sound field (ACN, SN3D), others as loudspeakers; --as says otherwise. Decay times are \
            given where the sound begins with its loudest part and falls in a straight line, or with --response. \(SoundFormats.sentence)
            """)

    @Argument(help: ArgumentHelp("A sound file.", valueName: "file"))
    var file: String

    @Option(name: .customLong("as"), help: "What the channels are, for directions.")
    var receiver: DirectionMethod.Name?

    @Flag(help: "It is an impulse response: measure its decay in any case.")
    var response = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Stretches of time whose loudness and direction are given, 0.02 to 10.", valueName: "seconds"))
    var interval = 0.1

    @Option(help: ArgumentHelp("Draw all of it into this SVG file.", valueName: "svg"))
    var picture: String?

    @Flag(help: "Write for programs: a JSON object.")
    var json = false

    func validate() throws {
        guard (0.02...10).contains(interval) else {
            throw ValidationError("--interval \(interval) is outside 0.02 to 10: give a length in that range.")
        }
    }

    func run() throws {
        let drawing = try picture.map(OutputFile.init)
        let progress = Progress("measuring")
        defer { progress.clear() }
        let analysis = try SoundAnalysis(
            of: file,
            SoundAnalysis.Wishes(
                receiver: receiver, isResponse: response, interval: interval, draws: drawing != nil)
        ) { progress.show($0) }
        if let receiver, receiver != .none, analysis.receiver == nil {
            throw ToolError(
                "\(file) has \(analysis.channels.count) channels, which are no \(receiver.rawValue) sound: leave --as out, or name another."
            )
        }
        progress.clear()
        if let drawing { try drawing.write(Data(AnalysisPicture(analysis: analysis).svg.utf8)) }
        let report = AnalysisReport(analysis: analysis)
        print(json ? try report.json : report.text)
    }
}
