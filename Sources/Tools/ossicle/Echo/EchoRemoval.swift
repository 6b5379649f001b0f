import OssicleCore
import OssicleDSP
import OssicleFiles

/// Runs two recordings through an echo canceller, piece by piece, into a file whose frames lie where the microphone's
/// do.
struct EchoRemoval {
    let far, microphone, output: String
    let settings: EchoCanceller.Settings
    let overwrites: Bool

    private static let chunk = 4096

    /// Works until the new file is whole and in its place; after an error nothing is there.
    ///
    /// - Parameter progress: receives the share that is done, 0 … 1.
    func run(_ progress: (Double) -> Void = { _ in }) throws -> EchoReport {
        let plan = try ConversionPlan([microphone], to: output, format: nil, overwrites: overwrites)
        guard let job = plan.jobs.first, plan.jobs.count == 1,
            FileSystem.identity(far) != FileSystem.identity(job.output)
        else {
            throw ToolError("\(output) is the far signal's file, which would be lost: give -o another name.")
        }
        let info = try AudioFileReader(path: microphone).info
        guard VoiceGrid.sampleRates.contains(info.sampleRate) else {
            throw ToolError(
                "\(microphone) has \(Text.number(info.sampleRate, decimals: 0)) Hz, and echo is cancelled at 8000 to 48000 Hz: convert it first, with ossicle convert --rate 48000."
            )
        }
        let form = try OutputForm(
            from: info, as: job.format, options: ConversionOptions.parse(["--channels", "1"]))
        let recorded = try MonoSound(path: microphone, as: form)
        let played = try MonoSound(path: far, as: form)
        let unfinished = try UnfinishedFile(for: job.output)
        do {
            let writer = try AudioFileWriter(
                FileEncoderRequest(
                    path: unfinished.path, container: form.container, codec: form.codec,
                    sampleRate: Double(form.sampleRate), channelCount: 1))
            let report = try cancel(recorded, played, rate: Double(form.sampleRate), into: writer, progress)
            try writer.finish()
            try unfinished.finish(overwriting: overwrites)
            return report
        } catch {
            unfinished.discard()
            throw unfinished.renamed(error)
        }
    }

    private func cancel(
        _ recorded: MonoSound, _ played: MonoSound, rate: Double, into writer: AudioFileWriter,
        _ progress: (Double) -> Void
    ) throws -> EchoReport {
        var canceller = EchoCanceller(sampleRate: rate, settings: settings)
        let block = SampleBlock(channels: 1, capacity: Self.chunk)
        let samples = SampleMemory(count: 3 * Self.chunk)
        let (heard, said, clean) = (samples.pointer, samples.pointer + Self.chunk, samples.pointer + 2 * Self.chunk)
        // What comes out first is older than the recording; at the end silence brings out what is still inside.
        var (early, owed) = (canceller.latency, 0)
        var (before, after) = (0.0, 0.0)
        while true {
            let read = try recorded.read(into: heard, frames: Self.chunk)
            owed += read
            if owed == 0 { break }
            let frames = read > 0 ? read : min(early + owed, Self.chunk)
            if read == 0 { heard.update(repeating: 0, count: frames) }
            let there = try played.read(into: said, frames: frames)
            (said + there).update(repeating: 0, count: frames - there)
            canceller.process(far: said, microphone: heard, output: clean, frames: frames)
            let skipped = min(early, frames)
            let written = min(frames - skipped, owed)
            for i in 0..<written { block.planes[0][i] = Double(clean[skipped + i]) }
            for i in 0..<read { before += Double(heard[i]) * Double(heard[i]) }
            for i in 0..<written { after += block.planes[0][i] * block.planes[0][i] }
            if written > 0 { try writer.write(block.constPlanes, frames: written) }
            early -= skipped
            owed -= written
            progress(recorded.share)
        }
        let count = Double(max(writer.frameCount, 1))
        return EchoReport(
            output: output, frames: writer.frameCount, sampleRate: rate, state: canceller.state,
            powers: (before / count, after / count))
    }
}

/// A sound file mixed down to one channel, as single-precision samples.
private final class MonoSound {
    private let sound: ConvertedSound
    private let block = SampleBlock(channels: 1, capacity: ConvertedSound.chunk)
    private var (place, count) = (0, 0)

    init(path: String, as form: OutputForm) throws { sound = try ConvertedSound(path: path, as: form) }

    /// Of the file, as far as it has been read.
    var share: Double { min(1, Double(sound.position) / Double(max(sound.info.frameCount, 1))) }

    /// Fills `samples`; fewer than `frames` only at the end.
    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws -> Int {
        var done = 0
        while done < frames {
            if place == count {
                (place, count) = (0, try sound.read(into: block))
                if count == 0 { break }
            }
            let piece = min(frames - done, count - place)
            for i in 0..<piece { samples[done + i] = Float(block.planes[0][place + i]) }
            (done, place) = (done + piece, place + piece)
        }
        return done
    }
}
