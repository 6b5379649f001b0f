/// Channels as bits of the mask in the extensible form of WAVE and in layout chunks. A bit stands for the label one above its number, but for the
/// surrounds: where there is one pair, at the sides or in the rear, it is the surrounds; where there are two, those in the rear are the rear ones.
enum ChannelMask {
    private static let rear: UInt32 = 0x30, side: UInt32 = 0x600

    /// The labels of the channels in a mask, in order; `nil` when there are not as many as channels.
    static func labels(_ mask: UInt32, channelCount: Int) -> [UInt32]? {
        let hasBoth = mask & rear == rear && mask & side == side
        let labels = (0..<18).filter { mask >> UInt32($0) & 1 == 1 }.map { bit -> UInt32 in
            switch bit {
            case 4, 5: hasBoth ? UInt32(bit) + 29 : UInt32(bit) + 1
            case 9, 10: UInt32(bit) - 4
            default: UInt32(bit) + 1
            }
        }
        return labels.count == channelCount ? labels : nil
    }

    /// The mask of labels; `nil` when they are not in the mask's order or not in its reach. One channel in the middle is the centre.
    static func mask(_ labels: [UInt32]) -> UInt32? {
        if labels == [42] { return 4 }
        guard let bits = bits(labels), bits == bits.sorted() else { return nil }
        return bits.reduce(0) { $0 | 1 << $1 }
    }

    /// The bit of each label; `nil` when one has none or two have the same.
    static func bits(_ labels: [UInt32]) -> [UInt32]? {
        let hasBoth = labels.contains(5) && labels.contains(33)
        let bits = labels.compactMap { label -> UInt32? in
            switch label {
            case 5, 6: hasBoth ? label + 4 : label - 1
            case 33, 34: label - 29
            case 1...18: label - 1
            default: nil
            }
        }
        return bits.count == labels.count && Set(bits).count == bits.count ? bits : nil
    }
}
