import OssicleCore
import OssicleTestSupport
import Testing

@testable import OssicleAVFAudio

/// Graphs large enough for several threads.
@Suite struct RenderThreadTests {
    /// Players behind changes of speed, an effect and a source of the client's; players come and go while the graph is
    /// rendered.
    private func sound(threads: Int?) throws -> [[Float]] {
        let rig = try OfflineRig()
        rig.engine.renderThreadCount = threads
        let mono = OfflineRig.format(48_000, 1)
        guard let noise = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 5000) else {
            throw OfflineRig.RigError.buffer
        }
        noise.frameLength = 5000
        for frame in 0..<5000 { noise.floatChannelData?[0][frame] = OfflineRig.noise(frame, 0) }
        func player(_ number: Int) throws -> AVAudioPlayerNode {
            let (player, change) = (AVAudioPlayerNode(), AVAudioUnitTimePitch())
            for node in [player, change] { rig.engine.attach(node) }
            try rig.engine.connectNode(player, to: change, format: mono)
            try rig.engine.connectNode(change, to: rig.engine.mainMixerNode, format: mono)
            change.rate = 0.8 + 0.05 * Float(number)
            player.scheduleBuffer(noise, at: nil, options: .loops)
            return player
        }
        let players = try (0..<12).map(player)
        let source = OfflineRig.source { OfflineRig.noise($0, $1) * 0.1 }
        rig.engine.attach(source)
        try rig.engine.connectNode(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        for player in players { player.play() }
        var sound = try rig.render(1024)
        for turn in 0..<3 {
            rig.engine.detach(players[turn])
            try player(turn).play()
            for (channel, more) in try rig.render(700, callsOf: 333).enumerated() { sound[channel] += more }
        }
        return sound
    }

    @Test func `a graph has the same bytes on every number of threads, also while it is edited`() throws {
        let expected = try sound(threads: 1)
        #expect(expected.allSatisfy { $0.contains { $0 != 0 } })
        for threads in [2, 3, 7, nil] { #expect(try sound(threads: threads) == expected) }
    }
}
