import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("I/O unit with voice processing")
struct VoiceUnitTests {
    @Test("Its properties are kept, others' are refused, and so is a level that there is not")
    func properties() throws {
        let unit = try UnitHandle(kAudioUnitSubType_VoiceProcessingIO, kAudioUnitType_Output)
        func flag(_ id: AudioUnitPropertyID) -> UInt32 { unit.get(id, kAudioUnitScope_Global, 0, UInt32(9)).1 }
        #expect(flag(kAUVoiceIOProperty_BypassVoiceProcessing) == 0)
        #expect(flag(kAUVoiceIOProperty_VoiceProcessingEnableAGC) == 1 && flag(kAUVoiceIOProperty_MuteOutput) == 0)
        #expect(unit.set(kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, UInt32(1)) == noErr)
        #expect(flag(kAUVoiceIOProperty_MuteOutput) == 1)
        let ducking = AUVoiceIOOtherAudioDuckingConfiguration(mEnableAdvancedDucking: true, mDuckingLevel: .max)
        let id = kAUVoiceIOProperty_OtherAudioDuckingConfiguration
        #expect(unit.set(id, kAudioUnitScope_Global, 0, ducking) == noErr)
        let kept = unit.get(id, kAudioUnitScope_Global, 0, AUVoiceIOOtherAudioDuckingConfiguration()).1
        #expect(kept.mDuckingLevel == .max && kept.mEnableAdvancedDucking.boolValue)
        #expect(unit.set(id, kAudioUnitScope_Global, 0, UInt16(0x0701)) == kAudioUnitErr_InvalidPropertyValue)
        let other = try UnitHandle(kAudioUnitSubType_RemoteIO, kAudioUnitType_Output)
        #expect(
            other.set(kAUVoiceIOProperty_MuteOutput, kAudioUnitScope_Global, 0, UInt32(1))
                == kAudioUnitErr_InvalidProperty)
    }

    @Test("What the client gives for the output is taken out of what it fetches from the input")
    func echo() throws {
        let (output, mono) = (DrivenOutput(sampleRate: 16_000, quantum: 128), OfflineRig.format(16_000, 1))
        let input = DrivenInput(sampleRate: 16_000, quantum: 128, origin: output.origin) { frame, _ in
            frame >= 480 && output.position > frame - 480 ? 0.6 * output.taken[0][frame - 480] : 0
        }
        let hardware = UnitHardware(
            UnitDevices(output) { _ in input }, output: OfflineRig.format(16_000, 2), input: mono, voice: UnitVoice())
        hardware.prepare(UnitShape(inputs: [mono], outputs: [mono, mono], maximumFrames: 512))
        let (fetch, far, heard) = (hardware.makeRenderBlock(), CallRig.scene(5).far, Log<Float>())
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 512))
        var place = 0
        let provider: AURenderPullInputBlock = { flags, time, frames, _, list in
            buffer.frameLength = frames
            _ = fetch(flags, time, frames, 1, buffer.mutableAudioBufferList, nil, nil)
            heard.add(Array(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(frames))))
            let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = place + frame < far.count ? far[place + frame] : 0 }
            place += Int(frames)
            return noErr
        }
        try hardware.start(UnitHardware.Run(provider: provider, hasInput: true))
        for _ in 0..<500 {
            input.capture(frames: 128)
            output.take(frames: 128)
        }
        hardware.stop()
        func level(_ signal: some Collection<Float>) -> Double {
            10 * log10(signal.suffix(32_000).reduce(1e-20) { $0 + Double($1) * Double($1) } / 32_000)
        }
        let reduction = level(output.taken[0].map { 0.6 * $0 }) - level(heard.values)
        #expect(reduction > 25, "\(reduction) dB")
    }
}
