// Additions to Apple's layouts: the labels of the channels, whichever way a layout describes them.

import OssicleChannels

extension UnsafePointer where Pointee == AudioChannelLayout {
    /// The descriptions that follow the head of the layout; at most 65 535, the most a stream can have.
    public var channelDescriptions: UnsafeBufferPointer<AudioChannelDescription> {
        let offset = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
        let first = (UnsafeRawPointer(self) + offset).assumingMemoryBound(to: AudioChannelDescription.self)
        return UnsafeBufferPointer(start: first, count: Int(min(pointee.mNumberChannelDescriptions, 65_535)))
    }

    /// The label of every channel, by descriptions, bitmap or tag; empty for a layout that describes none.
    public var channelLabels: [AudioChannelLabel] {
        switch pointee.mChannelLayoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: channelDescriptions.map(\.mChannelLabel)
        case kAudioChannelLayoutTag_UseChannelBitmap: ChannelMask.labels(bitmap: pointee.mChannelBitmap.rawValue)
        case let tag: ChannelOrder.labels(for: tag) ?? []
        }
    }
}
