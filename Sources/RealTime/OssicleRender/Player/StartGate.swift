/// What players wait for that start together: the executor opens it between two render calls, and all of them see it in the same block.
package final class StartGate: @unchecked Sendable {
    package struct View: BitwiseCopyable, @unchecked Sendable {
        private let state: UnsafeMutablePointer<PublishedPosition>

        init(_ state: UnsafeMutablePointer<PublishedPosition>) { self.state = state }

        package var isOpen: Bool { state.pointee.load() != 0 }
        /// Any thread. A gate that is open stays open.
        package func open() { state.pointee.store(1) }
    }

    /// Valid while the gate lives.
    package let view: View
    private let state: UnsafeMutablePointer<PublishedPosition>

    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: PublishedPosition())
        view = View(state)
    }

    deinit { state.deinitialize(count: 1).deallocate() }
}
