import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioPlayer: what it plays")
struct AVAudioPlayerTests {
    @Test("A file at the device's rate comes out sample by sample, mono on both sides, however the calls are cut")
    func samples() throws {
        let sound = Signal.noise(count: 5000)
        for cuts in [[4096], [1, 64, 127, 1024], [333]] {
            let rig = try PlayerRig()
            let player = try rig.player(sound)
            #expect(player.play() && player.isPlaying)
            let output = try rig.render(6000, cuts: cuts)
            #expect(output[0] == sound + silence(1000) && output[1] == output[0])
        }
    }

    @Test("A file tells its length, channels, format and origin")
    func facts() throws {
        let rig = try PlayerRig()
        let player = try rig.player(silence(22_050), silence(22_050), rate: 44_100)
        #expect(player.duration == 0.5 && player.numberOfChannels == 2 && player.format.sampleRate == 44_100)
        #expect((player.settings[AVNumberOfChannelsKey] as? NSNumber) == 2 && player.data == nil && player.url != nil)
        #expect(player.volume == 1 && player.pan == 0 && player.rate == 1 && !player.enableRate)
        #expect(player.numberOfLoops == 0 && !player.isMeteringEnabled && player.currentTime == 0)
    }

    @Test("Data plays as its file does, with a hint and without")
    func data() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 3000)
        let data = try Data(contentsOf: try waveFile(rig.folder, "a.wav", [sound], rate: 48_000).url)
        let players = try rig.device.use {
            [try AVAudioPlayer(data: data), try AVAudioPlayer(data: data, fileTypeHint: "public.mp3")]
        }
        for player in players {
            #expect(player.data == data && player.url == nil && player.play())
            #expect(try rig.render(3000)[0] == sound)
        }
    }

    @Test("Every kind of file plays to its end", arguments: FileKind.linear + FileKind.compressed)
    func kinds(kind: FileKind) throws {
        let rig = try PlayerRig()
        let url = rig.folder.file(kind.name)
        let file = try AVAudioFile(forWriting: url, settings: kind.settings())
        try file.write(from: try pcm([tone(48_000), tone(48_000)]))
        file.close()
        let listener = PlayerListener()
        for player in [try rig.player(url), try rig.device.use { try AVAudioPlayer(data: Data(contentsOf: url)) }] {
            player.delegate = listener
            player.play()
            let sound = try rig.render(52_000)[0]
            // A tone of 0.5 has −9.03 dB; lossy coders may be half a decibel off.
            #expect(abs(Measure.level(sound[10_000..<40_000]) + 9.03) < 0.5)
            #expect(!player.isPlaying)
        }
        #expect(listener.diary.lines == ["finished true", "finished true"])
    }

    /// Seven periods of a tone, so many times.
    private func passes(_ count: Int) -> [Float] { (0..<count).flatMap { _ in tone(700) } }

    @Test("A repeated file continues in phase, on the frame", arguments: [0, 1, 3])
    func loops(count: Int) throws {
        let rig = try PlayerRig()
        let pass = tone(700), listener = PlayerListener()
        let player = try rig.player(pass)
        player.delegate = listener
        player.numberOfLoops = count
        player.play()
        let sound = try rig.render(4000)[0]
        #expect(sound == passes(count + 1) + silence(4000 - 700 * (count + 1)))
        #expect(listener.diary.lines == ["finished true"])
        #expect(player.currentTime == 0 && !player.isPlaying)
    }

    @Test("At another rate a repeated file has no seam")
    func loopsAtAnotherRate() throws {
        let rig = try PlayerRig()
        let player = try rig.player(tone(441, frequency: 500, rate: 44_100), rate: 44_100)
        player.numberOfLoops = -1
        player.play()
        let sound = Array(try rig.render(48_000)[0][1000...])
        // The second difference of a smooth tone is (2πf/fs)² times its amplitude.
        let smooth = Float(0.5 * pow(2 * .pi * 500 / 48_000, 2))
        #expect(Measure.largestKink(sound) < smooth * 1.02)
        #expect(player.isPlaying)
    }

    @Test("Loops may change while it plays: the pass goes on without a seam, and as many more follow")
    func changedLoops() throws {
        let rig = try PlayerRig()
        let player = try rig.player(tone(700))
        player.numberOfLoops = -1
        player.play()
        var sound = try rig.render(10_000)[0]
        player.numberOfLoops = 1
        sound += try rig.render(5000)[0]
        let count = 10_000 / 700 + 2
        #expect(sound == passes(count) + silence(15_000 - count * 700))
        player.numberOfLoops = 0
        player.play()
        _ = try rig.render(300)
        player.numberOfLoops = 1
        #expect(try rig.render(2000)[0] == Array(passes(2)[300...]) + silence(900))
    }

    @Test("It pauses and goes on with the next frame")
    func pause() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 5000)
        let player = try rig.player(sound)
        player.play()
        var output = try rig.render(1111)[0]
        player.pause()
        #expect(!player.isPlaying && player.currentTime == rig.time(1111))
        #expect(try rig.render(500)[0] == silence(500))
        player.play()
        output += try rig.render(3889)[0]
        #expect(output == sound)
    }

    @Test("stop keeps the place, and play goes on from there")
    func stop() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 5000), listener = PlayerListener()
        let player = try rig.player(sound)
        player.delegate = listener
        player.play()
        _ = try rig.render(2000)
        player.stop()
        #expect(!player.isPlaying && player.currentTime == rig.time(2000))
        #expect(try rig.render(500)[0] == silence(500))
        player.play()
        #expect(try rig.render(3000)[0] == Array(sound[2000...]))
        #expect(listener.diary.lines == ["finished true"])
    }

    @Test("Setting currentTime seeks, while it plays, pauses and rests")
    func seek() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 9600)
        let player = try rig.player(sound)
        player.currentTime = 0.1
        #expect(player.currentTime == 0.1)
        player.play()
        #expect(try rig.render(1000)[0] == Array(sound[4800..<5800]))
        player.currentTime = 0.05
        #expect(player.currentTime == 0.05)
        #expect(try rig.render(1000)[0] == Array(sound[2400..<3400]))
        #expect(player.currentTime == rig.time(3400))
        player.pause()
        player.currentTime = 0
        player.play()
        #expect(try rig.render(1000)[0] == Array(sound[..<1000]))
        player.currentTime = 99
        _ = try rig.render(100)
        #expect(!player.isPlaying && player.currentTime == 0)
        player.currentTime = -5
        #expect(player.currentTime == 0)
    }

    @Test("It plays again and again, with its finish told each time")
    func again() throws {
        let rig = try PlayerRig()
        let listener = PlayerListener(), sound = Signal.noise(count: 500)
        let player = try rig.player(sound)
        player.delegate = listener
        for _ in 0..<5 {
            #expect(player.play())
            #expect(try rig.render(600)[0] == sound + silence(100))
        }
        #expect(listener.diary.lines == Array(repeating: "finished true", count: 5))
    }

    @Test("A player that is let go falls silent")
    func letGo() throws {
        let rig = try PlayerRig()
        var player: AVAudioPlayer? = try rig.player(tone(48_000))
        weak let gone = player
        player?.play()
        #expect(Measure.peak(try rig.render(1000)[0]) > 0.4)
        player = nil
        #expect(gone == nil)
        #expect(try rig.render(1000)[0] == silence(1000))
    }

    @Test("A delegate may start the player anew, and another one")
    func chain() throws {
        final class Chain: NSObject, AVAudioPlayerDelegate {
            var next: AVAudioPlayer?
            func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
                next?.play()
                next = nil
            }
        }
        let rig = try PlayerRig()
        let chain = Chain()
        let player = try rig.player(tone(1024))
        player.delegate = chain
        chain.next = player
        player.play()
        // A finish is noticed at the end of a slice of 1024 frames.
        #expect(try rig.render(4096)[0] == tone(1024) + tone(1024) + silence(2048))
    }

    @Test("An interrupted player pauses and tells, and goes on when it is told to")
    func interruption() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 3000), listener = PlayerListener()
        let player = try rig.player(sound)
        player.delegate = listener
        player.play()
        var output = try rig.render(1000)[0]
        player.voice.output.pauseForSession()
        #expect(!player.isPlaying)
        #expect(try rig.render(500)[0] == silence(500))
        player.voice.output.sessionInterruptionEnded(mayResume: true)
        player.play()
        output += try rig.render(2000)[0]
        #expect(output == sound)
        #expect(listener.diary.lines == ["interrupted", "interruption over 1", "finished true"])
    }
}
