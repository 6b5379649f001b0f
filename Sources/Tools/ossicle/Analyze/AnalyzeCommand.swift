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
            given where the sound begins with its loudest part and falls in a straight line, or with --response. With --echo the file is an echo canceller's output, \
            held against the microphone's recording, what was sent to the loudspeaker, and the near talker alone as the microphone heard him. \
            \(SoundFormats.sentence)
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
            "Amplitude that the direct sound at 1 m has in the response, for levels (G, LG): 1 in those of ossicle rir.",
            valueName: "amplitude"))
    var reference: Double?

    @OptionGroup var speech: SpeechOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Stretches of time whose loudness and direction are given, 0.02 to 10.", valueName: "seconds"))
    var interval = 0.1

    @Flag(help: "It is what an echo canceller made of --mic: measure how well, with --far and --near.")
    var echo = false

    @Option(help: ArgumentHelp("With --echo, the sound file of what was sent to the loudspeaker.", valueName: "far"))
    var far: String?

    @Option(help: ArgumentHelp("With --echo, the sound file of what was recorded.", valueName: "mic"))
    var mic: String?

    @Option(help: ArgumentHelp("With --echo, the near talker's part of the recording.", valueName: "near"))
    var near: String?

    @Option(help: ArgumentHelp("Draw all of it into this SVG file.", valueName: "svg"))
    var picture: String?

    @Flag(help: "Write for programs: a JSON object.")
    var json = false

    func validate() throws {
        let files = [("--far", far), ("--mic", mic), ("--near", near)]
        if echo, let missing = files.first(where: { $0.1 == nil }) {
            throw ValidationError("--echo needs \(missing.0): name its sound file.")
        }
        if !echo, let given = files.first(where: { $0.1 != nil }) {
            throw ValidationError("\(given.0) is given without --echo: add it, or leave \(given.0) out.")
        }
        if echo, receiver != nil || response {
            throw ValidationError("--echo measures nothing else: leave --as and --response out.")
        }
        guard (0.02...10).contains(interval) else {
            throw ValidationError("--interval \(interval) is outside 0.02 to 10: give a length in that range.")
        }
        if let reference, !(reference > 0 && reference.isFinite) {
            throw ValidationError("--reference \(reference) is no amplitude: give a number above 0.")
        }
    }

    func run() throws {
        let drawing = try picture.map(OutputFile.init)
        let progress = Progress("measuring")
        defer { progress.clear() }
        if let far, let mic, let near {
            let analysis = try EchoAnalysis(output: file, far: far, microphone: mic, near: near)
            progress.clear()
            if let drawing { try drawing.write(Data(analysis.svg.utf8)) }
            print(json ? try JSONText.document(analysis) : analysis.text)
            return
        }
        let analysis = try SoundAnalysis(
            of: file,
            SoundAnalysis.Wishes(
                receiver: receiver, isResponse: response, reference: reference,
                speech: speech.conditions(.atListener), interval: interval, draws: drawing != nil)
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
