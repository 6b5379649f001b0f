/// The pieces of an Apple Lossless packet, one for each channel or pair of channels.
enum ALACElement: UInt32 {
    case single = 0, pair = 1, lowFrequency = 3, data = 4, fill = 6, end = 7

    var channelCount: Int { self == .pair ? 2 : 1 }

    /// The elements of a packet with 1 ... 8 channels, in the format's order of channels.
    static func sequence(channelCount: Int) -> [ALACElement] {
        switch channelCount {
        case 1: [.single]
        case 2: [.pair]
        case 3: [.single, .pair]
        case 4: [.single, .pair, .single]
        case 5: [.single, .pair, .pair]
        case 6: [.single, .pair, .pair, .single]
        case 7: [.single, .pair, .pair, .single, .single]
        default: [.single, .pair, .pair, .pair, .single]
        }
    }
}
