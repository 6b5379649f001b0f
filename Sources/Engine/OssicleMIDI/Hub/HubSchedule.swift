import OssicleDevices

/// What waits for its time, and the clock that says when that is.
struct HubSchedule: Sendable {
    var queue = DeliveryQueue()
    private let clock: MIDIHub.Clock
    /// Nanoseconds, of a clock that is moved by hand.
    private var manualTime: UInt64 = 0
    /// A thread carries out what is due.
    private var isDelivering = false

    init(clock: MIDIHub.Clock) { self.clock = clock }

    /// Nanoseconds.
    var now: UInt64 { clock == .host ? HostClock.now : manualTime }

    /// Moves a manual clock to the next event, or to `limit` where none is before it; returns the time, `nil` where
    /// `limit` is over.
    mutating func advance(to limit: UInt64) -> UInt64? {
        guard limit >= manualTime else { return nil }
        manualTime = min(max(queue.nextTime ?? limit, manualTime), limit)
        return manualTime
    }

    /// False where somebody delivers already.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering else { return false }
        isDelivering = true
        return true
    }

    /// The next event that is due; `nil` ends the delivery.
    mutating func take() -> DeliveryQueue.Action? {
        let action = queue.take(until: now)
        isDelivering = action != nil
        return action
    }
}

/// What is to happen at host times, earliest first, and in the order of its arrival at the same time.
struct DeliveryQueue: Sendable {
    enum Action: Sendable {
        /// To one destination; `from` is the output port, 0 without one.
        case deliver([MIDIWordPacket], to: HubID, from: HubID)
        /// From a source to all that are connected.
        case distribute([MIDIWordPacket], from: HubID)
        case call(@Sendable () -> Void)
    }

    private struct Entry: Sendable {
        var time: UInt64
        var sequence: UInt64
        var action: Action

        func isBefore(_ other: Entry) -> Bool { (time, sequence) < (other.time, other.sequence) }
    }

    /// A binary heap: no entry is before its parent at (index − 1) / 2.
    private var entries: [Entry] = []
    private var sequence: UInt64 = 0

    var count: Int { entries.count }
    var nextTime: UInt64? { entries.first?.time }

    mutating func add(_ action: Action, at time: UInt64) {
        entries.append(Entry(time: time, sequence: sequence, action: action))
        sequence += 1
        rise(entries.count - 1)
    }

    /// The earliest action if its time is `now` or before.
    mutating func take(until now: UInt64) -> Action? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink(0)
        }
        return first.action
    }

    /// Drops what is on its way to `destination`, or to any.
    mutating func removeDeliveries(to destination: HubID?) {
        let kept = entries.filter { entry in
            guard case .deliver(_, let target, _) = entry.action else { return true }
            return destination.map { target != $0 } ?? false
        }
        entries = []
        for entry in kept {
            entries.append(entry)
            rise(entries.count - 1)
        }
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            let children = (2 * index + 1)..<min(2 * index + 3, max(entries.count, 2 * index + 1))
            guard let least = children.min(by: { entries[$0].isBefore(entries[$1]) }),
                entries[least].isBefore(entries[index])
            else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
