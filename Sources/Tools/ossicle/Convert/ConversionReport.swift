import OssicleCore
import OssicleFiles

/// What became of one file.
struct ConversionReport {
    /// With the names that the user knows.
    var job: ConversionPlan.Job
    let source: AudioFileInfo
    let form: OutputForm
    /// Frames written, and frames the source gave.
    let frames, framesRead: Int64
    let levelling: LoudnessGain?
    /// What is wrong with the source.
    let warnings: [AudioFileWarning]

    /// Length of what was written.
    var seconds: Double { Double(frames) / Double(form.sampleRate) }

    /// One line, and the notes.
    var text: String { (["\(job.output): \(form.words), \(Text.number(seconds, decimals: 3)) s"] + notes).joined(separator: "\n") }

    /// What the user should know besides.
    var notes: [String] {
        let levels = levelling.map { "\(job.output): \($0.words)" }
        return [levels].compactMap { $0 } + warnings.map { "\(job.input): \($0.text)." }
    }
}
