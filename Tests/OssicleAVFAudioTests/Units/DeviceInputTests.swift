import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AUAudioUnit: sound from a device") struct DeviceInputTests {
    @Test("Without output each captured block is reported, and fetched bit for bit in the client's form")
    func inputOnly() throws {
        let rig = try DuplexRig(client: .pcmFormatInt16, channels: 2)
        let (counts, times, sound) = (Log<UInt32>(), Log<(frame: Double, hostTime: UInt64)>(), Log<Int16>())
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        defer { free(list.unsafeMutablePointer) }
        let memory = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * 512)
        defer { memory.deallocate() }
        nonisolated(unsafe) let (buffers, samples) = (list, memory)
        try rig.start(provider: nil) { [render = rig.renderBlock] flags, time, frames, bus in
            counts.add([frames, UInt32(bus)])
            times.add([(time.pointee.mSampleTime, time.pointee.mHostTime)])
            buffers[0] = AudioBuffer(mNumberChannels: 2, mDataByteSize: frames * 4, mData: samples)
            guard render(flags, time, frames, 1, buffers.unsafeMutablePointer, nil, nil) == noErr else { return }
            sound.add(Array(UnsafeBufferPointer(start: samples, count: 2 * Int(frames))))
        }
        #expect(rig.hardware.isRunning)
        rig.input.capture(frames: 300)
        rig.input.capture(frames: 700)
        // The unit renders up to 512 frames: a longer block comes in pieces, each with its own time.
        #expect(counts.values == [300, 1, 512, 1, 188, 1])
        #expect(times.values.map(\.frame) == [0, 300, 812])
        #expect(
            times.values.allSatisfy {
                let captured = rig.input.time(of: Int($0.frame))
                return abs(Int64(bitPattern: $0.hostTime &- captured)) <= 1
            })
        let expected = (0..<1000).flatMap { frame in
            (0..<2).map { Int16(DuplexRig.sample(frame, $0) * 32768) }
        }
        #expect(sound.values == expected)
        rig.hardware.stop()
        #expect(!rig.hardware.isRunning)
    }

    @Test("With both sides on, the provider finds as many captured frames as it gives: they pass bit for bit")
    func passThrough() throws {
        let rig = try DuplexRig(client: .pcmFormatFloat32, channels: 2)
        let reports = Log<UInt32>()
        try rig.start(
            provider: { [render = rig.renderBlock] flags, time, frames, _, list in
                render(flags, time, frames, 1, list, nil, nil)
            },
            handler: { _, _, frames, bus in reports.add([frames, UInt32(bus)]) })
        var sound: [Float] = []
        for _ in 0..<40 {
            rig.input.capture(frames: 256)
            sound += rig.output.take(frames: 256)[1]
        }
        let report: [UInt32] = [256, 1]
        #expect(reports.values == Array(repeating: report, count: 40).flatMap { $0 })
        let heard = Array(sound.drop { $0 == 0 })
        // The buffer between two devices starts with about 20 ms, and the provider hears all that came behind.
        #expect(heard.count > 40 * 256 - 2048)
        let first = heard.first
        let offset = try #require((0..<2048).first { DuplexRig.sample($0, 1) == first })
        #expect(heard == (0..<heard.count).map { DuplexRig.sample(offset + $0, 1) })
        rig.hardware.stop()
    }

    @Test("Channels go where the map says, and a second fetch in a cycle gives the same frames")
    func channelMap() throws {
        let rig = try DuplexRig(client: .pcmFormatFloat32, channels: 3, map: [1, -1, 0])
        let sound = Log<Float>()
        let statuses = Log<OSStatus>()
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 3 * 64)
        defer { memory.deallocate() }
        for channel in 0..<3 {
            list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 256, mData: memory + 64 * channel)
        }
        nonisolated(unsafe) let (buffers, samples) = (list.unsafeMutablePointer, memory)
        try rig.start(provider: nil) { [render = rig.renderBlock] flags, time, frames, bus in
            for _ in 0..<2 {
                statuses.add([render(flags, time, frames, 1, buffers, nil, nil)])
                sound.add(Array(UnsafeBufferPointer(start: samples, count: 3 * 64)))
            }
            statuses.add([render(flags, time, frames + 1, 1, buffers, nil, nil)])
            statuses.add([render(flags, time, frames, 0, buffers, nil, nil)])
        }
        rig.input.capture(frames: 64)
        let sides = (0..<2).map { channel in (0..<64).map { DuplexRig.sample($0, channel) } }
        let expected = sides[1] + [Float](repeating: 0, count: 64) + sides[0]
        #expect(sound.values == expected + expected)
        #expect(
            statuses.values == [noErr, noErr, kAudioUnitErr_TooManyFramesToProcess, kAudioUnitErr_NoConnection])
        var (flags, time) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
        #expect(rig.renderBlock(&flags, &time, 64, 1, buffers, nil, nil) == kAudioUnitErr_CannotDoInCurrentContext)
        rig.hardware.stop()
    }

    @Test("Two rates, and an input that does not open, are errors; the output is free afterwards")
    func refusals() throws {
        let provider: AURenderPullInputBlock = { _, _, _, _, _ in noErr }
        let rates = try DuplexRig(client: .pcmFormatFloat32, channels: 1, clientRate: 44100)
        #expect(avfaudioCode { try rates.start(provider: provider) } == kAudioUnitErr_FormatNotSupported)
        let rig = try DuplexRig(client: .pcmFormatFloat32, channels: 1)
        rig.isInputMissing.isOn = true
        #expect(avfaudioCode { try rig.start(provider: provider) } == kAudioUnitErr_FailedInitialization)
        #expect(!rig.hardware.isRunning && !rig.output.isRunning)
        rig.isInputMissing.isOn = false
        rig.output.isBusy = true
        #expect(avfaudioCode { try rig.start(provider: provider) } == kAudioUnitErr_FailedInitialization)
        #expect(!rig.hardware.isRunning && !rig.input.isRunning)
        rig.output.isBusy = false
        try rig.start(provider: provider)
        #expect(rig.hardware.isRunning && rig.input.isRunning && rig.output.isRunning)
        let losses = Log<Bool>()
        rig.hardware.onLoss { [hardware = rig.hardware] in losses.add([hardware.isRunning]) }
        rig.output.lose()
        #expect(!rig.hardware.isRunning && losses.values == [false])
        try rig.start(provider: provider)
        #expect(rig.hardware.isRunning)
        rig.hardware.stop()
        #expect(!rig.input.isRunning && !rig.output.isRunning && losses.values.count == 1)
    }
}
