import ArgumentParser
import Foundation
import OssicleFiles

struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tell what sound files are: format, length, tags, loudness, peak; and draw one.",
        discussion: """
            Loudness is that of ITU-R BS.1770 and EBU R 128, gated; a file shorter than 0.4 s has none. \(SoundFormats.sentence)

            With --json all files come as one array; Documentation/CommandLine.md explains the keys. A file that cannot be read is named on standard \
            error, is not in the array, and makes the exit status 1.
            """)

    @Argument(help: ArgumentHelp("Sound files to look at; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Draw the waveform, the loudness and the spectrum of the one file into this SVG file.", valueName: "svg"))
    var picture: String?

    @Flag(help: "Write for programs: a JSON array with one object for each file.")
    var json = false

    func validate() throws {
        if picture != nil, files.count != 1 {
            throw ValidationError("--picture draws one sound: name one file, not \(files.count).")
        }
        if files.count(where: { $0 == StandardStream.argument }) > 1 {
            throw ValidationError("Standard input can be read once: give - once.")
        }
    }

    func run() throws {
        let drawing = try picture.map(OutputFile.init)
        var failed = false
        var found: [SoundFactsJSON] = []
        for file in files {
            do {
                let facts = try facts(of: file, draws: drawing != nil)
                if json { found.append(SoundFactsJSON(facts)) } else { print(facts.text) }
                guard let drawing, let svg = facts.svg else { continue }
                try drawing.write(Data(svg.utf8))
                if !json { print("  " + Text.left("picture", width: 10) + drawing.path) }
            } catch {
                failed = true
                StandardError.tell("\(error)")
            }
        }
        if json { print(try SoundFactsJSON.document(found)) }
        if failed { throw ExitCode.failure }
    }

    private func facts(of file: String, draws: Bool) throws -> SoundFacts {
        let progress = Progress("listening")
        defer { progress.clear() }
        guard file == StandardStream.argument else {
            return try SoundFacts(of: file, draws: draws) { progress.show($0) }
        }
        let input = try StandardStream.receivedInput()
        defer { input.discard() }
        do {
            return try SoundFacts(of: input.path, named: StandardStream.inputName, draws: draws) { progress.show($0) }
        } catch {
            throw StandardStream.renamed(error, [input.path: StandardStream.inputName])
        }
    }
}

/// Listens to a sound that passes by once and keeps what `ossicle info` tells of it.
final class Ear {
    private var waveform: Waveform
    private let spectrogram: SpectrogramRecorder?
    private let meter: LoudnessMeter?
    private var curve = LoudnessCurve()
    private let names: [String]
    /// Frames until the next point of the loudness curve.
    private let interval: Int
    private var untilPoint: Int

    init(for info: AudioFileInfo, draws: Bool) {
        waveform = Waveform(
            channelCount: info.channelCount, frameCount: info.frameCount, bits: info.codec.isInteger ? info.bitDepth : 0
        )
        spectrogram =
            draws
            ? SpectrogramRecorder(
                channelCount: info.channelCount, sampleRate: info.sampleRate, frameCount: info.frameCount, rows: 256)
            : nil
        meter = LoudnessMeter(
            channelCount: info.channelCount, sampleRate: info.sampleRate, labels: info.channelLabels, memory: .blocks)
        names = (0..<info.channelCount).map {
            ChannelWords.short($0, of: info.channelCount, labels: info.channelLabels)
        }
        interval = max(Int(exactly: (info.sampleRate / 10).rounded()) ?? 4800, 1)
        untilPoint = interval
    }

    /// Takes the next `frames` frames, one plane per channel.
    func hear(_ planes: [UnsafePointer<Double>], frames: Int) {
        waveform.add(planes, frames: frames)
        spectrogram?.add(planes.map { UnsafeBufferPointer(start: $0, count: frames).lazy.map(Float.init) })
        measure(planes, frames)
    }

    var loudness: LoudnessMeasurement? { meter.map(LoudnessMeasurement.init) }

    func finishedWaveform() -> Waveform {
        waveform.finish()
        return waveform
    }

    func finishedPicture(seconds: Double) -> SoundPicture? {
        curve.integrated = meter?.integrated ?? -.infinity
        return spectrogram.map {
            SoundPicture(waveform: waveform, names: names, seconds: seconds, loudness: curve, spectrogram: $0.finish())
        }
    }

    /// A point of the curve every tenth of a second.
    private func measure(_ planes: [UnsafePointer<Double>], _ frames: Int) {
        guard let meter else { return }
        var start = 0
        while start < frames {
            let count = min(untilPoint, frames - start)
            meter.add(planes.map { $0 + start }, frames: count)
            start += count
            untilPoint -= count
            guard untilPoint == 0 else { continue }
            untilPoint = interval
            curve.append(meter.shortTerm)
        }
    }
}
