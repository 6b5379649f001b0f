import OssicleCore

/// What is wrong with a packet.
package enum RTPFault: FaultKind {
    /// It is no RTP packet with the payload of MIDI.
    case header
    /// The list of commands, or the journal, does not fit its bytes.
    case cutOff
    /// A command has no status, or a byte that cannot be there.
    case command
}

package typealias RTPPacketFault = Fault<RTPFault>

/// One packet of the RTP payload format for MIDI (RFC 6295): commands with times, and a journal that says what earlier
/// packets have done.
package struct RTPPacket: Hashable, Sendable {
    /// A MIDI command, or a segment of a system exclusive one, as the payload has it.
    package struct Command: Hashable, Sendable {
        /// Units of 100 µs since the packet's time stamp.
        package var delta: UInt32
        package var bytes: [UInt8]
    }

    package var sequence: UInt16
    /// Units of 100 µs.
    package var timestamp: UInt32
    package var ssrc: UInt32
    package var commands: [Command]
    /// Bytes of the recovery journal; `nil` without one.
    package var journal: [UInt8]?

    static let payloadType: UInt8 = 0x61

    static func fault(_ kind: RTPFault, _ found: String) -> RTPPacketFault {
        RTPPacketFault(
            kind, object: "RTP packet", found: found, rule: "Packets follow RFC 6295.",
            cure: "The packet is left out; the next one's journal repairs what it did.")
    }

    package init(sequence: UInt16, timestamp: UInt32, ssrc: UInt32, commands: [Command], journal: [UInt8]?) {
        self.sequence = sequence
        self.timestamp = timestamp
        self.ssrc = ssrc
        self.commands = commands
        self.journal = journal
    }

    /// Reads the bytes of a packet.
    package init(_ bytes: [UInt8]) throws(RTPPacketFault) {
        guard bytes.count >= 13, bytes[0] == 0x80, bytes[1] & 0x7F == RTPPacket.payloadType else {
            throw RTPPacket.fault(.header, "\(bytes.count) bytes without the header of MIDI")
        }
        sequence = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        timestamp = bytes.big32(4)
        ssrc = bytes.big32(8)
        let flags = bytes[12]
        let isLong = flags & 0x80 != 0
        guard !isLong || bytes.count >= 14 else { throw RTPPacket.fault(.cutOff, "the list's length is cut off") }
        let length = isLong ? Int(flags & 0xF) << 8 | Int(bytes[13]) : Int(flags & 0xF)
        let start = isLong ? 14 : 13
        guard start + length <= bytes.count else {
            throw RTPPacket.fault(.cutOff, "\(length) bytes of commands do not fit")
        }
        var list = CommandList(Array(bytes[start..<start + length]), hasFirstDelta: flags & 0x20 != 0)
        commands = try list.read()
        journal = flags & 0x40 != 0 ? Array(bytes[(start + length)...]) : nil
    }

    /// Without running status. The commands are at most 4095 bytes with their delta times.
    package var bytes: [UInt8] {
        var list: [UInt8] = []
        for (index, command) in commands.enumerated() {
            if index > 0 { list += RTPPacket.variable(command.delta) }
            list += command.bytes
        }
        let flags: UInt8 = journal == nil ? 0 : 0x40
        let marker: UInt8 = commands.isEmpty ? 0 : 0x80
        var bytes: [UInt8] = [0x80, marker | RTPPacket.payloadType, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
        bytes += big(timestamp) + big(ssrc)
        if list.count < 16 {
            bytes.append(flags | UInt8(list.count))
        } else {
            bytes += [0x80 | flags | UInt8(list.count >> 8 & 0xF), UInt8(list.count & 0xFF)]
        }
        return bytes + list + (journal ?? [])
    }

    /// Seven bits to a byte, at most four bytes.
    static func variable(_ value: UInt32) -> [UInt8] {
        let value = min(value, 0x0FFF_FFFF)
        var bytes = [UInt8(value & 0x7F)]
        var left = value >> 7
        while left > 0 {
            bytes.insert(UInt8(left & 0x7F) | 0x80, at: 0)
            left >>= 7
        }
        return bytes
    }
}

/// Reads the list of commands of one packet.
private struct CommandList {
    private let bytes: [UInt8]
    private var position = 0
    private var hasDelta: Bool
    private var runningStatus: UInt8 = 0
    private var delta: UInt32 = 0

    init(_ bytes: [UInt8], hasFirstDelta: Bool) {
        self.bytes = bytes
        hasDelta = hasFirstDelta
    }

    mutating func read() throws(RTPPacketFault) -> [RTPPacket.Command] {
        var commands: [RTPPacket.Command] = []
        while position < bytes.count {
            if hasDelta { delta &+= try variable() }
            hasDelta = true
            // A list may end with a delta time alone.
            guard position < bytes.count else { break }
            commands.append(RTPPacket.Command(delta: delta, bytes: try command()))
        }
        return commands
    }

    private mutating func next() throws(RTPPacketFault) -> UInt8 {
        guard position < bytes.count else { throw RTPPacket.fault(.cutOff, "a command is cut off") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func variable() throws(RTPPacketFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try next()
            value = value << 7 | UInt32(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        throw RTPPacket.fault(.cutOff, "a delta time has more than four bytes")
    }

    private mutating func command() throws(RTPPacketFault) -> [UInt8] {
        var status = bytes[position]
        if status >= 0x80 { position += 1 } else { status = runningStatus }
        switch status {
        case 0xF0, 0xF7: return try segment(status)
        case 0xF8...0xFF: return [status]
        case 0x80...0xEF:
            runningStatus = status
            return try command(status, status & 0xE0 == 0xC0 ? 1 : 2)
        case 0xF1, 0xF3:
            runningStatus = 0
            return try command(status, 1)
        case 0xF2:
            runningStatus = 0
            return try command(status, 2)
        case 0xF4, 0xF5, 0xF6:
            runningStatus = 0
            return [status]
        default: throw RTPPacket.fault(.command, "a data byte comes without a status")
        }
    }

    private mutating func command(_ status: UInt8, _ count: Int) throws(RTPPacketFault) -> [UInt8] {
        var command = [status]
        for _ in 0..<count {
            let byte = try next()
            guard byte < 0x80 else { throw RTPPacket.fault(.command, "a status stands within a command") }
            command.append(byte)
        }
        return command
    }

    /// Up to a byte that ends the segment: F7 the message's end, F0 more to come, F4 cancelled.
    private mutating func segment(_ status: UInt8) throws(RTPPacketFault) -> [UInt8] {
        runningStatus = 0
        var segment = [status]
        while true {
            let byte = try next()
            segment.append(byte)
            if byte == 0xF7 || byte == 0xF0 || byte == 0xF4 { return segment }
            guard byte < 0x80 else { throw RTPPacket.fault(.command, "a status stands within a system exclusive one") }
        }
    }
}
