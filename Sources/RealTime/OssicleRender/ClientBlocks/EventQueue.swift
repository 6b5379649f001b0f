/// An event with a time, in a list.
package protocol LinkedEvent: BitwiseCopyable {
    /// Frame at which it takes effect, as it was sent or as it is delivered.
    var frame: Int64 { get set }
    /// The event after this one; `nil` behind the last.
    var following: UnsafeMutablePointer<Self>? { get set }

    /// The frame at which an event that was sent for `frame` takes effect in a cycle from `start` on, or later.
    static func effective(_ frame: Int64, from start: Int64) -> Int64
}

/// Events on their way to a unit, from any thread to the one that renders it.
///
/// Neither senders nor the render side wait. What has arrived is kept in order of time, in nodes of a pool, until the
/// cycle it falls into. The nodes of one cycle are free again when the next begins.
package final class EventQueue<Event: LinkedEvent>: @unchecked Sendable {
    package typealias Node = UnsafeMutablePointer<Event>

    private let arriving: SharedRing<Event>
    private let pool: Node
    private var free: Node?
    private var waiting: Node?
    private var delivered: Node?

    /// - Parameters:
    ///   - capacity: events that may wait; a power of two.
    ///   - empty: what free nodes hold.
    package init(capacity: Int, empty: Event) {
        arriving = SharedRing(capacity: capacity, empty: empty)
        pool = .allocate(capacity: capacity)
        pool.initialize(repeating: empty, count: capacity)
        for index in 0..<capacity { prepend(pool + index, to: &free) }
    }

    deinit { pool.deallocate() }

    /// Any thread. False if too many wait; the event is lost then.
    @discardableResult
    package func send(_ event: Event) -> Bool { arriving.push(event) }

    /// Render side: the events of the cycle from frame `start` on, in order of time; of one time, in the order they
    /// were sent. Late ones and immediate ones take effect in this cycle. Valid until the next call.
    package func take(from start: Int64, frames: Int) -> UnsafePointer<Event>? {
        recycle()
        while let node = free, let event = arriving.pop() {
            free = node.pointee.following
            node.pointee = event
            node.pointee.frame = Event.effective(event.frame, from: start)
            insert(node)
        }
        var last: Node?
        var next = waiting
        while let node = next, node.pointee.frame < start + Int64(frames) {
            (last, next) = (node, node.pointee.following)
        }
        guard let last else { return nil }
        delivered = waiting
        waiting = last.pointee.following
        last.pointee.following = nil
        return UnsafePointer(delivered)
    }

    /// Forgets what waits. Only while nothing is rendered.
    package func clear() {
        recycle()
        while arriving.pop() != nil {}
        while let node = waiting {
            waiting = node.pointee.following
            prepend(node, to: &free)
        }
    }

    private func recycle() {
        while let node = delivered {
            delivered = node.pointee.following
            prepend(node, to: &free)
        }
    }

    private func insert(_ node: Node) {
        let time = node.pointee.frame
        var before: Node?
        var next = waiting
        while let other = next, other.pointee.frame <= time { (before, next) = (other, other.pointee.following) }
        node.pointee.following = next
        if let before { before.pointee.following = node } else { waiting = node }
    }

    private func prepend(_ node: Node, to list: inout Node?) {
        node.pointee.following = list
        list = node
    }
}
