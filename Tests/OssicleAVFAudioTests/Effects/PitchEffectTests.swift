import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("The pitch effect")
struct PitchEffectTests {
    @Test("Without a shift it is a delay by its latency, bit for bit, however the calls are cut")
    func delay() throws {
        let node = builtIn(kAudioUnitSubType_NewTimePitch)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [node])
        let latency = Int((node.latency * 48000).rounded())
        let sound = try rig.render(latency + 3000, callsOf: 700)[0]
        #expect(latency > 0 && sound[..<latency].allSatisfy { $0 == 0 })
        #expect(Array(sound[latency...]) == (0..<3000).map { OfflineRig.noise($0, 0) })
        let others = try [64, 127, 1024].map { size in
            try OfflineRig.playing(
                OfflineRig.source(OfflineRig.noise), through: [builtIn(kAudioUnitSubType_NewTimePitch)]
            ).render(latency + 3000, callsOf: size)[0]
        }
        for other in others { #expect(other == sound) }
    }

    @Test("A tone comes out at the shifted pitch, at its own level", arguments: [1200, -1200, 700] as [Float])
    func shift(cents: Float) throws {
        let node = builtIn(kAudioUnitSubType_NewTimePitch)
        AudioUnitSetParameter(node.audioUnit, kNewTimePitchParam_Pitch, kAudioUnitScope_Global, 0, cents, 0)
        let rig = try OfflineRig.playing(
            OfflineRig.source { frame, _ in Float(sin(2 * .pi * 440 * Double(frame) / 48000)) }, through: [node],
            channels: 1)
        let sound = Array(try rig.render(48_000)[0].suffix(16_000))
        let crossings = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
        let expected = 440 * pow(2, Double(cents) / 1200)
        #expect(abs(Double(crossings) * 3 - expected) <= 4)
        #expect(abs(Measure.level(sound) + 3.01) < 0.5)
    }

    @Test(
        "The kernel never asks for more than the effect's latency ahead of time",
        arguments: [-2400, -1200, -100, 100, 1200, 2400] as [Double], [3, 8, 32] as [Double])
    func lookAhead(cents: Double, overlap: Double) {
        var kernel = TimeStretcher(
            sampleRate: 48000, channelCount: 1, longestTake: 128,
            parameters: .init(rate: 1, cents: cents, overlap: overlap))
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: 1 << 16)
        plane.initialize(repeating: 0, count: 1 << 16)
        let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
        planes.initialize(to: plane)
        defer { plane.deallocate(); planes.deallocate() }
        var (given, most) = (0, 0)
        for turn in 0..<400 {
            let needed = kernel.framesNeeded(128)
            kernel.give(planes, offset: 0, frames: needed)
            kernel.take(to: planes, frames: 128)
            given += needed
            most = max(most, given - 128 * (turn + 1))
        }
        #expect(most <= TimeStretcher.lookAhead(sampleRate: 48000))
        #expect(most > 0)
    }

    @Test("A block in which the first sound comes through counts as sounding")
    func firstSound() throws {
        let node = builtIn(kAudioUnitSubType_NewTimePitch)
        let rig = try OfflineRig.playing(OfflineRig.source(OfflineRig.noise), through: [node], rate: 44_100)
        let latency = Int((node.latency * 44_100).rounded())
        let sound = try rig.render(latency + 500, callsOf: 300)[0]
        #expect(Array(sound[latency...]) == (0..<500).map { OfflineRig.noise($0, 0) })
    }

    @Test("Reset takes away what is on its way")
    func reset() throws {
        let node = builtIn(kAudioUnitSubType_NewTimePitch)
        let rig = try OfflineRig.playing(OfflineRig.source { frame, _ in frame < 1000 ? 1 : 0 }, through: [node])
        _ = try rig.render(2000)
        node.reset()
        #expect(try rig.render(20_000)[0].allSatisfy { $0 == 0 })
    }
}
