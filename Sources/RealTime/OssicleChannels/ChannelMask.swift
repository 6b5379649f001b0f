// Channels as the bits of a mask.

/// The channel mask in the extensible form of WAVE and in layout chunks. A bit stands for the label one above its
/// number, except for the surrounds: a single pair, at the sides or in the rear, is the surrounds; of two pairs the one
/// in the rear has the rear labels.
package enum ChannelMask {
    private static let rear: UInt32 = 0x30, side: UInt32 = 0x600

    /// The labels of the channels in a mask, in order; `nil` unless there are `channelCount` of them.
    package static func labels(_ mask: UInt32, channelCount: Int) -> [UInt32]? {
        let hasBoth = mask & rear == rear && mask & side == side
        let labels = (0..<18).filter { mask >> $0 & 1 == 1 }.map { (bit: UInt32) -> UInt32 in
            switch bit {
            case 4, 5: hasBoth ? bit + 29 : bit + 1
            case 9, 10: bit - 4
            default: bit + 1
            }
        }
        return labels.count == channelCount ? labels : nil
    }

    /// The mask of labels; `nil` when they are not in the order of the mask or have no bit. Mono is the centre.
    package static func mask(_ labels: [UInt32]) -> UInt32? {
        if labels == [ChannelLabel.mono] { return 4 }
        guard let bits = bits(labels), bits == bits.sorted() else { return nil }
        return bits.reduce(0) { $0 | 1 << $1 }
    }

    /// The bit of each label; `nil` when one has none or two have the same.
    package static func bits(_ labels: [UInt32]) -> [UInt32]? {
        let hasBoth = labels.contains(ChannelLabel.leftSurround) && labels.contains(ChannelLabel.rearLeft)
        let bits = labels.compactMap { label -> UInt32? in
            switch label {
            case ChannelLabel.leftSurround, ChannelLabel.rightSurround: hasBoth ? label + 4 : label - 1
            case ChannelLabel.rearLeft, ChannelLabel.rearRight: label - 29
            case 1...18: label - 1
            default: nil
            }
        }
        return bits.count == labels.count && Set(bits).count == bits.count ? bits : nil
    }

    /// The labels of `AudioChannelBitmap`, in the order of its bits: like the mask of WAVE, but every bit has one
    /// label, whatever the others are. Bits without a meaning give `unknown`.
    package static func labels(bitmap: UInt32) -> [UInt32] {
        (0..<32).filter { bitmap >> $0 & 1 == 1 }.map { (bit: UInt32) -> UInt32 in
            switch bit {
            case 0...17: bit + 1
            case 21: ChannelLabel.topMiddleLeft
            case 23: ChannelLabel.topMiddleRight
            case 24...26: bit - 24 + ChannelLabel.topRearLeft
            default: ChannelLabel.unknown
            }
        }
    }
}
