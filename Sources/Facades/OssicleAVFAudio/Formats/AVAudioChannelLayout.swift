// The roles of a stream's channels.

import OssicleChannels
import OssicleCoreAudioTypes

/// Which channel is which. Immutable; any thread.
open class AVAudioChannelLayout: NSObject, NSSecureCoding, @unchecked Sendable {
    private let storage: ChannelLayoutStorage

    /// The layout of `layoutTag`; `nil` for a tag that is unknown or points at a bitmap or descriptions.
    public init?(layoutTag: AudioChannelLayoutTag) {
        guard ChannelOrder.labels(for: layoutTag) != nil else { return nil }
        storage = InternedMemory.lasting(ChannelLayoutStorage(tag: layoutTag))
        super.init()
    }

    /// A copy of `layout`, by its tag where its channels are exactly those of a known tag.
    public init(layout: UnsafePointer<AudioChannelLayout>) {
        storage = InternedMemory.lasting(ChannelLayoutStorage(reducing: layout))
        super.init()
    }

    /// The layout of `labels`, by its tag where there is one.
    init(labels: [AudioChannelLabel]) {
        storage = InternedMemory.lasting(ChannelLayoutStorage(labels: labels))
        super.init()
    }

    /// The layout in the bytes of an `AudioChannelLayout`, as `AVChannelLayoutKey` carries it; `nil` when there are too
    /// few.
    init?(data: Data) {
        guard let raw = ChannelLayoutStorage(data: data) else { return nil }
        storage = withExtendedLifetime(raw) { InternedMemory.lasting(ChannelLayoutStorage(reducing: raw.pointer)) }
        super.init()
    }

    /// Restores an archived layout.
    public required convenience init?(coder: NSCoder) {
        guard let data = coder.decodeObject(of: NSData.self, forKey: "layout") else { return nil }
        self.init(data: data as Data)
    }

    /// Archives the layout.
    open func encode(with coder: NSCoder) { coder.encode(data as NSData, forKey: "layout") }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// The tag, which may say "see the descriptions".
    open var layoutTag: AudioChannelLayoutTag { storage.pointer.pointee.mChannelLayoutTag }

    /// The layout; the pointer stays valid.
    open var layout: UnsafePointer<AudioChannelLayout> { UnsafePointer(storage.pointer) }

    /// Number of channels.
    open var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: layout.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap: UInt32(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        default: AudioChannelLayoutTag_GetNumberOfChannels(layoutTag)
        }
    }

    /// The bytes of the layout, as `AVChannelLayoutKey` carries them.
    var data: Data { storage.data }

    /// Whether `object` is a layout of the same tag, bitmap and descriptions.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return layoutTag == other.layoutTag && data == other.data
    }

    /// Equal for equal layouts.
    open override var hash: Int { layoutTag.hashValue }

    /// Tag and channels in words.
    open override var description: String {
        "<AVAudioChannelLayout: tag \(layoutTag >> 16)<<16|\(layoutTag & 0xFFFF), \(channelCount) ch>"
    }
}
