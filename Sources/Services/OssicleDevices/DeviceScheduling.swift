import CScheduling
import Synchronization

/// How a device's thread is scheduled: what the system gave of what was asked for.
///
/// Asked for in this order: real time by the process's own rights (`ulimit -r`, CAP_SYS_NICE); from RealtimeKit, which
/// desktops run for programs without rights, and which demands that the kernel ends a process that computes for 200 ms
/// in real time; a nice value (`ulimit -e`). Real time ends by itself for a thread that computes for 150 ms without a
/// pause, so that a client's block that hangs does not halt the machine.
package struct DeviceScheduling: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: UInt8, Sendable, Hashable {
        /// As any other thread.
        case ordinary
        /// Before ordinary threads, by a nice value.
        case favoured
        /// First in, first out, by the process's own rights.
        case realTime
        /// The same, given by RealtimeKit.
        case realtimeKit
    }

    package let kind: Kind
    /// Of real time, 1…99; of what is favoured, the nice value.
    package let level: Int
    /// Whether the thread's stack, the first 64 KiB of it, and its blocks of samples cannot be paged out. More is not
    /// locked: what is rendered lies all over the heap, and a program may be larger than what it may lock.
    package let isLocked: Bool

    package init(kind: Kind = .ordinary, level: Int = 0, isLocked: Bool = false) {
        self.kind = kind
        self.level = level
        self.isLocked = isLocked
    }

    /// "real time, priority 10 (RealtimeKit), memory locked".
    package var description: String {
        let how =
            switch kind {
            case .ordinary: "ordinary"
            case .favoured: "nice \(level)"
            case .realTime: "real time, priority \(level)"
            case .realtimeKit: "real time, priority \(level) (RealtimeKit)"
            }
        return isLocked ? how + ", memory locked" : how
    }
}

extension DeviceScheduling {
    private static let priority = 10
    private static let niceValue = -11
    /// Microseconds of computing without a pause, RealtimeKit's usual limit.
    private static let limit: UInt64 = 200_000

    /// Gets what can be had for the calling thread, which calls `leave` as its last.
    package static func obtain() -> DeviceScheduling {
        ossicle_device_thread_begins()
        let isLocked = ossicle_lock_stack()
        if ossicle_guard_realtime_thread(limit) {
            if ossicle_make_thread_realtime(Int32(priority)) {
                return DeviceScheduling(kind: .realTime, level: priority, isLocked: isLocked)
            }
            if ossicle_limit_realtime(limit), obtainFromRealtimeKit() {
                return DeviceScheduling(kind: .realtimeKit, level: priority, isLocked: isLocked)
            }
            ossicle_forget_realtime_thread()
        }
        if ossicle_make_thread_nice(Int32(niceValue)) {
            return DeviceScheduling(kind: .favoured, level: niceValue, isLocked: isLocked)
        }
        return DeviceScheduling(isLocked: isLocked)
    }

    /// What a device's thread would get now: a thread gets it, and ends.
    package static func trial() -> DeviceScheduling {
        let scheduling = try? ServerReply<DeviceScheduling>.wait(label: "ossicle.trial", within: 2, device: "") {
            defer { leave() }
            return obtain()
        }
        return scheduling ?? DeviceScheduling()
    }

    /// Whether RealtimeKit made the calling thread one of real time. The call is made on another thread, which is left
    /// alone after a second, and then never again: libdbus waits without end for a bus that does not let it in.
    private static func obtainFromRealtimeKit() -> Bool {
        guard !busHangs.load(ordering: .relaxed) else { return false }
        let thread = ossicle_thread_id()
        do {
            let isGiven = try ServerReply.wait(label: "ossicle.realtimekit", within: 1, device: "RealtimeKit") {
                ossicle_ask_realtime_kit(thread, UInt32(priority))
            }
            return isGiven && ossicle_thread_is_realtime()
        } catch {
            busHangs.store(true, ordering: .relaxed)
            return false
        }
    }

    private static let busHangs = Atomic(false)

    /// Last call of a thread that has called `obtain`.
    package static func leave() {
        ossicle_forget_realtime_thread()
        ossicle_device_thread_ends()
    }

    /// In one word, for meters.
    var word: Int { Int(kind.rawValue) | (isLocked ? 1 << 8 : 0) | (level + 128) << 16 }

    init(word: Int) {
        self.init(
            kind: Kind(rawValue: UInt8(truncatingIfNeeded: word)) ?? .ordinary, level: (word >> 16) - 128,
            isLocked: word & 1 << 8 != 0)
    }
}
