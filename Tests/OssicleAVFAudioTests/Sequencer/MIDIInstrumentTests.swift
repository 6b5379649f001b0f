import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleCoreMIDI
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioUnitMIDIInstrument")
struct MIDIInstrumentTests {
    @Test("What is sent between two render calls takes effect at the boundary")
    func messages() throws {
        let rig = try ClickRig()
        _ = try rig.render(1000)
        rig.instrument.startNote(60, withVelocity: 9, onChannel: 1)
        let sound = try rig.render(1000)
        #expect(ClickRig.onsets(sound[0]) == [0] && sound[0][0] == 9)
        rig.instrument.stopNote(60, onChannel: 1)
        #expect(ClickRig.onsets(try rig.render(1000)[1]) == [0])
        rig.instrument.sendController(7, withValue: 100, onChannel: 2)
        rig.instrument.sendPitchBend(8192 + 5, onChannel: 3)
        rig.instrument.sendPressure(11, onChannel: 4)
        rig.instrument.sendPressure(forKey: 60, withValue: 12, onChannel: 5)
        rig.instrument.sendProgramChange(13, bankMSB: 0x79, bankLSB: 1, onChannel: 6)
        rig.instrument.sendMIDIEvent(0xB0, data1: 1, data2: 2)
        rig.instrument.sendMIDIEvent(0xC0, data1: 3)
        rig.instrument.sendMIDISysExEvent(Data([0xF0, 0x7E, 0x7F, 9, 1, 0xF7]))
        _ = try rig.render(100)
        #expect(
            rig.kernel?.others.map(\.bytes) == [
                [0xB2, 7, 100], [0xE3, 5, 64], [0xD4, 11], [0xA5, 60, 12], [0xB6, 0, 0x79], [0xB6, 32, 1], [0xC6, 13],
                [0xB0, 1, 2], [0xC0, 3], [0xF0, 0x7E, 0x7F, 9, 1, 0xF7],
            ])
        #expect(rig.kernel?.others.allSatisfy { $0.frame == 3000 } == true)
    }

    @Test("What is no message is recorded")
    func refused() throws {
        let rig = try ClickRig()
        rig.instrument.sendMIDIEvent(0x7F, data1: 1, data2: 2)
        #expect(rig.engine.lastError != nil)
        rig.engine.lastError = nil
        for data in [Data(), Data([0xF0]), Data([1, 2]), Data([0xF0] + [UInt8](repeating: 0, count: 300) + [0xF7])] {
            rig.instrument.sendMIDISysExEvent(data)
            #expect(rig.engine.lastError != nil)
            rig.engine.lastError = nil
        }
        _ = try rig.render(100)
        #expect(rig.kernel?.others.isEmpty == true)
    }

    @Test("instantiate gives the class, and the C interface plays it to the frame")
    func cInterface() throws {
        _ = ClickInstrument.node()
        #expect(try AVAudioUnit.make(ClickInstrument.component) is AVAudioUnitMIDIInstrument)
        let rig = try ClickRig(), unit = rig.instrument.audioUnit
        #expect(MusicDeviceMIDIEvent(unit, 0x90, 60, 3, 50) == noErr)
        var params = MusicDeviceNoteParams(
            argCount: 2, mPitch: 61.4, mVelocity: 4, mControls: NoteParamsControlValue())
        var id: NoteInstanceID = 0
        #expect(MusicDeviceStartNote(unit, kMusicNoteEvent_UseGroupInstrument, 2, &id, 70, &params) == noErr)
        #expect(MusicDeviceStopNote(unit, 2, id, 90) == noErr)
        #expect(MusicDeviceSysEx(unit, [0xF0, 1, 0xF7], 3) == noErr)
        let sound = try rig.render(100)
        #expect(ClickRig.onsets(sound[0]) == [50, 70] && sound[0][70] == 4)
        #expect(ClickRig.onsets(sound[1]) == [90])
        #expect(rig.kernel?.others.map(\.bytes) == [[0xF0, 1, 0xF7]])
        #expect(MusicDeviceMIDIEvent(unit, 0x70, 0, 0, 0) == kAudio_ParamError)
        #expect(MusicDeviceSysEx(unit, [1, 2], 2) == kAudio_ParamError)
        let effect = AVAudioUnitDelay()
        #expect(MusicDeviceMIDIEvent(effect.audioUnit, 0x90, 60, 1, 0) == kAudio_UnimplementedError)
    }

    @Test("A note at an endpoint is heard at the first frame of the render call that follows")
    func endpoint() throws {
        let rig = try ClickRig()
        let schedule = try #require(rig.instrument.auAudioUnit.scheduleMIDIEventBlock)
        var client = MIDIClientRef(), keys = MIDIEndpointRef(), port = MIDIPortRef()
        MIDIClientCreateWithBlock("host", &client, nil)
        defer { MIDIClientDispose(client) }
        let arrived = DispatchSemaphore(value: 0)
        let status = MIDIDestinationCreateWithBlock(client, "keys", &keys) { list, _ in
            for packet in list.unsafeSequence() {
                withUnsafeBytes(of: packet.pointee.data) { data in
                    let bytes = data.bindMemory(to: UInt8.self)
                    schedule(AUEventSampleTimeImmediate, 0, Int(packet.pointee.length), bytes.baseAddress!)
                }
            }
            arrived.signal()
        }
        #expect(status == noErr && MIDIOutputPortCreate(client, "fingers", &port) == noErr)
        _ = try rig.render(640)
        for velocity in 1...5 as ClosedRange<UInt8> {
            let builder = MIDIPacketList.Builder(byteSize: 64)
            builder.append(timestamp: 0, data: [0x90, 60, velocity])
            builder.withUnsafePointer { #expect(MIDISend(port, keys, $0) == noErr) }
            #expect(arrived.wait(timeout: .now() + 10) == .success)
            let sound = try rig.render(64)
            #expect(ClickRig.onsets(sound[0]) == [0] && sound[0][0] == Float(velocity))
        }
    }
}
