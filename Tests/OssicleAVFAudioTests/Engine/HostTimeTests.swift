import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// Offline host time is rendered time, in nanoseconds.
@Suite("Engine: host times of what the client's blocks are handed", .serialized)
struct HostTimeTests {
    private typealias Stamps = PassingUnit.Stamps

    private func expectHostTimes(
        _ stamps: [(time: AudioTimeStamp, frames: AVAudioFrameCount)], rate: Double, frames: Int
    ) {
        #expect(stamps.reduce(0) { $0 + Int($1.1) } == frames)
        #expect(stamps.allSatisfy { $0.0.mFlags.contains([.sampleTimeValid, .hostTimeValid]) && $0.1 <= 128 })
        #expect(
            stamps.allSatisfy { stamp, _ in
                abs(AVAudioTime.seconds(forHostTime: stamp.mHostTime) - stamp.mSampleTime / rate) < 1e-8
            })
    }

    @Test("A sink's block has the host time of its frames")
    func sink() throws {
        let rig = try OfflineRig()
        let feeder = RateConversionTests.Feeder(rig.format) { Float($0) }
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(rig.format) { feeder.next($0) })
        let stamps = Stamps()
        let sink = AVAudioSinkNode { time, frames, _ in
            stamps.note(time.pointee, frames)
            return noErr
        }
        rig.engine.attach(sink)
        rig.engine.connect(rig.engine.inputNode, to: sink, format: rig.format)
        try rig.engine.start()
        _ = try rig.render(1000, callsOf: 300)
        expectHostTimes(stamps.all, rate: 48_000, frames: 1000)
    }

    @Test("A hosted unit's block has the host time of its frames")
    func hosted() throws {
        let component = PassingUnit.effect(0x7374_6D70)
        AUAudioUnit.registerSubclass(PassingUnit.self, as: component, name: "Tests: Stamp", version: 1)
        let unit = AVAudioUnitEffect(audioComponentDescription: component)
        let rig = try OfflineRig.playing(OfflineRig.source { _, _ in 0.5 }, through: [unit])
        _ = try rig.render(1000, callsOf: 300)
        expectHostTimes(try #require(unit.auAudioUnit as? PassingUnit).stamps.all, rate: 48_000, frames: 1000)
    }

    @Test("A tap on the input has host times, also where the input has a rate of its own")
    func inputTap() throws {
        let rig = try OfflineRig()
        let format = OfflineRig.format(24_000, 1)
        let feeder = RateConversionTests.Feeder(format) { Float($0) }
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
        let times = Mutex<[AVAudioTime]>([])
        rig.engine.connect(rig.engine.inputNode, to: rig.engine.mainMixerNode, format: nil)
        rig.engine.inputNode.installTap(onBus: 0, bufferSize: 100, format: nil) { _, time in
            times.withLock { $0.append(time) }
        }
        try rig.engine.start()
        _ = try rig.render(2000)
        rig.engine.inputNode.removeTap(onBus: 0)
        rig.engine.drainCallbacks()
        let all = times.withLock { $0 }
        #expect(
            all.count >= 10 && all.allSatisfy { $0.isHostTimeValid && $0.isSampleTimeValid && $0.sampleRate == 24_000 })
        #expect(
            all.allSatisfy {
                abs(AVAudioTime.seconds(forHostTime: $0.hostTime) - Double($0.sampleTime) / 24_000) < 1e-8
            })
    }
}
