/// What a session's system commands have done, and in which packet.
struct SystemHistory: Sendable {
    typealias Entry = ChannelHistory.Entry

    /// Counted modulo 128.
    var resets = Entry(), tuneRequests = Entry(), activeSenses = Entry()
    var song = Entry()
    var sequencer = SequencerPosition()
    var timeCode = QuarterFrames()
    var exclusives = ExclusiveHistory()
    /// The last packets that changed them.
    private(set) var sequencerPacket: Int64 = 0
    private(set) var timeCodePacket: Int64 = 0

    /// Notes what a command does; a system exclusive one is a segment, as packets have it.
    mutating func note(_ command: [UInt8], packet: Int64) {
        guard let status = command.first else { return }
        switch status {
        case 0xF0, 0xF7: exclusives.note(command, packet: packet)
        case 0xF1 where command.count > 1:
            timeCode.take(command[1])
            timeCodePacket = packet
        case 0xF3 where command.count > 1: song = Entry(value: UInt16(command[1] & 0x7F), packet: packet)
        case 0xF6: count(&tuneRequests, packet)
        case 0xFE: count(&activeSenses, packet)
        case 0xFF:
            count(&resets, packet)
            (sequencer, timeCode) = (SequencerPosition(), QuarterFrames())
        default: if sequencer.take(command) { sequencerPacket = packet }
        }
    }

    private func count(_ entry: inout Entry, _ packet: Int64) {
        entry = Entry(value: (entry.value + 1) & 0x7F, packet: packet)
    }
}

/// Where the sequencer stands that song position, start, stop, continue and clocks steer.
struct SequencerPosition: Hashable, Sendable {
    var isRunning = false
    /// Whether a clock has come since it began to run: the downbeat.
    var hasBegun = false
    /// Clocks, 24 to a quarter note; 19 bits.
    var position = 0
    /// Song positions have 14 bits of six clocks.
    private static let mostPositions = 1 << 14

    /// False for a command that does not concern it.
    mutating func take(_ command: [UInt8]) -> Bool {
        switch command.first {
        case 0xF2 where command.count > 2:
            position = (Int(command[2] & 0x7F) << 7 | Int(command[1] & 0x7F)) * 6
            hasBegun = false
        case 0xF8:
            guard isRunning else { return false }
            if hasBegun { position = (position + 1) & 0x7FFFF }
            hasBegun = true
        case 0xFA: self = SequencerPosition(isRunning: true)
        case 0xFB: (isRunning, hasBegun) = (true, false)
        case 0xFC: (isRunning, hasBegun) = (false, false)
        default: return false
        }
        return true
    }

    /// Commands that lead from here to where another one stands.
    func commands(to target: SequencerPosition) -> [[UInt8]] {
        guard self != target else { return [] }
        let ahead = target.position - position
        if isRunning, target.isRunning, target.hasBegun, (0...24).contains(ahead) {
            let clocks = ahead + (hasBegun ? 0 : 1)
            return [[UInt8]](repeating: [0xF8], count: clocks)
        }
        var commands: [[UInt8]] = isRunning ? [[0xFC]] : []
        let (beats, rest) = (target.position / 6, target.position % 6)
        // Farther than a song position says only the state can be repaired.
        let isNear = beats < Self.mostPositions
        if isNear, target.position > 0 || !target.isRunning {
            commands.append([0xF2, UInt8(beats & 0x7F), UInt8(beats >> 7)])
        }
        let begin: UInt8 = isNear && target.position == 0 ? 0xFA : 0xFB
        let clocks = isNear && (rest > 0 || target.hasBegun) ? rest + 1 : 0
        if clocks > 0 {
            commands += [[begin]] + [[UInt8]](repeating: [0xF8], count: clocks)
            if !target.isRunning || !target.hasBegun { commands.append([0xFC]) }
            if target.isRunning, !target.hasBegun { commands.append([0xFB]) }
        } else if target.isRunning {
            commands.append([begin])
        }
        return commands
    }
}

/// The quarter frames of MIDI time code: eight pieces are a time.
struct QuarterFrames: Hashable, Sendable {
    /// The last whole time.
    var complete: [UInt8]?
    /// Nibbles of the time that is under way, by piece.
    var pieces = [UInt8](repeating: 0, count: 8)
    /// Pieces of it that came, in a row from its first; −1 where its first did not.
    var count = -1
    /// The last piece.
    var point: UInt8 = 0
    var isReverse = false

    /// - Parameter data: piece and nibble.
    mutating func take(_ data: UInt8) {
        let piece = data >> 4 & 7
        let isNext = piece == (point + 1) & 7
        // Without pieces before, a time begins with 0, or backwards with 7.
        let reverses = count < 0 ? piece == 7 : !isNext && piece == (point &- 1) & 7
        let isFirst = piece == (reverses ? 7 : 0)
        let follows = count >= 0 && reverses == isReverse && (reverses || isNext)
        count = isFirst ? 1 : follows && count > 0 ? count + 1 : -1
        (isReverse, point, pieces[Int(piece)]) = (reverses, piece, data & 0xF)
        if count == 8 {
            complete = pieces
            count = 0
        }
    }

    /// The pieces of a time in the order they are sent.
    private func messages(_ nibbles: [UInt8], from first: Int, to end: Int) -> [[UInt8]] {
        (first..<max(end, first)).map { index in
            let piece = isReverse ? 7 - index : index
            return [0xF1, UInt8(piece) << 4 | nibbles[piece]]
        }
    }

    /// Commands that lead from here to where another one stands.
    func commands(to target: QuarterFrames) -> [[UInt8]] {
        let partial = max(target.count, 0)
        if let complete = target.complete, complete != self.complete {
            return target.messages(complete, from: 0, to: 8) + target.messages(target.pieces, from: 0, to: partial)
        }
        let own = max(count, 0)
        let isPrefix =
            own <= partial && isReverse == target.isReverse
            && target.messages(pieces, from: 0, to: own) == target.messages(target.pieces, from: 0, to: own)
        return target.messages(target.pieces, from: isPrefix ? own : 0, to: partial)
    }
}

/// System exclusive messages, numbered from the session's beginning modulo 256, in the segments that packets have.
struct ExclusiveHistory: Sendable {
    struct Segment: Hashable, Sendable {
        let number: UInt8
        /// Data bytes of the message before this segment.
        let first: Int
        var data: [UInt8]
        /// As chapter X has it: 0 not finished, 1 cancelled, 3 finished.
        var status: UInt8
        let packet: Int64
    }

    private(set) var segments: [Segment] = []
    /// Messages that have ended.
    private(set) var finished: UInt8 = 0
    /// Data bytes of a message that has not ended; `nil` for none.
    private(set) var openLength: Int?
    /// Whether a part of that message is lost, so that the rest is of no use.
    private(set) var isDamaged = false

    /// Whether the next segment continues a message.
    var isOpen: Bool { openLength != nil && !isDamaged }

    /// Notes a segment, with the bytes around it.
    mutating func note(_ segment: [UInt8], packet: Int64) {
        guard segment.count >= 2, let status = segment.first, let end = segment.last else { return }
        if status == 0xF0 {
            if openLength != nil { finished &+= 1 }
            (openLength, isDamaged) = (0, false)
        }
        guard let length = openLength else { return }
        let data = Array(segment[1..<segment.count - 1])
        segments.append(
            Segment(
                number: finished &+ 1, first: length, data: data, status: end == 0xF0 ? 0 : end == 0xF4 ? 1 : 3,
                packet: packet))
        if end == 0xF0 {
            openLength = length + data.count
        } else {
            finished &+= 1
            (openLength, isDamaged) = (nil, false)
        }
    }

    /// A part of the message that is open is lost.
    mutating func damage() { isDamaged = openLength != nil }

    /// So many messages have ended; what was open is given up.
    mutating func skip(to number: UInt8) { (finished, openLength, isDamaged) = (number, nil, false) }

    /// The next message is under way, and is of no use.
    mutating func skip(into length: Int) { (openLength, isDamaged) = (length, true) }

    /// Segments of earlier packets are of no more use.
    mutating func forget(before packet: Int64) {
        if segments.first.map({ $0.packet < packet }) ?? false { segments.removeAll { $0.packet < packet } }
    }
}
