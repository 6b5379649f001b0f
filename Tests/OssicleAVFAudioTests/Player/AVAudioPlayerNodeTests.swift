import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// Everything is compared sample by sample: a player copies.
@Suite struct AVAudioPlayerNodeTests {
    private let a = ramp(3000), b = ramp(2000, from: 20_000)

    // MARK: Order and times

    @Test func `plays buffers one behind the other from the first frame rendered after play`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.scheduleBuffer(try stage.buffer(b))
        #expect(try stage.render(777) == silence(777))
        stage.player.play()
        #expect(try stage.render(6000) == a + b + silence(1000))
        #expect(stage.player.isPlaying)
    }

    @Test(arguments: [[1024], [1, 127, 64], [4096], [333]])
    func `how calls are cut does not matter`(cuts: [Int]) throws {
        let stage = try PlayerStage(channels: 2)
        stage.player.scheduleBuffer(try stage.buffer(a, a.reversed()))
        stage.player.scheduleBuffer(try stage.buffer(b, b.reversed()), at: time(4001))
        stage.player.play(at: time(55))
        let output = try stage.renderAll(7000, cuts: cuts)
        #expect(output[0] == silence(55) + a + silence(1001) + b + silence(944))
        #expect(output[1] == silence(55) + a.reversed() + silence(1001) + b.reversed() + silence(944))
    }

    @Test func `a time counts at its own rate`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(b), at: time(441, 44100))
        stage.player.scheduleBuffer(try stage.buffer(b), at: time(5, 441))
        stage.player.play()
        // 10 ms and 5/441 s, to the nearest frame: 480 and 544.2, where the first still plays.
        #expect(try stage.render(5000) == silence(480) + b + b + silence(520))
        let odd = try PlayerStage(rate: 44100)
        odd.player.scheduleBuffer(try odd.buffer(b), at: time(1, 441))
        odd.player.play(at: time(1, 100))
        #expect(try odd.render(3000) == silence(541) + b + silence(459))
    }

    @Test func `host times do not delay anything offline, and sample times go before them`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(a), at: AVAudioTime(hostTime: .max))
        stage.player.scheduleBuffer(try stage.buffer(b), at: AVAudioTime(hostTime: 1, sampleTime: 3500, atRate: 48000))
        stage.player.play(at: AVAudioTime(hostTime: .max / 2))
        #expect(try stage.render(6000) == a + silence(500) + b + silence(500))
    }

    @Test func `pause, play and stop take effect between two render calls`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.play()
        var output = try stage.render(1001)
        stage.player.pause()
        #expect(!stage.player.isPlaying)
        output += try stage.render(500)
        stage.player.play()
        output += try stage.render(99)
        stage.player.stop()
        output += try stage.render(100)
        stage.player.scheduleBuffer(try stage.buffer(b))
        stage.player.play()
        output += try stage.render(2000)
        #expect(output == a[..<1001] + silence(500) + a[1001..<1100] + silence(100) + b)
    }

    @Test func `attack, sustain and release`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.scheduleBuffer(try stage.buffer(b), at: nil, options: .loops)
        stage.player.play()
        var output = try stage.render(8500)
        stage.player.scheduleBuffer(try stage.buffer(a), at: nil, options: .interruptsAtLoop)
        output += try stage.render(4500)
        #expect(output == a + b + b + b + a + silence(1000))
    }

    @Test func `interrupting takes the place of everything scheduled before`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(a), at: nil, options: .loops)
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.play()
        var output = try stage.render(4000)
        stage.player.scheduleBuffer(try stage.buffer(b), at: time(4100), options: .interrupts)
        output += try stage.render(3000)
        #expect(output == a + a[..<1000] + a[1000..<1100] + b + silence(900))
    }

    @Test func `player time and node time can be told apart`() throws {
        let stage = try PlayerStage()
        #expect(stage.player.playerTime(forNodeTime: time(0)) == nil)
        _ = try stage.render(1000)
        stage.player.play(at: time(1500))
        _ = try stage.render(1000)
        let now = try #require(stage.player.lastRenderTime)
        #expect(now.sampleTime == 2000)
        #expect(stage.player.playerTime(forNodeTime: now)?.sampleTime == 500)
        #expect(stage.player.nodeTime(forPlayerTime: time(441, 44100))?.sampleTime == 1980)
        stage.player.pause()
        #expect(stage.player.playerTime(forNodeTime: now) == nil)
        _ = try stage.render(300)
        stage.player.play()
        _ = try stage.render(1)
        #expect(stage.player.playerTime(forNodeTime: time(2300))?.sampleTime == 500)
        stage.player.stop()
        #expect(stage.player.nodeTime(forPlayerTime: time(0)) == nil)
    }

    @Test func `a player armed before there is an engine begins when there is one`() throws {
        let stage = try PlayerStage(starts: false)
        stage.engine.disconnectNodeOutput(stage.player)
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.play()
        #expect(stage.errorCode == kAudioUnitErr_CannotDoInCurrentContext)
        stage.engine.connect(stage.player, to: stage.engine.outputNode, format: stage.format)
        try stage.engine.start()
        #expect(try stage.render(3000) == a)
    }

    @Test func `a reset of the engine lets players go on where they are`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try stage.buffer(a))
        stage.player.play()
        var output = try stage.render(1000)
        stage.engine.reset()
        output += try stage.render(2500)
        #expect(output == a + silence(500))
    }

    // MARK: Samples

    @Test func `takes every common form of samples`() throws {
        let forms: [(AVAudioCommonFormat, Bool)] = [
            (.pcmFormatFloat32, true), (.pcmFormatFloat64, false), (.pcmFormatFloat64, true), (.pcmFormatInt16, false),
            (.pcmFormatInt16, true), (.pcmFormatInt32, false), (.pcmFormatInt32, true),
        ]
        for (form, isInterleaved) in forms {
            let stage = try PlayerStage(channels: 2)
            let left: [Float] = [0.5, -0.25, -1, 0], right: [Float] = [0.125, 0.75, 0, -0.5]
            let format = try #require(
                AVAudioFormat(commonFormat: form, sampleRate: 48000, channels: 2, interleaved: isInterleaved))
            let buffer = try #require(try stage.buffer(left, right).converted(to: format))
            stage.player.scheduleBuffer(buffer)
            stage.player.play()
            #expect(try stage.renderAll(4) == [left, right], "\(form) \(isInterleaved)")
        }
    }

    @Test func `plays a read-only buffer`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(AVReadOnlyAudioPCMBuffer(copying: try stage.buffer(a)))
        stage.player.play()
        #expect(try stage.render(3000) == a)
    }

    @Test func `a buffer plays at the node's rate whatever its own`() throws {
        let stage = try PlayerStage()
        stage.player.scheduleBuffer(try pcm([a], rate: 11025))
        stage.player.play()
        #expect(try stage.render(3000) == a)
    }

    @Test func `ten thousand buffers play in order and tell so in order`() throws {
        let stage = try PlayerStage()
        let diary = Diary()
        for index in 0..<10_000 {
            stage.player.scheduleBuffer(try stage.buffer([Float(index), -1])) { diary.note("\(index)") }
        }
        stage.player.play()
        #expect(try stage.render(20_000) == (0..<10_000).flatMap { [Float($0), -1] as [Float] })
        stage.engine.drainCallbacks()
        #expect(diary.lines == (0..<10_000).map(String.init))
    }
}
