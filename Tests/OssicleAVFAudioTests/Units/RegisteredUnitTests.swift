import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("AUAudioUnit: classes of the client's", .serialized)
struct RegisteredUnitTests {
    init() {
        AUAudioUnit.registerSubclass(
            ScalingUnit.self, as: ScalingUnit.component, name: "Tests: Scale", version: 0x0001_0203)
    }

    @Test("Every way to make a unit finds the registered class")
    func making() async throws {
        let made = try AUAudioUnit(componentDescription: ScalingUnit.component)
        #expect(made is ScalingUnit)
        #expect(made.audioUnitName == "Scale")
        #expect(made.manufacturerName == "Tests")
        #expect(made.componentName == "Tests: Scale")
        #expect(made.componentVersion == 0x0001_0203)
        #expect(try await AUAudioUnit.instantiate(with: ScalingUnit.component) is ScalingUnit)
        let handed = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
            AUAudioUnit.instantiate(with: ScalingUnit.component) { unit, error in
                done.resume(returning: unit is ScalingUnit && error == nil)
            }
        }
        #expect(handed)
        #expect(
            avfaudioCode { _ = try AUAudioUnit(componentDescription: ScalingUnit.component, options: []) }
                == kAudioComponentErr_UnsupportedType)
    }

    @Test("Events reach the unit in order of time, each in the cycle it falls into")
    func events() throws {
        let unit = try ScalingUnit(componentDescription: ScalingUnit.component)
        let host = try UnitHost(unit) { _, _ in 1 }
        let schedule = unit.scheduleParameterBlock
        schedule(150, 0, 7, 0.25)
        schedule(50, 0, 7, 2)
        schedule(AUEventSampleTimeImmediate + 20, 0, 7, 1)
        schedule(300, 0, 7, 0.75)
        schedule(60, 40, 7, 0)
        let midi = try #require(unit.scheduleMIDIEventBlock)
        midi(40, 0, 3, [0x90, 60, 100])
        let sound = host.render(400, callsOf: 100)[0]
        #expect(sound[0..<20].allSatisfy { $0 == 0.5 })
        #expect(sound[20..<50].allSatisfy { $0 == 1 })
        #expect(sound[50..<150].allSatisfy { $0 == 2 })
        #expect(sound[150..<300].allSatisfy { $0 == 0.25 })
        #expect(sound[300..<400].allSatisfy { $0 == 0.75 })
        #expect(unit.kernel.events.map(\.time) == [20, 40, 50, 150, 300])
        #expect(unit.kernel.events[1].type == .MIDI)
        #expect(unit.kernel.events[1].bytes == [0x90, 60, 100])
    }

    @Test("More events than fit are dropped, and the rest arrive")
    func manyEvents() throws {
        let unit = try ScalingUnit(componentDescription: ScalingUnit.component)
        let host = try UnitHost(unit) { _, _ in 1 }
        let schedule = unit.scheduleParameterBlock
        for round in 0..<3 {
            for index in 0..<600 { schedule(AUEventSampleTime(host.time + index % 100), 0, 7, Float(index) / 600) }
            _ = host.cycle(100)
            #expect(unit.kernel.events.count == 512 * (round + 1))
        }
        #expect(zip(unit.kernel.events, unit.kernel.events.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("In an engine the unit is an effect like any other")
    func inEngine() async throws {
        let node = try await AVAudioUnit.instantiate(with: ScalingUnit.component)
        let effect = try #require(node as? AVAudioUnitEffect)
        #expect(effect.name == "Scale")
        let unit = try #require(effect.auAudioUnit as? ScalingUnit)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [effect])
        #expect(try rig.render(1000)[1] == (0..<1000).map { OfflineRig.noise($0, 1) * 0.5 })
        #expect(unit.outputBusses[0].format.sampleRate == 48000)
        #expect(unit.renderResourcesAllocated)
        unit.parameterTree?.parameter(withAddress: 7)?.value = 2
        #expect(try rig.render(1000)[0] == (1000..<2000).map { OfflineRig.noise($0, 0) * 2 })
        effect.bypass = true
        #expect(unit.shouldBypassEffect)
        #expect(try rig.render(500)[0] == (2000..<2500).map { OfflineRig.noise($0, 0) })
        #expect(effect.latency == 0)
        effect.bypass = false
        #expect(abs(effect.latency - 0.01) < 1e-9)
        effect.reset()
        #expect(unit.resets == 1)
        #expect(AudioUnitSetParameter(effect.audioUnit, 7, kAudioUnitScope_Global, 0, 1, 0) == noErr)
        #expect(try rig.render(100)[0] == (2500..<2600).map { OfflineRig.noise($0, 0) })
        rig.engine.detach(effect)
        #expect(!unit.renderResourcesAllocated)
    }

    @Test("A unit that refuses the format is silent, and the engine says so")
    func refusal() throws {
        let unit = AVAudioUnitEffect(audioComponentDescription: ScalingUnit.component)
        unit.auAudioUnit.outputBusses[0].supportedChannelCounts = [1]
        let rig = try OfflineRig.playing(OfflineRig.source { _, _ in 1 }, through: [unit])
        #expect(try rig.render(100)[0].allSatisfy { $0 == 0 })
        #expect((rig.engine.lastError as? OssicleError)?.code == Int(kAudioUnitErr_FormatNotSupported))
    }

    @Test("A class that is no unit is not registered")
    func wrongClass() {
        var description = ScalingUnit.component
        description.componentSubType += 1
        AUAudioUnit.registerSubclass(NSString.self, as: description, name: "Tests: Nothing", version: 0)
        #expect(AVAudioUnitComponentManager.shared().components(matching: description).isEmpty)
    }

    @Test("The C interface makes it too")
    func handle() throws {
        var description = ScalingUnit.component
        let component = try #require(AudioComponentFindNext(nil, &description))
        var instance: AudioComponentInstance?
        #expect(AudioComponentInstanceNew(component, &instance) == noErr)
        let made = try #require(instance)
        var value: Float = 0
        #expect(AudioUnitGetParameter(made, 7, kAudioUnitScope_Global, 0, &value) == noErr)
        #expect(value == 0.5)
        #expect(AudioComponentInstanceDispose(made) == noErr)
    }

    @Test("MIDI connections are kept between attached nodes that speak it")
    func midi() throws {
        var processor = ScalingUnit.component
        processor.componentType = kAudioUnitType_MIDIProcessor
        AUAudioUnit.registerSubclass(ScalingUnit.self, as: processor, name: "Tests: MIDI", version: 1)
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let source = try AVAudioUnit.make(processor)
        let target = AVAudioUnitEffect(audioComponentDescription: ScalingUnit.component)
        engine.attach(source)
        engine.connectMIDI(source, to: target, format: nil)
        #expect((engine.lastError as? OssicleError)?.code == Int(kAudio_ParamError))
        engine.attach(target)
        engine.connectMIDI(source, to: [target], format: nil) { _, _, _ in noErr }
        #expect(engine.machine.midi.targets(of: source) == [target])
        engine.lastError = nil
        engine.connectMIDI(target, to: source, format: nil)
        #expect(engine.lastError != nil)
        engine.lastError = nil
        engine.connectMIDI(source, to: engine.mainMixerNode, format: nil)
        #expect(engine.lastError != nil)
        engine.disconnectMIDI(source, from: target)
        #expect(engine.machine.midi.sources(of: target).isEmpty)
        engine.connectMIDI(source, to: target, format: nil, block: { _, _, _, _ in noErr })
        engine.detach(target)
        #expect(engine.machine.midi.targets(of: source).isEmpty)
    }
}
