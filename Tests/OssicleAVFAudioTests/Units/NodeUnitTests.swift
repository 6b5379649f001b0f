import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("AUAudioUnit: the unit behind a node")
struct NodeUnitTests {
    @Test("Parameters, bypass, presets and latency are the node's")
    func view() throws {
        let reverb = AVAudioUnitReverb()
        let unit = reverb.auAudioUnit
        #expect(unit === reverb.auAudioUnit)
        unit.parameterTree?.parameter(withAddress: AUParameterAddress(kReverb2Param_DryWetMix))?.value = 30
        #expect(reverb.wetDryMix == 30)
        #expect(unit.tailTime == reverb.tailTime)
        unit.shouldBypassEffect = true
        #expect(reverb.bypass)
        let cathedral = try #require(unit.factoryPresets?[8])
        unit.currentPreset = cathedral
        let other = AVAudioUnitReverb()
        other.loadFactoryPreset(.cathedral)
        #expect(reverb.value(kReverb2Param_DecayTimeAt0Hz) == other.value(kReverb2Param_DecayTimeAt0Hz))
        #expect((unit as? AUAudioUnitV2Bridge)?.audioUnit == reverb.audioUnit)
    }

    @Test("Every node has a unit of its kind, the same one every time")
    func everyNode() throws {
        let engine = AVAudioEngine()
        let nodes: [(AVAudioNode, OSType, OSType)] = [
            (AVAudioMixerNode(), kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
            (AVAudioEnvironmentNode(), kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer),
            (AVAudioPlayerNode(), kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer),
            (AVAudioUnitDelay(), kAudioUnitType_Effect, kAudioUnitSubType_Delay),
            (AVAudioUnitTimePitch(), kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch),
            (engine.outputNode, kAudioUnitType_Output, kAudioUnitSubType_HALOutput),
            (engine.mainMixerNode, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
        ]
        for (node, type, subtype) in nodes {
            let unit = node.auAudioUnit
            #expect(
                unit === node.auAudioUnit && unit.componentDescription.componentType == type
                    && unit.componentDescription.componentSubType == subtype)
            #expect(
                unit.outputBusses.count == node.numberOfOutputs
                    && avfaudioCode { try unit.allocateRenderResources() } == kAudioUnitErr_CannotDoInCurrentContext)
        }
        let mixer = engine.mainMixerNode
        let volume = try #require(
            mixer.auAudioUnit.parameterTree?.parameter(
                withID: kMultiChannelMixerParam_Volume, scope: kAudioUnitScope_Output, element: 0))
        volume.value = 0.25
        #expect(mixer.outputVolume == 0.25)
        mixer.outputVolume = 0.5
        #expect(volume.value == 0.5)
    }

    @Test("Busses have the formats of the connections, and only those")
    func busses() throws {
        let delay = AVAudioUnitDelay()
        let rig = try OfflineRig.playing(OfflineRig.source { _, _ in 0 }, through: [delay], rate: 32000)
        let unit = delay.auAudioUnit
        #expect(unit.inputBusses.count == 1)
        #expect(unit.inputBusses[0].format.sampleRate == 32000)
        #expect(avfaudioCode { try unit.outputBusses[0].setFormat(rig.format) } == kAudioUnitErr_PropertyNotWritable)
        #expect(avfaudioCode { try unit.allocateRenderResources() } == kAudioUnitErr_CannotDoInCurrentContext)
    }
}

@Suite("Components")
struct ComponentTests {
    @Test("The manager finds every built-in unit by description, test and predicate")
    func finding() {
        let manager = AVAudioUnitComponentManager.shared()
        var effects = AudioComponentDescription()
        effects.componentType = kAudioUnitType_Effect
        let found = manager.components(matching: effects)
        for description in builtInEffects() { #expect(found.contains { $0.audioComponentDescription == description }) }
        #expect(found.allSatisfy { $0.typeName == AVAudioUnitTypeEffect })
        let delays = manager.components { component, stop in
            stop.pointee = ObjCBool(component.name == "AUDelay")
            return component.name == "AUDelay"
        }
        #expect(delays.count == 1)
        let byPredicate = manager.components(
            matching: NSPredicate { object, _ in (object as? AVAudioUnitComponent)?.name == "AUDelay" })
        #expect(byPredicate.map(\.audioComponent) == delays.map(\.audioComponent))
        let delay = delays[0]
        #expect(delay.manufacturerName == "Apple")
        #expect(delay.versionString == "0.1.0")
        #expect(delay.supportsNumberInputChannels(2, outputChannels: 2))
        #expect(!delay.supportsNumberInputChannels(1, outputChannels: 2))
        #expect(!delay.hasMIDIInput)
    }
}
