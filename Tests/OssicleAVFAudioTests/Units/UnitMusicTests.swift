import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleCoreMIDI
import Testing
@testable import OssicleAVFAudio

/// An instrument that asks its host, in each cycle, where the music is.
private final class AskingUnit: AUAudioUnit {
    struct Answer {
        var (frame, tempo, numerator, denominator, beat, toBeat, downbeat) = (0, 0.0, 0.0, 0, 0.0, 0, 0.0)
        var flags = AUHostTransportStateFlags()
        var isKnown = false
    }

    final class Answers { var all: [Answer] = [] }

    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_RemoteInstrument, componentSubType: 0x6173_6B73,
        componentManufacturer: 0x7465_7374, componentFlags: 0, componentFlagsMask: 0)
    let answers = Answers()
    private var outputs: AUAudioUnitBusArray!

    override init(
        componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = []
    ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        outputs = AUAudioUnitBusArray(
            audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: OfflineRig.format(44_100, 2))])
    }

    override var outputBusses: AUAudioUnitBusArray { outputs }

    override var internalRenderBlock: AUInternalRenderBlock {
        let (answers, context, transport) = (answers, musicalContextBlock, transportStateBlock)
        return { _, time, frames, _, list, _, _ in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 0, count: Int(frames))
            }
            var answer = Answer()
            answer.frame = Int(time.pointee.mSampleTime)
            answer.isKnown =
                context?(
                    &answer.tempo, &answer.numerator, &answer.denominator, &answer.beat, &answer.toBeat,
                    &answer.downbeat) ?? false
            _ = transport?(&answer.flags, nil, nil, nil)
            answers.all.append(answer)
            return noErr
        }
    }
}

@Suite("Music of units: beats, events within a cycle, MIDI out") struct UnitMusicTests {
    /// 120 from the beginning, 60 from beat 4 on; 3/4 from beat 4 on. At 120, beat 4 is at 2 s.
    @Test("A hosted unit hears tempo, meter, beat and transport of the sequencer, in closed form")
    func context() throws {
        AUAudioUnit.registerSubclass(AskingUnit.self, as: AskingUnit.component, name: "Tests: Asking", version: 1)
        let rig = try OfflineRig(maximum: 4096)
        let node = AVAudioUnitMIDIInstrument(audioComponentDescription: AskingUnit.component)
        rig.engine.attach(node)
        rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let unit = try #require(node.auAudioUnit as? AskingUnit)
        _ = try rig.render(1000, callsOf: 1000)
        #expect(unit.answers.all.allSatisfy { !$0.isKnown })
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 120), at: 0)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 4)
        sequencer.tempoTrack.addEvent(AVMIDIMetaEvent(type: .timeSignature, data: Data([3, 2, 24, 8])), at: 4)
        try sequencer.start()
        unit.answers.all = []
        _ = try rig.render(4 * 48_000, callsOf: 4000)
        for answer in unit.answers.all {
            let seconds = Double(answer.frame - 1000) / 48_000
            let beat = seconds < 2 ? 2 * seconds : 4 + (seconds - 2)
            #expect(answer.isKnown && abs(answer.beat - beat) < 1e-9)
            #expect(answer.tempo == (seconds < 2 ? 120 : 60) && answer.denominator == 4)
            #expect(answer.numerator == (seconds < 2 ? 4 : 3))
            #expect(abs(answer.downbeat - (seconds < 2 ? 0 : 4 + 3 * ((beat - 4) / 3).rounded(.down))) < 1e-9)
            let next = beat.rounded(.down) + 1
            let then = next <= 4 ? next / 2 : next - 2
            #expect(answer.toBeat == Int(max(((then - seconds) * 48_000).rounded(), 1)))
            #expect(answer.flags.contains(.moving))
        }
        #expect(unit.answers.all.first?.flags.contains(.changed) == true)
        #expect(unit.answers.all.dropFirst().allSatisfy { !$0.flags.contains(.changed) })
        sequencer.stop()
        unit.answers.all = []
        _ = try rig.render(2000, callsOf: 1000)
        #expect(unit.answers.all.allSatisfy { !$0.flags.contains(.moving) && abs($0.beat - 6) < 1e-6 })
        sequencer.rate = 2
        sequencer.currentPositionInBeats = 0
        try sequencer.start()
        unit.answers.all = []
        _ = try rig.render(4096, callsOf: 128)
        #expect(unit.answers.all.allSatisfy { $0.tempo == 240 })
        let last = try #require(unit.answers.all.last)
        #expect(abs(last.beat - Double(last.frame - 195_000) / 48_000 * 4) < 1e-9)
    }

    @Test("AudioUnitSetParameter takes effect at the frame of the cycle it names")
    func offset() throws {
        let delay = try UnitHandle(kAudioUnitSubType_SampleDelay)
        delay.format(48_000, 2)
        delay.feed { frame, _ in Float(frame) }
        #expect(AudioUnitInitialize(delay.unit) == noErr)
        _ = delay.render(512)
        let id = kSampleDelayParam_DelayFrames
        func value() -> Float {
            var value: Float = -1
            #expect(AudioUnitGetParameter(delay.unit, id, kAudioUnitScope_Global, 0, &value) == noErr)
            return value
        }
        #expect(AudioUnitSetParameter(delay.unit, id, kAudioUnitScope_Global, 0, 5, 200) == noErr)
        #expect(delay.render(200)[0] == (512..<712).map { Float($0) } && value() == 0)
        // The delay glides to its new length from the next frame on.
        _ = delay.render(1)
        #expect(value() == 5)
        #expect(AudioUnitSetParameter(delay.unit, id, kAudioUnitScope_Global, 0, 9, 0) == noErr && value() == 9)
    }

    @Test("In C, what a MIDI processor sends arrives with its frame within the cycle")
    func output() throws {
        AUAudioUnit.registerSubclass(
            EchoProcessor.self, as: EchoProcessor.component, name: "Tests: Echo", version: 1)
        var wanted = EchoProcessor.component, made: AudioUnit?
        #expect(AudioComponentInstanceNew(try #require(AudioComponentFindNext(nil, &wanted)), &made) == noErr)
        let unit = try #require(made)
        defer { AudioComponentInstanceDispose(unit) }
        final class Heard: @unchecked Sendable { var all: [(time: Double, frame: UInt64, bytes: [UInt8])] = [] }
        let heard = Heard()
        let receiver = AUMIDIOutputCallbackStruct(
            midiOutputCallback: { reference, time, _, list in
                let packet = list.pointee.packet
                guard let reference else { return kAudio_ParamError }
                Unmanaged<Heard>.fromOpaque(reference).takeUnretainedValue().all.append(
                    (time.pointee.mSampleTime, packet.timeStamp, [packet.data.0, packet.data.1, packet.data.2]))
                return noErr
            }, userData: Unmanaged.passUnretained(heard).toOpaque())
        let id = kAudioUnitProperty_MIDIOutputCallback, size = UInt32(MemoryLayout<AUMIDIOutputCallbackStruct>.size)
        withUnsafeBytes(of: receiver) {
            #expect(AudioUnitSetProperty(unit, id, kAudioUnitScope_Global, 0, $0.baseAddress, size) == noErr)
        }
        #expect(AudioUnitInitialize(unit) == noErr)
        withUnsafeBytes(of: receiver) {
            #expect(
                AudioUnitSetProperty(unit, id, kAudioUnitScope_Global, 0, $0.baseAddress, size)
                    == kAudioUnitErr_Initialized)
        }
        #expect(MusicDeviceMIDIEvent(unit, 0x90, 60, 99, 37) == noErr)
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        defer { free(list.unsafeMutablePointer) }
        list.count = 0
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mFlags) = (5000, .sampleTimeValid)
        #expect(AudioUnitRender(unit, nil, &stamp, 0, 512, list.unsafeMutablePointer) == noErr)
        #expect(heard.all.map(\.frame) == [37, 1037] && heard.all.allSatisfy { $0.time == 5000 })
        #expect(heard.all.first?.bytes == [0x90, 60, 99])
    }
}
