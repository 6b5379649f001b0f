import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

/// At a private sound server: what its monitor records.
@Suite("AVPlayer at a sound server", .serialized, .enabled(if: SoundServer.isRunning))
struct AVPlayerSoundServerTests {
    private let rig: PlayerRig
    /// −12.04 dB: a quarter of full scale, which the null sink plays as it is.
    private static let level = Measure.decibels(0.25)

    init() throws { rig = try PlayerRig() }

    /// Seconds of a tone.
    private func tone(_ frequency: Double, seconds: Int) -> [Float] {
        Signal.sine(frequency, count: seconds * 48_000, amplitude: 0.25)
    }

    private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 48_000) }

    private func player(_ item: AVPlayerItem) -> AVPlayer {
        let player = AVPlayer(playerItem: item)
        player.errorHandler = { _ in }
        return player
    }

    @Test(
        "A file and a resource of a server are heard; so are pause, rate and seek, and the end is posted",
        arguments: [false, true])
    func heard(isRemote: Bool) async throws {
        let file = try rig.file(tone(440, seconds: 60) + tone(880, seconds: 2))
        let server = try HTTPServer([UInt8](Data(contentsOf: file)))
        let item = AVPlayerItem(url: isRemote ? try server.url() : file), player = player(item)
        let ended = NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, item)
        item.audioTimePitchAlgorithm = .varispeed
        let recording = try SinkRecording()
        player.play()
        #expect(recording.hasTone(440, level: Self.level))
        player.pause()
        #expect(recording.isSilent())
        let place = player.currentTime()
        player.rate = 1.5
        #expect(recording.hasTone(660, level: Self.level) && player.currentTime() > place)
        player.rate = 1
        #expect(recording.hasTone(440, level: Self.level))
        #expect(await player.seek(to: seconds(60), toleranceBefore: .zero, toleranceAfter: .zero))
        #expect(recording.hasTone(880, level: Self.level))
        #expect(waitUntil { ended.count == 1 } && recording.isSilent())
        #expect(player.rate == 0 && player.currentTime() == item.duration && player.error == nil)
    }

    /// The player looks at its clock every 10 ms, and the clock moves by the device's block, at most 43 ms of 2048
    /// frames. Most calls have to come within both; a busy machine may delay a few.
    @Test("Periodic observers are called within a block of their times")
    func observers() throws {
        let player = player(AVPlayerItem(url: try rig.file(tone(440, seconds: 10)))), times = Notes<Double>()
        let token = player.addPeriodicTimeObserver(
            forInterval: seconds(0.1), queue: DispatchQueue(label: "observer")
        ) { if $0 > .zero { times.add($0.seconds) } }
        player.play()
        #expect(waitUntil { times.all.count >= 30 })
        player.removeTimeObserver(token)
        let delays = times.all.prefix(30).map { $0 - ($0 / 0.1 + 1e-6).rounded(.down) * 0.1 }.sorted()
        #expect(delays[20] < 0.053)
    }

    @Test("An output is chosen by its identifier, left again, and one that is not there is an error")
    func outputs() throws {
        let module = try SoundServer.addSink("chosen")
        defer { _ = try? SoundServer.control("unload-module", module) }
        let player = player(AVPlayerItem(url: try rig.file(tone(440, seconds: 120))))
        let (standard, chosen) = (try SinkRecording(), try SinkRecording(of: "chosen"))
        player.audioOutputDeviceUniqueID = "chosen"
        player.play()
        #expect(chosen.hasTone(440, level: Self.level) && standard.isSilent())
        player.audioOutputDeviceUniqueID = nil
        #expect(standard.hasTone(440, level: Self.level) && chosen.isSilent())
        player.audioOutputDeviceUniqueID = "nowhere"
        #expect(player.status == .failed && player.rate == 0 && standard.isSilent())
        let error = try #require(player.error as? OssicleError)
        #expect(error.value.contains("nowhere") && error.value.contains("chosen"))
        player.audioOutputDeviceUniqueID = "chosen"
        player.play()
        #expect(chosen.hasTone(440, level: Self.level) && player.status == .readyToPlay && player.error == nil)
        player.pause()
    }

    @Test("A server that is killed and returns, twice: the player goes on and is heard again")
    func serverReturns() throws {
        let server = try SoundServer.Victim()
        try server.serve {
            let player = player(AVPlayerItem(url: try rig.file(tone(440, seconds: 300))))
            player.play()
            #expect(try SinkRecording(server: server.address).hasTone(440, level: Self.level))
            for _ in 0..<2 {
                server.send(SIGKILL)
                let place = player.currentTime()
                try server.restart()
                #expect(try SinkRecording(server: server.address).hasTone(440, level: Self.level))
                #expect(player.timeControlStatus == .playing && player.rate == 1 && player.currentTime() > place)
                #expect(player.error == nil)
            }
            player.pause()
        }
    }
}
