import OssicleCodecs

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

/// Brings the channels of a stream into the number and order of another.
final class ChannelStage: FrameSource {
    private let source: any FrameSource
    /// One for each output channel.
    var rows: [ChannelRow] {
        didSet { prepareMixes() }
    }
    /// Whether samples become others than they were.
    var mixes: Bool { !mixed.planes.isEmpty }
    /// A plane for each mix.
    private var mixed = PlaneMemory(channelCount: 0, capacity: 0)
    private let silence = PlaneMemory(channelCount: 1, capacity: SourcePiece.longest)

    var channelCount: Int { rows.count }

    init(_ source: any FrameSource, rows: [ChannelRow]) {
        self.source = source
        self.rows = rows
        prepareMixes()
    }

    private func prepareMixes() {
        let count = rows.count { if case .mix = $0 { true } else { false } }
        guard count != mixed.planes.count else { return }
        mixed = PlaneMemory(channelCount: count, capacity: silence.capacity)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        let piece = try source.next(min(limit, silence.capacity), pull)
        guard case .frames(let frames) = piece else { return piece }
        var free = mixed.planes[...]
        let planes = rows.map { row -> UnsafePointer<Double> in
            switch row {
            case .silence: return UnsafePointer(silence.planes[0])
            case .channel(let channel): return frames.planes[channel]
            case .mix(let shares):
                let target = free.removeFirst()
                mix(shares, of: frames, into: target)
                return UnsafePointer(target)
            }
        }
        return .frames(PlanarFrames(planes: planes, count: frames.count))
    }

    private func mix(_ shares: [ChannelRow.Share], of frames: PlanarFrames, into target: UnsafeMutablePointer<Double>) {
        target.update(repeating: 0, count: frames.count)
        for share in shares {
            let plane = frames.planes[share.channel]
            for index in 0..<frames.count { target[index] += plane[index] * share.gain }
        }
    }
}
