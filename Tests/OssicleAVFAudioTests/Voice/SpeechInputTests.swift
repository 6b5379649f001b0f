import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: input for recognisers")
struct SpeechInputTests {
    /// An input of 48 kHz and two channels with a tone of 440 Hz.
    private static func rig(_ amplitude: Double = 0.5, connects: Bool = false) throws -> OfflineRig {
        let rig = try OfflineRig()
        let format = OfflineRig.format(48_000, 2)
        let feeder = RateConversionTests.Feeder(format) {
            Float(amplitude * sin(2 * .pi * 440 * Double($0) / 48_000))
        }
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
        if connects { try rig.engine.connectNode(rig.engine.inputNode, to: rig.engine.mainMixerNode, format: nil) }
        return rig
    }

    @Test("A tap on the input gives 16 kHz, mono, in buffers of the size that was asked for", arguments: [false, true])
    func tap(isConnected: Bool) throws {
        let rig = try Self.rig(connects: isConnected)
        let lengths = Mutex<[Int]>([]), times = Mutex<[Int64]>([]), sound = Mutex<[Float]>([])
        let speech = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        rig.engine.inputNode.installTap(onBus: 0, bufferSize: 320, format: speech) { buffer, time in
            let samples = buffer.int16ChannelData?[0]
            lengths.withLock { $0.append(Int(buffer.frameLength)) }
            times.withLock { $0.append(time.sampleTime) }
            sound.withLock { sound in
                for i in 0..<Int(buffer.frameLength) { sound.append(Float(samples?[i] ?? 0) / 32_768) }
            }
        }
        #expect(rig.engine.inputNode.outputFormat(forBus: 0).sampleRate == 48_000)
        try rig.engine.start()
        _ = try rig.render(48_300, callsOf: 777)
        rig.engine.stop()
        rig.engine.machine.waitForCallbacks()
        let (sizes, begins, heard) = (lengths.withLock { $0 }, times.withLock { $0 }, sound.withLock { $0 })
        #expect(sizes.dropLast().allSatisfy { $0 == 320 } && abs(heard.count - 16_100) <= 1)
        #expect(begins == sizes.indices.map { Int64(320 * $0) })
        let tone = Measure.tone(440, in: Array(heard[1600..<14_400]), sampleRate: 16_000)
        // Steps of 16 bits are 92 dB below.
        #expect(abs(tone.amplitude - 0.5) < 0.001 && tone.signalToNoise > 70, "\(tone)")
        #expect(rig.engine.lastError == nil)
    }

    @Test("A ring keeps what a slow reader wants, drops the oldest, and tells of clipping and silence")
    func ring() throws {
        let rig = try Self.rig(1)
        let ring = try AVAudioSpeechRing(on: rig.engine.inputNode, seconds: 0.5)
        try rig.engine.start()
        _ = try rig.render(24_000)
        rig.engine.machine.waitForCallbacks()
        #expect(ring.read(8_001) == nil && ring.clippedFrames > 100 && ring.silentSeconds == 0)
        let first = try #require(ring.read(1_600))
        #expect(first.frameLength == 1_600 && first.format.sampleRate == 16_000)
        rig.engine.inputNode.isVoiceProcessingInputMuted = true
        _ = try rig.render(24_000)
        rig.engine.machine.waitForCallbacks()
        #expect(ring.silentSeconds > 0.4 && ring.droppedFrames > 5_000 && ring.availableFrames == 8_000)
        ring.close()
        #expect(ring.read(8_000) != nil && ring.read(1, timeout: 0.01) == nil)
        #expect(throws: (any Error).self) { try AVAudioSpeechRing(on: rig.engine.inputNode, sampleRate: 1) }
    }
}
