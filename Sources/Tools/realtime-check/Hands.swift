import Foundation
import Synchronization

/// One thread's client of something that all share: does one thing per turn.
protocol Hand {
    func act() throws
    /// Leaves nothing of its own.
    func leave()
}

/// Threads with a hand each that work while another renders, for ThreadSanitizer to watch.
enum Hands {
    /// - Parameters:
    ///   - make: makes a thread's hand, on that thread.
    ///   - body: what is done meanwhile, on the calling thread; the others end behind it.
    /// - Returns: what `body` returns, and how many turns the threads had.
    static func work<Result>(
        _ count: Int, make: @escaping @Sendable (Int) throws -> any Hand, while body: () throws -> Result
    ) throws -> (result: Result, turns: Int) {
        let log = HandLog()
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                log.note { try work(make(number), log) }
                group.leave()
            }
        }
        let result = Swift.Result { try body() }
        log.isOver.store(true, ordering: .relaxed)
        group.wait()
        if let error = log.error { throw error }
        return (try result.get(), log.turns.load(ordering: .relaxed))
    }

    private static func work(_ hand: any Hand, _ log: HandLog) throws {
        defer { hand.leave() }
        while !log.isOver.load(ordering: .relaxed) {
            try hand.act()
            log.turns.add(1, ordering: .relaxed)
            Thread.sleep(forTimeInterval: 0.001)
        }
    }
}

/// What the threads have in common. Relaxed, so that it puts nothing of the engine's in order that the engine does not.
private final class HandLog: Sendable {
    let isOver = Atomic(false)
    let turns = Atomic(0)
    private let first = Mutex<(any Error)?>(nil)

    var error: (any Error)? { first.withLock { $0 } }

    func note(_ body: () throws -> Void) {
        do { try body() } catch { first.withLock { $0 = $0 ?? error } }
    }
}
