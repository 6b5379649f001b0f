// Channel layouts as properties of variable length.

import OssicleChannels
import OssicleProperties

/// Between the labels of channels and an `AudioChannelLayout` with its tail, as bytes.
enum ChannelLayoutBytes {
    private static let headSize = 12
    /// More channels than any stream has.
    private static let most = 65_535

    /// The layout of `labels`: by a tag where one has these channels, else described one by one.
    static func layout(of labels: [AudioChannelLabel]) -> PropertyValue {
        ChannelOrder.tag(for: labels).map { layout(of: $0) } ?? described(labels)
    }

    /// The layout that describes each of `labels`.
    static func described(_ labels: [AudioChannelLabel]) -> PropertyValue {
        let descriptions = labels.prefix(most).map {
            AudioChannelDescription(mChannelLabel: $0, mChannelFlags: [], mCoordinates: (0, 0, 0))
        }
        return make(
            kAudioChannelLayoutTag_UseChannelDescriptions, count: descriptions.count, descriptions: descriptions)
    }

    /// The layout that consists of a tag.
    static func layout(of tag: AudioChannelLayoutTag) -> PropertyValue {
        make(tag, count: 0, descriptions: [AudioChannelDescription()])
    }

    /// The layout of `labels`, or what `count` channels are that nobody names.
    static func layout(of labels: [AudioChannelLabel]?, channelCount count: Int) -> PropertyValue {
        if let labels, !labels.isEmpty { return layout(of: labels) }
        return layout(of: tag(ofUnnamed: count, in: kAudioChannelLayoutTag_DiscreteInOrder))
    }

    /// What `count` channels are that nobody names: mono, stereo, or that many of `family`.
    static func tag(ofUnnamed count: Int, in family: AudioChannelLayoutTag) -> AudioChannelLayoutTag {
        switch count {
        case 1: kAudioChannelLayoutTag_Mono
        case 2: kAudioChannelLayoutTag_Stereo
        default: family | UInt32(clamping: min(count, most))
        }
    }

    /// The labels of a layout in a client's memory; `nil` when it is cut off or names no channels.
    static func labels(_ bytes: UnsafeRawBufferPointer) -> [AudioChannelLabel]? {
        guard bytes.count >= headSize else { return nil }
        let tag = bytes.loadUnaligned(as: UInt32.self)
        let labels: [AudioChannelLabel]?
        switch tag {
        case kAudioChannelLayoutTag_UseChannelBitmap:
            labels = ChannelMask.labels(bitmap: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            let count = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
                stride = MemoryLayout<AudioChannelDescription>.stride
            guard count <= (bytes.count - headSize) / stride else { return nil }
            labels = (0..<count).map {
                bytes.loadUnaligned(fromByteOffset: headSize + $0 * stride, as: AudioChannelDescription.self)
                    .mChannelLabel
            }
        default:
            labels = ChannelOrder.labels(for: tag)
        }
        guard let labels, !labels.isEmpty else { return nil }
        return labels
    }

    /// The labels of a layout that a client points at.
    static func labels(_ layout: UnsafePointer<AudioChannelLayout>) -> [AudioChannelLabel]? {
        let labels = layout.channelLabels
        return labels.isEmpty ? nil : labels
    }

    private static func make(
        _ tag: AudioChannelLayoutTag, count: Int, descriptions: [AudioChannelDescription]
    ) -> PropertyValue {
        let head = [tag, 0, UInt32(clamping: count)].withUnsafeBytes { Array($0) }
        return .bytes(head + descriptions.withUnsafeBytes { Array($0) })
    }
}
