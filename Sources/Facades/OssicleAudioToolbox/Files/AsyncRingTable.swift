// The way from a reference to its ring, for the audio thread.

import Synchronization

/// Finds rings by the reference of their file without a lock: a fixed number of slots, each with a count of those who
/// are in it.
enum AsyncRingTable {
    private struct Slot: ~Copyable {
        let reference = Atomic<UInt>(0)
        let users = Atomic<Int>(0)
        var ring: AsyncRing?
    }

    /// Files that can be written this way at once.
    private static let slotCount = 256
    private static let changes = NSLock()
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Slot> = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount)
        for index in 0..<slotCount { (slots + index).initialize(to: Slot()) }
        return slots
    }()

    /// Makes `ring` known; false when every slot is taken.
    static func insert(_ ring: AsyncRing, for reference: ExtAudioFileRef) -> Bool {
        changes.withLock {
            guard
                let index = (0..<slotCount).first(where: {
                    slots[$0].reference.load(ordering: .sequentiallyConsistent) == 0
                        && slots[$0].users.load(ordering: .sequentiallyConsistent) == 0
                })
            else { return false }
            slots[index].ring = ring
            slots[index].reference.store(UInt(bitPattern: reference), ordering: .sequentiallyConsistent)
            return true
        }
    }

    /// Makes the ring unknown, and waits until nobody is in it.
    static func remove(_ reference: ExtAudioFileRef) {
        changes.withLock {
            for index in 0..<slotCount
            where slots[index].reference.load(ordering: .sequentiallyConsistent) == UInt(bitPattern: reference) {
                slots[index].reference.store(0, ordering: .sequentiallyConsistent)
                while slots[index].users.load(ordering: .sequentiallyConsistent) > 0 { usleep(100) }
                slots[index].ring = nil
            }
        }
    }

    /// Adds frames to the ring of `reference`; `nil` where there is none. Never locks, allocates or waits. The
    /// ring is not removed meanwhile: a user is counted before the reference is looked at again.
    static func add(_ list: UnsafePointer<AudioBufferList>, frames: Int, to reference: ExtAudioFileRef) -> OSStatus? {
        let wanted = UInt(bitPattern: reference)
        var index = 0
        while index < slotCount {
            if slots[index].reference.load(ordering: .acquiring) == wanted {
                slots[index].users.wrappingAdd(1, ordering: .sequentiallyConsistent)
                defer { slots[index].users.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
                guard slots[index].reference.load(ordering: .sequentiallyConsistent) == wanted else { return nil }
                return slots[index].ring?.add(list, frames: frames)
            }
            index += 1
        }
        return nil
    }
}
