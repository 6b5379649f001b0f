import OssicleAudioToolbox
import OssicleRender

/// Events on their way to a unit, from any thread to the one that renders it.
///
/// Neither senders nor the render side wait. What has arrived is kept in order of time, in nodes of a pool, until the
/// cycle it falls into. The nodes of one cycle are free again when the next begins.
final class EventQueue: @unchecked Sendable {
    /// Events that may wait.
    static let capacity = 512

    private let arriving: SharedRing<AURenderEvent>
    private let pool: UnsafeMutablePointer<AURenderEvent>
    private var free: UnsafeMutablePointer<AURenderEvent>?
    private var waiting: UnsafeMutablePointer<AURenderEvent>?
    private var delivered: UnsafeMutablePointer<AURenderEvent>?

    init() {
        arriving = SharedRing(capacity: Self.capacity, empty: AURenderEvent())
        pool = .allocate(capacity: Self.capacity)
        pool.initialize(repeating: AURenderEvent(), count: Self.capacity)
        for index in 0..<Self.capacity { Self.prepend(pool + index, to: &free) }
    }

    deinit { pool.deallocate() }

    /// Any thread. False if too many wait; the event is lost then.
    @discardableResult
    func send(_ event: AURenderEvent) -> Bool {
        arriving.push(event)
    }

    /// Render side: the events of the cycle from frame `start` on, in order of time; of one time, in the order they
    /// were sent. Late ones and immediate ones take effect in this cycle. Valid until the next call.
    func take(from start: Int64, frames: Int) -> UnsafePointer<AURenderEvent>? {
        recycle()
        while let node = free, let event = arriving.pop() {
            free = node.pointee.head.next
            node.pointee = event
            node.pointee.head.eventSampleTime = Self.frame(event.head.eventSampleTime, start)
            insert(node)
        }
        var last: UnsafeMutablePointer<AURenderEvent>?
        var next = waiting
        while let node = next, node.pointee.head.eventSampleTime < start + Int64(frames) {
            (last, next) = (node, node.pointee.head.next)
        }
        guard let last else { return nil }
        delivered = waiting
        waiting = last.pointee.head.next
        last.pointee.head.next = nil
        return UnsafePointer(delivered)
    }

    /// Forgets what waits. Only while nothing is rendered.
    func clear() {
        recycle()
        while arriving.pop() != nil {}
        while let node = waiting {
            waiting = node.pointee.head.next
            Self.prepend(node, to: &free)
        }
    }

    private static func frame(_ time: AUEventSampleTime, _ start: Int64) -> Int64 {
        let (offset, overflow) = time.subtractingReportingOverflow(AUEventSampleTimeImmediate)
        if !overflow, (0..<4096).contains(offset) { return start + offset }
        return max(time, start)
    }

    private func recycle() {
        while let node = delivered {
            delivered = node.pointee.head.next
            Self.prepend(node, to: &free)
        }
    }

    private func insert(_ node: UnsafeMutablePointer<AURenderEvent>) {
        let time = node.pointee.head.eventSampleTime
        var before: UnsafeMutablePointer<AURenderEvent>?
        var next = waiting
        while let other = next, other.pointee.head.eventSampleTime <= time {
            (before, next) = (other, other.pointee.head.next)
        }
        node.pointee.head.next = next
        if let before { before.pointee.head.next = node } else { waiting = node }
    }

    private static func prepend(
        _ node: UnsafeMutablePointer<AURenderEvent>, to list: inout UnsafeMutablePointer<AURenderEvent>?
    ) {
        node.pointee.head.next = list
        list = node
    }
}

extension ParameterEvents {
    /// The events that a unit's render block is given.
    init(_ list: UnsafePointer<AURenderEvent>?) {
        self.init(list.map { UnsafeRawPointer($0) }) { address in
            let event = address.assumingMemoryBound(to: AURenderEvent.self)
            let (head, next) = (event.pointee.head, event.pointee.head.next.map { UnsafeRawPointer($0) })
            guard head.eventType == .parameter || head.eventType == .parameterRamp else {
                return (ParameterEvent(frame: head.eventSampleTime, change: nil), next)
            }
            let parameter = event.pointee.parameter
            let change = ParameterEvent.Change(
                address: parameter.parameterAddress, value: parameter.value,
                frames: Int64(parameter.rampDurationSampleFrames))
            return (ParameterEvent(frame: head.eventSampleTime, change: change), next)
        }
    }
}
