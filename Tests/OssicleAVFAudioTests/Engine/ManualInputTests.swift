import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: input in manual rendering that is connected before it has a format")
struct ManualInputTests {
    private func feed(
        _ rate: Double, _ channels: AVAudioChannelCount, _ value: @escaping (Int) -> Float
    ) -> (AVAudioFormat, RateConversionTests.Feeder) {
        let format = OfflineRig.format(rate, channels)
        return (format, RateConversionTests.Feeder(format, value))
    }

    @Test("In realtime mode the input's samples are in the output of the same call")
    func realtime() throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.realtime, format: OfflineRig.format(48_000, 2), maximumFrameCount: 512)
        try engine.connectNode(engine.inputNode, to: engine.mainMixerNode, format: nil)
        let (format, feeder) = feed(48_000, 2) { Float($0) / 4096 }
        #expect(engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
        #expect(engine.inputNode.outputFormat(forBus: 0) == format)
        try engine.start()
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        let block = engine.manualRenderingBlock
        for call in 0..<3 {
            for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil) }
            #expect(block(200, list.unsafeMutablePointer, nil) == .success)
            let samples = try #require(list[1].mData?.assumingMemoryBound(to: Float.self))
            #expect((0..<200).allSatisfy { samples[$0] == Float(200 * call + $0) / 4096 })
        }
        #expect(feeder.calls == 3 && engine.lastError == nil)
        engine.stop()
    }

    @Test("A chain of effects behind the input gets the input's format with it")
    func chain() throws {
        let rig = try OfflineRig()
        let equalizer = AVAudioUnitEQ(numberOfBands: 1)
        rig.engine.attach(equalizer)
        try rig.engine.connectNode(rig.engine.inputNode, to: equalizer, format: nil)
        try rig.engine.connectNode(equalizer, to: rig.engine.mainMixerNode, format: nil)
        let (format, feeder) = feed(48_000, 1) { _ in 0.5 }
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
        #expect(
            equalizer.outputFormat(forBus: 0) == format && rig.engine.mainMixerNode.inputFormat(forBus: 0) == format)
        try rig.engine.start()
        #expect(try rig.render(300)[1].allSatisfy { $0 == 0.5 })
    }

    @Test("Connected before manual rendering is chosen, the input follows what it is given at last")
    func beforeTheMode() throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        engine.machine.locked { engine.machine.hardware.isKnown = true }
        try engine.connectNode(engine.inputNode, to: engine.mainMixerNode, format: nil)
        try engine.enableManualRenderingMode(.offline, format: OfflineRig.format(32_000, 2), maximumFrameCount: 512)
        #expect(engine.inputNode.outputFormat(forBus: 0).sampleRate == 32_000)
        let (format, feeder) = feed(32_000, 2) { _ in 0.25 }
        #expect(engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: 512))
        #expect(try engine.renderOffline(512, to: buffer) == .success)
        #expect(buffer.floatChannelData?[0][0] == 0.25 && buffer.floatChannelData?[1][511] == 0.25)
    }

    @Test("A format that was chosen stays, and the input is converted to it")
    func chosen() throws {
        let rig = try OfflineRig()
        try rig.engine.connectNode(rig.engine.inputNode, to: rig.engine.mainMixerNode, format: rig.format)
        let (format, feeder) = feed(24_000, 2) { _ in 0.5 }
        #expect(rig.engine.inputNode.setManualRenderingInputPCMFormat(format) { feeder.next($0) })
        #expect(rig.engine.mainMixerNode.inputFormat(forBus: 0) == rig.format)
        try rig.engine.start()
        #expect(try rig.render(2000)[0].suffix(100).allSatisfy { abs($0 - 0.5) < 1e-3 })
    }
}
