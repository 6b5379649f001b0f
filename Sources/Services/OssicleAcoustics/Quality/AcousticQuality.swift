import CScheduling
import Dispatch
import Foundation
import Synchronization

/// How much work goes into the sound of a scene, each time it is looked at. While nothing moves, rays of several times
/// are put together.
package struct AcousticQuality: Sendable, Hashable {
    /// Rays that look for the late part, at most.
    package var rays: Int
    /// Standard error of the decay times, as a share of them, and of the late levels, in 5 dB, that is good enough
    /// while something moves: rays are spent until it is reached. 0 for all rays that may be spent.
    package var lateError: Double
    /// Surfaces a ray meets at most.
    package var bounces: Int
    /// Reflections of early reflections, 0…1000; above 3 only in an empty box, or where few planes reflect.
    package var reflectionOrder: Int
    /// Early reflections kept for each source.
    package var reflections: Int
    /// Edges in a row, 0…2.
    package var edges: Int
    /// Whether reflections may be diffracted around the last edge.
    package var bendsReflections: Bool

    package init(
        rays: Int, bounces: Int, lateError: Double = 0, reflectionOrder: Int, reflections: Int, edges: Int,
        bendsReflections: Bool
    ) {
        self.lateError = lateError > 0 ? min(lateError, 1) : 0
        (self.rays, self.bounces, self.reflectionOrder) = (
            max(rays, 0), max(bounces, 1), min(max(reflectionOrder, 0), BoxRoom.highestOrder)
        )
        (self.reflections, self.edges, self.bendsReflections) = (
            max(reflections, 0), min(max(edges, 0), 2), bendsReflections
        )
    }

    package static let low = AcousticQuality(
        rays: 512, bounces: 64, lateError: 0.1, reflectionOrder: 1, reflections: 8, edges: 1, bendsReflections: false)
    package static let medium = AcousticQuality(
        rays: 1024, bounces: 96, lateError: 0.06, reflectionOrder: 2, reflections: 16, edges: 2, bendsReflections: false
    )
    package static let high = AcousticQuality(
        rays: 4096, bounces: 128, lateError: 0.04, reflectionOrder: 2, reflections: 20, edges: 2, bendsReflections: true
    )
    /// For impulse responses, not for rendering while somebody listens.
    package static let reference = AcousticQuality(
        rays: 262_144, bounces: 512, reflectionOrder: 3, reflections: 4096, edges: 2, bendsReflections: true)
}

/// Shares independent pieces of work out over threads, of which it leaves a core to a device that runs. What comes back
/// does not depend on how many there are.
package struct WorkerPool: Sendable, Hashable {
    package let workers: Int
    private let takesEveryCore: Bool

    /// Threads for work that begins now.
    private var usable: Int { takesEveryCore && ossicle_device_threads() > 0 ? max(workers - 1, 1) : workers }

    /// - Parameter workers: 1…1024; nil for `OSSICLE_THREADS` of the environment, and all cores where that says nothing
    ///   usable.
    package init(workers: Int? = nil) {
        let asked =
            workers
            ?? ProcessInfo.processInfo.environment["OSSICLE_THREADS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        self.workers = min(max(asked ?? cores, 1), 1024)
        takesEveryCore = self.workers >= cores
    }

    /// The pool of this process, or the one that was chosen for the work of this task or thread.
    package static var shared: WorkerPool { chosen ?? standard }

    /// Takes the place of `shared` while `$chosen.withValue` runs; what goes on in the background keeps its own.
    @TaskLocal package static var chosen: WorkerPool?

    private static let standard = WorkerPool()

    /// `[body(0), body(1), …]`; fewer than `fewest` are computed right here, because waking threads takes longer. The
    /// calls run in any order on any thread, so `body` must be a pure function of its index.
    package func map<Result: Sendable>(count: Int, fewest: Int = 2, _ body: @Sendable (Int) -> Result) -> [Result] {
        let workers = usable
        guard count >= fewest, count > 1, workers > 1 else { return (0..<max(count, 0)).map(body) }
        return Array(unsafeUninitializedCapacity: count) { slots, filled in
            let next = Atomic(0)
            // Every index is claimed by one thread, which alone writes its slot.
            nonisolated(unsafe) let base = slots.baseAddress
            DispatchQueue.concurrentPerform(iterations: min(workers, count)) { _ in
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < count else { return }
                    base?.advanced(by: index).initialize(to: body(index))
                }
            }
            filled = count
        }
    }
}
