// Inner pointers that outlive the objects they are asked from.
//
// Code written for Apple's frameworks takes `format.streamDescription` or `channelLayout.layout` from an object it lets go at
// once, and relies on the pointer a little longer. So these few bytes are kept for the life of the process, once per value.

import OssicleCoreAudioTypes
import Synchronization

/// Stream descriptions and channel layouts, each stored once and never freed. Any thread.
enum InternedMemory {
    private struct Entry<Value>: @unchecked Sendable { let value: Value }

    private static let descriptions = Mutex<[AudioStreamBasicDescription: Entry<UnsafePointer<AudioStreamBasicDescription>>]>([:])
    private static let layouts = Mutex<[Data: Entry<ChannelLayoutStorage>]>([:])

    /// A lasting pointer to `description`.
    static func pointer(to description: AudioStreamBasicDescription) -> UnsafePointer<AudioStreamBasicDescription> {
        descriptions.withLock { known in
            if let entry = known[description] { return entry }
            let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
            memory.initialize(to: description)
            let entry = Entry(value: UnsafePointer(memory))
            known[description] = entry
            return entry
        }.value
    }

    /// The storage that stands for every layout equal to `storage`.
    static func lasting(_ storage: ChannelLayoutStorage) -> ChannelLayoutStorage {
        let offered = Entry(value: storage), key = storage.data
        return layouts.withLock { known in
            if let entry = known[key] { return entry }
            known[key] = offered
            return offered
        }.value
    }
}
