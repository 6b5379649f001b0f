import Dispatch
import OssicleAcoustics
import OssicleCore
import Synchronization

/// What rays from one receiver have found.
struct LateFindings: Sendable {
    let responses: LateResponses
    /// In the order of the sources; empty where they are not wanted.
    let candidates: [ReflectionCandidates]
}

/// The late fields around the listeners, as rays find them: simulated again and again while something moves, and until
/// the mean has converged. Under the engine's lock.
///
///     receivers ──▶ converged? ──▶ rays (offline in this call, at a device on a queue) ──▶ mean of the last echograms ──▶ fields
final class LateFields {
    /// One listener, and the sources it hears.
    struct Receiver: Sendable, Equatable {
        /// A listener's number, or that of a zone whose field is traced from within.
        var listener: UInt64
        var head: Vector
        /// By number.
        var sources: [UInt64: Vector] = [:]
        /// Where those that are bodies radiate from, by number: a few places, each as much as the others.
        var bodies: [UInt64: [Vector]] = [:]

        /// Where a source radiates from.
        func places(of source: UInt64) -> [Vector] { bodies[source] ?? sources[source].map { [$0] } ?? [] }
    }

    /// What one simulation traces.
    struct Task: Sendable {
        let receiver: Receiver
        /// What the mean of many simulations is to have; `solver` may have fewer rays.
        let quality: AcousticQuality
        let solver: SceneSolver
        let sceneVersion: UInt32
        let round: Int
        /// By number.
        fileprivate var numbers: [UInt64] { receiver.sources.keys.sorted() }

        fileprivate func carriedOut() -> LateFindings {
            let sources = numbers.compactMap { receiver.sources[$0] }
            return LateFindings(
                responses: solver.lateResponses(
                    ofBodies: numbers.map { receiver.places(of: $0) }, at: receiver.head, round: round),
                candidates: solver.wantsCandidates ? sources.map { solver.candidates(of: $0, at: receiver.head) } : [])
        }
    }

    private struct Found: Sendable {
        let task: Task
        let findings: LateFindings
        let seconds: Double
    }

    private var known: [UInt64: EchogramAverage] = [:]
    private var underway: Set<UInt64> = []
    private let queue = DispatchQueue(label: "ossicle.phase.acoustics", qos: .userInitiated)
    private let mailbox = Mailbox()

    /// Results on their way back.
    private final class Mailbox: Sendable {
        private let found = Mutex<[Found]>([])
        func put(_ result: Found) { found.withLock { $0.append(result) } }
        func take() -> [Found] {
            found.withLock { found in
                defer { found = [] }; return found
            }
        }
    }

    func room(at listener: UInt64) -> LateField? { known[listener]?.room }

    /// What a source leaves where a listener is; until it is known, what one beside the listener would.
    func field(of source: UInt64, at listener: UInt64) -> LateField? {
        known[listener].map { $0.field(of: source) }
    }

    /// Rows of surfaces that may reflect a source's sound to a listener; nil before they have been searched for.
    func candidates(of source: UInt64, at listener: UInt64) -> ReflectionCandidates? {
        known[listener]?.candidates[source]
    }

    /// What was simulated last.
    func task(at listener: UInt64) -> Task? { known[listener]?.task }

    func forget() { known = [:] }

    /// - Parameters:
    ///   - interval: frames between two simulations. - inBackground: the results come with a later update.
    /// - Returns: what each finished simulation took, in seconds; offline none is measured.
    func update(
        _ receivers: [Receiver], _ solver: SceneSolver, sceneVersion: UInt32, at position: Int64, interval: Int64,
        inBackground: Bool
    ) -> [Double] {
        known = known.filter { listener, _ in receivers.contains { $0.listener == listener } }
        let arrived = mailbox.take()
        for found in arrived {
            underway.remove(found.task.receiver.listener)
            take(found, at: position)
        }
        defer { for receiver in receivers { known[receiver.listener]?.see(receiver) } }
        for receiver in receivers where !underway.contains(receiver.listener) {
            let last = known[receiver.listener]
            guard last?.isGoodEnough(for: receiver, solver.quality, sceneVersion, at: position, interval) != true else {
                continue
            }
            let quality = solver.quality
            var simulated = quality
            simulated.rays = last?.rays(for: receiver, quality, sceneVersion) ?? quality.rays
            let task = Task(
                receiver: receiver, quality: quality, solver: solver.with(simulated), sceneVersion: sceneVersion,
                round: last?.rounds ?? 0)
            if inBackground {
                carryOut(task)
            } else {
                take(Found(task: task, findings: task.carriedOut(), seconds: 0), at: position)
            }
        }
        return arrived.map(\.seconds)
    }

    private func carryOut(_ task: Task) {
        underway.insert(task.receiver.listener)
        queue.async { [mailbox] in
            let begin = DispatchTime.now().uptimeNanoseconds
            let findings = task.carriedOut()
            mailbox.put(
                Found(
                    task: task, findings: findings, seconds: Double(DispatchTime.now().uptimeNanoseconds - begin) * 1e-9
                ))
        }
    }

    private func take(_ found: Found, at position: Int64) {
        known[found.task.receiver.listener, default: EchogramAverage()].learn(
            found.findings, found.task.numbers, found.task, at: position)
    }
}
