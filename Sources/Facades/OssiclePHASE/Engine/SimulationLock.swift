import Dispatch
import Foundation
import Synchronization

/// Something the client sets without waiting for the engine: it has what was requested last, and what the simulation
/// works with.
protocol Posting: AnyObject {
    /// Whether it waits in its engine's mailbox. Under the mailbox's lock.
    var isPosted: Bool { get set }
    /// Makes what was requested what the simulation works with. Under the engine's lock and the mailbox's.
    func applyRequested(_ control: EngineControl)
}

extension Posting {
    fileprivate func apply(_ control: EngineControl) {
        isPosted = false
        applyRequested(control)
    }
}

/// What the client has set since the engine's lock was last free, in order, each thing once.
///
///     setter ─▶ requested value, posted ───── at once, under the mailbox's lock alone
///     taking the engine's lock ───▶ current values, for the simulation
///
/// A setter takes the lock itself if that is free, so that nothing waits; only moves wait for an update while the engine
/// runs, which saves them most of their cost.
///
/// The engine's lock is held while paths are traced, plans compiled and sounds rendered. This one is held for some
/// assignments at most: a game that moves its sources sixty times a second never waits for an update. A thread that
/// holds this lock does not wait for the engine's.
final class Mailbox: @unchecked Sendable {
    let lock = NSRecursiveLock()
    /// Whether updates follow one another, so that what moves may wait for the next: the engine runs. Under `lock`.
    @exclusivity(unchecked) var isUpdated = false
    @exclusivity(unchecked) private var posted: [any Posting] = []
    /// Whether something is posted, for those that do not hold the lock.
    private let hasPosted = Atomic(false)

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// In one order with the engine's lock: a thread that posts and finds that lock taken is seen by its holder, who
    /// looks after unlocking.
    var isEmpty: Bool { !hasPosted.load(ordering: .sequentiallyConsistent) }

    /// Under `locked`, together with the change.
    func post(_ item: any Posting) {
        guard !item.isPosted else { return }
        item.isPosted = true
        posted.append(item)
        hasPosted.store(true, ordering: .sequentiallyConsistent)
    }

    /// Applies everything that is posted, all at one moment. Under the engine's lock.
    /// - Returns: what was posted; to be released where client code may run.
    func deliver(to control: EngineControl) -> [any Posting] {
        locked {
            let items = posted
            posted = []
            // The next update will have as many.
            posted.reserveCapacity(items.count)
            hasPosted.store(false, ordering: .sequentiallyConsistent)
            items.withUnsafeBufferPointer { items in
                for place in 0..<items.count { items[place].apply(control) }
            }
            return items
        }
    }
}

/// An engine's lock, which applies the mailbox whenever it is taken; and what has to wait for its outermost unlock: the
/// client's code, which may wait for another thread that waits for the lock.
final class SimulationLock: @unchecked Sendable {
    let mailbox = Mailbox()
    weak var control: EngineControl?
    private let lock = NSRecursiveLock()
    /// How often the thread that holds the lock has taken it.
    @exclusivity(unchecked) private var depth = 0
    /// What went wrong without a way to throw. Under the mailbox's lock.
    private var errors: [any Error] = []
    /// The oldest are forgotten beyond this many.
    private static let keptErrors = 100
    private var handlerOfErrors: (@Sendable (any Error) -> Void)?
    // Under the lock.
    /// Errors the handler has not been called with yet.
    @exclusivity(unchecked) private var unreported: [any Error] = []
    @exclusivity(unchecked) private var released: [AnyObject] = []
    /// What came out of the mailbox, which is released like the others.
    @exclusivity(unchecked) private var delivered: [any Posting] = []

    /// What a thread waits for that has not got the lock.
    private final class Visit: @unchecked Sendable {
        let body: () -> Void
        let isOver = DispatchSemaphore(value: 0)

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Those that are not begun with yet.
    private let visits = Mutex<[Visit]>([])
    /// Whether there are any, as `Mailbox.hasPosted`.
    private let hasVisits = Atomic(false)

    /// What was posted before takes effect before `body`: calls keep their order.
    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        enter()
        defer {
            leave()
            settle()
        }
        return try body()
    }

    /// As `locked`; nil, without `body`, where the lock stays taken for so many seconds. The thread that holds it
    /// carries `body` out when it leaves: updates that follow one another closely would take it again before a thread
    /// that waits is awake.
    func locked<Result>(within seconds: Double, _ body: @escaping () -> Result) -> Result? {
        if lock.try() {
            enter()
            defer {
                leave()
                settle()
            }
            return body()
        }
        var result: Result?
        let visit = Visit { result = body() }
        visits.withLock { $0.append(visit) }
        hasVisits.store(true, ordering: .sequentiallyConsistent)
        settle()
        if visit.isOver.wait(timeout: .now() + seconds) == .timedOut {
            let isWithdrawn = visits.withLock { visits in
                let count = visits.count
                visits.removeAll { $0 === visit }
                return visits.count < count
            }
            if isWithdrawn { return nil }
            // It has begun.
            visit.isOver.wait()
        }
        return result
    }

    /// Under the lock.
    private func receiveVisits() {
        guard hasVisits.load(ordering: .sequentiallyConsistent) else { return }
        hasVisits.store(false, ordering: .sequentiallyConsistent)
        let waiting = visits.withLock { visits in
            defer { visits = [] }
            return visits
        }
        for visit in waiting {
            visit.body()
            visit.isOver.signal()
        }
    }

    private func enter() {
        depth += 1
        if depth == 1 { applyMailbox() }
    }

    private func leave() {
        if depth == 1 { receiveVisits() }
        depth -= 1
        guard depth == 0 else { return lock.unlock() }
        let (errors, gone) = (unreported, (released, delivered))
        (unreported, released, delivered) = ([], [], [])
        lock.unlock()
        guard !errors.isEmpty else { return withExtendedLifetime(gone) {} }
        let handler = errorHandler
        withExtendedLifetime(gone) { errors.forEach { handler?($0) } }
    }

    // MARK: Mailbox

    /// Under the lock.
    func applyMailbox() {
        guard let control else { return }
        let items = mailbox.deliver(to: control)
        if delivered.isEmpty { delivered = items } else { delivered += items }
    }

    /// Applies what is posted if the lock is free, and carries out what waits for it; otherwise the thread that holds
    /// it does so when it leaves.
    func settle() {
        while !mailbox.isEmpty || hasVisits.load(ordering: .sequentiallyConsistent), lock.try() {
            // This thread is inside already, and applies it when it leaves, or with its next update.
            guard depth == 0 else { return lock.unlock() }
            enter()
            leave()
        }
    }

    /// Carries out `change` on requested values and has `item` applied as soon as the lock is free. Never waits for it.
    func post<Result>(_ item: any Posting, _ change: () throws -> Result) rethrows -> Result {
        let result = try mailbox.locked {
            let result = try change()
            mailbox.post(item)
            return result
        }
        settle()
        return result
    }

    /// Gives up an object of the client's. Under the lock.
    func release(_ object: AnyObject) { released.append(object) }

    // MARK: Errors

    /// The last hundred, in order.
    var recordedErrors: [any Error] { mailbox.locked { errors } }

    var errorHandler: (@Sendable (any Error) -> Void)? {
        get { mailbox.locked { handlerOfErrors } }
        set { mailbox.locked { handlerOfErrors = newValue } }
    }

    /// Any thread, but not under the mailbox's lock. The handler is called on this thread, once it holds no lock of the
    /// engine's.
    func record(_ error: any Error) {
        mailbox.locked { errors = (errors + [error]).suffix(Self.keptErrors) }
        guard lock.try() else {
            // Another thread is inside, and this one is not.
            errorHandler?(error)
            return
        }
        enter()
        unreported.append(error)
        leave()
        settle()
    }
}
