import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: many changes between two render calls")
struct GraphEditTests {
    private func constant(_ value: Float) -> AVAudioSourceNode { OfflineRig.source { _, _ in value } }

    @Test(
        "Five hundred sources that are connected between two render calls sound in the second, and are gone in the next"
    )
    func many() throws {
        let rig = try OfflineRig()
        _ = rig.engine.mainMixerNode
        try rig.engine.start()
        _ = try rig.render(64)
        let sources = (0..<500).map { _ in constant(0x1p-10) }
        for source in sources {
            rig.engine.attach(source)
            try rig.engine.connectNode(source, to: rig.engine.mainMixerNode, format: rig.format)
        }
        #expect(try rig.render(64)[0].allSatisfy { $0 == 500 * 0x1p-10 })
        for source in sources.dropFirst() { rig.engine.detach(source) }
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0x1p-10 })
        #expect(rig.engine.lastError == nil)
    }

    @Test("The block of realtime manual rendering has a change in the very next call, and many of them soon")
    func realtime() throws {
        let engine = AVAudioEngine()
        engine.errorHandler = { _ in }
        let format = OfflineRig.format(48_000, 1)
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 64)
        _ = engine.mainMixerNode
        try engine.start()
        let block = engine.manualRenderingBlock
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        defer { free(list.unsafeMutablePointer) }
        func level() -> Float {
            list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
            #expect(block(64, list.unsafeMutablePointer, nil) == .success)
            return list[0].mData?.assumingMemoryBound(to: Float.self)[63] ?? -1
        }
        #expect(level() == 0)
        for count in 1...20 {
            let source = constant(0x1p-10)
            engine.attach(source)
            engine.connect(source, to: engine.mainMixerNode, format: format)
            if count % 5 == 0 { #expect(level() == Float(count) * 0x1p-10) }
        }
        for _ in 20..<300 {
            let source = constant(0x1p-10)
            engine.attach(source)
            engine.connect(source, to: engine.mainMixerNode, format: format)
        }
        // What is beyond the patience for plans that are not taken comes by itself.
        while level() != 300 * 0x1p-10 { Thread.sleep(forTimeInterval: 0.002) }
        engine.stop()
        #expect(engine.lastError == nil)
    }

    @Test("A change that cannot be rendered is thrown by the call that makes it, also when others wait to be compiled")
    func errors() throws {
        let rig = try OfflineRig()
        let (source, one, two) = (constant(0.5), AVAudioMixerNode(), AVAudioMixerNode())
        let (equalizer, slow) = (AVAudioUnitEQ(numberOfBands: 1), OfflineRig.format(32_000, 2))
        for node in [source, one, two, equalizer] as [AVAudioNode] { rig.engine.attach(node) }
        rig.engine.connect(source, to: one, format: rig.format)
        rig.engine.connect(one, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        try rig.engine.connectNode(one, to: two, format: rig.format)
        #expect(throws: OssicleError.self) { try rig.engine.connectNode(two, to: one, format: rig.format) }
        try rig.engine.connectNode(two, to: equalizer, format: rig.format)
        #expect(throws: OssicleError.self) {
            try rig.engine.connectNode(equalizer, to: rig.engine.mainMixerNode, format: slow)
        }
        try rig.engine.connectNode(equalizer, to: rig.engine.mainMixerNode, format: rig.format)
        #expect(try rig.render(64)[0].allSatisfy { $0 == 0.5 })
        let split = [
            AVAudioConnectionPoint(node: rig.engine.mainMixerNode, bus: 5), AVAudioConnectionPoint(node: one, bus: 0),
        ]
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        #expect(throws: OssicleError.self, "two ways that meet again, one of them through another rate") {
            try rig.engine.connectNode(one, to: two, format: slow)
            try rig.engine.connectNode(player, to: split, fromBus: 0, format: rig.format)
            try rig.engine.connectNode(
                source,
                to: [
                    AVAudioConnectionPoint(node: two, bus: 1),
                    AVAudioConnectionPoint(node: rig.engine.mainMixerNode, bus: 6),
                ],
                fromBus: 0, format: slow)
            try rig.engine.connectNode(two, to: rig.engine.mainMixerNode, fromBus: 0, toBus: 7, format: slow)
            try rig.engine.connectNode(rig.engine.mainMixerNode, to: two, format: slow)
        }
    }

    @Test("A node has its time as soon as it is connected, before anything is rendered with it")
    func timeOfANewNode() throws {
        let rig = try OfflineRig()
        _ = rig.engine.mainMixerNode
        try rig.engine.start()
        _ = try rig.render(1000)
        let source = constant(0)
        rig.engine.attach(source)
        #expect(source.lastRenderTime == nil)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        #expect(source.lastRenderTime?.sampleTime == 1000)
    }
}
