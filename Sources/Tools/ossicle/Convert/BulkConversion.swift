import Foundation
import OssicleAcoustics
import OssicleCore
import OssicleFiles
import Synchronization

/// Converts many files, each on a thread of its own; one that fails does not hold up the others.
struct BulkConversion {
    let plan: ConversionPlan
    let options: ConversionOptions
    let workers: WorkerPool

    enum Outcome {
        case converted(ConversionReport)
        /// With what is to be said.
        case failed(String)
    }

    /// In the order of the plan. Failures are told as they come.
    func run(_ tell: @escaping @Sendable (_ failure: String) -> Void) -> [Outcome] {
        let progress = Progress("converting"), done = Mutex(0), count = plan.jobs.count
        return workers.map(count: count) { index in
            let outcome = convert(plan.jobs[index])
            done.withLock { done in
                if case .failed(let words) = outcome {
                    progress.clear()
                    tell(words)
                }
                done += 1
                progress.show(Double(done) / Double(count), "(\(done) of \(count) files)")
            }
            return outcome
        }
    }

    private func convert(_ job: ConversionPlan.Job) -> Outcome {
        do {
            return .converted(try FileConversion(job: job, options: options, overwrites: plan.overwrites).run())
        } catch {
            let words = "\(error)"
            return .failed(words.contains(job.input) ? words : "\(job.input): \(words)")
        }
    }
}

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
    var text: String {
        (["\(job.output): \(form.words), \(Text.number(seconds, decimals: 3)) s"] + notes).joined(separator: "\n")
    }

    /// What the user should know besides.
    var notes: [String] {
        let levels = levelling.map { "\(job.output): \($0.words)" }
        return [levels].compactMap { $0 } + warnings.map { "\(job.input): \($0.text)." }
    }
}

/// What `ossicle convert` says at its end.
struct ConversionSummary {
    let converted: [ConversionReport]
    let failed, skipped: Int
    let elapsed: Duration

    private struct Document: Encodable {
        struct File: Encodable {
            let input, output, format: String
            let frames: Int64
            let seconds: Double
            let notes: [String]
        }

        let files: [File]
        let failed, skipped: Int
        /// Of the work, and of the sound.
        let elapsed, seconds: Double
    }

    var json: String {
        get throws {
            try JSONText.document(
                Document(
                    files: converted.map {
                        Document.File(
                            input: $0.job.input, output: $0.job.output, format: $0.form.words, frames: $0.frames,
                            seconds: $0.seconds, notes: $0.notes)
                    }, failed: failed, skipped: skipped, elapsed: elapsed / .seconds(1),
                    seconds: converted.reduce(0) { $0 + $1.seconds }))
        }
    }

    var text: String {
        let counts = [
            "converted \(converted.count)", failed > 0 ? "failed \(failed)" : nil,
            skipped > 0 ? "skipped \(skipped) that exist" : nil,
        ]
        let notes = converted.flatMap(\.notes)
        return (notes + [counts.compactMap { $0 }.joined(separator: ", ") + ": " + speed]).joined(separator: "\n")
    }

    /// "12.3 s of sound in 0.4 s, 31 × real time"
    var speed: String {
        let sound = converted.reduce(0) { $0 + $1.seconds }
        let time = elapsed / .seconds(1)
        return
            "\(Text.number(sound, decimals: 1)) s of sound in \(Text.number(time, decimals: 1)) s, \(Text.number(sound / max(time, 1e-9), decimals: 0)) × real time"
    }
}
