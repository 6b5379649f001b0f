import Foundation

/// Something the client sets without waiting for the engine: it has what was requested last, and what the simulation works with.
protocol Posting: AnyObject {
    /// Whether it waits in its engine's mailbox. Under the mailbox's lock.
    var isPosted: Bool { get set }
    /// Makes what was requested what the simulation works with. Under the engine's lock and the mailbox's.
    func applyRequested(_ core: EngineCore)
}

/// What the client has set since the engine's lock was last free, in order, each thing once.
///
///     setter ─▶ requested value, posted ───── at once, under the mailbox's lock alone
///     taking the engine's lock ───▶ current values, for the simulation
///
/// The engine's lock is held while paths are traced, plans compiled and sounds rendered. This one is held for some assignments at most: a game that
/// moves its sources sixty times a second never waits for an update. A thread that holds this lock does not wait for the engine's.
final class Mailbox: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var posted: [any Posting] = []

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    var isEmpty: Bool { locked { posted.isEmpty } }

    /// Under `locked`, together with the change.
    func post(_ item: any Posting) {
        guard !item.isPosted else { return }
        item.isPosted = true
        posted.append(item)
    }

    /// Applies everything that is posted, all at one moment. Under the engine's lock.
    /// - Returns: what was posted; to be released where client code may run.
    func deliver(to core: EngineCore) -> [any Posting] {
        locked {
            let items = posted
            posted = []
            for item in items {
                item.isPosted = false
                item.applyRequested(core)
            }
            return items
        }
    }
}

extension EngineCore {
    /// Carries out `change` on requested values and has `item` applied as soon as the engine's lock is free. Never waits for that lock.
    func post<Result>(_ item: any Posting, _ change: () throws -> Result) rethrows -> Result {
        let result = try mailbox.locked {
            let result = try change()
            mailbox.post(item)
            return result
        }
        settleMailbox()
        return result
    }

    /// Reads what was requested last. Never waits for the engine's lock.
    func requested<Result>(_ read: () -> Result) -> Result { mailbox.locked(read) }
}
