import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssiclePlugins
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("LV2 plug-ins in an engine", .serialized) struct PluginEngineTests {
    @Test("An effect between a source and the mixer")
    func effect() async throws {
        let rig = try OfflineRig()
        let effect = try await AVAudioUnit.instantiate(with: ProbeUnits.description("scaling"), options: [])
        let source = OfflineRig.source { frame, channel in OfflineRig.noise(frame, channel) }
        rig.engine.attach(effect)
        rig.engine.attach(source)
        rig.engine.connect(source, to: effect, format: rig.format)
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        effect.auAudioUnit.parameterTree?.parameter(withAddress: 2)?.value = 0.5
        let sound = try rig.render(2000, callsOf: 333)
        for channel in 0..<2 {
            #expect(sound[channel] == (0..<2000).map { OfflineRig.noise($0, channel) / 2 })
        }
        #expect(rig.engine.lastError == nil)
    }

    @Test("A crash silences that unit; the others play, the engine has the error, and the unit comes back")
    func crash() async throws {
        let rig = try OfflineRig()
        let effect = try await AVAudioUnit.instantiate(with: ProbeUnits.description("crashing"), options: [])
        let loud = OfflineRig.source { _, _ in 0.25 }, steady = OfflineRig.source { _, _ in 0.5 }
        for node in [effect, loud, steady] { rig.engine.attach(node) }
        rig.engine.connect(loud, to: effect, format: rig.format)
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: rig.format)
        rig.engine.connect(steady, to: rig.engine.mainMixerNode, format: rig.format)
        let ended = Mutex(0)
        let unit = effect.auAudioUnit
        let token = NotificationCenter.default.addObserver(
            forName: NSNotification.Name("\(kAudioComponentInstanceInvalidationNotification)"), object: unit, queue: nil
        ) { _ in ended.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(token) }
        try rig.engine.start()
        #expect(try rig.render(512)[0].allSatisfy { $0 == 0.75 })
        unit.parameterTree?.parameter(withAddress: 2)?.value = 1
        #expect(try rig.render(2048)[0].allSatisfy { $0 == 0.5 })
        for _ in 0..<1000 where ended.withLock({ $0 }) == 0 { usleep(10_000) }
        #expect(ended.withLock { $0 } == 1)
        let error = try #require(rig.engine.lastError as? OssicleError)
        #expect(error.code == Int(kAudioComponentErr_InstanceInvalidated))
        #expect("\(error)".contains("signal \(SIGSEGV)"))
        // A fresh instance, with a value that does it no harm.
        unit.parameterTree?.parameter(withAddress: 2)?.value = 0
        unit.deallocateRenderResources()
        try unit.allocateRenderResources()
        #expect(unit.isRenderingOffline)
        #expect(try rig.render(512)[0].suffix(256).allSatisfy { $0 == 0.75 })
    }

    @Test("A plug-in that hangs is ended, and offline rendering completes")
    func hang() async throws {
        let rig = try OfflineRig()
        let effect = try await AVAudioUnit.instantiate(with: ProbeUnits.description("hanging"), options: [])
        let source = OfflineRig.source { _, _ in 0.25 }
        for node in [effect, source] { rig.engine.attach(node) }
        rig.engine.connect(source, to: effect, format: rig.format)
        rig.engine.connect(effect, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        (effect.auAudioUnit.body as? PluginBody)?.instance.offlinePatience = 0.5
        effect.auAudioUnit.parameterTree?.parameter(withAddress: 2)?.value = 1
        #expect(try rig.render(1024)[0].allSatisfy { $0 == 0 })
        for _ in 0..<1000 where rig.engine.lastError == nil { usleep(10_000) }
        #expect((rig.engine.lastError as? OssicleError)?.code == Int(kAudioComponentErr_InstanceTimedOut))
    }

    @Test("Notes sound at the frame they are played for")
    func instrument() async throws {
        let rig = try OfflineRig()
        let description = ProbeUnits.description("notes", type: kAudioUnitType_MusicDevice)
        let made = try await AVAudioUnit.instantiate(with: description, options: [])
        let instrument = try #require(made as? AVAudioUnitMIDIInstrument)
        rig.engine.attach(instrument)
        rig.engine.connect(instrument, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(128)
        instrument.startNote(60, withVelocity: 127, onChannel: 0)
        let schedule = try #require(instrument.auAudioUnit.scheduleMIDIEventBlock)
        schedule(AUEventSampleTimeImmediate + 77, 0, 3, [0x90, 61, 127])
        let sound = try rig.render(256, callsOf: 128)
        #expect(sound[0].enumerated().filter { $1 != 0 }.map(\.offset) == [0, 77])
    }
}
