import Foundation
import OssicleAcoustics
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
