// Where players and a unit that renders meet.

import OssicleRender
import Synchronization

/// What players send to one unit. The unit's side takes the events of each block when it renders it.
package final class EventFeed: Hashable, @unchecked Sendable {
    private let readers = Published<[ScheduleReader]>([])
    private let isEmpty = Atomic(true)
    /// Frames by which the unit's clock is ahead of its engine's.
    let clockOffset: @Sendable () -> Int64

    package init(clockOffset: @escaping @Sendable () -> Int64 = { 0 }) { self.clockOffset = clockOffset }

    /// Control side.
    func add(_ reader: ScheduleReader) {
        readers.change {
            $0.removeAll { $0.isRetired && $0.isSpent }
            $0.append(reader)
        }
        isEmpty.store(false, ordering: .releasing)
    }

    /// Render side: sends what falls on the frames from `start` on. Of one frame, first what was started first.
    package func deliver(from start: Int64, frames: Int, rate: Double, _ send: ScheduleReader.Send) {
        if isEmpty.load(ordering: .acquiring) { return }
        readers.read { all in
            for index in 0..<all.count { all[index].deliver(from: start, frames: frames, rate: rate, send) }
        }
    }

    package static func == (a: EventFeed, b: EventFeed) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A unit whose parameters are set between render calls, because it takes no events.
package final class ParameterTarget: Hashable, Sendable {
    let set: @Sendable (PlayedEvent.Parameter) -> Void

    package init(_ set: @escaping @Sendable (PlayedEvent.Parameter) -> Void) { self.set = set }

    package static func == (a: ParameterTarget, b: ParameterTarget) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
