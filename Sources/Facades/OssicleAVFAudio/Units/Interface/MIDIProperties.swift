import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleCoreMIDI
import OssicleProperties

/// Properties of MIDI, in and out.
enum MIDIProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAudioUnitProperty_SupportsMPE: .flag(read: { $0.unit.supportsMPE }),
            kAudioUnitProperty_AudioUnitMIDIProtocol: .value(read: { $0.unit.audioUnitMIDIProtocol.rawValue }),
            kAudioUnitProperty_HostMIDIProtocol: .value(
                read: { $0.unit.hostMIDIProtocol.rawValue }, write: setHostProtocol),
            kAudioUnitProperty_MIDIOutputBufferSizeHint: .value(
                read: { UInt32(clamping: $0.unit.midiOutputBufferSizeHint) },
                write: { $0.unit.midiOutputBufferSizeHint = Int($1) }),
            kAudioUnitProperty_MIDIOutputCallbackInfo: .object(
                NSArray.self, read: { NSArray(array: $0.unit.midiOutputNames.map { NSString(string: $0) }) }),
            kAudioUnitProperty_MIDIOutputCallback: .order(UnitProperty.global, write: setOutputCallback),
            kAudioUnitProperty_MIDIOutputEventListCallback: .order(UnitProperty.global) {
                (place: UnitPlace, receiver: EventListReceiver) in
                try place.requireUninitialized()
                place.unit.midiOutputEventListBlock = isThere(receiver) ? receiver.block : nil
            },
        ]
    }

    /// A block in the client's memory.
    private struct EventListReceiver { let block: AUMIDIEventListBlock }

    private static func setHostProtocol(_ place: UnitPlace, _ number: Int32) throws {
        guard let wanted = [MIDIProtocolID._1_0, ._2_0].first(where: { $0.rawValue == number }) else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        place.unit.hostMIDIProtocol = wanted
    }

    /// Whether a structure that begins with a function holds one: the client's memory may hold 0 where Swift believes
    /// in it.
    private static func isThere<Receiver>(_ receiver: Receiver) -> Bool {
        withUnsafeBytes(of: receiver) { $0.loadUnaligned(as: UInt.self) != 0 }
    }

    /// Each message becomes a list of one packet, whose time is its frame within the cycle.
    private static func setOutputCallback(_ place: UnitPlace, _ receiver: AUMIDIOutputCallbackStruct) throws {
        try place.requireUninitialized()
        guard isThere(receiver) else { return place.unit.midiOutputEventBlock = nil }
        let lastCycle = place.interface.lastCycle
        place.unit.midiOutputEventBlock = { time, cable, count, bytes in
            guard count <= 256 else { return kAudioUnitErr_MIDIOutputBufferFull }
            let start = lastCycle.start
            var stamp = AudioTimeStamp(), list = MIDIPacketList()
            (stamp.mSampleTime, stamp.mFlags) = (start, .sampleTimeValid)
            list.numPackets = 1
            list.packet.timeStamp = MIDITimeStamp(max(Double(time) - start, 0))
            list.packet.length = UInt16(count)
            withUnsafeMutableBytes(of: &list.packet.data) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
            }
            return receiver.midiOutputCallback(receiver.userData, &stamp, UInt32(cable), &list)
        }
    }
}
