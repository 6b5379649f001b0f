import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// A processor of a client's without any output for sound: each note comes again, 1000 frames later and three keys
/// higher.
final class EchoProcessor: AUAudioUnit {
    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_MIDIProcessor, componentSubType: 0x6563_686F, componentManufacturer: 0x7465_7374,
        componentFlags: 0, componentFlagsMask: 0)

    static func node() throws -> AVAudioUnit {
        AUAudioUnit.registerSubclass(EchoProcessor.self, as: component, name: "Tests: Echo", version: 1)
        return try AVAudioUnit.make(component)
    }

    override var internalRenderBlock: AUInternalRenderBlock {
        let send = midiOutputEventBlock
        return { _, _, _, _, _, events, _ in
            var next = events
            while let event = next {
                let midi = event.pointee.MIDI
                _ = send?(midi.eventSampleTime, 0, 3, [midi.data.0, midi.data.1, midi.data.2])
                _ = send?(midi.eventSampleTime + 1000, 0, 3, [midi.data.0, midi.data.1 + 3, midi.data.2])
                next = UnsafePointer(event.pointee.head.next)
            }
            return noErr
        }
    }
}

@Suite("MIDI connections of AVAudioEngine")
struct MIDIConnectionTests {
    @Test(
        "Sequencer, processor, instrument: every event on its frame, however render calls are cut",
        arguments: [1024, 1, 127])
    func chain(size: Int) throws {
        let rig = try ClickRig(), processor = try EchoProcessor.node()
        rig.engine.attach(processor)
        final class Heard { var events: [(frame: Int64, words: UInt32)] = [] }
        let heard = Heard()
        rig.engine.connectMIDI(processor, to: rig.instrument, format: nil) { frame, _, list in
            heard.events.append((frame, list.pointee.packet.words.0))
            return noErr
        }
        #expect(rig.engine.lastError == nil)
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let track = sequencer.createAndAppendTrack()
        track.destinationAudioUnit = processor
        for beat in 0..<3 {
            track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 7, duration: 0.01), at: Double(beat) / 8)
        }
        try sequencer.start()
        let sound = try rig.render(9000, callsOf: size)
        #expect(ClickRig.onsets(sound[0]) == [0, 1000, 3000, 4000, 6000, 7000])
        #expect(ClickRig.onsets(sound[1]) == [240, 1240, 3240, 4240, 6240, 7240])
        #expect(heard.events.count == 12)
        #expect(heard.events.prefix(2).map(\.words) == [0x2090_3C07, 0x2090_3F07])
        rig.engine.disconnectMIDIOutput(processor)
        sequencer.currentPositionInBeats = 0
        #expect(ClickRig.onsets(try rig.render(9000, callsOf: size)[0]).isEmpty)
    }

    /// What goes round comes again with each block, and no queue grows.
    @Test("Processors in a circle do not hang")
    func circle() throws {
        let rig = try ClickRig(), first = try EchoProcessor.node(), second = try EchoProcessor.node()
        rig.engine.attach(first)
        rig.engine.attach(second)
        rig.engine.connectMIDI(first, to: [second, rig.instrument], format: nil)
        rig.engine.connectMIDI(second, to: first, format: nil)
        _ = try rig.render(100)
        first.auAudioUnit.scheduleMIDIEventBlock?(600, 0, 3, [0x90, 60, 1])
        #expect(ClickRig.onsets(try rig.render(4000)[0]).first == 500)
    }
}
