/// The sounds that wait, first in, first out, linked through themselves; and the times at which some of them interrupt.
struct EntryQueue: ~Copyable {
    typealias Entry = UnsafeMutablePointer<QueueEntry>

    private(set) var first: Entry?
    private var last: Entry?
    /// Those among the waiting that interrupt, in the same order: a search does not pass ten thousand plain sounds
    /// for them.
    private var firstInterrupter: Entry?
    private var lastInterrupter: Entry?

    /// Earliest player time at which a waiting sound cuts in, and from which one ends loops; `Int64.max` if none does.
    private(set) var cutTime = Int64.max
    private(set) var loopEndTime = Int64.max
    private var isStale = false

    mutating func append(_ entry: Entry, _ sound: QueueEntry.Sound) {
        entry.pointee.next = nil
        if let last { last.pointee.next = entry } else { first = entry }
        last = entry
        if case .none = sound.interruption { return }
        entry.pointee.nextInterrupter = nil
        if let lastInterrupter { lastInterrupter.pointee.nextInterrupter = entry } else { firstInterrupter = entry }
        lastInterrupter = entry
        note(sound)
    }

    mutating func popFirst() -> Entry? {
        guard let entry = first else { return nil }
        first = entry.pointee.next
        if first == nil { last = nil }
        if entry == firstInterrupter {
            firstInterrupter = entry.pointee.nextInterrupter
            if firstInterrupter == nil { lastInterrupter = nil }
            isStale = true
        }
        return entry
    }

    /// The last sound whose time to cut in has come.
    func dueCut(at now: Int64) -> Entry? {
        guard cutTime <= now else { return nil }
        var due: Entry?
        var entry = firstInterrupter
        while let candidate = entry {
            if let sound = candidate.pointee.sound, case .cut = sound.interruption, sound.dueTime <= now {
                due = candidate
            }
            entry = candidate.pointee.nextInterrupter
        }
        return due
    }

    /// Brings the two times up to date, once for all the sounds that have left the queue.
    mutating func refreshTimes() {
        guard isStale else { return }
        (cutTime, loopEndTime, isStale) = (.max, .max, false)
        var left = firstInterrupter
        while let entry = left {
            if let sound = entry.pointee.sound { note(sound) }
            left = entry.pointee.nextInterrupter
        }
    }

    private mutating func note(_ sound: QueueEntry.Sound) {
        switch sound.interruption {
        case .none: break
        case .cut: cutTime = min(cutTime, sound.dueTime)
        case .atLoop: loopEndTime = min(loopEndTime, sound.dueTime)
        }
    }

    /// Runs through a chain; `body` may link each entry elsewhere.
    static func forEach(from first: Entry?, _ body: (Entry) -> Void) {
        var left = first
        while let entry = left {
            left = entry.pointee.next
            body(entry)
        }
    }
}
