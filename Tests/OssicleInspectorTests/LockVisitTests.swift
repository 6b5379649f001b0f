import Dispatch
import Foundation
import Synchronization
import Testing

@testable import OssiclePHASE

@Suite("Looks while an engine's lock is taken") struct LockVisitTests {
    /// Takes the lock on a thread of its own until `end` is signalled.
    private func hold(_ lock: SimulationLock, until end: DispatchSemaphore) {
        let begun = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            lock.locked {
                begun.signal()
                end.wait()
            }
        }
        begun.wait()
    }

    @Test func freeLockIsTaken() {
        let lock = SimulationLock()
        #expect(lock.locked(within: 0) { 3 } == 3)
        // The thread that holds it has it again.
        #expect(lock.locked { lock.locked(within: 0) { 4 } } == 4)
    }

    @Test func whatWaitsInVainIsWithdrawn() {
        let lock = SimulationLock(), end = DispatchSemaphore(value: 0), calls = Atomic(0)
        hold(lock, until: end)
        let result: Int? = lock.locked(within: 0.02) { calls.add(1, ordering: .relaxed).newValue }
        #expect(result == nil)
        end.signal()
        lock.locked {}
        #expect(calls.load(ordering: .relaxed) == 0)
    }

    /// A thread takes the lock again and again, another visits: each visit comes about, alone, and once.
    @Test func holderCarriesOutWhatWaits() {
        let lock = SimulationLock(), isOver = Atomic(false), ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var (visits, inside) = (0, 0)
        let begun = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            begun.signal()
            while !isOver.load(ordering: .relaxed) {
                lock.locked {
                    inside += 1
                    usleep(1000)
                    inside -= 1
                }
            }
            ended.signal()
        }
        begun.wait()
        for visit in 0..<200 {
            usleep(500)
            let found: (visits: Int, inside: Int)? = lock.locked(within: 60) {
                visits += 1
                return (visits, inside)
            }
            #expect(found?.visits == visit + 1)
            #expect(found?.inside == 0)
        }
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        #expect(visits == 200)
    }
}
