/// What goes into one channel.
enum ChannelRow: Equatable {
    case silence
    /// The input channel with this index, as it is.
    case channel(Int)
    /// The sum of input channels, each times its gain, in the order of their indices.
    case mix([Share])

    struct Share: Equatable {
        let channel: Int
        let gain: Double
    }

    /// The simplest row for these shares.
    init(_ shares: [Share]) {
        switch shares.count {
        case 0: self = .silence
        case 1 where shares[0].gain == 1: self = .channel(shares[0].channel)
        default: self = .mix(shares)
        }
    }
}
