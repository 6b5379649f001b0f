/// The protocol of channel voice messages.
package enum MIDIProtocol: Int32, Sendable, CaseIterable {
    case midi1 = 1
    case midi2 = 2
}

/// Messages of one time as words of the Universal MIDI Packet format.
package struct MIDIWordPacket: Hashable, Sendable {
    /// Host time in nanoseconds; 0 is now.
    package var time: UInt64
    /// Whole messages.
    package var words: [UInt32]

    package init(time: UInt64, words: [UInt32]) {
        self.time = time
        self.words = words
    }
}

/// Messages of one time as bytes of MIDI 1.0, or a part of a system exclusive message.
package struct MIDIBytePacket: Hashable, Sendable {
    /// Host time in nanoseconds; 0 is now.
    package var time: UInt64
    package var bytes: [UInt8]

    package init(time: UInt64, bytes: [UInt8]) {
        self.time = time
        self.bytes = bytes
    }
}

/// What is sent or received in one call.
package enum MIDIPackets: Hashable, Sendable {
    case bytes([MIDIBytePacket])
    case words([MIDIWordPacket], MIDIProtocol)
}

/// The form in which a receiver wants its messages.
package enum MIDIForm: Hashable, Sendable {
    case bytes
    case words(MIDIProtocol)
}

/// Takes messages. Called without a lock, one call at a time for each hub, in the order of their times.
/// - Parameters:
///   - packets: in the form that was wanted; never empty.
///   - context: what the source was connected with; 0 at a destination.
package typealias MIDIReceiver = @Sendable (_ packets: MIDIPackets, _ context: UInt) -> Void

/// Brings messages into the form of one receiver. It remembers what messages leave open, so there is one for each pair
/// of sender and receiver.
struct DeliveryConverter: Sendable {
    let form: MIDIForm
    private var toBytes = PacketsToByteStream()
    private let toMIDI1 = PacketsToMIDI1()
    private var toMIDI2 = PacketsToMIDI2()

    init(form: MIDIForm) { self.form = form }

    /// `nil` where nothing is left, as there is no counterpart in the form, or more has to come.
    mutating func convert(_ packets: [MIDIWordPacket]) -> MIDIPackets? {
        switch form {
        case .bytes:
            let converted = packets.flatMap { bytePackets($0) }
            return converted.isEmpty ? nil : .bytes(converted)
        case .words(let wanted):
            var converted = packets.map { packet in
                MIDIWordPacket(time: packet.time, words: words(packet.words, wanted))
            }
            if let last = converted.indices.last {
                for message in toMIDI2.flush() { message.append(to: &converted[last].words) }
            }
            converted.removeAll { $0.words.isEmpty }
            return converted.isEmpty ? nil : .words(converted, wanted)
        }
    }

    private mutating func words(_ words: [UInt32], _ wanted: MIDIProtocol) -> [UInt32] {
        var converted: [UInt32] = []
        for message in UniversalMessages(words) {
            let messages = wanted == .midi1 ? toMIDI1.translate(message) : toMIDI2.translate(message)
            for message in messages { message.append(to: &converted) }
        }
        return converted
    }

    /// System exclusive data has packets of its own.
    private mutating func bytePackets(_ packet: MIDIWordPacket) -> [MIDIBytePacket] {
        var found: [(isSysEx: Bool, packet: MIDIBytePacket)] = []
        for message in UniversalMessages(packet.words) {
            let bytes = toBytes.bytes(of: message)
            guard !bytes.isEmpty else { continue }
            let isSysEx = message.type == .sysEx7
            if let last = found.last, last.isSysEx == isSysEx, !(isSysEx && last.packet.bytes.last == 0xF7) {
                found[found.count - 1].packet.bytes += bytes
            } else {
                found.append((isSysEx, MIDIBytePacket(time: packet.time, bytes: bytes)))
            }
        }
        return found.map(\.packet)
    }
}
