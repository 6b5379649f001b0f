import ArgumentParser
import Foundation
import OssicleAVFAudio
import OssicleCore
import OssicleMessages
import OssiclePHASE
import OssicleRecording
import OssicleFiles

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Render what a program did to an engine, from the file that startRecordingCommands wrote.",
        discussion: """
            The sounds that the program used are in the file. What cannot be replayed is named on standard error. The WAVE file has 32 bits of floating point; \
            --text prints the commands in place of it.
            """)

    @Argument(help: ArgumentHelp("A recording of commands.", valueName: "recording"))
    var recording: String

    @Option(name: [.short, .customLong("output")], help: ArgumentHelp("The WAVE file.", valueName: "wav"))
    var output = "replay.wav"

    @Flag(help: "Print the commands, a line of JSON each, and render nothing.")
    var text = false

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    @Flag(help: "Replace a file that exists.")
    var overwrite = false

    func validate() throws {
        if text, json { throw ValidationError("--text and --json exclude each other: give one of the two.") }
        guard (output as NSString).pathExtension.lowercased() == "wav" else {
            throw ValidationError("\(output) is not .wav: give -o a name with that ending.")
        }
    }

    func run() throws {
        let reader: CommandReader
        do throws(CommandFileError) { reader = try CommandReader(path: recording) } catch {
            throw ToolError("\(recording) is not replayed: \(error.found). \(error.rule) \(error.cure)")
        }
        if text { return reader.text.forEach { print($0) } }
        _ = try OutputFile(output)
        guard overwrite || !FileSystem.exists(output) else {
            throw ToolError("\(output) exists: give --overwrite to replace it.")
        }
        let replay: ReplayedSound
        do { replay = try ReplayedSound(recording, engine: reader.engine) } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError(Text.oneLine("\(error)"))
        }
        for gap in replay.gaps { StandardError.write("Warning: at \(gap)\n") }
        if !replay.isComplete {
            StandardError.write("Warning: the recording was cut off; it is replayed as far as it goes.\n")
        }
        guard let wave = WaveFile(channels: replay.channels, sampleRate: Int(replay.sampleRate.rounded())) else {
            throw ToolError("\(output) would be longer than a WAVE file can be: record less.")
        }
        let hash = try UnfinishedFile.put(output, overwriting: overwrite) {
            try Data(wave.bytes).write(to: URL(fileURLWithPath: $0))
        }
        let report = ReplayReport(
            recording: recording, engine: reader.engine, sound: output, sha256: hash,
            frames: replay.channels.first?.count ?? 0, channels: replay.channels.count, sampleRate: replay.sampleRate,
            isComplete: replay.isComplete, gaps: replay.gaps)
        print(json ? try JSONText.document(report) : report.text)
    }
}

/// What a recording sounds like.
private struct ReplayedSound {
    private(set) var channels: [[Float]] = []
    let sampleRate: Double
    let gaps: [String]
    let isComplete: Bool

    init(_ path: String, engine: String) throws {
        let url = URL(fileURLWithPath: path)
        var channels: [[Float]] = []
        func take(_ buffer: AVAudioPCMBuffer) throws {
            let plain = AVAudioFormat(
                commonFormat: .pcmFormatFloat32, sampleRate: buffer.format.sampleRate,
                channels: buffer.format.channelCount, interleaved: false)
            let floats =
                buffer.format.commonFormat == .pcmFormatFloat32 && !buffer.format.isInterleaved
                ? buffer : plain.flatMap { buffer.converted(to: $0) }
            guard let floats, let planes = floats.floatChannelData else {
                throw ToolError("\(path) renders in \(buffer.format), which cannot be written.")
            }
            if channels.isEmpty { channels = Array(repeating: [], count: Int(floats.format.channelCount)) }
            for index in channels.indices {
                channels[index] += UnsafeBufferPointer(start: planes[index], count: Int(floats.frameLength))
            }
        }
        if engine == "phase" {
            let replay = try PHASECommandReplay(contentsOf: url)
            try replay.render(take)
            (sampleRate, gaps, isComplete) = (replay.format.sampleRate, replay.gaps, replay.isComplete)
        } else {
            let replay = try AVAudioCommandReplay(contentsOf: url)
            try replay.render(take)
            (sampleRate, gaps, isComplete) = (replay.format.sampleRate, replay.gaps, replay.isComplete)
        }
        self.channels = channels
    }
}

/// What `ossicle replay` prints.
private struct ReplayReport: Encodable {
    let recording, engine, sound, sha256: String
    let frames, channels: Int
    let sampleRate: Double
    let isComplete: Bool
    let gaps: [String]

    var text: String {
        """
        \(recording): commands of \(engine == "phase" ? "a PHASE engine" : "an AVAudioEngine")
          sound     \(sound), \(channels) channels, \(Text.number(Double(frames) / max(sampleRate, 1), decimals: 3)) s
          sha256    \(sha256)
        """
    }
}
