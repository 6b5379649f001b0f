/// What the commands of a session have set, and in which packet: what a sender's journal is made of, and what a
/// receiver compares one with.
struct CommandHistory: Sendable {
    var channels = ChannelHistory()
    var system = SystemHistory()

    /// Notes what a command of a packet does. A system reset has channels begin anew.
    mutating func note(_ command: [UInt8], packet: Int64) {
        guard let status = command.first else { return }
        if status == 0xFF { channels = ChannelHistory() }
        if status < 0xF0, status >= 0x80 {
            channels.note(command, packet: packet)
        } else {
            system.note(command, packet: packet)
        }
    }
}

/// The part of the sixteen channels.
struct ChannelHistory: Sendable {
    /// A value and the number of the packet that set it last; packets count from 1, and 0 was never.
    struct Entry: Hashable, Sendable {
        var value: UInt16 = 0
        var packet: Int64 = 0
    }

    struct Channel: Sendable {
        var controllers = [Entry](repeating: Entry(), count: 128)
        var parameters = ParameterHistory()
        /// Velocity of the note that sounds; 0 for one that ended.
        var notes = [Entry](repeating: Entry(), count: 128)
        /// How often a note that sounds was begun.
        var begun = [UInt8](repeating: 0, count: 128)
        /// The velocity with which a note ended.
        var releases = [UInt8](repeating: 64, count: 128)
        var keyPressures = [Entry](repeating: Entry(), count: 128)
        var program = Entry()
        /// As they were when the program was set; above 127 for none.
        var bank: (msb: UInt8, lsb: UInt8) = (255, 255)
        var pitchBend = Entry()
        var pressure = Entry()
        /// The last packet that changed anything.
        var lastPacket: Int64 = 0

        mutating func begin(_ note: Int, _ entry: Entry) {
            begun[note] = notes[note].value > 0 ? min(begun[note] + 1, 127) : 1
            notes[note] = entry
        }

        mutating func end(_ note: Int, velocity: UInt8, packet: Int64) {
            notes[note] = Entry(value: 0, packet: packet)
            (begun[note], releases[note]) = (0, velocity)
        }
    }

    var channels = [Channel](repeating: Channel(), count: 16)

    /// Notes what a command does. Others than channel commands are not noted.
    mutating func note(_ command: [UInt8], packet: Int64) {
        guard let status = command.first, (0x80...0xEF).contains(status), command.count >= 2 else { return }
        let channel = Int(status & 0xF)
        let first = Int(command[1] & 0x7F)
        let second = command.count > 2 ? UInt16(command[2] & 0x7F) : 0
        channels[channel].lastPacket = packet
        let entry = Entry(value: second, packet: packet)
        switch status & 0xF0 {
        case 0x80: channels[channel].end(first, velocity: UInt8(second), packet: packet)
        case 0x90:
            if second > 0 {
                channels[channel].begin(first, entry)
            } else {
                channels[channel].end(first, velocity: 64, packet: packet)
            }
        case 0xA0: channels[channel].keyPressures[first] = entry
        case 0xB0: setController(channel, first, entry)
        case 0xC0:
            channels[channel].program = Entry(value: UInt16(first), packet: packet)
            let banks = [0, 32].map { channels[channel].controllers[$0] }
            channels[channel].bank = (
                banks[0].packet > 0 ? UInt8(banks[0].value) : 255, banks[1].packet > 0 ? UInt8(banks[1].value) : 255
            )
        case 0xD0: channels[channel].pressure = Entry(value: UInt16(first), packet: packet)
        default: channels[channel].pitchBend = Entry(value: second << 7 | UInt16(first), packet: packet)
        }
    }

    /// Modes 120, 123...127 end all notes of the channel.
    private mutating func setController(_ channel: Int, _ number: Int, _ entry: Entry) {
        channels[channel].controllers[number] = entry
        channels[channel].parameters.note(number, UInt8(entry.value), packet: entry.packet)
        guard number == 120 || number >= 123 else { return }
        for note in 0..<128 where channels[channel].notes[note].value > 0 {
            channels[channel].end(note, velocity: 64, packet: entry.packet)
        }
    }
}
