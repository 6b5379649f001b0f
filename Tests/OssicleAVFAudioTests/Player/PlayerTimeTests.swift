import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// What a metronome asks for: where player time will lie, before a frame of it has been rendered.
@Suite struct PlayerTimeTests {
    @Test func `right after play there is a node time, and it is the one at which the sound begins`() throws {
        let stage = try PlayerStage()
        _ = try stage.render(1000)
        stage.player.scheduleBuffer(try stage.buffer(ramp(100)), at: time(300))
        stage.player.play()
        let begin = try #require(stage.player.nodeTime(forPlayerTime: time(300)))
        #expect(begin.sampleTime == 1300 && begin.isHostTimeValid)
        let now = try #require(stage.player.lastRenderTime)
        #expect(stage.player.playerTime(forNodeTime: now)?.sampleTime == 0)
        #expect(try stage.render(500) == silence(300) + ramp(100) + silence(100))
        #expect(stage.player.nodeTime(forPlayerTime: time(300))?.sampleTime == 1300)
    }

    @Test func `a time given to play counts, and a later play takes its place`() throws {
        let stage = try PlayerStage()
        stage.player.play(at: time(500))
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 500)
        stage.player.play(at: time(700))
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 700)
        _ = try stage.render(100)
        stage.player.play(at: time(20))
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 100)
        _ = try stage.render(10)
        stage.player.play(at: time(5000))
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 100, "it plays already")
    }

    @Test(arguments: [1, 64, 777])
    func `after pause and resume player time goes on, at once and as rendered`(call: Int) throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(ramp(5000)))
        stage.player.play()
        _ = try stage.render(1000, cuts: [call])
        stage.player.pause()
        #expect(stage.player.playerTime(forNodeTime: time(1000)) == nil)
        // Both commands on their way at once, and then one that was carried out long ago.
        stage.player.play()
        let early = try #require(stage.player.lastRenderTime)
        #expect(stage.player.playerTime(forNodeTime: early)?.sampleTime == 1000)
        stage.player.pause()
        _ = try stage.render(300, cuts: [call])
        stage.player.play()
        let now = try #require(stage.player.lastRenderTime)
        #expect(now.sampleTime == 1300 && stage.player.playerTime(forNodeTime: now)?.sampleTime == 1000)
        let zero = stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime
        #expect(zero == 300)
        #expect(try stage.render(10) == ramp(10, from: 1001))
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == zero)
    }

    @Test func `stop sets player time back to 0, also when play follows at once`() throws {
        let stage = try PlayerStage()
        stage.player.play()
        _ = try stage.render(1000)
        stage.player.stop()
        #expect(stage.player.nodeTime(forPlayerTime: time(0)) == nil)
        stage.player.play()
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 1000)
        _ = try stage.render(1)
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 1000)
    }

    @Test func `a player on a clock of its own knows its time before that clock has run`() throws {
        let stage = try PlayerStage()
        _ = try stage.render(4800)
        let other = AVAudioPlayerNode()
        stage.engine.attach(other)
        stage.engine.connect(other, to: stage.engine.mainMixerNode, format: OfflineRig.format(24_000, 1))
        stage.engine.connect(stage.engine.mainMixerNode, to: stage.engine.outputNode, format: stage.format)
        other.play()
        let predicted = try #require(other.nodeTime(forPlayerTime: time(0, 24_000)))
        #expect(predicted.sampleTime == 2400 && predicted.sampleRate == 24_000)
        _ = try stage.render(480)
        #expect(other.nodeTime(forPlayerTime: time(0, 24_000))?.sampleTime == 2400)
    }

    @Test func `a player in no running engine has no time`() throws {
        let stage = try PlayerStage(starts: false)
        stage.player.play()
        #expect(
            stage.player.nodeTime(forPlayerTime: time(0)) == nil && stage.player.playerTime(forNodeTime: time(0)) == nil
        )
        try stage.engine.start()
        #expect(stage.player.nodeTime(forPlayerTime: time(0))?.sampleTime == 0)
    }
}
