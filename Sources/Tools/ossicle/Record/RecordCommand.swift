import ArgumentParser
import Foundation
import OssicleDevices
import OssicleFiles
import Synchronization

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a microphone or another input to a sound file.",
        discussion: """
            The ending of the file tells the format: ossicle record talk.flac. Recording goes on until --duration is over, q is pressed, or Ctrl-C; the \
            file is then whole. A file whose recorder was killed can be read as far as it came.

            \(DevicesCommand.deviceWords) OSSICLE_INPUT_DEVICE chooses where --device does not.
            """)

    @Argument(help: ArgumentHelp("The sound file to write.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("What to record from, as ossicle devices lists it.", valueName: "device"))
    var device: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Length in seconds.", valueName: "seconds"))
    var duration: Double?

    @Option(help: ArgumentHelp("The format, where the ending does not tell it.", valueName: "format"))
    var format: OutputFormat?

    @Option(parsing: .unconditional, help: ArgumentHelp("Channels; the device's own if left out.", valueName: "count"))
    var channels: Int?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Sample rate; the device's own if left out.", valueName: "hertz"))
    var rate: Int?

    @Option(parsing: .unconditional, help: "Bits of a sample, where the format has a choice.")
    var bits = 24

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    @Flag(help: "Replace a file that exists.")
    var overwrite = false

    func validate() throws {
        if let duration, !(duration > 0 && duration <= 1e6) {
            throw ValidationError("--duration \(duration) is outside 0 to 1000000 s: give a length in that range.")
        }
        if let channels, !(1...32).contains(channels) {
            throw ValidationError("--channels \(channels) is outside 1 to 32: give a number in that range.")
        }
    }

    func run() throws {
        let target = try RecordingTarget(output, format: format, bits: bits, overwrites: overwrite)
        let input = try Devices.input(
            device, FormatWishes(sampleRate: rate.map(Double.init) ?? target.standardRate, channelCount: channels))
        Interruption.watch()
        let session = try RecordingSession(input, to: target, seconds: duration)
        let (keyboard, line) = (Keyboard(), StatusLine())
        defer { line.clear() }
        try session.run(whileAsked: { show in
            line.show(show())
            let keys = keyboard.wait(milliseconds: 30)
            return !Interruption.isAsked && !keys.contains(.letter("q"))
        })
        line.clear()
        print(json ? try session.json : session.report)
        if let error = session.failure { throw ToolError("\(error)") }
    }
}

/// The file of a recording: its format, decided before a device is opened.
struct RecordingTarget {
    let path: String
    private let format: OutputFormat
    private let codec: CodecName
    private let bits: Int

    init(_ path: String, format: OutputFormat?, bits: Int, overwrites: Bool) throws {
        self.path = try OutputFile(path).path
        let ending = (path as NSString).pathExtension
        guard let format = format ?? OutputFormat(ending: ending) else {
            let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ToolError("The ending of \(path) tells no format: choose one of \(formats), or give --format.")
        }
        guard overwrites || !FileSystem.exists(path) else {
            throw ToolError("\(path) exists: give another name, or --overwrite to replace it.")
        }
        (self.format, codec, self.bits) = (format, format.codec ?? .pcm, bits)
        guard codec.depths.isEmpty || codec.depths.contains(bits) else {
            let choice = codec.depths.map(String.init).joined(separator: ", ")
            throw ToolError(
                "--bits \(bits) does not go with \(codec.rawValue), which takes \(choice): give one of these.")
        }
    }

    /// Hz to ask the device for; nil where the format takes any.
    var standardRate: Double? { codec.sampleRates.isEmpty ? nil : 48_000 }

    /// - Parameter place: where to write, if that is not its place yet.
    func writer(sampleRate: Double, channelCount: Int, to place: String? = nil) throws -> AudioFileWriter {
        try AudioFileWriter(
            FileEncoderRequest(
                path: place ?? path, container: format.container, codec: codec.codec(bits: bits, in: format),
                sampleRate: sampleRate, channelCount: channelCount,
                channelLabels: ChannelWords.usualLabels(channelCount)))
    }

    func words(sampleRate: Double, channelCount: Int) -> String {
        "\(FormatWords.of(format.container, codec.codec(bits: bits, in: format))), \(channelCount) "
            + "channel\(channelCount == 1 ? "" : "s"), \(Text.number(sampleRate, decimals: 0)) Hz"
    }
}

/// From a device into a file, until somebody says so.
final class RecordingSession {
    private let input: any InputDevice
    private let target: RecordingTarget
    private let writer: AudioFileWriter
    private let ring: CaptureRing
    private let limit: Int
    private let loss = Loss()
    private var meter: PeakMeter
    private var frames = 0

    /// What became of the device.
    private final class Loss: Sendable {
        let error = Mutex<DeviceError?>(nil)
    }

    /// Seconds the disk may take before frames are lost.
    private static let patience = 20.0

    init(_ input: any InputDevice, to target: RecordingTarget, seconds: Double?) throws {
        (self.input, self.target) = (input, target)
        limit = seconds.map { Int(($0 * input.sampleRate).rounded()) } ?? .max
        ring = CaptureRing(
            channelCount: input.channelCount, frames: Int(RecordingSession.patience * input.sampleRate))
        meter = PeakMeter(channelCount: input.channelCount)
        writer = try target.writer(sampleRate: input.sampleRate, channelCount: input.channelCount)
    }

    /// Why recording ended before it was asked to.
    var failure: DeviceError? { loss.error.withLock { $0 } }

    /// Records until the length is reached, the device is lost or `goOn`, asked again and again, says no. Throws when
    /// the file cannot be written; what was written stays.
    func run(whileAsked goOn: (() -> String) throws -> Bool) throws {
        let (ring, loss) = (ring, loss)
        try input.start(
            receive: { ring.write($0) },
            events: { if case .lost(let error) = $0 { loss.error.withLock { $0 = error } } })
        defer { input.stop() }
        while frames < limit, failure == nil {
            let isWanted = try goOn { self.line }
            try store()
            if !isWanted { break }
        }
        input.stop()
        try store()
        try writer.finish()
    }

    private func store() throws {
        try ring.drain(atMost: limit - frames) { planes, count in
            try writer.write(planes, frames: count)
            meter.add(planes, frames: count)
            frames += count
        }
    }

    private var seconds: Double { Double(frames) / max(input.sampleRate, 1) }

    private var line: String {
        defer { meter.reset() }
        return "● \(Text.clock(seconds))  \(meter.text)"
    }

    private struct Document: Encodable {
        let sound, format, device: String
        let seconds, sampleRate: Double
        let frames, channels, lostFrames, gaps, clippedSamples: Int
    }

    var json: String {
        get throws {
            try JSONText.document(
                Document(
                    sound: target.path,
                    format: target.words(sampleRate: input.sampleRate, channelCount: input.channelCount),
                    device: input.name, seconds: seconds, sampleRate: input.sampleRate, frames: frames,
                    channels: input.channelCount, lostFrames: Int(ring.lostFrames), gaps: Int(input.dropoutCount),
                    clippedSamples: Int(meter.clipped)))
        }
    }

    /// What was recorded, in words.
    var report: String {
        let words = target.words(sampleRate: input.sampleRate, channelCount: input.channelCount)
        var lines = ["\(target.path)  \(Text.number(seconds, decimals: 3)) s, \(words), from \(input.name)"]
        if ring.lostFrames > 0 { lines.append("lost  \(ring.lostFrames) frames: the disk was too slow") }
        if input.dropoutCount > 0 { lines.append("gaps  \(input.dropoutCount) by the device") }
        if meter.clipped > 0 { lines.append("clipped  \(meter.clipped) samples at full scale: lower the level") }
        return lines.joined(separator: "\n")
    }
}
