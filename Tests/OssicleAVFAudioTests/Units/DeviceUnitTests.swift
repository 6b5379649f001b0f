import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("AUAudioUnit: sound to a device")
struct DeviceUnitTests {
    private func hardware(
        _ bench: DrivenOutput, _ rate: Double, _ channels: AVAudioChannelCount, from start: UInt64 = 0,
        _ provider: @escaping AURenderPullInputBlock
    ) throws -> UnitHardware {
        let device = OfflineRig.format(bench.sampleRate, 2)
        let hardware = UnitHardware(UnitDevices(bench), output: device, input: nil)
        hardware.prepare(
            UnitShape(inputs: [OfflineRig.format(rate, channels)], outputs: [device], maximumFrames: 512))
        try hardware.start(UnitHardware.Run(provider: provider, startTime: start))
        return hardware
    }

    private static func tone(_ rate: Double) -> AURenderPullInputBlock {
        { _, time, frames, _, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
                for frame in 0..<Int(frames) {
                    let angle: Double = 2 * .pi * 440 * (time.pointee.mSampleTime + Double(frame)) / rate
                    samples[frame] = Float(sin(angle))
                }
            }
            return noErr
        }
    }

    @Test("At the device's own rate the provider's samples arrive bit for bit")
    func exact() throws {
        let bench = DrivenOutput(sampleRate: 48000)
        let hardware = try hardware(bench, 48000, 2, Self.tone(48000))
        #expect(hardware.isRunning)
        let sound = bench.take(frames: 256)[0] + bench.take(frames: 700)[0]
        let expected = (0..<956).map { (frame: Int) -> Float in
            let angle: Double = 2 * .pi * 440 * Double(frame) / 48000
            return Float(sin(angle))
        }
        #expect(sound == expected)
        hardware.stop()
        #expect(!hardware.isRunning)
    }

    @Test("Another rate and one channel are converted to the device's")
    func converted() throws {
        let bench = DrivenOutput(sampleRate: 44100)
        let hardware = try hardware(bench, 22050, 1, Self.tone(22050))
        var sound: [[Float]] = [[], []]
        for _ in 0..<8 {
            let block = bench.take(frames: 256)
            sound = [sound[0] + block[0], sound[1] + block[1]]
        }
        hardware.stop()
        #expect(sound[0] == sound[1])
        for frame in 300..<2000 {
            #expect(abs(sound[0][frame] - Float(sin(2 * .pi * 440 * Double(frame) / 44100))) < 1e-3)
        }
    }

    @Test("A provider that fails is silence")
    func failing() throws {
        let bench = DrivenOutput(sampleRate: 48000)
        let hardware = try hardware(bench, 48000, 2) { _, _, _, _, list in
            UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)[0] = 1
            return -1
        }
        #expect(bench.take(frames: 256).allSatisfy { $0.allSatisfy { $0 == 0 } })
        hardware.stop()
    }

    @Test("The first frame comes at its host time, to the nearest frame")
    func startTime() throws {
        let bench = DrivenOutput(sampleRate: 48000)
        let start = bench.origin + 2_000_000
        let hardware = try hardware(bench, 48000, 2, from: start) { _, time, frames, _, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 0.5, count: Int(frames))
            }
            return time.pointee.mHostTime == start ? noErr : kAudio_ParamError
        }
        let expected = [Float](repeating: 0, count: 96) + [Float](repeating: 0.5, count: 160)
        #expect(bench.take(frames: 256)[1] == expected)
        // Later blocks have later times, which this provider refuses.
        #expect(bench.take(frames: 64)[0].allSatisfy { $0 == 0 })
        hardware.stop()
    }

    @Test("The square wave of WWDC16, session 507")
    func squareWave() throws {
        let description = AudioComponentDescription(
            componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
        let audioUnit = try AUAudioUnit(componentDescription: description)
        let hardwareFormat = audioUnit.outputBusses[0].format
        #expect(hardwareFormat.sampleRate > 0)
        let renderFormat = try #require(
            AVAudioFormat(standardFormatWithSampleRate: hardwareFormat.sampleRate, channels: 2))
        try audioUnit.inputBusses[0].setFormat(renderFormat)
        final class Generator: @unchecked Sendable {
            let frames = Atomic(0)
        }
        let generator = Generator()
        #expect(avfaudioCode { try audioUnit.startHardware() } == kAudioUnitErr_Uninitialized)
        audioUnit.outputProvider = { actionFlags, timestamp, frameCount, inputBusNumber, inputDataList in
            for buffer in UnsafeMutableAudioBufferListPointer(inputDataList) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
                for frame in 0..<Int(frameCount) { samples[frame] = (frame / 50) % 2 == 0 ? 0.1 : -0.1 }
            }
            generator.frames.wrappingAdd(Int(frameCount), ordering: .relaxed)
            return noErr
        }
        try audioUnit.allocateRenderResources()
        try audioUnit.startHardware()
        try audioUnit.startHardware()
        #expect(audioUnit.isRunning)
        let deadline = Date().addingTimeInterval(20)
        while generator.frames.load(ordering: .relaxed) < 2000, Date() < deadline {
            Thread.sleep(forTimeInterval: 0.005)
        }
        audioUnit.stopHardware()
        #expect(!audioUnit.isRunning)
        #expect(generator.frames.load(ordering: .relaxed) >= 2000)
    }

    @Test("The device's sides of an output unit have the device's format, which nothing changes")
    func busses() throws {
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
        )
        #expect(unit.inputBusses.count == 2 && unit.outputBusses.count == 2)
        let device = unit.outputBusses[0].format
        try unit.outputBusses[0].setFormat(device)
        let other = OfflineRig.format(device.sampleRate + 1000, 1)
        #expect(avfaudioCode { try unit.outputBusses[0].setFormat(other) } == kAudioUnitErr_PropertyNotWritable)
        #expect(avfaudioCode { try unit.inputBusses[1].setFormat(other) } == kAudioUnitErr_PropertyNotWritable)
        #expect(unit.canPerformOutput && unit.canPerformInput == (unit.inputBusses[1].format.channelCount > 0))
        try unit.inputBusses[0].setFormat(other)
        try unit.outputBusses[1].setFormat(other)
        try unit.allocateRenderResources()
        unit.isOutputEnabled = false
        try unit.startHardware()
        #expect(!unit.isRunning)
        unit.isOutputEnabled = true
        #expect(avfaudioCode { try unit.startHardware() } == kAudioUnitErr_NoConnection)
        let plain = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                builtIn: kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput))
        #expect(plain.inputBusses.count == 1 && !plain.canPerformInput)
        plain.isInputEnabled = true
        plain.outputProvider = Self.tone(48000)
        try plain.allocateRenderResources()
        #expect(avfaudioCode { try plain.startHardware() } == kAudioUnitErr_CannotDoInCurrentContext)
    }
}
