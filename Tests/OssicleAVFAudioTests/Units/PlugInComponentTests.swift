import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// The plug-in at the address that its functions are given.
private func own(_ reference: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GainPlugIn> {
    reference.assumingMemoryBound(to: GainPlugIn.self)
}

/// A plug-in of the C interface as a client writes one: a gain, with the structure of functions first in its memory.
private struct GainPlugIn {
    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0x706C_7567, componentManufacturer: 0x7465_7374,
        componentFlags: 0, componentFlagsMask: 0)

    var interface: AudioComponentPlugInInterface
    var gain: Float = 1
    var input = AURenderCallbackStruct()
    var format = OfflineRig.format(44_100, 2).streamDescription.pointee

    static let factory: AudioComponentFactoryFunction = { description in
        guard description.pointee.componentSubType == component.componentSubType else { return nil }
        let memory = UnsafeMutablePointer<GainPlugIn>.allocate(capacity: 1)
        memory.initialize(
            to: GainPlugIn(
                interface: AudioComponentPlugInInterface(
                    Open: { _, _ in noErr },
                    Close: {
                        own($0).deinitialize(count: 1)
                        $0.deallocate()
                        return noErr
                    }, Lookup: { GainPlugIn.function($0) }, reserved: nil)))
        return UnsafeMutableRawPointer(memory).assumingMemoryBound(to: AudioComponentPlugInInterface.self)
    }

    private static func function(_ selector: Int16) -> AudioComponentMethod? {
        typealias Getting =
            @convention(c) (
                UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeMutableRawPointer, UnsafeMutablePointer<UInt32>
            ) -> OSStatus
        typealias Setting =
            @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeRawPointer?, UInt32) -> OSStatus
        typealias GettingValue =
            @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, UnsafeMutablePointer<Float>) -> OSStatus
        typealias SettingValue =
            @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UInt32, Float, UInt32) -> OSStatus
        typealias Rendering =
            @convention(c) (
                UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeRawPointer, UInt32, UInt32,
                UnsafeMutableRawPointer
            ) -> OSStatus
        let get: Getting = { GainPlugIn.property(own($0), $1, $4, $5) }
        let set: Setting = { reference, id, _, _, data, _ in
            guard let data else { return kAudio_ParamError }
            if id == kAudioUnitProperty_SetRenderCallback {
                own(reference).pointee.input = data.assumingMemoryBound(to: AURenderCallbackStruct.self).pointee
            }
            if id == kAudioUnitProperty_StreamFormat {
                let format = data.assumingMemoryBound(to: AudioStreamBasicDescription.self).pointee
                guard format.mChannelsPerFrame == 2 else { return kAudioUnitErr_FormatNotSupported }
                own(reference).pointee.format = format
            }
            return noErr
        }
        let getValue: GettingValue = { reference, _, _, _, value in
            value.pointee = own(reference).pointee.gain
            return noErr
        }
        let setValue: SettingValue = { reference, _, _, _, value, _ in
            own(reference).pointee.gain = value
            return noErr
        }
        let render: Rendering = { reference, flags, time, bus, frames, list in
            let plugIn = own(reference), list = list.assumingMemoryBound(to: AudioBufferList.self)
            guard let input = plugIn.pointee.input.inputProc else { return kAudioUnitErr_NoConnection }
            let status = input(
                reference, flags.assumingMemoryBound(to: AudioUnitRenderActionFlags.self),
                time.assumingMemoryBound(to: AudioTimeStamp.self), bus, frames, list)
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) { samples[frame] *= plugIn.pointee.gain }
            }
            return status
        }
        return switch selector {
        case 4: unsafeBitCast(get, to: AudioComponentMethod.self)
        case 5: unsafeBitCast(set, to: AudioComponentMethod.self)
        case 6: unsafeBitCast(getValue, to: AudioComponentMethod.self)
        case 7: unsafeBitCast(setValue, to: AudioComponentMethod.self)
        case 14: unsafeBitCast(render, to: AudioComponentMethod.self)
        default: nil
        }
    }

    private static func property(
        _ plugIn: UnsafeMutablePointer<GainPlugIn>, _ id: UInt32, _ data: UnsafeMutableRawPointer,
        _ size: UnsafeMutablePointer<UInt32>
    ) -> OSStatus {
        func give<Value>(_ value: Value) -> OSStatus {
            guard Int(size.pointee) >= MemoryLayout<Value>.size else { return kAudioUnitErr_InvalidPropertyValue }
            data.initializeMemory(as: Value.self, to: value)
            size.pointee = UInt32(MemoryLayout<Value>.size)
            return noErr
        }
        switch id {
        case kAudioUnitProperty_ElementCount: return give(UInt32(1))
        case kAudioUnitProperty_StreamFormat: return give(plugIn.pointee.format)
        case kAudioUnitProperty_ParameterList: return give(UInt32(3))
        case kAudioUnitProperty_Latency: return give(0.25)
        case kAudioUnitProperty_ParameterInfo:
            var info = AudioUnitParameterInfo()
            withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: Array("Gain".utf8)) }
            (info.maxValue, info.flags) = (2, [.flag_IsReadable, .flag_IsWritable])
            return give(info)
        default: return kAudioUnitErr_InvalidProperty
        }
    }
}

@Suite("Components: plug-ins, codecs, validation") struct PlugInComponentTests {
    @Test("A plug-in registered by its factory is found, hosted and set in both interfaces")
    func plugIn() throws {
        var description = GainPlugIn.component
        let handle = AudioComponentRegister(&description, "Tests: Gain", 0x0001_0203, GainPlugIn.factory)
        #expect(AudioComponentFindNext(nil, &description) == handle)
        let unit = try AUAudioUnit(componentDescription: description)
        #expect(unit.componentName == "Tests: Gain" && unit.componentVersion == 0x0001_0203 && unit.latency == 0.25)
        let gain = try #require(unit.parameterTree?.parameter(withAddress: 3))
        #expect(gain.displayName == "Gain" && gain.value == 1)
        gain.value = 0.5
        #expect(
            avfaudioCode { try unit.outputBusses[0].setFormat(OfflineRig.format(48_000, 1)) }
                == kAudioUnitErr_FormatNotSupported)
        let host = try UnitHost(unit, input: OfflineRig.noise)
        #expect(host.render(1000)[1] == (0..<1000).map { OfflineRig.noise($0, 1) * 0.5 })
        unit.deallocateRenderResources()
        let component = AVAudioUnitComponentManager.shared().components(matching: description).first
        #expect(component?.passesAUVal == true)

        let effect = AVAudioUnitEffect(audioComponentDescription: description)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [effect])
        #expect(AudioUnitSetParameter(effect.audioUnit, 3, kAudioUnitScope_Global, 0, 2, 0) == noErr)
        #expect(try rig.render(500)[0] == (0..<500).map { OfflineRig.noise($0, 0) * 2 })
    }

    @Test("A factory that makes nothing is an error of the unit's, and a built-in unit's place is not taken")
    func refusals() throws {
        var description = GainPlugIn.component
        description.componentSubType = 0x6E6F_6E65
        AudioComponentRegister(&description, "Tests: None", 1) { _ in nil }
        #expect(
            avfaudioCode { _ = try AUAudioUnit(componentDescription: description) }
                == kAudioComponentErr_UnsupportedType)
        var result = AudioComponentValidationResult.unknown
        let handle = try #require(AudioComponentFindNext(nil, &description))
        #expect(AudioComponentValidate(handle, nil, &result) == noErr && result == .unauthorizedError_Open)
        var delay = AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        let kept = AudioComponentFindNext(nil, &delay)
        #expect(AudioComponentRegister(&delay, "Tests: Delay", 1, GainPlugIn.factory) == kept)
        #expect(try AUAudioUnit(componentDescription: delay).componentName == "Apple: AUDelay")
    }

    @Test("Codecs are components that are found and named, and no units")
    func codecs() throws {
        for (type, format, name) in [
            (kAudioDecoderComponentType, kAudioFormatMPEGLayer3, "Decoder"),
            (kAudioEncoderComponentType, kAudioFormatAppleLossless, "Encoder"),
        ] {
            var wanted = AudioComponentDescription(builtIn: type, format), text: Unmanaged<CFString>?
            let codec = try #require(AudioComponentFindNext(nil, &wanted))
            #expect(AudioComponentCopyName(codec, &text) == noErr)
            #expect(text.map { "\($0.takeRetainedValue())".hasSuffix(name) } == true)
            #expect(AVAudioUnitComponentManager.shared().components(matching: wanted).isEmpty)
            var unit: AudioUnit?
            #expect(AudioComponentInstanceNew(codec, &unit) == kAudioComponentErr_UnsupportedType && unit == nil)
            var result = AudioComponentValidationResult.passed
            #expect(AudioComponentValidate(codec, nil, &result) == kAudio_UnimplementedError && result == .unknown)
        }
        var encoder = AudioComponentDescription(builtIn: kAudioEncoderComponentType, kAudioFormatMPEGLayer3)
        #expect(AudioComponentFindNext(nil, &encoder) == nil)
    }

    @Test("What is known of a component without a unit of one's own")
    func configuration() throws {
        var wanted = AudioComponentDescription(builtIn: kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
        let mixer = try #require(AudioComponentFindNext(nil, &wanted))
        var info: Unmanaged<CFDictionary>?
        #expect(AudioComponentCopyConfigurationInfo(mixer, &info) == noErr)
        let found = try #require(info?.takeRetainedValue() as? [String: Any])
        #expect(found[kAudioUnitConfigurationInfo_InitialInputs] as? [Int] == Array(repeating: 2, count: 8))
        #expect(found[kAudioUnitConfigurationInfo_InitialOutputs] as? [Int] == [2])
        #expect(found[kAudioUnitConfigurationInfo_BusCountWritable] as? Bool == true)
        #expect(found[kAudioUnitConfigurationInfo_ChannelConfigurations] as? [[Int]] == [[-1, -2]])
    }
}
