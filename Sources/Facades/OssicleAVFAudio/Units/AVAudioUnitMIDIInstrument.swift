// Instruments: MIDI in, sound out.

import OssicleAudioToolbox
import OssicleNodes

/// A unit that is played by MIDI. Types `aumu` and `auri`.
///
/// What is sent takes effect with the next frame that is rendered. Channels are 0 … 15, all other values 0 … 127 unless
/// said otherwise; larger ones are cut to their lowest bits. Any thread but the render thread.
open class AVAudioUnitMIDIInstrument: AVAudioUnit, AVAudioMixing {
    /// An instrument. With a description of another type or of no component the node is silent, and the engine records
    /// an error.
    public init(audioComponentDescription description: AudioComponentDescription) {
        super.init(unit: description, types: Self.types)
    }

    /// An instrument of no component; the engine records an error.
    public convenience init() { self.init(audioComponentDescription: AudioComponentDescription()) }

    init(hosting unit: AUAudioUnit) {
        super.init(unit: unit.componentDescription, types: Self.types, hosting: unit)
    }

    static let types = [kAudioUnitType_MusicDevice, kAudioUnitType_RemoteInstrument]

    /// A note may come at any time.
    override var isAwake: Bool { true }
    package override var keepsFormat: Bool { false }
    open override var numberOfInputs: Int { 0 }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        NodePorts(outputs: super.lower(&lowering).outputs)
    }

    // MARK: Notes

    /// Begins a note. A velocity of 0 ends it.
    open func startNote(_ note: UInt8, withVelocity velocity: UInt8, onChannel channel: UInt8) {
        send(0x90, note, velocity, channel: channel)
    }

    /// Ends a note.
    open func stopNote(_ note: UInt8, onChannel channel: UInt8) { send(0x80, note, 0, channel: channel) }

    // MARK: Controls

    /// Sets a controller, such as 7 for volume.
    open func sendController(_ controller: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        send(0xB0, controller, value, channel: channel)
    }

    /// Bends the pitch: 0 … 16383, 8192 for none.
    open func sendPitchBend(_ pitchbend: UInt16, onChannel channel: UInt8) {
        send(0xE0, UInt8(pitchbend & 127), UInt8(pitchbend >> 7 & 127), channel: channel)
    }

    /// Presses all keys of a channel.
    open func sendPressure(_ pressure: UInt8, onChannel channel: UInt8) { send(0xD0, pressure, nil, channel: channel) }

    /// Presses one key.
    open func sendPressure(forKey key: UInt8, withValue value: UInt8, onChannel channel: UInt8) {
        send(0xA0, key, value, channel: channel)
    }

    /// Chooses a sound of the bank that was selected last.
    open func sendProgramChange(_ program: UInt8, onChannel channel: UInt8) {
        send(0xC0, program, nil, channel: channel)
    }

    /// Selects a bank and chooses a sound of it.
    open func sendProgramChange(_ program: UInt8, bankMSB: UInt8, bankLSB: UInt8, onChannel channel: UInt8) {
        sendController(0, withValue: bankMSB, onChannel: channel)
        sendController(32, withValue: bankLSB, onChannel: channel)
        sendProgramChange(program, onChannel: channel)
    }

    // MARK: Messages

    /// Sends a message of three bytes. A status that is none is recorded and dropped.
    open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8, data2: UInt8) { send([midiStatus, data1, data2]) }

    /// Sends a message of two bytes. A status that is none is recorded and dropped.
    open func sendMIDIEvent(_ midiStatus: UInt8, data1: UInt8) { send([midiStatus, data1]) }

    /// Sends a system exclusive message with 0xF0 and 0xF7, of at most 255 bytes. Others are recorded and dropped.
    open func sendMIDISysExEvent(_ midiData: Data) {
        guard midiData.first == 0xF0, midiData.last == 0xF7, midiData.count <= 255 else {
            return home.record(MIDIFault.systemExclusive(title, midiData.count))
        }
        send(Array(midiData))
    }

    /// Sends Universal MIDI messages.
    open func send(_ eventList: UnsafePointer<MIDIEventList>) {
        _ = auAudioUnit.scheduleMIDIEventListBlock?(AUEventSampleTimeImmediate, 0, eventList)
    }

    private func send(_ status: UInt8, _ data1: UInt8, _ data2: UInt8?, channel: UInt8) {
        send([status | channel & 15, data1 & 127] + (data2.map { [$0 & 127] } ?? []))
    }

    private func send(_ bytes: [UInt8]) {
        guard let status = bytes.first, status >= 0x80 else { return home.record(MIDIFault.status(title, bytes)) }
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            auAudioUnit.scheduleMIDIEventBlock?(AUEventSampleTimeImmediate, 0, buffer.count, start)
        }
    }
}

/// What can be wrong with MIDI that a client sends.
enum MIDIFault {
    static func status(_ object: String, _ bytes: [UInt8]) -> OssicleError {
        .avfaudio(
            kAudio_ParamError, object, value: "a message that begins with \(bytes.first.map { "\($0)" } ?? "nothing")",
            rule: "A MIDI message begins with a status of 0x80 or more.", cure: "Put kind and channel into the status.")
    }

    static func systemExclusive(_ object: String, _ count: Int) -> OssicleError {
        .avfaudio(
            kAudio_ParamError, object, value: "a system exclusive message of \(count) bytes",
            rule: "It begins with 0xF0, ends with 0xF7 and has at most 255 bytes.",
            cure: "Complete it, or send it in several messages.")
    }
}
