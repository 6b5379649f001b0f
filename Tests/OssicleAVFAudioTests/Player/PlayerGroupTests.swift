import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite struct PlayerGroupTests {
    /// A second player beside the stage's, both added up.
    private func pair(_ stage: PlayerStage) -> [AVAudioPlayerNode] {
        let other = AVAudioPlayerNode()
        let mixer = AVAudioMixerNode()
        for node in [other, mixer] { stage.engine.attach(node) }
        stage.engine.connect(mixer, to: stage.engine.outputNode, format: stage.format)
        for player in [stage.player, other] { stage.engine.connect(player, to: mixer, format: stage.format) }
        return [stage.player, other]
    }

    @Test func `a group starts on one frame, now or at a time`() throws {
        for (when, delay) in [(nil, 0), (time(1700), 700), (time(3), 0)] as [(AVAudioTime?, Int)] {
            let stage = try PlayerStage()
            let players = pair(stage)
            let (a, b) = (ramp(600), ramp(600, from: 5000))
            players[0].scheduleBuffer(try stage.buffer(a))
            players[1].scheduleBuffer(try stage.buffer(b))
            _ = try stage.render(1000)
            AVAudioPlayerNode.play(players, at: when)
            #expect(try stage.render(1500) == silence(delay) + zip(a, b).map { $0 + $1 } + silence(900 - delay))
        }
    }

    @Test func `a group that is told before the engine runs starts with it`() throws {
        let stage = try PlayerStage(starts: false)
        let players = pair(stage)
        let a = ramp(600)
        for player in players { player.scheduleBuffer(try stage.buffer(a)) }
        AVAudioPlayerNode.play(players)
        try stage.engine.start()
        #expect(try stage.render(700) == a.map { $0 + $0 } + silence(100))
    }

    @Test func `one of a group can be paused and stopped like any player`() throws {
        let stage = try PlayerStage()
        let players = pair(stage)
        let a = ramp(600)
        for player in players { player.scheduleBuffer(try stage.buffer(a)) }
        AVAudioPlayerNode.play(players)
        players[1].pause()
        #expect(try stage.render(300) == Array(a[..<300]))
        players[1].play()
        #expect(try stage.render(300) == zip(a[300...], a[..<300]).map { $0 + $1 })
    }
}
