import Foundation
import Testing
@testable import OssicleAudioToolbox

@Suite("Audio units in the C interface") struct AudioUnitTests {
    private func makeUnit(_ type: OSType, _ subtype: OSType) throws -> AudioUnit {
        var wanted = AudioComponentDescription(componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
                                               componentFlags: 0, componentFlagsMask: 0)
        let component = try #require(AudioComponentFindNext(nil, &wanted))
        var unit: AudioUnit?
        #expect(AudioComponentInstanceNew(component, &unit) == noErr)
        return try #require(unit)
    }

    @Test("A parameter is set, clamped and read, until the unit is gone")
    func parameters() throws {
        let unit = try makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        var value: AudioUnitParameterValue = 0
        #expect(AudioUnitGetParameter(unit, kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, &value) == noErr && value == 50)
        #expect(AudioUnitSetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, 9, 0) == noErr)
        #expect(AudioUnitGetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, &value) == noErr && value == 2)
        #expect(AudioUnitSetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, .nan, 0) == kAudioUnitErr_InvalidParameterValue)
        #expect(AudioUnitSetParameter(unit, 99, kAudioUnitScope_Global, 0, 1, 0) == kAudioUnitErr_InvalidParameter)
        #expect(AudioUnitSetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Input, 0, 1, 0) == kAudioUnitErr_InvalidScope)
        #expect(AudioUnitSetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Global, .max, 1, 0) == kAudioUnitErr_InvalidElement)
        #expect(AudioUnitSetProperty(unit, 1, kAudioUnitScope_Global, 0, nil, 0) == kAudioUnitErr_InvalidProperty)
        #expect(AudioComponentInstanceDispose(unit) == noErr)
        #expect(AudioUnitGetParameter(unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, &value) == kAudioUnitErr_InvalidElement)
        #expect(AudioComponentInstanceDispose(unit) == kAudioUnitErr_InvalidElement)
    }

    @Test("Every input of a mixer has its own volume; meters are read only")
    func mixer() throws {
        let unit = try makeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        defer { AudioComponentInstanceDispose(unit) }
        var value: AudioUnitParameterValue = 0
        #expect(AudioUnitSetParameter(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 3, 0.25, 0) == noErr)
        for (bus, expected) in [(0, 1), (3, 0.25), (7, 1)] as [(UInt32, Float)] {
            #expect(AudioUnitGetParameter(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, &value) == noErr && value == expected)
        }
        #expect(AudioUnitGetParameter(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0, &value) == noErr && value == 1)
        #expect(AudioUnitSetParameter(unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 8, 0, 0) == kAudioUnitErr_InvalidElement)
        #expect(AudioUnitSetParameter(unit, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0, 0, 0) == kAudioUnitErr_InvalidParameter)
    }

    @Test("A borrowed unit is reached as long as it lives, and cannot be disposed of by its handle")
    func borrowed() {
        final class Unit: AudioUnitInstance {
            let parameterTree = AUParameterTree.createTree(withChildren: [makeParameter("p", at: 5)])
            func getProperty(_ id: AudioUnitPropertyID, scope: AudioUnitScope, element: AudioUnitElement, data: UnsafeMutableRawPointer,
                             size: UnsafeMutablePointer<UInt32>) -> OSStatus {
                guard id == 42, size.pointee >= 4 else { return kAudioUnitErr_InvalidProperty }
                data.storeBytes(of: 7, as: UInt32.self)
                size.pointee = 4
                return noErr
            }
        }
        var unit: Unit? = Unit()
        let handle = unit.map { AudioUnitTable.shared.add($0) }
        guard let handle else { return }
        var property: UInt32 = 0, size: UInt32 = 4
        #expect(AudioUnitGetProperty(handle, 42, 0, 0, &property, &size) == noErr && property == 7)
        #expect(AudioUnitSetParameter(handle, 5, 0, 0, 100, 0) == noErr && unit?.parameterTree.parameter(withAddress: 5)?.value == 10)
        #expect(AudioComponentInstanceDispose(handle) == kAudioUnitErr_InvalidElement)
        unit = nil
        #expect(AudioUnitSetParameter(handle, 5, 0, 0, 1, 0) == kAudioUnitErr_InvalidElement)
        #expect(AudioUnitTable.shared.remove(handle) && !AudioUnitTable.shared.remove(handle))
    }

    @Test("An instance made asynchronously arrives")
    func asynchronous() throws {
        var wanted = AudioComponentDescription()
        wanted.componentSubType = kAudioUnitSubType_Reverb2
        let component = try #require(AudioComponentFindNext(nil, &wanted))
        let arrived = Gate(), unit = Shared<AudioUnit?>(nil)
        AudioComponentInstantiate(component, []) { instance, status in
            unit.change { $0 = status == noErr ? instance : nil }
            arrived.open()
        }
        #expect(arrived.wait())
        #expect(AudioComponentInstanceDispose(try #require(unit.value)) == noErr)
    }
}
