import Dispatch
import OssicleAcoustics
import OssicleCore
import Synchronization

/// What rays from one listener have found.
struct LateFindings: Sendable {
    let responses: LateResponses
    /// In the order of the sources; empty where they are not wanted.
    let candidates: [ReflectionCandidates]
}

/// The late fields around the listeners, as rays find them: looked for again and again while something moves, and until they are known well. Under the
/// engine's lock.
///
///     places ──▶ is it known well? ──▶ rays (here offline, behind a device on a queue of their own) ──▶ mean of the last echograms ──▶ fields
final class LateFields {
    /// One listener, and the sources it hears.
    struct Places: Sendable {
        /// A listener's number, or that of a zone that is listened to from within.
        var listener: UInt64
        var head: Vector
        /// By number.
        var sources: [UInt64: Vector] = [:]
    }

    /// What one simulation is to look for.
    struct Task: Sendable {
        let places: Places
        let solver: SceneSolver
        let sceneVersion: UInt32
        let round: Int
        /// By number.
        fileprivate var numbers: [UInt64] { places.sources.keys.sorted() }

        fileprivate func carriedOut() -> LateFindings {
            let sources = numbers.compactMap { places.sources[$0] }
            return LateFindings(responses: solver.lateResponses(of: sources, at: places.head, round: round),
                                candidates: solver.wantsCandidates ? sources.map { solver.candidates(of: $0, at: places.head) } : [])
        }
    }

    private struct Found: Sendable {
        let task: Task
        let findings: LateFindings
        let seconds: Double
    }

    private var known: [UInt64: LateKnowledge] = [:]
    private var underway: Set<UInt64> = []
    private let queue = DispatchQueue(label: "ossicle.phase.acoustics", qos: .userInitiated)
    private let mailbox = Mailbox()

    /// Results on their way back.
    private final class Mailbox: Sendable {
        private let found = Mutex<[Found]>([])
        func put(_ result: Found) { found.withLock { $0.append(result) } }
        func take() -> [Found] { found.withLock { found in defer { found = [] }; return found } }
    }

    func room(at listener: UInt64) -> LateField? { known[listener]?.room }

    /// What a source leaves where a listener is; as long as nobody knows, what one beside the listener would.
    func field(of source: UInt64, at listener: UInt64) -> LateField? { known[listener].flatMap { $0.sources[source] ?? $0.room } }

    /// Rows of surfaces that may mirror a source's sound to a listener; nil where nobody has looked for them.
    func candidates(of source: UInt64, at listener: UInt64) -> ReflectionCandidates? { known[listener]?.candidates[source] }

    func forget() { known = [:] }

    /// - Parameters:
    ///   - interval: frames between two simulations. - inBackground: the results come with a later update.
    /// - Returns: what each simulation that has come to its end took, in seconds; offline nobody counts.
    func update(_ places: [Places], _ solver: SceneSolver, sceneVersion: UInt32, at position: Int64, interval: Int64, inBackground: Bool) -> [Double] {
        known = known.filter { listener, _ in places.contains { $0.listener == listener } }
        let arrived = mailbox.take()
        for found in arrived {
            underway.remove(found.task.places.listener)
            take(found, at: position)
        }
        for place in places where !underway.contains(place.listener) {
            let last = known[place.listener]
            guard last?.isGoodEnough(for: place, solver.quality, sceneVersion, at: position, interval) != true else { continue }
            let task = Task(places: place, solver: solver, sceneVersion: sceneVersion, round: last?.rounds ?? 0)
            if inBackground {
                carryOut(task)
            } else {
                take(Found(task: task, findings: task.carriedOut(), seconds: 0), at: position)
            }
        }
        return arrived.map(\.seconds)
    }

    private func carryOut(_ task: Task) {
        underway.insert(task.places.listener)
        queue.async { [mailbox] in
            let begin = DispatchTime.now().uptimeNanoseconds
            let findings = task.carriedOut()
            mailbox.put(Found(task: task, findings: findings, seconds: Double(DispatchTime.now().uptimeNanoseconds - begin) * 1e-9))
        }
    }

    private func take(_ found: Found, at position: Int64) {
        known[found.task.places.listener, default: LateKnowledge()].learn(found.findings, found.task.numbers, found.task, at: position)
    }
}
