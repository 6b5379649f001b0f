import Foundation
import OssicleDevices
import OssicleTestSupport
import PHASE
import Testing

/// Host times at a device of 40 ms latency, which the test drives: the host time of a frame is when the device takes
/// it.
@Suite struct DeviceTimeTests {
    /// A PHASE engine in manual update mode that plays to a driven output; sound “steps”, whose frame i is `sample(i)`.
    private final class Desk {
        let device = DrivenOutput(latency: 0.04)
        let stage: Stage
        var engine: PHASEEngine { stage.engine }

        /// - Parameter build: before the engine starts.
        init(_ build: (Stage, DrivenOutput) throws -> Void = { _, _ in }) throws {
            stage = try Stage(updateMode: .manual)
            stage.engine.disableManualRenderingMode()
            try stage.register("steps", [(0..<48_000).map(Desk.sample)])
            try stage.registerEvent("steps", into: stage.channelMixer())
            try build(stage, device)
            try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try stage.engine.start() }
            turn(1)
        }

        deinit { stage.engine.stop() }

        static func sample(_ frame: Int) -> Float { Float(frame + 1) / 65_536 }

        func event(_ name: String = "steps event") throws -> PHASESoundEvent { try stage.event(name) }
        func time(_ seconds: Double) -> AVAudioTime {
            AVAudioTime(hostTime: device.origin + UInt64((seconds * 1e9).rounded()))
        }

        /// The frame whose host time is nearest to so many seconds.
        func frame(_ seconds: Double) -> Int { Int((seconds * 48_000).rounded()) }

        /// An update, and blocks.
        func turn(_ blocks: Int) {
            engine.update()
            device.take(blocks: blocks)
        }
    }

    @Test(arguments: [0.1, 0.123_456_7, 0.25])
    func `start(at:) puts the first sample into the frame whose host time it is`(seconds: Double) throws {
        let desk = try Desk()
        try desk.event().start(at: desk.time(seconds), completion: nil)
        desk.turn(40)
        #expect(desk.device.taken[0].firstIndex { $0 != 0 } == desk.frame(seconds))
        #expect(desk.engine.outputPresentationLatency == 0.04)
    }

    @Test func `an event that was given a time before the engine started begins at that time`() throws {
        let desk = try Desk { stage, device in
            try stage.event("steps event").start(
                at: AVAudioTime(hostTime: device.origin + 200_000_000), completion: nil)
        }
        desk.turn(30)
        #expect(desk.device.taken[0].firstIndex { $0 != 0 } == desk.frame(0.2))
    }

    /// The edge is a ramp over 128 frames; behind it the sound's frames state their numbers.
    @Test func `resume(at:) continues in the frame whose host time it is`() throws {
        let desk = try Desk()
        let event = try desk.event()
        event.start(completion: nil)
        desk.turn(4)
        event.pause()
        desk.turn(4)
        event.resume(at: desk.time(0.2))
        desk.turn(30)
        let out = desk.device.taken[0], begin = desk.frame(0.2)
        // It began in block 1 and faded out at the start of block 5.
        let halted = 5 * 512 + 128
        #expect(out[halted...begin].allSatisfy { $0 == 0 } && out[begin + 1] != 0)
        #expect(out[begin + 128] == Desk.sample(halted - 512 + 128))
    }

    @Test func `seek(to:resumeAt:) continues in the frame whose host time it is`() throws {
        let desk = try Desk()
        let event = try desk.event()
        event.start(completion: nil)
        desk.turn(4)
        event.seek(to: 0.5, resumeAt: desk.time(0.2), completion: nil)
        desk.turn(30)
        let out = desk.device.taken[0], begin = desk.frame(0.2)
        #expect(out[(begin - 512)...(begin - 1)].allSatisfy { $0 == 0 })
        #expect(out[begin + 128] == Desk.sample(24_000 + 128))
    }

    @Test func `lastRenderTime is when the device takes the next frame`() throws {
        let desk = try Desk()
        for _ in 0..<20 {
            desk.turn(1)
            let time = try TestFailure.unwrap(desk.engine.lastRenderTime)
            let next = desk.device.time(of: desk.device.position)
            #expect(abs(Int64(bitPattern: time.hostTime &- next)) < 10)
            #expect(time.sampleTime == Int64(desk.device.position))
        }
    }

    @Test func `a buffer of a push stream begins in the frame whose host time it is`() throws {
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let desk = try Desk { stage, _ in
            let definition = PHASEPushStreamNodeDefinition(
                mixerDefinition: try stage.channelMixer(kAudioChannelLayoutTag_Mono), format: format,
                identifier: "push")
            definition.normalize = false
            try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: definition, identifier: "stream")
        }
        let event = try desk.event("stream")
        let node = try TestFailure.unwrap(event.pushStreamNodes["push"])
        event.start(completion: nil)
        desk.turn(4)
        let buffer = try AVAudioPCMBuffer.make([(0..<2000).map(Desk.sample)], format)
        node.scheduleBuffer(buffer: buffer, time: desk.time(0.2))
        desk.turn(30)
        #expect(desk.device.taken[0].firstIndex { $0 != 0 } == desk.frame(0.2))
    }

    @Test func `a pull stream's handler gets the host times of its frames`() throws {
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let desk = try Desk { stage, _ in
            let definition = PHASEPullStreamNodeDefinition(
                mixerDefinition: try stage.channelMixer(kAudioChannelLayoutTag_Mono), format: format,
                identifier: "pull")
            definition.normalize = false
            try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: definition, identifier: "stream")
        }
        let event = try desk.event("stream")
        let stamps = Heard<(frame: Int, hostTime: UInt64)>()
        try TestFailure.unwrap(event.pullStreamNodes["pull"]).renderHandler = { _, time, frames, list in
            stamps.note((Int(time.pointee.mSampleTime), time.pointee.mHostTime))
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
                for frame in 0..<Int(frames) { samples?[frame] = 0.25 }
            }
            return noErr
        }
        event.start(completion: nil)
        desk.turn(20)
        let began = try TestFailure.unwrap(desk.device.taken[0].firstIndex { $0 != 0 })
        #expect(stamps.values.count > 20)
        for stamp in stamps.values {
            let taken = desk.device.time(of: began + stamp.frame)
            #expect(abs(Int64(bitPattern: stamp.hostTime &- taken)) < 10)
        }
    }

    @Test func `a tap has the times at which the device takes its frames`() throws {
        let tap = Listening()
        let desk = try Desk { stage, _ in try stage.engine.installTap(bufferSize: 480, block: tap.block) }
        desk.turn(20)
        desk.engine.removeTap()
        desk.engine.drainCallbacks()
        let times = tap.all.times
        #expect(times.count > 15)
        #expect(
            times.allSatisfy {
                abs(Int64(bitPattern: $0.hostTime &- desk.device.time(of: Int($0.sampleTime)))) < 10
            })
    }
}
