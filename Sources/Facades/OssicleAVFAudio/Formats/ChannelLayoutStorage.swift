// Memory for a layout of any number of descriptions.

import OssicleChannels
import OssicleCoreAudioTypes
import Synchronization

/// One channel layout with its tail, never changed after it was made.
final class ChannelLayoutStorage {
    let pointer: UnsafeMutablePointer<AudioChannelLayout>
    private static let headSize = 12

    private init(
        tag: AudioChannelLayoutTag, bitmap: AudioChannelBitmap, descriptions: some Collection<AudioChannelDescription>
    ) {
        let bytes = AudioChannelLayout.sizeInBytes(maximumDescriptions: descriptions.count)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: bytes, alignment: MemoryLayout<AudioChannelLayout>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        pointer = memory.assumingMemoryBound(to: AudioChannelLayout.self)
        pointer.pointee.mChannelLayoutTag = tag
        pointer.pointee.mChannelBitmap = bitmap
        pointer.pointee.mNumberChannelDescriptions = UInt32(clamping: descriptions.count)
        let first = (memory + Self.headSize).assumingMemoryBound(to: AudioChannelDescription.self)
        for (index, description) in descriptions.enumerated() { first[index] = description }
    }

    deinit { UnsafeMutableRawPointer(pointer).deallocate() }

    convenience init(tag: AudioChannelLayoutTag) {
        self.init(tag: tag, bitmap: [], descriptions: [])
    }

    convenience init(labels: [AudioChannelLabel]) {
        if let tag = ChannelOrder.tag(for: labels) {
            self.init(tag: tag)
        } else {
            let descriptions = labels.prefix(65_535).map {
                AudioChannelDescription(mChannelLabel: $0, mChannelFlags: [], mCoordinates: (0, 0, 0))
            }
            self.init(tag: kAudioChannelLayoutTag_UseChannelDescriptions, bitmap: [], descriptions: descriptions)
        }
    }

    /// A copy of `layout`; descriptions and bitmaps become a tag where one has the same channels.
    convenience init(reducing layout: UnsafePointer<AudioChannelLayout>) {
        let tag = layout.pointee.mChannelLayoutTag
        let pointsElsewhere =
            tag == kAudioChannelLayoutTag_UseChannelDescriptions || tag == kAudioChannelLayoutTag_UseChannelBitmap
        if pointsElsewhere, let known = ChannelOrder.tag(for: layout.channelLabels) {
            self.init(tag: known)
        } else if tag == kAudioChannelLayoutTag_UseChannelDescriptions {
            self.init(tag: tag, bitmap: [], descriptions: layout.channelDescriptions)
        } else {
            self.init(
                tag: tag, bitmap: tag == kAudioChannelLayoutTag_UseChannelBitmap ? layout.pointee.mChannelBitmap : [],
                descriptions: [])
        }
    }

    /// The layout in `data`, with no more descriptions than there are bytes for.
    convenience init?(data: Data) {
        guard data.count >= Self.headSize else { return nil }
        let bytes = [UInt8](data)
        let layout = bytes.withUnsafeBytes { raw in
            let head = (0..<3).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
            let stride = MemoryLayout<AudioChannelDescription>.stride
            let count = min(Int(head[2]), (raw.count - Self.headSize) / stride)
            let descriptions = (0..<count).map { index in
                raw.loadUnaligned(fromByteOffset: Self.headSize + index * stride, as: AudioChannelDescription.self)
            }
            return (tag: head[0], bitmap: AudioChannelBitmap(rawValue: head[1]), descriptions: descriptions)
        }
        self.init(tag: layout.tag, bitmap: layout.bitmap, descriptions: layout.descriptions)
    }

    var data: Data {
        let count = min(Int(pointer.pointee.mNumberChannelDescriptions), 65_535)
        return Data(bytes: pointer, count: Self.headSize + count * MemoryLayout<AudioChannelDescription>.stride)
    }
}

/// Stream descriptions and channel layouts, each stored once and never freed. Any thread.
enum InternedMemory {
    private struct Entry<Value>: @unchecked Sendable { let value: Value }

    private static let descriptions = Mutex<
        [AudioStreamBasicDescription: Entry<UnsafePointer<AudioStreamBasicDescription>>]
    >([:])
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
