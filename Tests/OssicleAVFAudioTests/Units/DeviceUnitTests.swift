import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("AUAudioUnit: sound to a device")
struct DeviceUnitTests {
    /// A device that is pulled by hand.
    private final class Bench: OutputDevice, @unchecked Sendable {
        let name = "bench"
        let sampleRate: Double
        let channelCount = 2
        let quantum = 256
        let latency = 0.02
        let dropoutCount = 0
        private var render: RenderCallback?
        private var events: (@Sendable (DeviceEvent) -> Void)?

        init(_ sampleRate: Double) { self.sampleRate = sampleRate }

        func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
            (self.render, self.events) = (render, events)
            events(.started)
        }

        func stop() -> Bool {
            events?(.stopped)
            (render, events) = (nil, nil)
            return true
        }

        func run(_ frames: Int) -> [[Float]] {
            let channels = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames) }
            for channel in channels { channel.initialize(repeating: 0, count: frames) }
            defer { for channel in channels { channel.deallocate() } }
            channels.withUnsafeBufferPointer {
                if let base = $0.baseAddress {
                    render?(OutputBlock(channels: base, channelCount: 2, frameCount: frames, hostTime: 1))
                }
            }
            return channels.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
        }
    }

    private func hardware(
        _ bench: Bench, _ rate: Double, _ channels: AVAudioChannelCount, _ provider: @escaping AURenderPullInputBlock
    ) throws -> UnitHardware {
        let hardware = UnitHardware(bench)
        try hardware.prepare(OfflineRig.format(rate, channels), maximumFrames: 512, map: nil)
        try hardware.start(provider)
        return hardware
    }

    private static func tone(_ rate: Double) -> AURenderPullInputBlock {
        { _, time, frames, _, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
                for frame in 0..<Int(frames) {
                    samples[frame] = Float(sin(2 * .pi * 440 * (time.pointee.mSampleTime + Double(frame)) / rate))
                }
            }
            return noErr
        }
    }

    @Test("At the device's own rate the provider's samples arrive bit for bit")
    func exact() throws {
        let bench = Bench(48000)
        let hardware = try hardware(bench, 48000, 2, Self.tone(48000))
        #expect(hardware.isRunning)
        let sound = bench.run(256)[0] + bench.run(700)[0]
        #expect(sound == (0..<956).map { Float(sin(2 * .pi * 440 * Double($0) / 48000)) })
        hardware.stop()
        #expect(!hardware.isRunning)
    }

    @Test("Another rate and one channel are converted to the device's")
    func converted() throws {
        let bench = Bench(44100)
        let hardware = try hardware(bench, 22050, 1, Self.tone(22050))
        var sound: [[Float]] = [[], []]
        for _ in 0..<8 {
            let block = bench.run(256)
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
        let bench = Bench(48000)
        let hardware = try hardware(bench, 48000, 2) { _, _, _, _, list in
            UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)[0] = 1
            return -1
        }
        #expect(bench.run(256).allSatisfy { $0.allSatisfy { $0 == 0 } })
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
        audioUnit.isInputEnabled = true
        #expect(avfaudioCode { try audioUnit.startHardware() } == kAudio_UnimplementedError)
    }
}
