import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// A window of the meters is 4096 frames long; in decibels 0.01 is 0.1 %.
@Suite("Meters of mixer units") struct MixerMeterTests {
    private func meter(
        _ handle: UnitHandle, _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: UInt32
    ) -> Float {
        var value: Float = 99
        #expect(AudioUnitGetParameter(handle.unit, id, scope, element, &value) == noErr)
        return value
    }

    private func decibels(_ amplitude: Double) -> Float { Float(20 * log10(amplitude)) }

    @Test("A metered bus has its average and its peak before and behind its volume, any other bus has none")
    func busses() throws {
        let handle = try UnitHandle(kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        handle.format(48000, 2)
        // 64 periods in a window: the mean square is one half.
        handle.feed(0) { frame, channel in Float((channel == 0 ? 0.5 : 0.2) * sin(2 * .pi * Double(frame) / 64)) }
        handle.feed(1) { _, _ in 0.25 }
        #expect(
            AudioUnitSetParameter(handle.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 0, 0.5, 0)
                == noErr)
        for (scope, element) in [(kAudioUnitScope_Input, 0), (kAudioUnitScope_Output, 0)] as [(UInt32, UInt32)] {
            #expect(handle.get(kAudioUnitProperty_MeteringMode, scope, element, UInt32(9)).1 == 0)
            #expect(handle.set(kAudioUnitProperty_MeteringMode, scope, element, UInt32(1)) == noErr)
            #expect(handle.get(kAudioUnitProperty_MeteringMode, scope, element, UInt32(9)).1 == 1)
        }
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        #expect(meter(handle, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0) == -120)
        let sound = handle.render(3 * 4096)
        let input = [
            (kMultiChannelMixerParam_PreAveragePower, decibels(0.5 / 2.0.squareRoot())),
            (kMultiChannelMixerParam_PrePeakHoldLevel, decibels(0.5)),
            (kMultiChannelMixerParam_PostAveragePower, decibels(0.25 / 2.0.squareRoot())),
            (kMultiChannelMixerParam_PostPeakHoldLevel, decibels(0.25)),
        ]
        for (id, expected) in input {
            let value = meter(handle, id, kAudioUnitScope_Input, 0)
            #expect(abs(value - expected) < 0.01, "\(id)")
            #expect(meter(handle, id, kAudioUnitScope_Input, 1) == -120)
        }
        let last = sound[0].suffix(4096).map(Double.init)
        let power = last.reduce(0) { $0 + $1 * $1 } / 4096
        let output = meter(handle, kMultiChannelMixerParam_PostAveragePower, kAudioUnitScope_Output, 0)
        #expect(abs(output - decibels(power.squareRoot())) < 0.01)
        #expect(handle.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, UInt32(0)) == noErr)
        #expect(meter(handle, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0) == -120)
        #expect(
            AudioUnitSetParameter(
                handle.unit, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0, 0, 0)
                == kAudioUnitErr_InvalidParameter)
    }

    @Test("A peak is held for 16 windows, and what is not measured is not held")
    func hold() throws {
        let handle = try UnitHandle(kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        handle.format(48000, 1)
        handle.feed(2) { frame, _ in frame == 100 ? -1 : 0.1 }
        #expect(handle.set(kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 2, UInt32(1)) == noErr)
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        func held() -> Float { meter(handle, kMultiChannelMixerParam_PrePeakHoldLevel, kAudioUnitScope_Input, 2) }
        _ = handle.render(16 * 4096, channels: 1)
        #expect(held() == 0)
        _ = handle.render(2 * 4096, channels: 1)
        #expect(abs(held() + 20) < 0.01)
    }

    @Test("The matrix mixer's meters are those of channels, in decibels and as amplitudes")
    func matrix() throws {
        let handle = try UnitHandle(kAudioUnitSubType_MatrixMixer, kAudioUnitType_Mixer)
        handle.format(48000, 2)
        handle.feed(0) { _, channel in channel == 0 ? 0.8 : -0.4 }
        let volumes: [(UInt32, UInt32, Float)] = [
            (kAudioUnitScope_Input, 1, 0.5), (kAudioUnitScope_Global, 1 << 16 | 0, 1),
            (kAudioUnitScope_Output, 0, 0.25), (kAudioUnitScope_Global, .max, 1),
        ]
        for (scope, element, volume) in volumes {
            #expect(AudioUnitSetParameter(handle.unit, kMatrixMixerParam_Volume, scope, element, volume, 0) == noErr)
        }
        for (scope, element) in [(kAudioUnitScope_Input, 1), (kAudioUnitScope_Output, 0)] as [(UInt32, UInt32)] {
            #expect(handle.set(kAudioUnitProperty_MeteringMode, scope, element, UInt32(1)) == noErr)
        }
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        _ = handle.render(3 * 4096)
        let expected: [(AudioUnitParameterID, UInt32, UInt32, Float)] = [
            (kMatrixMixerParam_PreAveragePowerLinear, kAudioUnitScope_Input, 1, 0.4),
            (kMatrixMixerParam_PrePeakHoldLevelLinear, kAudioUnitScope_Input, 1, 0.4),
            (kMatrixMixerParam_PostAveragePowerLinear, kAudioUnitScope_Input, 1, 0.2),
            (kMatrixMixerParam_PreAveragePowerLinear, kAudioUnitScope_Output, 0, 0.2),
            (kMatrixMixerParam_PostPeakHoldLevelLinear, kAudioUnitScope_Output, 0, 0.05),
            (kMatrixMixerParam_PostAveragePower, kAudioUnitScope_Output, 0, decibels(0.05)),
            // Not wanted.
            (kMatrixMixerParam_PreAveragePowerLinear, kAudioUnitScope_Input, 0, 0),
        ]
        for (id, scope, element, level) in expected {
            let value = meter(handle, id, scope, element), tolerance = 0.001 * max(abs(level), 1)
            #expect(abs(value - level) < tolerance, "\(id)")
        }
    }
}
