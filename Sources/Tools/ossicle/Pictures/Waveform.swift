/// The shape of a sound: for each channel, in columns over time, the lowest and highest sample, the mean square, and
/// where it clips.
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
    ///   - bits: of its samples when they are integers, otherwise 0. Integers clip at their greatest value, others at
    ///     1.
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

/// How loud a sound is while it lasts: the loudness of the last three seconds (EBU Tech 3341, short-term), highest
/// value of each column.
struct LoudnessCurve {
    private struct Point: Joinable {
        var level: Double
        mutating func join(_ later: Point) { level = max(level, later.level) }
    }

    private var points = Columns<Point>(capacity: 1200)
    /// Of the whole, in LUFS.
    var integrated = -Double.infinity

    static let range = -60.0...0.0

    /// Appends the loudness after the next stretch of sound; all stretches are equally long.
    mutating func append(_ level: Double) { points.append(Point(level: level)) }

    /// In LUFS, one after the other.
    var levels: [Double] { points.elements.map(\.level) }

    /// The curve, the integrated loudness as a dashed line, and a scale on the right.
    func draw(on canvas: inout SVGCanvas, in frame: Frame, time: TimeAxis) {
        let level = Axis(low: Self.range.lowerBound, high: Self.range.upperBound, start: frame.bottom, end: frame.y)
        for decibels in stride(from: Self.range.lowerBound, through: Self.range.upperBound, by: 10) {
            canvas.text(
                Text.number(decibels, decimals: 0), x: frame.right + 6, y: level(decibels) + 4, size: 11,
                fill: Ink.loudness)
        }
        canvas.text(
            "loudness / LUFS", x: frame.right + 44, y: (frame.y + frame.bottom) / 2, size: 11, fill: Ink.loudness,
            anchor: .middle, turned: true)
        let place = Axis(low: 0, high: Double(max(levels.count, 1)), start: frame.x, end: frame.right)
        let points = levels.enumerated().filter { $0.element.isFinite }.map {
            (x: place(Double($0.offset) + 1), y: level.clamped($0.element))
        }
        canvas.line(points, stroke: Ink.paper, width: 4)
        canvas.line(points, stroke: Ink.loudness, width: 2)
        guard integrated.isFinite else { return }
        canvas.line(
            [(frame.x, level.clamped(integrated)), (frame.right, level.clamped(integrated))], stroke: Ink.loudness,
            width: 1, dash: "4 4")
    }
}
