import ArgumentParser
import OssicleDSP
import OssicleFiles

struct EchoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo",
        abstract: "Take what a loudspeaker played out of a microphone's recording.",
        usage: "ossicle echo --far <far> --mic <mic> -o <out> [<options>]",
        discussion: """
            Both recordings begin at the same time: FAR is what was sent to the loudspeaker, MIC what the microphone heard. The delay between them may be \
            half a second, and their clocks may drift apart by 200 millionths. OUT has one channel, the rate of MIC and its length, and the near talker where \
            he was. More channels are mixed down; FAR is brought to the rate of MIC, which is 8000 to 48000 Hz.

            \(SoundFormats.sentence)
            """)

    @Option(help: ArgumentHelp("The sound file of what was played.", valueName: "far"))
    var far: String

    @Option(help: ArgumentHelp("The sound file of what was recorded.", valueName: "mic"))
    var mic: String

    @Option(name: .shortAndLong, help: ArgumentHelp("The sound file to write.", valueName: "out"))
    var output: String

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Length of the room's echo, 0.02 to 1.", valueName: "seconds"))
    var tail = 0.256

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Longest delay between the recordings, 0 to 1.", valueName: "seconds"))
    var longestDelay = 0.5

    @Flag(inversion: .prefixedNo, help: "Take the drift of the two clocks out.")
    var drift = true

    @Flag(inversion: .prefixedNo, help: "Suppress what the linear filter leaves of the echo.")
    var suppression = true

    @Flag(inversion: .prefixedNo, help: "Suppress steady noise.")
    var noiseSuppression = true

    @Flag(help: "Fill what is taken out with noise like the room's.")
    var comfortNoise = false

    @Flag(help: "Bring speech to −20 dBFS.")
    var gainControl = false

    @Flag(help: "Replace a file that exists.")
    var overwrite = false

    @Flag(help: "Write for programs: a JSON object.")
    var json = false

    func validate() throws {
        try check("--tail", tail, in: 0.02...1)
        try check("--longest-delay", longestDelay, in: 0...1)
    }

    private func check(_ name: String, _ value: Double, in range: ClosedRange<Double>) throws {
        guard range.contains(value) else {
            throw ValidationError(
                "\(name) \(value) is outside \(range.lowerBound) to \(range.upperBound): give a number in that range.")
        }
    }

    private var settings: EchoCanceller.Settings {
        var settings = EchoCanceller.Settings()
        settings.tail = tail
        settings.longestDelay = longestDelay
        settings.correctsDrift = drift
        settings.suppressesEcho = suppression
        settings.suppressesNoise = noiseSuppression
        settings.addsComfortNoise = comfortNoise
        settings.controlsLevel = gainControl
        return settings
    }

    func run() throws {
        let progress = Progress("cancelling")
        defer { progress.clear() }
        let report = try EchoRemoval(
            far: far, microphone: mic, output: output, settings: settings, overwrites: overwrite
        ).run { progress.show($0) }
        progress.clear()
        print(json ? try JSONText.document(report) : report.text)
    }
}
