// Where the packets of a file are.

/// A list of packets: their sizes, their frames and where they lie. Packets are numbered in order; the bytes of all
/// packets, one behind the other, have their own numbering, which pieces of the file are mapped to.
struct PacketIndex: Sendable {
    private struct Piece { var start: Int64, file: Int64 }
    private struct Run { var packet: Int64, frame: Int64, framesPerPacket: Int64 }

    private(set) var count: Int64 = 0
    private(set) var byteCount: Int64 = 0
    private(set) var frameCount: Int64 = 0
    private(set) var largest = 0
    /// Bytes of every packet; 0 where they differ.
    private(set) var constantSize = 0
    private var sizes: [UInt32] = []
    /// The first byte of every 64th packet.
    private var marks: [Int64] = []
    private var pieces: [Piece] = []
    private var runs: [Run] = []

    init() {}

    /// Packets that differ in nothing, one behind the other.
    init(constantSize: Int, framesPerPacket: Int, at file: Int64, byteCount: Int64) {
        self.constantSize = constantSize
        largest = constantSize
        count = constantSize > 0 ? byteCount / Int64(constantSize) : 0
        self.byteCount = count * Int64(constantSize)
        frameCount = Self.frames(count, Int64(framesPerPacket))
        pieces = [Piece(start: 0, file: file)]
        runs = [Run(packet: 0, frame: 0, framesPerPacket: Int64(framesPerPacket))]
    }

    /// Where the first packet begins in the file.
    var firstByte: Int64? { pieces.first?.file }

    /// Says that the bytes that follow lie at `file`.
    mutating func place(at file: Int64) {
        if let last = pieces.last {
            if last.file + (byteCount - last.start) == file { return }
            if last.start == byteCount { pieces.removeLast() }
        }
        pieces.append(Piece(start: byteCount, file: file))
    }

    /// Appends a packet whose bytes lie where they were placed, in one piece.
    mutating func append(size: Int, frames: Int) {
        append(size: size, frames: frames, at: [])
    }

    /// Appends a packet in pieces.
    mutating func append(size: Int, frames: Int, at extents: [(file: Int64, count: Int)]) {
        if sizes.count % Self.spacing == 0 { marks.append(byteCount) }
        sizes.append(UInt32(clamping: size))
        if runs.last?.framesPerPacket != Int64(frames) {
            runs.append(Run(packet: count, frame: frameCount, framesPerPacket: Int64(frames)))
        }
        if extents.isEmpty { byteCount += Int64(size) }
        for extent in extents {
            place(at: extent.file)
            byteCount += Int64(extent.count)
        }
        largest = max(largest, size)
        frameCount += Int64(frames)
        count += 1
    }

    private static let spacing = 64

    /// The first byte of `packet`, which may be one past the last.
    func start(of packet: Int64) -> Int64 {
        guard constantSize == 0 else { return packet * Int64(constantSize) }
        guard packet < count else { return byteCount }
        let mark = Int(packet) / Self.spacing
        return sizes[mark * Self.spacing..<Int(packet)].reduce(marks[mark]) { $0 + Int64($1) }
    }

    func size(of packet: Int64) -> Int { constantSize > 0 ? constantSize : Int(sizes[Int(packet)]) }

    /// The packet with the byte `offset`, which is below `byteCount`.
    func packet(holdingByte offset: Int64) -> (packet: Int64, byteInPacket: Int) {
        guard constantSize == 0 else { return (offset / Int64(constantSize), Int(offset % Int64(constantSize))) }
        let mark = marks.partition { $0 <= offset } - 1
        var packet = mark * Self.spacing, start = marks[mark]
        while packet + 1 < sizes.count, start + Int64(sizes[packet]) <= offset {
            start += Int64(sizes[packet])
            packet += 1
        }
        return (Int64(packet), Int(offset - start))
    }

    func framesPerPacket(of packet: Int64) -> Int { Int(run { $0.packet <= packet }?.framesPerPacket ?? 0) }

    /// The first frame of `packet`, which may be one past the last.
    func firstFrame(of packet: Int64) -> Int64 {
        guard let run = run({ $0.packet <= packet }) else { return 0 }
        return run.frame + Self.frames(packet - run.packet, run.framesPerPacket)
    }

    /// The frames of `count` packets; the largest number where there are more.
    private static func frames(_ count: Int64, _ framesPerPacket: Int64) -> Int64 {
        let (frames, overflow) = count.multipliedReportingOverflow(by: framesPerPacket)
        return overflow ? .max : frames
    }

    /// The packet with `frame`, which is below `frameCount`.
    func packet(holdingFrame frame: Int64) -> (packet: Int64, frameInPacket: Int) {
        guard let run = run({ $0.frame <= frame }), run.framesPerPacket > 0 else { return (0, 0) }
        return (run.packet + (frame - run.frame) / run.framesPerPacket, Int((frame - run.frame) % run.framesPerPacket))
    }

    /// The last run for which `isBefore` holds; it holds for a first part of them.
    private func run(_ isBefore: (Run) -> Bool) -> Run? {
        let next = runs.partition(isBefore)
        return next > 0 ? runs[next - 1] : nil
    }

    /// Where in the file the byte `offset` lies, and how many follow it there up to `limit`.
    func place(of offset: Int64, limit: Int64) -> (file: Int64, count: Int64)? {
        let next = pieces.partition { $0.start <= offset }
        guard next > 0 else { return nil }
        let end = next < pieces.count ? min(pieces[next].start, limit) : limit
        return (pieces[next - 1].file + (offset - pieces[next - 1].start), end - offset)
    }
}

extension RandomAccessCollection where Index == Int {
    /// How many elements at the beginning fulfil what no element behind them does.
    func partition(_ isBefore: (Element) -> Bool) -> Int {
        var low = startIndex, high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low - startIndex
    }
}
