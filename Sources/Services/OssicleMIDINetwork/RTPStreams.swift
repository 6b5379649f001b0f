/// The sending side of a session with one peer: numbers packets and writes their journals.
struct RTPSender: Sendable {
    let ssrc: UInt32
    private var history = CommandHistory()
    /// Number of the last packet, from 1; its sequence number is `start` + number.
    private var last: Int64 = 0
    private let start: UInt16
    /// The first packet that the peer may not have.
    private var checkpoint: Int64 = 1
    /// A longer journal is shortened by forgetting the oldest quarter of its history, again and again, so that packets
    /// stay below what networks carry whole.
    static let longestJournal = 1000

    init(ssrc: UInt32, start: UInt16) {
        self.ssrc = ssrc
        self.start = start
    }

    private func sequence(_ number: Int64) -> UInt16 { start &+ UInt16(truncatingIfNeeded: number) }

    /// The next packet with these commands.
    mutating func packet(_ commands: [RTPPacket.Command], timestamp: UInt32) -> RTPPacket {
        let journal = writeJournal()
        history.system.exclusives.forget(before: checkpoint)
        last += 1
        for command in commands { history.note(command.bytes, packet: last) }
        return RTPPacket(
            sequence: sequence(last), timestamp: timestamp, ssrc: ssrc, commands: commands, journal: journal)
    }

    private mutating func writeJournal() -> [UInt8] {
        while true {
            let journal = JournalWriter.write(history, from: checkpoint, sequence: sequence(checkpoint))
            if journal.count <= RTPSender.longestJournal || checkpoint >= last { return journal }
            checkpoint += max((last - checkpoint + 1) / 4, 1)
        }
    }

    /// The peer has everything up to this packet.
    mutating func acknowledge(_ sequence: UInt16) {
        let behind = Int64(self.sequence(last) &- sequence)
        guard behind < 0x8000, last - behind >= checkpoint else { return }
        checkpoint = last - behind + 1
    }
}

/// The receiving side: puts commands in order and repairs what lost packets did.
struct RTPReceiver: Sendable {
    private var history = CommandHistory()
    private var lastSequence: UInt16?
    /// Whether the sender's journals have said something of system exclusive messages: then one that says nothing of
    /// them has lost none.
    private var journalsExclusives = false
    /// Packets that never came, came late or twice.
    private(set) var lost = 0
    private(set) var dropped = 0

    /// The highest sequence number received.
    var acknowledged: UInt16? { lastSequence }

    /// What to do for a packet, as bytes of MIDI 1.0 with their delta times: repairs, then its commands.
    mutating func receive(_ packet: RTPPacket) -> [RTPPacket.Command] {
        var commands: [RTPPacket.Command] = []
        if let lastSequence {
            let step = packet.sequence &- lastSequence
            guard step != 0, step < 0x8000 else {
                dropped += 1
                return []
            }
            if step > 1 {
                lost += Int(step) - 1
                commands += repair(packet)
            }
        } else {
            // The journal of the first packet that arrives has what any before it did.
            commands += repair(packet)
        }
        lastSequence = packet.sequence
        if let journal = packet.journal, Self.hasExclusives(journal) { journalsExclusives = true }
        for command in packet.commands {
            guard let bytes = plain(command.bytes) else { continue }
            commands.append(RTPPacket.Command(delta: command.delta, bytes: bytes))
        }
        history.system.exclusives.forget(before: .max)
        return commands
    }

    /// Whether there is a chapter X.
    private static func hasExclusives(_ journal: [UInt8]) -> Bool {
        journal.count > 3 && journal[0] & 0x40 != 0 && journal[3] & 0x04 != 0
    }

    private mutating func repair(_ packet: RTPPacket) -> [RTPPacket.Command] {
        var commands: [RTPPacket.Command] = []
        let saysExclusives = journalsExclusives || packet.journal.map(Self.hasExclusives) ?? false
        if history.system.exclusives.isOpen, !saysExclusives {
            // Its rest may be lost; what follows would be taken for data.
            history.system.exclusives.damage()
            commands.append(RTPPacket.Command(delta: 0, bytes: [0xF7]))
        }
        guard let journal = packet.journal else { return commands }
        let repairs = JournalReader.repairs(of: history, by: journal)
        history = repairs.history
        return commands + repairs.commands.map { RTPPacket.Command(delta: 0, bytes: $0) }
    }

    /// Notes a command. Segments of system exclusive messages as the bytes of the stream; others as they are.
    private mutating func plain(_ bytes: [UInt8]) -> [UInt8]? {
        let wasOpen = history.system.exclusives.isOpen
        history.note(bytes, packet: 1)
        guard let first = bytes.first, first == 0xF0 || first == 0xF7, bytes.count > 1, let last = bytes.last else {
            return bytes.first == 0xF4 || bytes.first == 0xF5 ? nil : bytes
        }
        guard first == 0xF0 || wasOpen else { return nil }
        let body = Array(bytes.dropLast())
        let begun = first == 0xF0 ? body : Array(body.dropFirst())
        return last == 0xF0 ? begun : begun + [0xF7]
    }
}

/// Commands for packets from the bytes of a stream, which may cut a system exclusive message.
struct RTPCommandCutter: Sendable {
    private var isInSysEx = false
    /// Bytes of a segment at most.
    static let longestSegment = 128

    /// - Parameter bytes: whole messages with their status, or pieces of a system exclusive one.
    mutating func commands(_ bytes: [UInt8]) -> [[UInt8]] {
        var commands: [[UInt8]] = []
        var current: [UInt8] = []
        for byte in bytes {
            if byte >= 0xF8 {
                commands.append([byte])
            } else if byte == 0xF7 {
                if isInSysEx { commands.append((current.isEmpty ? [0xF7] : current) + [0xF7]) }
                current = []
                isInSysEx = false
            } else if byte >= 0x80 {
                if isInSysEx {
                    commands.append((current.isEmpty ? [0xF7] : current) + [0xF7])
                }
                current = byte == 0xF6 ? [] : [byte]
                if byte == 0xF6 { commands.append([byte]) }
                isInSysEx = byte == 0xF0
            } else if isInSysEx {
                current = (current.isEmpty ? [0xF7] : current) + [byte]
                if current.count >= RTPCommandCutter.longestSegment {
                    commands.append(current + [0xF0])
                    current = []
                }
            } else if let status = current.first {
                current.append(byte)
                if current.count > RTPCommandCutter.dataCount(status) {
                    commands.append(current)
                    current = []
                }
            }
        }
        if isInSysEx, !current.isEmpty { commands.append(current + [0xF0]) }
        return commands
    }

    private static func dataCount(_ status: UInt8) -> Int {
        status & 0xE0 == 0xC0 || status == 0xF1 || status == 0xF3 ? 1 : 2
    }
}
