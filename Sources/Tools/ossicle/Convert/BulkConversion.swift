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
        let progress = Mutex((bar: Progress("converting", steps: plan.jobs.count, unit: "files"), done: 0))
        return workers.map(count: plan.jobs.count) { index in
            let outcome = convert(plan.jobs[index])
            progress.withLock {
                if case .failed(let words) = outcome {
                    $0.bar.clear()
                    tell(words)
                }
                $0.done += 1
                $0.bar.show($0.done)
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
