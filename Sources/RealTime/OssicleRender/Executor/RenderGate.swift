import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Lets one render call in at a time, and keeps them out while the control side needs the engine to stand still.
///
/// Entering and leaving never wait; closing does, until the call under way has left.
package final class RenderGate: Sendable {
    private static let (open, busy, closed) = (0, 1, 2)
    private let state = Atomic<Int>(RenderGate.closed)
    /// Identity of the thread that renders.
    private let thread = Atomic<UInt>(0)

    package init() {}

    /// Render side. False if another call is under way or the gate is closed.
    package func enter() -> Bool {
        guard state.compareExchange(expected: Self.open, desired: Self.busy, ordering: .acquiringAndReleasing).exchanged
        else { return false }
        thread.store(Self.currentThread, ordering: .relaxed)
        return true
    }

    /// Render side.
    package func leave() {
        thread.store(0, ordering: .relaxed)
        state.store(Self.open, ordering: .releasing)
    }

    /// Whether the engine stands still.
    package var isClosed: Bool { state.load(ordering: .relaxed) == Self.closed }

    /// Whether the calling thread is inside: a client's block that calls back.
    package var isOnRenderThread: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    /// Control side.
    package func openUp() {
        _ = state.compareExchange(expected: Self.closed, desired: Self.open, ordering: .acquiringAndReleasing)
    }

    /// Control side, not from inside: waits for the call under way.
    package func close() {
        while !state.compareExchange(expected: Self.open, desired: Self.closed, ordering: .acquiringAndReleasing)
            .exchanged
        {
            if state.load(ordering: .acquiring) == Self.closed { return }
            usleep(200)
        }
    }

    /// Identity of the calling thread.
    package static var currentThread: UInt {
        #if os(Linux)
        UInt(pthread_self())
        #else
        UInt(bitPattern: pthread_self())
        #endif
    }
}
