import COssicle

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Threads that take part in rendering: they claim strands of the stage that the audio thread is at (`RenderStage`),
/// and sleep between render calls, and where no stage comes for 250 µs.
///
/// What no worker has claimed the audio thread runs itself; it waits only for what a worker has begun. Made and ended
/// on the control side; while rendering no thread takes a lock or memory.
package final class RenderWorkers: @unchecked Sendable {
    /// What each worker does first and last on its own thread: how it is scheduled.
    package struct Setting: Sendable {
        fileprivate let begin, end: @Sendable () -> Void

        package init(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
            (self.begin, self.end) = (begin, end)
        }
    }

    /// The audio thread's end; valid as long as the workers.
    package struct View: BitwiseCopyable, Equatable, @unchecked Sendable {
        fileprivate let handle: OpaquePointer

        /// Runs a stage, and returns when all of it is done.
        func run(_ stage: RenderStage, _ span: RenderSpan) {
            // A strand is on one thread: a domain in it runs its own stages there.
            let job = Job(stage: stage, span: span.alone)
            withUnsafePointer(to: job) { job in
                ossicle_workers_run(
                    handle,
                    { job, strand in
                        let job = job.assumingMemoryBound(to: Job.self)
                        job.pointee.stage.run(Int(strand), job.pointee.span)
                    }, job, UInt32(truncatingIfNeeded: stage.ownCount), UInt32(truncatingIfNeeded: stage.count))
            }
        }

        /// Around a render call.
        /// - Parameter isWatched: whether RealtimeSanitizer watches what workers do.
        func begin(isWatched: Bool) { ossicle_workers_begin(handle, isWatched ? 1 : 0) }
        func end() { ossicle_workers_end(handle) }
    }

    private struct Job: BitwiseCopyable {
        let stage: RenderStage
        let span: RenderSpan
    }

    private final class Box {
        let setting: Setting
        init(_ setting: Setting) { self.setting = setting }
    }

    package let view: View
    package let count: Int
    private let box: Box?

    /// - Parameter count: 1…63; fewer count as none, more as 63.
    /// - Returns: nil where there are none, or the system gives no thread.
    package init?(count: Int, _ setting: Setting? = nil) {
        guard count > 0 else { return nil }
        box = setting.map(Box.init)
        let most = min(count, Self.most)
        var calls = ossicle_worker_setting()
        if let box {
            calls.begin = { RenderWorkers.box($0)?.setting.begin() }
            calls.end = { RenderWorkers.box($0)?.setting.end() }
            calls.context = Unmanaged.passUnretained(box).toOpaque()
        }
        guard let handle = ossicle_workers_start(UInt32(most), calls) else { return nil }
        view = View(handle: handle)
        self.count = most
    }

    deinit { ossicle_workers_stop(view.handle) }

    private static func box(_ context: UnsafeMutableRawPointer?) -> Box? {
        context.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var most: Int { Int(OSSICLE_MOST_WORKERS) }
    /// Cores that are used unless the environment says otherwise.
    private static var usualThreads: Int { 8 }

    /// Threads that render, the audio thread among them: `OSSICLE_THREADS` of the environment, 1…64; where that says
    /// nothing usable, as many as there are cores, at most eight.
    package static var standardThreadCount: Int {
        if let text = getenv("OSSICLE_THREADS"), let count = Int(String(cString: text)), count > 0 {
            return min(count, most + 1)
        }
        return min(max(Int(ossicle_physical_cores()), 1), usualThreads)
    }
}
