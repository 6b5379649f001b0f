import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import Testing
@testable import OssicleAVFAudio

@Suite("Audio units in the C interface: parameters and properties")
struct AudioUnitPropertyTests {
    @Test("A parameter is set, clamped and read; what is wrong gets its status")
    func parameters() throws {
        let handle = try UnitHandle(kAudioUnitSubType_Delay)
        var value: AudioUnitParameterValue = 0
        #expect(
            AudioUnitGetParameter(handle.unit, kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, &value) == noErr
                && value == 50)
        #expect(AudioUnitSetParameter(handle.unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, 9, 0) == noErr)
        #expect(
            AudioUnitGetParameter(handle.unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, &value) == noErr
                && value == 2)
        #expect(
            AudioUnitSetParameter(handle.unit, kDelayParam_DelayTime, kAudioUnitScope_Global, 0, .nan, 0)
                == kAudioUnitErr_InvalidParameterValue)
        #expect(
            AudioUnitSetParameter(handle.unit, 99, kAudioUnitScope_Global, 0, 1, 0) == kAudioUnitErr_InvalidParameter)
        #expect(
            AudioUnitSetParameter(handle.unit, kDelayParam_DelayTime, kAudioUnitScope_Input, 0, 1, 0)
                == kAudioUnitErr_InvalidScope)
        #expect(
            AudioUnitSetParameter(handle.unit, kDelayParam_DelayTime, kAudioUnitScope_Global, .max, 1, 0)
                == kAudioUnitErr_InvalidElement)
        let mixer = try UnitHandle(kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        #expect(
            AudioUnitSetParameter(mixer.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 3, 0.25, 0)
                == noErr)
        for (bus, expected) in [(0, 1), (3, 0.25), (7, 1)] as [(UInt32, Float)] {
            #expect(
                AudioUnitGetParameter(mixer.unit, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, bus, &value)
                    == noErr && value == expected)
        }
        #expect(
            AudioUnitSetParameter(mixer.unit, kMultiChannelMixerParam_PreAveragePower, kAudioUnitScope_Input, 0, 0, 0)
                == kAudioUnitErr_InvalidParameter)
    }

    @Test("Formats, rates and frames are set before a unit is initialised, and refused after")
    func formats() throws {
        let handle = try UnitHandle(kAudioUnitSubType_Delay)
        #expect(handle.get(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(0)).1 == 1156)
        #expect(handle.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4096)) == noErr)
        #expect(
            handle.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(0))
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(handle.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, 96_000.0) == noErr)
        #expect(
            handle.get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, AudioStreamBasicDescription()).1
                .mSampleRate == 96_000)
        #expect(handle.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, Double.nan) != noErr)
        #expect(
            handle.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, AudioStreamBasicDescription())
                == kAudioUnitErr_FormatNotSupported)
        #expect(
            handle.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, AudioStreamBasicDescription())
                == kAudioUnitErr_InvalidElement)
        #expect(AudioUnitInitialize(handle.unit) == kAudioUnitErr_FormatNotSupported)
        handle.format(48_000, 1)
        #expect(AudioUnitInitialize(handle.unit) == noErr)
        #expect(
            handle.set(kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, 44_100.0) == kAudioUnitErr_Initialized)
        #expect(
            handle.set(kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(512))
                == kAudioUnitErr_Initialized)
        #expect(
            handle.list(kAudioUnitProperty_SupportedNumChannels, of: AUChannelInfo()) == [
                AUChannelInfo(inChannels: -1, outChannels: -1)
            ])
    }

    @Test("Every parameter of every unit has number, name, range and value strings")
    func parameterInfo() throws {
        for component in builtInEffects() {
            let handle = try UnitHandle(component.componentSubType)
            let tree = try #require(try AUAudioUnit(componentDescription: component).parameterTree)
            let numbers = handle.list(kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0))
            #expect(numbers == tree.allParameters.map { AudioUnitParameterID($0.address) })
            for (number, parameter) in zip(numbers, tree.allParameters) {
                let (status, info) = handle.get(
                    kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, number, AudioUnitParameterInfo())
                #expect(
                    status == noErr && info.minValue == parameter.minValue && info.maxValue == parameter.maxValue
                        && info.unit == parameter.unit)
                #expect(
                    info.defaultValue == parameter.value
                        && info.flags.contains([.flag_HasCFNameString, .flag_CFNameRelease]))
                #expect(info.cfNameString.map { "\($0.takeRetainedValue())" } == parameter.displayName)
                let name = withUnsafeBytes(of: info.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                #expect(name == String(parameter.displayName.prefix(51)))
                let strings = handle.object(
                    kAudioUnitProperty_ParameterValueStrings, kAudioUnitScope_Global, number, as: NSArray.self)
                #expect(strings?.count == parameter.valueStrings?.count)
            }
        }
        let handle = try UnitHandle(kAudioUnitSubType_Delay)
        #expect(
            handle.get(kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, 99, AudioUnitParameterInfo()).0
                == kAudioUnitErr_InvalidParameter)
        #expect(
            handle.get(
                kAudioUnitProperty_ParameterIDName, kAudioUnitScope_Global, 0,
                AudioUnitParameterIDName(inID: kDelayParam_WetDryMix, inDesiredLength: 4, outName: nil)
            )
            .1.outName.map { "\($0.takeRetainedValue())".count } == 4)
        var half: Float = 12.5
        let words = withUnsafePointer(to: &half) {
            handle.get(
                kAudioUnitProperty_ParameterStringFromValue, kAudioUnitScope_Global, 0,
                AudioUnitParameterStringFromValue(inParamID: kDelayParam_WetDryMix, inValue: $0, outString: nil))
        }
        #expect(words.1.outString.map { "\($0.takeRetainedValue())" } == "12.5")
        let text = NSString(string: "40")
        let question = AudioUnitParameterValueFromString(
            inParamID: kDelayParam_WetDryMix, inString: Unmanaged.passUnretained(text), outValue: 0)
        #expect(
            handle.get(kAudioUnitProperty_ParameterValueFromString, kAudioUnitScope_Global, 0, question).1.outValue
                == 40)
    }

    @Test("Presets are listed, chosen and told; the state goes from one unit to another")
    func presets() throws {
        let handle = try UnitHandle(kAudioUnitSubType_Reverb2), other = try UnitHandle(kAudioUnitSubType_Reverb2)
        let presets = try #require(handle.object(kAudioUnitProperty_FactoryPresets, as: NSArray.self))
        #expect(
            CFArrayGetCount(presets) == 13 && CFArrayGetValueAtIndex(presets, 13) == nil
                && CFArrayGetValueAtIndex(presets, -1) == nil)
        let cathedral = try #require(CFArrayGetValueAtIndex(presets, 8)).assumingMemoryBound(to: AUPreset.self).pointee
        #expect(
            cathedral.presetNumber == 8 && cathedral.presetName.map { "\($0.takeUnretainedValue())" } == "Cathedral")
        #expect(handle.set(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, cathedral) == noErr)
        let present = handle.get(kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, AUPreset()).1
        #expect(present.presetNumber == 8 && present.presetName.map { "\($0.takeRetainedValue())" } == "Cathedral")
        #expect(
            handle.set(
                kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, AUPreset(presetNumber: 13, presetName: nil)
            ) == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            AudioUnitSetParameter(handle.unit, kReverb2Param_DecayTimeAt0Hz, kAudioUnitScope_Global, 0, 3, 0) == noErr)
        let state = try #require(handle.object(kAudioUnitProperty_ClassInfo, as: NSDictionary.self))
        #expect((state[kAUPresetSubtypeKey] as? NSNumber)?.uint32Value == kAudioUnitSubType_Reverb2)
        #expect(
            other.set(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, Unmanaged.passUnretained(state)) == noErr
        )
        var value: Float = 0
        #expect(
            AudioUnitGetParameter(other.unit, kReverb2Param_DecayTimeAt0Hz, kAudioUnitScope_Global, 0, &value) == noErr
                && value == 3)
        let delay = try UnitHandle(kAudioUnitSubType_Delay)
        #expect(
            delay.set(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, Unmanaged.passUnretained(state))
                == kAudioUnitErr_InvalidFile)
        #expect(
            delay.set(kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, UnsafeRawPointer?.none)
                == kAudioUnitErr_InvalidPropertyValue)
        #expect(
            delay.get(kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, UInt64(0)).0
                == kAudioUnitErr_InvalidProperty)
    }

    @Test("Listeners hear of the properties they asked for, until they are removed")
    func listeners() throws {
        final class Heard { var scopes: [AudioUnitScope] = [] }
        let heard = Heard(), handle = try UnitHandle(kAudioUnitSubType_Delay)
        let listener: AudioUnitPropertyListenerProc = { reference, _, property, scope, _ in
            if property == kAudioUnitProperty_StreamFormat {
                Unmanaged<Heard>.fromOpaque(reference).takeUnretainedValue().scopes.append(scope)
            }
        }
        let reference = Unmanaged.passUnretained(heard).toOpaque()
        #expect(
            AudioUnitAddPropertyListener(handle.unit, kAudioUnitProperty_StreamFormat, listener, reference) == noErr)
        handle.format(48_000, 2)
        #expect(heard.scopes == [kAudioUnitScope_Input, kAudioUnitScope_Output])
        #expect(
            handle.set(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, UInt32(1)) == noErr
                && heard.scopes.count == 2)
        #expect(
            handle.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, UInt8(1))
                == kAudioUnitErr_InvalidPropertyValue && heard.scopes.count == 2)
        #expect(
            AudioUnitRemovePropertyListenerWithUserData(
                handle.unit, kAudioUnitProperty_StreamFormat, listener, reference) == noErr)
        handle.format(48_000, 2)
        #expect(heard.scopes.count == 2)
    }

    @Test("Bypass, latency, tail, quality, names and the host's words are kept")
    func general() throws {
        let handle = try UnitHandle(kAudioUnitSubType_Delay)
        #expect(handle.get(kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, 0.0).1 > 0)
        #expect(handle.set(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, UInt32(1)) == noErr)
        #expect(
            handle.get(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, UInt32(0)).1 == 1
                && handle.get(kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, 1.0).1 == 0)
        #expect(
            handle.set(kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, 1.0) == kAudioUnitErr_PropertyNotWritable)
        #expect(handle.set(kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, UInt32(40)) == noErr)
        #expect(handle.get(kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, UInt32(0)).1 == 40)
        let name = NSString(string: "left")
        #expect(
            handle.set(kAudioUnitProperty_ElementName, kAudioUnitScope_Input, 0, Unmanaged.passUnretained(name))
                == noErr)
        #expect(handle.object(kAudioUnitProperty_ElementName, kAudioUnitScope_Input, 0, as: NSString.self) == name)
        #expect(
            handle.set(kAudioUnitProperty_NickName, kAudioUnitScope_Global, 0, Unmanaged.passUnretained(name)) == noErr)
        #expect(handle.object(kAudioUnitProperty_NickName, as: NSString.self) == name)
        let mixer = try UnitHandle(kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        #expect(
            mixer.get(kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, UInt32(0)).0
                == kAudioUnitErr_InvalidProperty)
        var info = HostCallbackInfo()
        info.beatAndTempoProc = { _, beat, tempo in
            beat?.pointee = 3
            tempo?.pointee = 120
            return noErr
        }
        #expect(handle.set(kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, info) == noErr)
        var tempo = 0.0
        #expect(
            UnitTable.shared.with(handle.unit) { $0.unit.musicalContextBlock?(&tempo, nil, nil, nil, nil, nil) } == true
                && tempo == 120)
    }

    @Test("A property of any number, scope, element and size gets a status from every unit; none traps")
    func anything() throws {
        let codes: Set<OSStatus> = [
            noErr, kAudioUnitErr_InvalidProperty, kAudioUnitErr_InvalidScope, kAudioUnitErr_InvalidElement,
            kAudioUnitErr_InvalidParameter,
            kAudioUnitErr_InvalidPropertyValue, kAudioUnitErr_PropertyNotWritable, kAudioUnitErr_PropertyNotInUse,
            kAudioUnitErr_FormatNotSupported, kAudioUnitErr_Uninitialized,
        ]
        let units = UnitCatalogue.units.map(\.component).filter {
            $0.componentType != kAudioUnitType_Output || $0.componentSubType == kAudioUnitSubType_GenericOutput
        }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { memory.deallocate() }
        for component in units {
            let handle = try UnitHandle(component.componentSubType, component.componentType)
            for id in Array(UnitProperties.all.keys).sorted() + [7, 999, .max] {
                for (scope, element) in [(0, 0), (1, 0), (2, 0), (1, 7), (2, 99), (0, .max), (9, 0), (.max, 1)]
                    as [(UInt32, UInt32)]
                {
                    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << 16)
                    var size: UInt32 = 77, isWritable = DarwinBoolean(false)
                    let status = AudioUnitGetPropertyInfo(handle.unit, id, scope, element, &size, &isWritable)
                    #expect(codes.contains(status))
                    // Questions hold pointers, which these zeros are not.
                    let isQuestion = [
                        kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_ParameterValueFromString,
                    ].contains(id)
                    for room in [0, 1, 1 << 16] as [UInt32] where !(isQuestion && room > 1) {
                        var size = room
                        #expect(
                            codes.contains(AudioUnitGetProperty(handle.unit, id, scope, element, memory, &size))
                                && size <= room)
                    }
                    for size in [0, 1, 3, 8, 40, 4096] as [UInt32] {
                        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 4096)
                        #expect(codes.contains(AudioUnitSetProperty(handle.unit, id, scope, element, memory, size)))
                    }
                    // A list may be empty.
                    let isList = [kAudioOutputUnitProperty_ChannelMap, kAudioUnitProperty_ScheduledFileIDs].contains(id)
                    #expect(AudioUnitSetProperty(handle.unit, id, scope, element, nil, 0) != noErr || isList)
                }
            }
        }
    }

    @Test("The unit of a node answers to the same functions, and belongs to its engine")
    func nodes() throws {
        let reverb = AVAudioUnitReverb(), unit = reverb.audioUnit
        var mix: Float = 0, size: UInt32 = 8, tail = 0.0
        #expect(
            AudioUnitSetParameter(unit, kReverb2Param_DryWetMix, kAudioUnitScope_Global, 0, 30, 0) == noErr
                && reverb.wetDryMix == 30)
        #expect(
            AudioUnitGetParameter(unit, kReverb2Param_DryWetMix, kAudioUnitScope_Global, 0, &mix) == noErr && mix == 30)
        #expect(
            AudioUnitGetProperty(unit, kAudioUnitProperty_TailTime, kAudioUnitScope_Global, 0, &tail, &size) == noErr
                && tail > 0.1)
        #expect(
            AudioUnitInitialize(unit) == kAudioUnitErr_CannotDoInCurrentContext
                && AudioComponentInstanceDispose(unit) == kAudioUnitErr_InvalidElement)
        var bypass: UInt32 = 1
        #expect(
            AudioUnitSetProperty(unit, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &bypass, 4) == noErr
                && reverb.bypass)
        var orphan: AudioUnit?
        do { orphan = AVAudioUnitDelay().audioUnit }
        #expect(
            AudioUnitSetParameter(try #require(orphan), kDelayParam_WetDryMix, kAudioUnitScope_Global, 0, 1, 0)
                == kAudioUnitErr_InvalidElement)
    }

    @Test("Registering a component is told under both names")
    func registrations() {
        var component = ScalingUnit.component
        component.componentSubType = 0x6E6F7466
        nonisolated(unsafe) var heard = 0
        let names = [
            NSNotification.Name("\(kAudioComponentRegistrationsChangedNotification)"),
            AVAudioUnitComponentManager.registrationsChangedNotification,
        ]
        let observers = names.map {
            NotificationCenter.default.addObserver(forName: $0, object: nil, queue: nil) { _ in heard += 1 }
        }
        AUAudioUnit.registerSubclass(ScalingUnit.self, as: component, name: "Tests: Told", version: 1)
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        #expect(heard >= 2)
    }
}
