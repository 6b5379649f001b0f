// Which channel is which: by a tag, by a bitmap, or described one by one.

/// A known order of channels: an index in the upper half, the number of channels in the lower.
public typealias AudioChannelLayoutTag = UInt32

/// Number of channels of a tag: its lower 16 bits.
public func AudioChannelLayoutTag_GetNumberOfChannels(_ inLayoutTag: AudioChannelLayoutTag) -> UInt32 {
    inLayoutTag & 0xFFFF
}

/// The roles of the channels of a stream. The head of a structure of variable length: further descriptions follow
/// `mChannelDescriptions` in memory.
public struct AudioChannelLayout {
    /// A known order, or one of the two tags that point at the bitmap or the descriptions.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// The channels present, when the tag points here.
    public var mChannelBitmap: AudioChannelBitmap
    /// Number of descriptions.
    public var mNumberChannelDescriptions: UInt32
    /// The first description.
    public var mChannelDescriptions: AudioChannelDescription

    /// A layout that describes nothing.
    public init() {
        self.init(mChannelLayoutTag: 0, mChannelBitmap: [], mNumberChannelDescriptions: 0, mChannelDescriptions: AudioChannelDescription())
    }

    /// A layout of at most one description.
    public init(mChannelLayoutTag: AudioChannelLayoutTag, mChannelBitmap: AudioChannelBitmap, mNumberChannelDescriptions: UInt32,
                mChannelDescriptions: AudioChannelDescription) {
        self.mChannelLayoutTag = mChannelLayoutTag
        self.mChannelBitmap = mChannelBitmap
        self.mNumberChannelDescriptions = mNumberChannelDescriptions
        self.mChannelDescriptions = mChannelDescriptions
    }

    /// Bytes that a layout with `maximumDescriptions` descriptions takes; less than 1 counts as 1.
    public static func sizeInBytes(maximumDescriptions: Int) -> Int {
        let further = min(max(maximumDescriptions, 1), 65_536) - 1
        return MemoryLayout<AudioChannelLayout>.size + further * MemoryLayout<AudioChannelDescription>.stride
    }
}

extension UnsafePointer where Pointee == AudioChannelLayout {
    /// The descriptions that follow the head of the layout. Reads no more than 65 535, the most a stream can have.
    package var channelDescriptions: UnsafeBufferPointer<AudioChannelDescription> {
        let offset = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
        let first = (UnsafeRawPointer(self) + offset).assumingMemoryBound(to: AudioChannelDescription.self)
        return UnsafeBufferPointer(start: first, count: Int(min(pointee.mNumberChannelDescriptions, 65_535)))
    }
}
