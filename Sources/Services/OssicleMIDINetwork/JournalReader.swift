/// Reads a recovery journal and says which commands repair a receiver's state.
///
/// All chapters of RFC 6295 are applied but what they say of undefined commands. What does not fit its bytes ends the
/// reading with a fault; what was read before counts.
struct JournalReader {
    let bytes: [UInt8]
    var position = 0
    /// As the commands found so far leave it.
    private(set) var history: CommandHistory
    /// As bytes of MIDI 1.0.
    private(set) var commands: [[UInt8]] = []

    /// The commands that bring `history` to what the journal says, and what it is then.
    static func repairs(
        of history: CommandHistory, by journal: [UInt8]
    ) -> (commands: [[UInt8]], history: CommandHistory, fault: RTPPacketFault?) {
        var reader = JournalReader(bytes: journal, history: history)
        var fault: RTPPacketFault?
        do throws(RTPPacketFault) { try reader.read() } catch { fault = error }
        return (reader.commands, reader.history, fault)
    }

    private init(bytes: [UInt8], history: CommandHistory) {
        self.bytes = bytes
        self.history = history
    }

    mutating func take(_ count: Int) throws(RTPPacketFault) -> ArraySlice<UInt8> {
        guard count >= 0, position + count <= bytes.count else {
            throw RTPPacket.fault(.cutOff, "the journal is cut off")
        }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func byte() throws(RTPPacketFault) -> UInt8 { try take(1)[position - 1] }

    private mutating func read() throws(RTPPacketFault) {
        let flags = try byte()
        _ = try take(2)
        if flags & 0x40 != 0 { try readSystem() }
        guard flags & 0x20 != 0 else { return }
        for _ in 0...Int(flags & 0xF) { try readChannel() }
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
        if contents & 0x20 != 0 { try readParameters(channel) }
        if contents & 0x10 != 0 { try readPitchBend(channel) }
        let notes = contents & 0x08 != 0 ? try readNotes(channel) : []
        let extras = contents & 0x04 != 0 ? try readExtras() : [:]
        repair(notes, extras, of: channel)
        if contents & 0x02 != 0 { try readPressure(channel) }
        if contents & 0x01 != 0 { try readKeyPressures(channel) }
        // What else is in there belongs to a later version.
        position = end
    }

    private func state(_ channel: UInt8) -> ChannelHistory.Channel { history.channels.channels[Int(channel)] }

    func differs(_ entry: ChannelHistory.Entry, _ value: UInt16) -> Bool {
        entry.packet == 0 || entry.value != value
    }

    mutating func add(_ command: [UInt8]) {
        history.note(command, packet: 1)
        commands.append(command)
    }

    /// A segment of a system exclusive message: in the history with the bytes around it, in the stream as it is there.
    mutating func add(segment data: [UInt8], starts: Bool, ends: Bool) {
        history.note([starts ? 0xF0 : 0xF7] + data + [ends ? 0xF7 : 0xF0], packet: 1)
        let bytes = (starts ? [0xF0] : []) + data + (ends ? [0xF7] : [])
        if !bytes.isEmpty { commands.append(bytes) }
    }

    /// A piece of the stream that the history does not know.
    mutating func append(_ bytes: [UInt8]) { commands.append(bytes) }

    mutating func set(_ path: WritableKeyPath<SystemHistory, ChannelHistory.Entry>, to value: UInt16) {
        history.system[keyPath: path].value = value
    }

    mutating func withExclusives(_ body: (inout ExclusiveHistory) -> Void) { body(&history.system.exclusives) }

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

    private mutating func readPitchBend(_ channel: UInt8) throws(RTPPacketFault) {
        let (low, high) = (try byte() & 0x7F, try byte() & 0x7F)
        guard differs(state(channel).pitchBend, UInt16(high) << 7 | UInt16(low)) else { return }
        add([0xE0 | channel, low, high])
    }

    /// A note and its velocity; 0 for one that ended.
    private typealias Note = (number: UInt8, velocity: UInt8)

    private mutating func readNotes(_ channel: UInt8) throws(RTPPacketFault) -> [Note] {
        let (length, range) = (Int(try byte() & 0x7F), try byte())
        let (low, high) = (Int(range >> 4), Int(range & 0xF))
        let count = length == 127 && low == 15 && high == 0 ? 128 : length
        var (on, off): ([Note], [Note]) = ([], [])
        for _ in 0..<count {
            let (note, velocity) = (try byte() & 0x7F, try byte() & 0x7F)
            if velocity > 0 { on.append((note, velocity)) }
        }
        if low <= high {
            for octet in low...high {
                let bits = try byte()
                for bit in 0..<8 where bits & (0x80 >> UInt8(bit)) != 0 { off.append((UInt8(8 * octet + bit), 0)) }
            }
        }
        return off + on
    }

    /// By note: 0x80 and the velocity of its end, or how often it was begun.
    private mutating func readExtras() throws(RTPPacketFault) -> [UInt8: UInt8] {
        var extras: [UInt8: UInt8] = [:]
        for _ in 0...Int(try byte() & 0x7F) {
            let (note, extra) = (try byte() & 0x7F, try byte())
            extras[note] = extra
        }
        return extras
    }

    /// Ends what has ended, and begins what sounds: all ends come first.
    private mutating func repair(_ notes: [Note], _ extras: [UInt8: UInt8], of channel: UInt8) {
        for (note, velocity) in notes {
            let known = state(channel).notes[Int(note)].value
            guard known > 0, known != UInt16(velocity) else { continue }
            let release = velocity == 0 ? extras[note].flatMap { $0 & 0x80 != 0 ? $0 & 0x7F : nil } : nil
            add([0x80 | channel, note, release ?? 64])
        }
        for (note, velocity) in notes where velocity > 0 {
            let times = extras[note].flatMap { $0 < 0x80 ? $0 : nil } ?? 1
            let known = state(channel)
            let begun = known.notes[Int(note)].value == 0 ? 0 : known.begun[Int(note)]
            for _ in begun..<max(times, begun) { add([0x90 | channel, note, velocity]) }
        }
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
