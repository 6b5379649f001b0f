import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Audio units in the C interface: mixers and outputs")
struct AudioUnitMixerTests {
    @Test("The multi-channel mixer adds its inputs by their volumes; inputs that nothing feeds are silent")
    func multiChannel() throws {
        let handle = try UnitHandle(kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        #expect(handle.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(0)).1 == 8)
        #expect(
            AudioUnitSetParameter(handle.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 8, 0, 0)
                == kAudioUnitErr_InvalidElement)
        #expect(handle.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(12)) == noErr)
        #expect(
            handle.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(65))
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            handle.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, UInt32(2))
                == kAudioUnitErr_PropertyNotWritable)
        #expect(handle.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 0, UInt32(1)) == noErr)
        handle.format(48000, 2)
        handle.feed(0) { _, channel in channel == 0 ? 0.5 : 0.25 }
        handle.feed(11) { _, _ in 1 }
        for (bus, volume) in [(0, 0.5), (11, 0.25)] as [(UInt32, Float)] {
            #expect(
                AudioUnitSetParameter(
                    handle.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, volume, 0) == noErr)
        }
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        #expect(
            handle.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(4))
                == kAudioUnitErr_Initialized)
        let sound = handle.render(1000)
        #expect(sound[0].dropFirst(128).allSatisfy { $0 == 0.5 } && sound[1].dropFirst(128).allSatisfy { $0 == 0.375 })
        #expect(handle.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, UInt32(1)) == noErr)
        #expect(handle.get(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, UInt32(0)).1 == 1)
    }

    @Test("An input of another rate is converted to the mixer's")
    func rates() throws {
        let handle = try UnitHandle(kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        handle.format(48000, 1)
        #expect(handle.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 3, 24000.0) == noErr)
        handle.feed(3) { frame, _ in Float(sin(2 * .pi * 500 * Double(frame) / 24000)) }
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        let sound = handle.render(4000, channels: 1)[0]
        for frame in 500..<3500 {
            #expect(abs(sound[frame] - Float(sin(2 * .pi * 500 * Double(frame) / 48000))) < 1e-3)
        }
    }

    @Test("What the matrix mixer gives is the product of four volumes, set at once or one by one")
    func matrix() throws {
        let handle = try UnitHandle(kAudioUnitSubType_MatrixMixer, kAudioUnitType_Mixer)
        #expect(handle.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(2)) == noErr)
        handle.format(48000, 2)
        #expect(handle.list(kAudioUnitProperty_MatrixDimensions, of: UInt32(0)) == [4, 2])
        var levels = [Float32](repeating: 0, count: 15)
        levels[1] = 0.5 // input 0 to output 1
        levels[3 * 3] = 0.25 // input 3 to output 0
        for input in 0..<4 { levels[3 * input + 2] = 1 }
        (levels[11], levels[12], levels[13], levels[14]) = (0.5, 1, 0.5, 1)
        #expect(
            levels.withUnsafeBytes {
                AudioUnitSetProperty(
                    handle.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, $0.baseAddress,
                    UInt32($0.count))
            } == noErr)
        #expect(handle.list(kAudioUnitProperty_MatrixLevels, of: Float32(0)) == levels)
        #expect(
            levels.withUnsafeBytes {
                AudioUnitSetProperty(
                    handle.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, $0.baseAddress, 56)
            }
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            AudioUnitSetParameter(handle.unit, kMatrixMixerParam_Volume, kAudioUnitScope_Global, 0xFFFF_FFFF, 0.5, 0)
                == noErr)
        handle.feed(0) { _, channel in channel == 0 ? 1 : 100 }
        handle.feed(1) { _, channel in channel == 1 ? 0.5 : 100 }
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        let sound = handle.render(1000)
        // Output 0: 0.5 (sound) · 0.5 (input 3) · 0.25 · 1 · 0.5 (master); output 1: 1 · 1 · 0.5 · 0.5 · 0.5.
        #expect(
            sound[0].dropFirst(128).allSatisfy { $0 == 0.03125 } && sound[1].dropFirst(128).allSatisfy { $0 == 0.125 })
    }

    @Test("A generic output puts channels where the map says")
    func channelMap() throws {
        let handle = try UnitHandle(kAudioUnitSubType_GenericOutput, kAudioUnitType_Output)
        handle.format(48000, 2)
        handle.feed { frame, channel in Float(frame + 1000 * channel) }
        #expect(handle.list(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, of: Int32(9)) == [0, 1])
        let map: [Int32] = [1, -1]
        #expect(
            map.withUnsafeBytes {
                AudioUnitSetProperty(
                    handle.unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, $0.baseAddress, 8)
            } == noErr)
        #expect(AudioOutputUnitStart(handle.unit) == kAudioUnitErr_Uninitialized)
        #expect(AudioUnitInitialize(handle.unit) == noErr && AudioOutputUnitStart(handle.unit) == noErr)
        #expect(handle.get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, UInt32(0)).1 == 1)
        let sound = handle.render(64)
        #expect(sound[0] == (0..<64).map { Float($0 + 1000) } && sound[1].allSatisfy { $0 == 0 })
        #expect(
            AudioOutputUnitStop(handle.unit) == noErr
                && handle.get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, UInt32(0)).1 == 0)
    }

    @Test("An output unit asks its callback at the device's pace until it is stopped")
    func device() throws {
        let handle = try UnitHandle(kAudioUnitSubType_HALOutput, kAudioUnitType_Output)
        #expect(handle.get(kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Output, 0, UInt32(0)).1 == 1)
        let hasInput = handle.get(kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, UInt32(7)).1
        let captured = handle.get(kAudioUnitProperty_SampleRate, kAudioUnitScope_Input, 1, -1.0).1
        #expect(hasInput == (captured > 0 ? 1 : 0))
        #expect(handle.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(1)) == noErr)
        #expect(handle.get(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)).1 == 0)
        for isOn in [1, 0] as [UInt32] {
            #expect(handle.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, isOn) == noErr)
            #expect(handle.get(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(9)).1 == isOn)
        }
        #expect(
            handle.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 0, UInt32(1))
                == kAudioUnitErr_InvalidElement)
        let device = handle.get(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, AudioObjectID(0)).1
        #expect(
            device != kAudioObjectUnknown
                && handle.set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, device) == noErr)
        #expect(
            handle.set(kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, AudioObjectID(99))
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            handle.set(
                kAudioOutputUnitProperty_StartTime, kAudioUnitScope_Global, 0, AudioOutputUnitStartAtTimeParams())
                == kAudioUnitErr_InvalidPropertyValue)
        let map: [Int32] = [-1, 0]
        #expect(
            map.withUnsafeBytes {
                AudioUnitSetProperty(
                    handle.unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 1, $0.baseAddress, 8)
            } == noErr)
        #expect(handle.list(kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 1, of: Int32(9)) == map)
        let calls = Shared(0)
        final class Counter: @unchecked Sendable {
            let calls: Shared<Int>; init(_ calls: Shared<Int>) { self.calls = calls }
        }
        let counter = Counter(calls)
        let callback: AURenderCallback = { reference, flags, _, _, _, _ in
            Unmanaged<Counter>.fromOpaque(reference).takeUnretainedValue().calls.change { $0 += 1 }
            flags.pointee.insert(.unitRenderAction_OutputIsSilence)
            return noErr
        }
        let data = AURenderCallbackStruct(
            inputProc: callback, inputProcRefCon: Unmanaged.passUnretained(counter).toOpaque())
        #expect(handle.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, data) == noErr)
        #expect(
            AudioUnitInitialize(handle.unit) == noErr && AudioOutputUnitStart(handle.unit) == noErr
                && AudioOutputUnitStart(handle.unit) == noErr)
        for _ in 0..<3000 where calls.value < 3 { usleep(10_000) }
        #expect(calls.value >= 3 && AudioOutputUnitStop(handle.unit) == noErr)
        #expect(handle.get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, UInt32(1)).1 == 0)
        withExtendedLifetime(counter) {}
    }
}

/// A value under a lock.
private final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value
    init(_ value: Value) { stored = value }
    var value: Value { lock.withLock { stored } }
    func change(_ body: (inout Value) -> Void) { lock.withLock { body(&stored) } }
}
