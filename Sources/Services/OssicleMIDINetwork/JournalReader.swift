/// Reads a recovery journal and says which commands repair a receiver's state.
///
/// Chapters P, C, W, N, T and A are applied; M, E and the system chapters are skipped by their lengths where they have
/// one. What does not fit its bytes ends the reading with a fault; what was read before counts.
struct JournalReader {
    private let bytes: [UInt8]
    private var position = 0
    /// As the commands found so far leave it.
    private var history: ChannelHistory
    private(set) var commands: [[UInt8]] = []

    /// The commands that bring `history` to what the journal says.
    static func repairs(
        of history: ChannelHistory, by journal: [UInt8]
    ) -> (commands: [[UInt8]], fault: RTPPacketFault?) {
        var reader = JournalReader(bytes: journal, history: history)
        do throws(RTPPacketFault) { try reader.read() } catch { return (reader.commands, error) }
        return (reader.commands, nil)
    }

    private init(bytes: [UInt8], history: ChannelHistory) {
        self.bytes = bytes
        self.history = history
    }

    private mutating func take(_ count: Int) throws(RTPPacketFault) -> ArraySlice<UInt8> {
        guard position + count <= bytes.count else { throw RTPPacket.fault(.cutOff, "the journal is cut off") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func byte() throws(RTPPacketFault) -> UInt8 { try take(1)[position - 1] }

    private mutating func read() throws(RTPPacketFault) {
        let flags = try byte()
        _ = try take(2)
        if flags & 0x40 != 0 { try skipSystem() }
        guard flags & 0x20 != 0 else { return }
        for _ in 0...Int(flags & 0xF) { try readChannel() }
    }

    private mutating func skipSystem() throws(RTPPacketFault) {
        let (high, low) = (try byte(), try byte())
        _ = try take(max((Int(high & 3) << 8 | Int(low)) - 2, 0))
    }

    private mutating func readChannel() throws(RTPPacketFault) {
        let start = position
        let (high, low, contents) = (try byte(), try byte(), try byte())
        let channel = high >> 3 & 0xF
        let end = start + (Int(high & 3) << 8 | Int(low))
        guard end >= start + 3, end <= bytes.count else {
            throw RTPPacket.fault(.cutOff, "a channel's journal does not fit")
        }
        if contents & 0x80 != 0 { try readProgram(channel) }
        if contents & 0x40 != 0 { try readControllers(channel) }
        if contents & 0x20 != 0 { try skipParameters() }
        if contents & 0x10 != 0 { try readPitchBend(channel) }
        if contents & 0x08 != 0 { try readNotes(channel) }
        if contents & 0x04 != 0 { _ = try take(2 * (Int(try byte() & 0x7F) + 1)) }
        if contents & 0x02 != 0 { try readPressure(channel) }
        if contents & 0x01 != 0 { try readKeyPressures(channel) }
        // What else is in there belongs to a later version.
        position = end
    }

    private func state(_ channel: UInt8) -> ChannelHistory.Channel { history.channels[Int(channel)] }

    private func differs(_ entry: ChannelHistory.Entry, _ value: UInt16) -> Bool {
        entry.packet == 0 || entry.value != value
    }

    private mutating func add(_ command: [UInt8]) {
        history.note(command, packet: 1)
        commands.append(command)
    }

    private mutating func readProgram(_ channel: UInt8) throws(RTPPacketFault) {
        let (program, msb, lsb) = (try byte() & 0x7F, try byte(), try byte())
        let bank: (msb: UInt8, lsb: UInt8) = msb & 0x80 != 0 ? (msb & 0x7F, lsb & 0x7F) : (255, 255)
        let known = state(channel)
        let sameBank = bank.msb == 255 || (bank.msb == known.bank.msb && bank.lsb == known.bank.lsb)
        guard differs(known.program, UInt16(program)) || !sameBank else { return }
        if bank.msb != 255 {
            add([0xB0 | channel, 0, bank.msb])
            add([0xB0 | channel, 32, bank.lsb])
        }
        add([0xC0 | channel, program])
    }

    /// A log whose first bit of value is set counts toggles or calls, and changes nothing here.
    private mutating func readControllers(_ channel: UInt8) throws(RTPPacketFault) {
        var found: [(number: UInt8, value: UInt8)] = []
        for _ in 0...Int(try byte() & 0x7F) {
            let (number, value) = (try byte() & 0x7F, try byte())
            guard value < 0x80, differs(state(channel).controllers[Int(number)], UInt16(value)) else { continue }
            found.append((number, value))
        }
        // Numbers of parameters before their data.
        func isData(_ number: UInt8) -> Bool { number == 6 || number == 38 }
        for isLast in [false, true] {
            for log in found where isData(log.number) == isLast {
                add([0xB0 | channel, log.number, log.value])
            }
        }
    }

    private mutating func skipParameters() throws(RTPPacketFault) {
        let (high, low) = (try byte(), try byte())
        _ = try take(max((Int(high & 3) << 8 | Int(low)) - 2, 0))
    }

    private mutating func readPitchBend(_ channel: UInt8) throws(RTPPacketFault) {
        let (low, high) = (try byte() & 0x7F, try byte() & 0x7F)
        guard differs(state(channel).pitchBend, UInt16(high) << 7 | UInt16(low)) else { return }
        add([0xE0 | channel, low, high])
    }

    private mutating func readNotes(_ channel: UInt8) throws(RTPPacketFault) {
        let (length, range) = (Int(try byte() & 0x7F), try byte())
        let (low, high) = (Int(range >> 4), Int(range & 0xF))
        let count = length == 127 && low == 15 && high == 0 ? 128 : length
        var on: [[UInt8]] = []
        for _ in 0..<count {
            let (note, velocity) = (try byte() & 0x7F, try byte() & 0x7F)
            let known = state(channel).notes[Int(note)]
            guard velocity > 0, known.value != UInt16(velocity) else { continue }
            if known.value > 0 { add([0x80 | channel, note, 64]) }
            on.append([0x90 | channel, note, velocity])
        }
        if low <= high {
            for octet in low...high {
                let bits = try byte()
                for bit in 0..<8 where bits & (0x80 >> UInt8(bit)) != 0 {
                    let note = 8 * octet + bit
                    guard state(channel).notes[note].value > 0 else { continue }
                    add([0x80 | channel, UInt8(note), 64])
                }
            }
        }
        for command in on { add(command) }
    }

    private mutating func readPressure(_ channel: UInt8) throws(RTPPacketFault) {
        let value = try byte() & 0x7F
        guard differs(state(channel).pressure, UInt16(value)) else { return }
        add([0xD0 | channel, value])
    }

    private mutating func readKeyPressures(_ channel: UInt8) throws(RTPPacketFault) {
        for _ in 0...Int(try byte() & 0x7F) {
            let (note, value) = (try byte() & 0x7F, try byte() & 0x7F)
            guard differs(state(channel).keyPressures[Int(note)], UInt16(value)) else { continue }
            add([0xA0 | channel, note, value])
        }
    }
}
