/// Messages of MIDI 1.0 as those of MIDI 2.0 (M2-104-UM, D.3), with the standard's scaling of values. What is no
/// channel voice message of MIDI 1.0 passes unchanged.
///
/// Several controllers make one message: banks wait for the program change, numbers of (non-)registered parameters for
/// data entry. Data entry's coarse part waits for the fine part; another message on the channel or `flush` sends it
/// without. Numbers 0 (pitch bend sensitivity) and 6 (zones of MPE) of the registered parameters do not wait, as
/// senders leave out their fine part.
package struct PacketsToMIDI2: Sendable {
    private struct Channel: Sendable {
        var bankMSB: UInt8?
        var bankLSB: UInt8?
        var isRegistered = true
        /// Of the selected parameter; 127, 127 selects none.
        var parameterMSB: UInt8 = 127
        var parameterLSB: UInt8 = 127
        /// Coarse data of the parameter, which may wait to be sent.
        var data: UInt8 = 0
        var isWaiting = false

        var hasParameter: Bool { parameterMSB != 127 || parameterLSB != 127 }
        var waitsForFine: Bool { !(isRegistered && parameterMSB == 0 && (parameterLSB == 0 || parameterLSB == 6)) }
    }

    /// By group and channel; made when a controller is seen.
    private var channels: [Channel] = []
    private var mayWait = false

    package init() {}

    /// The messages that are whole now; none for a controller that waits for others.
    package mutating func translate(_ message: UniversalMessage) -> [UniversalMessage] {
        guard message.type == .channelVoice1 else { return [message] }
        let (data1, data2) = (message.byte2 & 0x7F, message.byte3 & 0x7F)
        let isFine = message.voice == .controlChange && data1 == 38
        let sent = isFine ? [] : sendWaiting(message.group, message.channel)
        switch message.voice {
        case .noteOn? where data2 == 0: return sent + [note(message, .noteOff, 0x8000)]
        case .noteOff?, .noteOn?:
            return sent + [note(message, message.voice ?? .noteOn, ValueScaling.up(UInt32(data2), from: 7, to: 16))]
        case .polyPressure?: return sent + [wide(message, .polyPressure, UInt16(data1) << 8, data2)]
        case .channelPressure?: return sent + [wide(message, .channelPressure, 0, data1)]
        case .pitchBend?:
            let bend = ValueScaling.up(UInt32(data2) << 7 | UInt32(data1), from: 14, to: 32)
            return sent + [make(message, .pitchBend, 0, bend)]
        case .programChange?: return sent + [program(message, data1)]
        case .controlChange?: return sent + control(message, data1, data2)
        default: return sent
        }
    }

    /// Sends what waits for a fine part, by group and channel.
    package mutating func flush() -> [UniversalMessage] {
        guard mayWait else { return [] }
        mayWait = false
        return channels.indices.flatMap { sendWaiting(UInt8($0 >> 4), UInt8($0 & 0xF)) }
    }

    private mutating func sendWaiting(_ group: UInt8, _ channel: UInt8) -> [UniversalMessage] {
        let index = Int(group) << 4 | Int(channel)
        guard channels.indices.contains(index), channels[index].isWaiting else { return [] }
        channels[index].isWaiting = false
        return [parameter(channels[index], group, channel, fine: 0)]
    }

    private mutating func control(_ message: UniversalMessage, _ number: UInt8, _ value: UInt8) -> [UniversalMessage] {
        if channels.isEmpty { channels = [Channel](repeating: Channel(), count: 256) }
        let index = Int(message.group) << 4 | Int(message.channel)
        switch number {
        case 0: channels[index].bankMSB = value
        case 32: channels[index].bankLSB = value
        case 98, 100:
            channels[index].isRegistered = number == 100
            channels[index].parameterLSB = value
        case 99, 101:
            channels[index].isRegistered = number == 101
            channels[index].parameterMSB = value
        case 6:
            guard channels[index].hasParameter else { break }
            channels[index].data = value
            guard !channels[index].waitsForFine else {
                channels[index].isWaiting = true
                mayWait = true
                return []
            }
            return [parameter(channels[index], message.group, message.channel, fine: 0)]
        case 38:
            guard channels[index].hasParameter else { break }
            channels[index].isWaiting = false
            return [parameter(channels[index], message.group, message.channel, fine: value)]
        case 96, 97:
            guard channels[index].hasParameter else { break }
            return [step(channels[index], message, number == 96 ? 1 : -1)]
        default: return [wide(message, .controlChange, UInt16(number) << 8, value)]
        }
        return []
    }

    private func parameter(_ channel: Channel, _ group: UInt8, _ number: UInt8, fine: UInt8) -> UniversalMessage {
        .voice2(
            channel.isRegistered ? .registeredController : .assignableController, group: group, channel: number,
            index: UInt16(channel.parameterMSB) << 8 | UInt16(channel.parameterLSB),
            value: ValueScaling.up(UInt32(channel.data) << 7 | UInt32(fine), from: 14, to: 32))
    }

    /// Data increment and decrement: one step of 14 bits.
    private func step(_ channel: Channel, _ message: UniversalMessage, _ sign: Int32) -> UniversalMessage {
        make(
            message, channel.isRegistered ? .relativeRegisteredController : .relativeAssignableController,
            UInt16(channel.parameterMSB) << 8 | UInt16(channel.parameterLSB), UInt32(bitPattern: sign << 18))
    }

    private func program(_ message: UniversalMessage, _ number: UInt8) -> UniversalMessage {
        let index = Int(message.group) << 4 | Int(message.channel)
        let channel = channels.indices.contains(index) ? channels[index] : Channel()
        guard channel.bankMSB != nil || channel.bankLSB != nil else {
            return make(message, .programChange, 0, UInt32(number) << 24)
        }
        let bank = UInt32(channel.bankMSB ?? 0) << 8 | UInt32(channel.bankLSB ?? 0)
        return make(message, .programChange, 1, UInt32(number) << 24 | bank)
    }

    private func note(_ message: UniversalMessage, _ voice: VoiceStatus, _ velocity: UInt32) -> UniversalMessage {
        make(message, voice, UInt16(message.byte2 & 0x7F) << 8, velocity << 16)
    }

    private func wide(
        _ message: UniversalMessage, _ voice: VoiceStatus, _ index: UInt16, _ value: UInt8
    ) -> UniversalMessage {
        make(message, voice, index, ValueScaling.up(UInt32(value), from: 7, to: 32))
    }

    private func make(
        _ message: UniversalMessage, _ voice: VoiceStatus, _ index: UInt16, _ value: UInt32
    ) -> UniversalMessage {
        .voice2(voice, group: message.group, channel: message.channel, index: index, value: value)
    }
}

/// Values of MIDI 1.0 in the resolution of MIDI 2.0 and back (M2-115-U, Bit Scaling and Resolution).
package enum ValueScaling {
    /// Min-center-max scaling: 0 stays 0, the center 2^(n−1) becomes the center, the largest becomes the largest.
    ///
    /// Up to the center the value is shifted; above it its lower bits are repeated below, which ends in all ones.
    /// - Parameters:
    ///   - value: of `bits` bits; more are cut.
    ///   - bits: 1...31.
    ///   - wide: bits of the result, `bits`...32.
    package static func up(_ value: UInt32, from bits: Int, to wide: Int) -> UInt32 {
        let value = value & (UInt32(1) << UInt32(bits) - 1)
        let shift = wide - bits
        var scaled = UInt64(value) << UInt64(shift)
        guard bits > 1, value > UInt32(1) << UInt32(bits - 1) else { return UInt32(truncatingIfNeeded: scaled) }
        let repeated = bits - 1
        let pattern = UInt64(value) & (1 << UInt64(repeated) - 1)
        var offset = shift - repeated
        while offset > -repeated {
            scaled |= offset >= 0 ? pattern << UInt64(offset) : pattern >> UInt64(-offset)
            offset -= repeated
        }
        return UInt32(truncatingIfNeeded: scaled)
    }
}
