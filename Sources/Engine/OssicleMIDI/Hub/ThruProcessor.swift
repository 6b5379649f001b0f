/// Carries out what the parameters of a thru connection say, message by message.
///
/// Messages keep their protocol, and where a value is not transformed all its bits. Where controllers are transformed
/// the connection speaks MIDI 1.0.
struct ThruProcessor: Sendable {
    private let parameters: ThruParameters
    private let toMIDI1 = PacketsToMIDI1()
    private var controls: ThruControls

    init(_ parameters: ThruParameters) {
        self.parameters = parameters
        controls = ThruControls(parameters)
    }

    mutating func process(_ words: [UInt32]) -> [UInt32] {
        var passed: [UInt32] = []
        for message in UniversalMessages(words) {
            let messages = parameters.controls.isEmpty ? [message] : toMIDI1.translate(message)
            for message in messages { process(message).forEach { $0.append(to: &passed) } }
        }
        return passed
    }

    private mutating func process(_ message: UniversalMessage) -> [UniversalMessage] {
        switch message.type {
        case .channelVoice1?, .channelVoice2?: return processVoice(message)
        case .sysEx7?, .data128?: return parameters.dropsSysEx ? [] : [message]
        case .system?: return passes(system: message.status) ? [message] : []
        default: return [message]
        }
    }

    private func passes(system status: UInt8) -> Bool {
        switch status {
        case 0xF1: !parameters.dropsTimeCode
        case 0xF8, 0xFA, 0xFB, 0xFC: !parameters.dropsBeatClock
        case 0xF6: !parameters.dropsTuneRequest
        default: true
        }
    }

    private mutating func processVoice(_ message: UniversalMessage) -> [UniversalMessage] {
        let channel = parameters.channelMap[Int(message.channel)]
        guard channel < 16, let voice = message.voice else { return [] }
        let message = UniversalMessage(message.words[0] & 0xFFF0_FFFF | UInt32(channel) << 16, message.words[1])
        switch voice {
        case .noteOn: return note(message).flatMap { velocity($0) }.map { [$0] } ?? []
        case .noteOff, .registeredPerNote, .assignablePerNote, .perNotePitchBend, .perNoteManagement:
            return note(message).map { [$0] } ?? []
        case .polyPressure:
            return note(message).flatMap { value($0, parameters.keyPressure, bits: 7) }.map { [$0] } ?? []
        case .channelPressure: return value(message, parameters.channelPressure, bits: 7).map { [$0] } ?? []
        case .pitchBend: return value(message, parameters.pitchBend, bits: 14).map { [$0] } ?? []
        case .programChange: return program(message).map { [$0] } ?? []
        case .controlChange:
            if parameters.dropsAllControls { return [] }
            return parameters.controls.isEmpty ? [message] : controls.process(message)
        case .registeredController, .assignableController, .relativeRegisteredController,
            .relativeAssignableController:
            return parameters.dropsAllControls ? [] : [message]
        }
    }

    /// Within the range of notes, and transposed.
    private func note(_ message: UniversalMessage) -> UniversalMessage? {
        let number = message.byte2 & 0x7F
        guard parameters.notes.contains(number),
            let note = parameters.noteNumber.apply(to: Int(number), largest: 127, maps: parameters.maps)
        else { return nil }
        return UniversalMessage(message.words[0] & 0xFFFF_00FF | UInt32(note) << 8, message.words[1])
    }

    /// A note-on with velocity 0 of MIDI 1.0 ends a note and passes; the others stay note-ons.
    private func velocity(_ message: UniversalMessage) -> UniversalMessage? {
        let isWide = message.type == .channelVoice2
        let velocity = isWide ? UInt8(message.words[1] >> 25) : message.byte3 & 0x7F
        if !isWide, velocity == 0 { return message }
        guard parameters.velocities.contains(velocity) else { return nil }
        guard parameters.velocity.kind != .none else { return message }
        guard let applied = parameters.velocity.apply(to: Int(velocity), largest: 127, maps: parameters.maps) else {
            return nil
        }
        let changed = UInt32(max(applied, 1))
        return isWide
            ? UniversalMessage(
                message.words[0], message.words[1] & 0xFFFF | ValueScaling.up(changed, from: 7, to: 16) << 16)
            : UniversalMessage(message.words[0] & 0xFFFF_FF00 | changed)
    }

    /// Pressure and pitch bend: values of `bits` bits in the last byte or bytes, or of 32 in the second word.
    private func value(
        _ message: UniversalMessage, _ transform: ThruParameters.Transform, bits: Int
    ) -> UniversalMessage? {
        guard transform.kind != .none else { return message }
        let isWide = message.type == .channelVoice2
        let isPressure = message.voice == .channelPressure
        let old =
            isWide
            ? message.words[1] >> UInt32(32 - bits)
            : bits == 14
                ? UInt32(message.byte3 & 0x7F) << 7 | UInt32(message.byte2 & 0x7F)
                : UInt32((isPressure ? message.byte2 : message.byte3) & 0x7F)
        guard let new = transform.apply(to: Int(old), largest: 1 << bits - 1, maps: parameters.maps) else { return nil }
        let value = UInt32(new)
        if isWide { return UniversalMessage(message.words[0], ValueScaling.up(value, from: bits, to: 32)) }
        if bits == 14 {
            return UniversalMessage(message.words[0] & 0xFFFF_0000 | (value & 0x7F) << 8 | value >> 7)
        }
        return isPressure
            ? UniversalMessage(message.words[0] & 0xFFFF_0000 | value << 8)
            : UniversalMessage(message.words[0] & 0xFFFF_FF00 | value)
    }

    private func program(_ message: UniversalMessage) -> UniversalMessage? {
        let isWide = message.type == .channelVoice2
        let old = isWide ? Int(message.words[1] >> 24 & 0x7F) : Int(message.byte2 & 0x7F)
        guard let new = parameters.programChange.apply(to: old, largest: 127, maps: parameters.maps) else { return nil }
        return isWide
            ? UniversalMessage(message.words[0], message.words[1] & 0x00FF_FFFF | UInt32(new) << 24)
            : UniversalMessage(message.words[0] & 0xFFFF_0000 | UInt32(new) << 8)
    }
}
