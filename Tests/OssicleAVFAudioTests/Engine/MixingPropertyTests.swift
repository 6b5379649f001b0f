import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: mixing properties belong to the source")
struct MixingPropertyTests {
    private func rig() throws -> (OfflineRig, AVAudioSourceNode, AVAudioMixerNode) {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        return (rig, source, rig.engine.mainMixerNode)
    }

    @Test("They are kept while nothing is connected, and applied on every connection")
    func cached() throws {
        let (rig, source, mixer) = try rig()
        source.volume = 0.5
        source.pan = 1
        rig.engine.connect(source, to: mixer, format: rig.format)
        try rig.engine.start()
        for _ in 0..<2 {
            let sound = try rig.render(64)
            #expect(sound[0].allSatisfy { $0 == 0 } && sound[1].allSatisfy { $0 == 0.25 })
            rig.engine.disconnectNodeOutput(source)
            _ = try rig.render(64)
            rig.engine.connect(source, to: mixer, fromBus: 0, toBus: 5, format: rig.format)
        }
    }

    @Test("They reach the mixer through a chain of effects")
    func throughEffects() throws {
        let (rig, source, mixer) = try rig()
        let effect = AVAudioUnitEQ(numberOfBands: 1)
        rig.engine.attach(effect)
        rig.engine.connect(source, to: effect, format: rig.format)
        rig.engine.connect(effect, to: mixer, format: rig.format)
        source.volume = 0.5
        source.pan = -1
        try rig.engine.start()
        let sound = try rig.render(64)
        #expect(sound[0].allSatisfy { $0 == 0.25 } && sound[1].allSatisfy { $0 == 0 })
        #expect(source.destination(forMixer: mixer, bus: 0) != nil)
    }

    @Test("Behind a mixer it is the mixer's properties that act, not those of what it mixes")
    func behindMixer() throws {
        let (rig, source, main) = try rig()
        let (mixer, effect) = (AVAudioMixerNode(), AVAudioUnitEQ(numberOfBands: 1))
        for node in [mixer, effect] { rig.engine.attach(node) }
        rig.engine.connect(source, to: mixer, format: rig.format)
        rig.engine.connect(mixer, to: effect, format: rig.format)
        rig.engine.connect(effect, to: main, format: rig.format)
        (source.pan, mixer.volume) = (1, 0.5)
        try rig.engine.start()
        let sound = try rig.render(64)
        #expect(sound[0].allSatisfy { $0 == 0 } && sound[1].allSatisfy { $0 == 0.25 })
        #expect(source.destination(forMixer: main, bus: 0) == nil && mixer.destination(forMixer: main, bus: 0) != nil)
    }

    @Test("One connection may differ, until the source is set again or the connection goes")
    func destinations() throws {
        let (rig, source, main) = try rig()
        let (a, b) = (AVAudioMixerNode(), AVAudioMixerNode())
        for mixer in [a, b] {
            rig.engine.attach(mixer)
            rig.engine.connect(mixer, to: main, format: rig.format)
        }
        rig.engine.connect(
            source, to: [AVAudioConnectionPoint(node: a, bus: 0), AVAudioConnectionPoint(node: b, bus: 0)], fromBus: 0,
            format: rig.format)
        try rig.engine.start()
        #expect(source.destination(forMixer: main, bus: 0) == nil)
        let toA = try #require(source.destination(forMixer: a, bus: 0))
        #expect(toA.connectionPoint == AVAudioConnectionPoint(node: a, bus: 0))
        toA.volume = 0
        _ = try rig.render(256)
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.5 }, "only b is heard")
        source.volume = 0.5
        #expect(toA.volume == 0.5)
        _ = try rig.render(256)
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.5 }, "both at half")
        toA.volume = 0
        rig.engine.disconnectNodeInput(a)
        rig.engine.connect(source, to: a, format: rig.format)
        #expect(source.destination(forMixer: a, bus: 0)?.volume == 0.5)
    }

    @Test("A volume changed while it sounds glides over 128 frames; before there is sound it is there at once")
    func glide() throws {
        let (rig, source, mixer) = try rig()
        rig.engine.connect(source, to: mixer, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(100, callsOf: 100)
        source.volume = 0
        let sound = try rig.render(300, callsOf: 300)[0]
        for frame in 0..<128 { #expect(abs(sound[frame] - 0.5 * (1 - Float(frame) / 128)) < 1e-6) }
        #expect(sound[128...].allSatisfy { $0 == 0 })
    }

    @Test(
        "Pan lowers the far side by cos(|pan| π/2) and leaves the near one",
        arguments: [-1, -0.5, 0, 0.25, 1] as [Float])
    func pan(_ pan: Float) throws {
        let (rig, source, mixer) = try rig()
        rig.engine.connect(source, to: mixer, format: rig.format)
        source.pan = pan
        try rig.engine.start()
        let sound = try rig.render(16)
        let far = 0.5 * cos(abs(Double(pan)) * .pi / 2)
        #expect(abs(Double(sound[pan > 0 ? 0 : 1][0]) - far) < 1e-6)
        #expect(sound[pan > 0 ? 1 : 0][0] == 0.5)
    }
}
