/// The shape of a sound: for each channel, in columns over time, the lowest and highest sample, the mean square, and where it clips.
struct Waveform {
    struct Column: Joinable {
        var low, high, squares: Double
        var count: Int
        var isClipped: Bool

        var rootMeanSquare: Double { count > 0 ? (squares / Double(count)).squareRoot() : 0 }

        mutating func join(_ later: Column) {
            low = min(low, later.low)
            high = max(high, later.high)
            squares += later.squares
            count += later.count
            isClipped = isClipped || later.isClipped
        }

        static let empty = Column(low: .infinity, high: -.infinity, squares: 0, count: 0, isClipped: false)
    }

    /// Channels, and columns in each.
    private(set) var channels: [Columns<Column>]
    /// Clipped stretches of all channels, and the first frame of the earliest.
    private(set) var clippings = 0
    private(set) var firstClipping: Int64?

    private let unit: Int
    private let fullScale: Double
    private var open: [Column]
    private var runs: [Int]
    private var position: Int64 = 0

    private static let capacity = 1200
    /// Samples in a row at full scale that no sound has by chance.
    private static let clippedRun = 3

    /// - Parameters:
    ///   - frameCount: about how long the sound is.
    ///   - bits: of its samples when they are integers, otherwise 0. Integers clip at their greatest value, others at 1.
    init(channelCount: Int, frameCount: Int64, bits: Int) {
        unit = Int(min(max(frameCount / Int64(Self.capacity), 1), 256))
        fullScale = bits > 1 ? 1 - 1 / Double(UInt64(1) << UInt64(min(bits, 32) - 1)) : 1
        channels = Array(repeating: Columns(capacity: Self.capacity), count: channelCount)
        open = Array(repeating: .empty, count: channelCount)
        runs = Array(repeating: 0, count: channelCount)
    }

    /// Takes the next `frames` frames, one plane per channel.
    mutating func add(_ planes: [UnsafePointer<Double>], frames: Int) {
        for (channel, plane) in planes.enumerated() where channel < channels.count {
            for frame in 0..<frames { add(plane[frame], to: channel, at: position + Int64(frame)) }
        }
        position += Int64(frames)
    }

    /// Closes the columns that are not full; the last call.
    mutating func finish() {
        for channel in channels.indices where open[channel].count > 0 { close(channel) }
    }

    private mutating func add(_ sample: Double, to channel: Int, at frame: Int64) {
        open[channel].low = min(open[channel].low, sample)
        open[channel].high = max(open[channel].high, sample)
        open[channel].squares += sample * sample
        open[channel].count += 1
        runs[channel] = abs(sample) >= fullScale ? runs[channel] + 1 : 0
        if runs[channel] >= Self.clippedRun {
            open[channel].isClipped = true
            if runs[channel] == Self.clippedRun { noteClipping(from: frame - Int64(Self.clippedRun - 1)) }
        }
        if open[channel].count == unit { close(channel) }
    }

    private mutating func noteClipping(from frame: Int64) {
        clippings += 1
        firstClipping = min(firstClipping ?? frame, frame)
    }

    private mutating func close(_ channel: Int) {
        channels[channel].append(open[channel])
        open[channel] = .empty
    }
}
