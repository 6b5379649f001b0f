#if os(Linux)
import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// What engines keep. Memory is measured in processes of their own, because tests that run at the same time share one.
@Suite("Engine: memory comes back")
struct EngineMemoryTests {
    /// An engine that has rendered a player at another rate than its own, if it has.
    private static func rendered(at rate: Double, file: AVAudioFile? = nil) throws -> (OfflineRig, AVAudioPlayerNode) {
        let rig = try OfflineRig(maximum: 512)
        let player = AVAudioPlayerNode()
        rig.engine.attach(player)
        rig.engine.connect(player, to: rig.engine.mainMixerNode, format: OfflineRig.format(rate, 2))
        try rig.engine.start()
        if let file { player.scheduleFile(file, at: nil) }
        player.play()
        _ = try rig.render(256)
        return (rig, player)
    }

    @Test("An engine, and a player at whatever rate, go when they are let go", arguments: [48_000, 44_100.0])
    func players(_ rate: Double) throws {
        weak var engine: AVAudioEngine?
        weak var player: AVAudioPlayerNode?
        weak var renderer: AnyObject?
        do {
            let (rig, node) = try Self.rendered(at: rate)
            (engine, player, renderer) = (rig.engine, node, node.queue.renderer)
        }
        #expect(engine == nil && player == nil && renderer == nil)
    }

    @Test("A player at another rate goes once it is detached and the next call is rendered")
    func detached() throws {
        let rig = try OfflineRig()
        _ = rig.engine.mainMixerNode
        try rig.engine.start()
        weak var player: AVAudioPlayerNode?
        weak var renderer: AnyObject?
        do {
            let node = AVAudioPlayerNode()
            (player, renderer) = (node, node.queue.renderer)
            rig.engine.attach(node)
            rig.engine.connect(node, to: rig.engine.mainMixerNode, format: OfflineRig.format(44_100, 2))
            _ = try rig.render(256)
            rig.engine.detach(node)
        }
        #expect(player == nil)
        _ = try rig.render(256)
        #expect(renderer == nil)
    }

    @Test("Two hundred engines one after the other, each with a file at another rate, leave nothing behind")
    func engines() async {
        await #expect(processExitsWith: .success) {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString).wav")
            let format = OfflineRig.format(44_100, 2)
            let silence = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 44_100))
            silence.frameLength = 44_100
            let writer = try AVAudioFile(forWriting: url, settings: format.settings)
            try writer.write(from: silence)
            writer.close()
            let file = try AVAudioFile(forReading: url)
            for _ in 0..<20 { _ = try EngineMemoryTests.rendered(at: 44_100, file: file) }
            let before = try HeapUse.bytes()
            for _ in 0..<200 { _ = try EngineMemoryTests.rendered(at: 44_100, file: file) }
            let growth = try HeapUse.bytes() - before
            try? FileManager.default.removeItem(at: url)
            // One that stayed would keep a megabyte.
            #expect(growth < 20 << 20, "\(growth) bytes")
        }
    }

    @Test(
        "A thousand connections between two render calls, and a thousand detached nodes, keep one plan",
        arguments: [true, false])
    func edits(_ isOffline: Bool) async {
        await #expect(processExitsWith: .success) { [isOffline] in
            let engine = AVAudioEngine()
            let format = OfflineRig.format(48_000, 2)
            try engine.enableManualRenderingMode(
                isOffline ? .offline : .realtime, format: format, maximumFrameCount: 512)
            _ = engine.mainMixerNode
            try engine.start()
            let players = (0..<1000).map { _ in AVAudioPlayerNode() }
            let before = try HeapUse.bytes()
            for player in players {
                engine.attach(player)
                try engine.connectNode(player, to: engine.mainMixerNode, format: format)
            }
            let connected = try HeapUse.bytes() - before
            for player in players { engine.detach(player) }
            let detached = try HeapUse.bytes() - before
            engine.stop()
            // The plan of a thousand players is two megabytes; a thousand of them are 1.3 gigabytes.
            #expect(connected < 40 << 20, "\(connected) bytes")
            #expect(detached < 40 << 20, "\(detached) bytes")
        }
    }
}
#endif
