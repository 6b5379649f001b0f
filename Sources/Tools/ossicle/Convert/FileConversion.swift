import OssicleCodecs
import OssicleCore
import OssicleFiles

/// Turns one sound file into another: reads, converts and writes piece by piece.
struct FileConversion {
    let job: ConversionPlan.Job
    let options: ConversionOptions
    let overwrites: Bool

    /// Works until the new file is whole and in its place; after an error nothing is there.
    ///
    /// - Parameter progress: hears the share that is done, 0 ... 1.
    func run(_ progress: (Double) -> Void = { _ in }) throws -> ConversionReport {
        let source = try AudioFileReader(path: job.input)
        let form = try OutputForm(from: source.info, as: job.format, options: options)
        let levelling = try options.loudness.map { target in
            try LoudnessGain(of: job.input, as: form, to: target) { progress($0 / 2) }
        }
        let unfinished = try UnfinishedFile(for: job.output)
        do {
            let sound = try ConvertedSound(
                path: job.input, as: form, gain: levelling?.factor ?? 1, dithers: options.dither)
            let frames = try write(sound, to: unfinished.path, form: form, metadata: source.metadata) {
                progress(levelling == nil ? $0 : (1 + $0) / 2)
            }
            try checkLength(sound)
            try unfinished.finish(overwriting: overwrites)
            return ConversionReport(
                job: job, source: sound.info, form: form, frames: frames, framesRead: sound.position,
                levelling: levelling, warnings: sound.warnings)
        } catch {
            unfinished.discard()
            throw unfinished.renamed(error)
        }
    }

    private func write(
        _ sound: ConvertedSound, to path: String, form: OutputForm, metadata: AudioMetadata,
        _ progress: (Double) -> Void
    ) throws -> Int64 {
        var request = FileEncoderRequest(
            path: path, container: form.container, codec: form.codec, sampleRate: Double(form.sampleRate),
            channelCount: form.channelCount,
            channelLabels: form.channelLabels, settings: options.encoder, metadata: Self.carried(metadata))
        request.isReadableMeanwhile = false
        let writer = try AudioFileWriter(request)
        try sound.forEachBlock(of: form.channelCount, progress) { block, frames in
            try writer.write(block.constPlanes, frames: frames)
        }
        try writer.finish()
        return writer.frameCount
    }

    /// All but the program that made the source: it did not make this file.
    private static func carried(_ metadata: AudioMetadata) -> AudioMetadata {
        var metadata = metadata
        metadata.encodingApplication = nil
        return metadata
    }

    /// A file cut short gives what is there; one that gives nothing at all is refused.
    private func checkLength(_ sound: ConvertedSound) throws {
        guard sound.position == 0, sound.info.frameCount > 0 else { return }
        throw AudioFileError(
            .damaged, path: job.input, found: "no frame of \(sound.info.frameCount) can be decoded",
            rule: "A file must hold the frames it tells of.", cure: "Write or copy the file again.")
    }
}

extension ConvertedSound {
    /// Reads to the end in blocks of `channels` channels. `progress` hears the share of the source that has been read.
    func forEachBlock(
        of channels: Int, _ progress: (Double) -> Void, _ body: (SampleBlock, _ frames: Int) throws -> Void
    ) throws {
        let block = SampleBlock(channels: channels, capacity: Self.chunk)
        while true {
            let frames = try read(into: block)
            guard frames > 0 else { return progress(1) }
            try body(block, frames)
            progress(min(1, Double(position) / Double(max(info.frameCount, 1))))
        }
    }
}

/// What brings a sound to a loudness without raising its true peak above −1 dBTP (EBU R 128).
struct LoudnessGain: Equatable {
    /// Integrated loudness before, and what was asked for, in LUFS.
    let measured, target: Double
    /// In dB.
    let gain: Double

    static let highestTruePeak = -1.0

    /// Linear.
    var factor: Double { Decibels.amplitude(gain) }

    /// Measures the sound in the form it will have, from beginning to end.
    init(of path: String, as form: OutputForm, to target: Double, _ progress: (Double) -> Void) throws {
        let sound = try ConvertedSound(path: path, as: form)
        guard
            let meter = LoudnessMeter(
                channelCount: form.channelCount, sampleRate: Double(form.sampleRate), labels: form.channelLabels,
                memory: .blocks)
        else {
            throw ToolError(
                "\(path): the loudness of \(form.channelCount) channels at \(form.sampleRate) Hz cannot be measured: leave --loudness out."
            )
        }
        try sound.forEachBlock(of: form.channelCount, progress) { block, frames in
            meter.add(block.constPlanes, frames: frames)
        }
        self.init(
            measured: meter.integrated, truePeak: Decibels.of(amplitude: meter.truePeaks.max() ?? 0), target: target)
    }

    /// - Parameter truePeak: before, in dBTP.
    init(measured: Double, truePeak: Double, target: Double) {
        self.measured = measured
        self.target = target
        gain = measured.isFinite ? min(target - measured, LoudnessGain.highestTruePeak - truePeak) : 0
    }

    var words: String {
        func number(_ value: Double) -> String { Text.number(value, decimals: 1) }
        guard measured.isFinite else { return "loudness left alone: the sound is silent or shorter than 0.4 s" }
        let change = "loudness \(number(measured)) → \(number(measured + gain)) LUFS, gain \(number(gain)) dB"
        return gain < target - measured - 1e-9
            ? "\(change), less than asked so that the true peak stays at \(number(LoudnessGain.highestTruePeak)) dBTP"
            : change
    }
}
