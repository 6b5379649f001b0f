// Memory for audio.

import OssicleCoreAudioTypes

/// Audio of one format in memory, as a buffer list. For one thread at a time.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
    /// The format of the audio.
    public let format: AVAudioFormat

    let lists: BufferListPair

    init(format: AVAudioFormat, lists: BufferListPair) {
        self.format = format
        self.lists = lists
        super.init()
    }

    /// The buffers, sized to the valid audio. Not to be changed; valid while this object lives.
    open var audioBufferList: UnsafePointer<AudioBufferList> { lists.valid.unsafePointer }

    /// The buffers, sized to the capacity; valid while this object lives.
    open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { lists.whole.unsafeMutablePointer }

    /// A buffer of the same format; subclasses copy the audio.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { mutableCopy(with: zone) }

    /// A buffer of the same format; subclasses copy the audio.
    @discardableResult
    open func mutableCopy(with zone: NSZone? = nil) -> Any { self }
}
