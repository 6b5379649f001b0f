import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioPlayer: damage and misuse")
struct AVAudioPlayerDamageTests {
    @Test("What is no sound file is refused with a typed error")
    func refused() throws {
        let rig = try PlayerRig()
        try Data([1, 2, 3, 4]).write(to: rig.folder.file("a.wav"))
        for url in [
            rig.folder.file("a.wav"), rig.folder.file("missing.wav"), rig.folder.url,
            try #require(URL(string: "https://example.org/a.wav")),
        ] {
            #expect(avfaudioCode { _ = try rig.player(url) } != nil)
        }
        for data in [Data(), Data([0]), Data(repeating: 7, count: 10_000)] {
            #expect(avfaudioCode { _ = try rig.device.use { try AVAudioPlayer(data: data) } } != nil)
        }
    }

    @Test("A file that breaks off plays as far as it goes, then tells the error and an unsuccessful end")
    func brokenOff() throws {
        let rig = try PlayerRig()
        let whole = rig.folder.file("a.flac"), broken = rig.folder.file("b.flac")
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
            AVEncoderBitDepthHintKey: 16,
        ]
        let file = try AVAudioFile(forWriting: whole, settings: settings)
        try file.write(from: try pcm([Signal.noise(count: 96_000, amplitude: 0.5)]))
        file.close()
        let bytes = try Data(contentsOf: whole)
        try bytes.prefix(bytes.count / 2).write(to: broken)
        let listener = PlayerListener()
        let player = try rig.player(broken)
        player.delegate = listener
        player.numberOfLoops = -1
        #expect(player.play())
        let sound = try rig.render(96_000)[0]
        let end = try #require(sound.lastIndex { $0 != 0 })
        // Half the bytes are half the frames, but for FLAC's frames of 4096.
        #expect(abs(end - 48_000) < 8192)
        #expect(!player.isPlaying && player.lastError != nil)
        #expect(listener.diary.lines.count == 2 && listener.diary.lines.last == "finished false")
        #expect(listener.diary.lines.first?.hasPrefix("error") == true)
    }

    @Test("A file that is deleted while it plays goes on playing")
    func deleted() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 5000)
        let player = try rig.player(sound)
        try FileManager.default.removeItem(at: try #require(player.url))
        player.play()
        #expect(try rig.render(5000)[0] == sound)
    }

    @Test("Numbers that are none change nothing")
    func notNumbers() throws {
        let rig = try PlayerRig()
        let player = try rig.player(silence(1000))
        player.volume = .nan
        player.pan = .nan
        player.rate = .nan
        player.currentTime = .nan
        player.setVolume(.nan, fadeDuration: 1)
        player.setVolume(0.5, fadeDuration: .nan)
        #expect(player.volume == 0.5 && player.pan == 0 && player.rate == 1 && player.currentTime == 0)
        #expect(player.lastError != nil)
        player.currentTime = .infinity
        player.numberOfLoops = .max
        player.numberOfLoops = .min
        player.play()
        player.setVolume(0, fadeDuration: .infinity)
        _ = try rig.render(2000)
        #expect(player.isPlaying)
    }

    @Test("Calls in any order leave it playable")
    func anyOrder() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 1000)
        let player = try rig.player(sound)
        player.stop()
        player.pause()
        #expect(player.prepareToPlay() && player.prepareToPlay())
        player.pause()
        player.stop()
        #expect(player.play() && player.play())
        player.stop()
        player.stop()
        player.currentTime = 0
        player.enableRate = true
        player.enableRate = false
        #expect(player.play())
        #expect(try rig.render(1000)[0] == sound)
    }

    @Test("An empty file is over as soon as it plays")
    func empty() throws {
        let rig = try PlayerRig()
        let listener = PlayerListener()
        let player = try rig.player([Float]())
        player.delegate = listener
        player.numberOfLoops = -1
        #expect(player.duration == 0 && player.play())
        _ = try rig.render(2048)
        #expect(!player.isPlaying && listener.diary.lines == ["finished true"])
    }

    @Test("A device refuses formats and buffers it cannot render")
    func deviceMisuse() throws {
        let rig = try PlayerRig()
        let interleaved = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
        #expect(avfaudioCode { _ = try OfflineAudioDevice(format: interleaved) } == kAudioUnitErr_FormatNotSupported)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.device.format, frameCapacity: 10))
        #expect(avfaudioCode { try rig.device.render(11, to: buffer) } == kAudio_ParamError)
        #expect(rig.device.sampleTime == 0)
    }

    @Test("Threads that call everything at once, while it renders, break nothing")
    func threads() throws {
        let rig = try PlayerRig()
        let players = try (0..<4).map { _ in try rig.player(tone(2000)) }
        /// One player is called from one thread at a time.
        struct Box: @unchecked Sendable { let player: AVAudioPlayer }
        let boxes = players.map { Box(player: $0) }
        let group = DispatchGroup()
        for (index, box) in boxes.enumerated() {
            DispatchQueue.global().async(group: group) {
                for turn in 0..<200 {
                    switch (turn + index) % 7 {
                    case 0: box.player.play()
                    case 1: box.player.currentTime = 0.01
                    case 2: box.player.numberOfLoops = turn % 3 - 1
                    case 3: box.player.pause()
                    case 4: box.player.play(atTime: box.player.deviceCurrentTime + 0.01)
                    case 5: box.player.setVolume(Float(turn % 2), fadeDuration: 0.01)
                    default: box.player.stop()
                    }
                }
            }
        }
        for _ in 0..<100 { #expect(Measure.isFinite(try rig.render(256)[0])) }
        group.wait()
        for player in players { player.stop() }
        #expect(try rig.render(256)[0] == silence(256))
    }
}
