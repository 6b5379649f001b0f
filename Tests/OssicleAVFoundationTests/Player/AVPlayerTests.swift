import OssicleAVFAudio
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

@Suite("AVPlayer: one item") struct AVPlayerTests {
    private let rig: PlayerRig
    init() throws { rig = try PlayerRig() }

    private func item(_ frames: Int, seed: Int = 0) throws -> AVPlayerItem {
        AVPlayerItem(url: try rig.noiseFile(frames, seed: seed))
    }

    @Test("A file is played sample for sample, stops at its end, and says so once")
    func plays() throws {
        let item = try item(30_000), player = rig.player(item)
        let ended = NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, item)
        #expect(try rig.render(100) == Signal.silence(count: 100) && player.timeControlStatus == .paused)
        player.play()
        let sound = try rig.render(40_000, callsOf: 777)
        #expect(sound == PlayerRig.noise(0..<30_000) + Signal.silence(count: 10_000))
        #expect(ended.count == 1 && player.rate == 0 && player.timeControlStatus == .paused)
        #expect(player.currentTime() == CMTime(value: 30_000, timescale: 48_000) && player.currentItem === item)
        #expect(item.status == .readyToPlay && item.duration == player.currentTime() && player.status == .readyToPlay)
        #expect(item.loadedTimeRanges.map(\.timeRangeValue) == [CMTimeRange(start: .zero, duration: item.duration)])
    }

    @Test("A pause keeps the place to the sample")
    func pauses() throws {
        let player = rig.player(try item(30_000))
        player.play()
        let first = try rig.render(5003)
        player.pause()
        #expect(try rig.render(999) == Signal.silence(count: 999))
        #expect(player.currentTime() == CMTime(value: 5003, timescale: 48_000))
        player.rate = 1
        #expect(try first + rig.render(5000) == PlayerRig.noise(0..<10_003))
    }

    @Test("A seek is exact to the sample, while playing and while paused", arguments: [true, false])
    func seeks(isPlaying: Bool) async throws {
        let item = try item(90_000), player = rig.player(item)
        let jumps = NotificationCount(AVPlayerItem.timeJumpedNotification, item)
        if isPlaying { player.play() }
        _ = try rig.render(1000)
        while item.status == .unknown { try await Task.sleep(nanoseconds: 1_000_000) }
        let target = CMTime(value: 61_237, timescale: 48_000)
        #expect(await player.seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero))
        #expect(player.currentTime() == target)
        player.play()
        #expect(try rig.render(3000) == PlayerRig.noise(61_237..<64_237))
        #expect(waitUntil { jumps.count == 1 } && item.currentTime() == CMTime(value: 64_237, timescale: 48_000))
    }

    @Test("A seek beyond the end leads there, and one that leads nowhere says so")
    func limits() async throws {
        let item = try item(30_000), player = rig.player(item)
        player.play()
        _ = try rig.render(100)
        player.pause()
        let arrived = await player.seek(to: .positiveInfinity), lost = await player.seek(to: .invalid)
        #expect(arrived && !lost && player.currentTime() == item.duration)
        #expect(await AVPlayer().seek(to: .zero) == false)
    }

    @Test("At the end the player may stay at its rate, and a second play ends again")
    func endActions() throws {
        let item = try item(5000), player = rig.player(item)
        let ended = NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, item)
        player.actionAtItemEnd = .none
        player.play()
        _ = try rig.render(9000)
        #expect(player.rate == 1 && player.timeControlStatus == .playing && ended.count == 1)
        #expect(player.currentTime() == item.duration)
        player.actionAtItemEnd = .pause
        player.play()
        _ = try rig.render(500)
        #expect(player.rate == 0 && ended.count == 2)
        player.seek(to: .zero)
        player.play()
        #expect(try rig.render(5000) == PlayerRig.noise(0..<5000) && ended.count == 3)
    }

    @Test("An item plays up to its end time, and backwards down to its reverse end time")
    func ends() throws {
        let item = try item(30_000), player = rig.player(item)
        item.forwardPlaybackEndTime = CMTime(value: 12_000, timescale: 48_000)
        item.reversePlaybackEndTime = CMTime(value: 4000, timescale: 48_000)
        player.play()
        #expect(try rig.render(13_000) == PlayerRig.noise(0..<12_000) + Signal.silence(count: 1000))
        player.rate = -1
        #expect(
            try rig.render(9000) == PlayerRig.noise(4000..<12_000).reversed() + Signal.silence(count: 1000))
        #expect(player.rate == 0 && player.currentTime() == item.reversePlaybackEndTime && item.canPlayReverse)
    }

    @Test("A seek ahead of opening counts at once, and playing begins there")
    func earlySeek() throws {
        let item = try item(30_000), time = CMTime(value: 7000, timescale: 48_000)
        item.seek(to: time)
        #expect(item.currentTime() == time)
        let player = rig.player(item)
        player.seek(to: time + time)
        #expect(player.currentTime() == time + time)
        player.play()
        #expect(try rig.render(2000) == PlayerRig.noise(14_000..<16_000))
    }

    @Test("Volume and mute scale the sound; mute keeps time moving")
    func volume() throws {
        let player = rig.player(try item(30_000))
        player.volume = 0.5
        player.play()
        _ = try rig.render(4000)
        #expect(
            Measure.largestDifference(try rig.render(1000), PlayerRig.noise(4000..<5000).map { $0 / 2 }) < 1e-6)
        player.isMuted = true
        _ = try rig.render(4000)
        #expect(Measure.peak(try rig.render(1000)) == 0 && player.volume == 0.5)
        #expect(player.currentTime() == CMTime(value: 10_000, timescale: 48_000))
    }

    @Test("A file that is not there fails the item and leaves the player paused, with Core Audio's code")
    func missing() throws {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere/a.wav")), player = rig.player(item)
        player.play()
        #expect(try rig.render(1000) == Signal.silence(count: 1000))
        #expect(waitUntil { item.status == .failed && player.rate == 0 } && player.currentItem === item)
        #expect((item.error as? NSError)?.code == Int(kAudio_FileNotFoundError) && item.duration.isIndefinite)
        let other = AVPlayerItem(url: URL(string: "ftp://a.example/b.wav") ?? URL(fileURLWithPath: "/"))
        player.replaceCurrentItem(with: other)
        #expect(waitUntil { other.status == .failed } && (other.error as? NSError)?.domain == NSURLErrorDomain)
    }

    @Test("Without an item the player waits for one, and plays it when it comes")
    func waits() throws {
        let player = rig.player(nil)
        player.play()
        _ = try rig.render(100)
        #expect(
            player.timeControlStatus == .waitingToPlayAtSpecifiedRate && player.reasonForWaitingToPlay == .noItemToPlay)
        player.replaceCurrentItem(with: try item(3000))
        #expect(try rig.render(3000) == PlayerRig.noise(0..<3000))
    }

    @Test("A mix moves the volume in item time, and switching the track off silences it")
    func mix() throws {
        let item = AVPlayerItem(url: try rig.file([Float](repeating: 0.5, count: 60_000)))
        let parameters = AVMutableAudioMixInputParameters(track: item.asset.tracks.first)
        parameters.setVolumeRamp(
            fromStartVolume: 0, toEndVolume: 1,
            timeRange: CMTimeRange(
                start: CMTime(value: 12_000, timescale: 48_000), duration: CMTime(value: 24_000, timescale: 48_000)))
        parameters.setVolume(0.25, at: CMTime(value: 48_000, timescale: 48_000))
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        item.audioMix = mix
        let player = rig.player(item)
        player.play()
        let sound = try rig.render(50_000)
        #expect(sound[11_999] == 0.5 && sound[12_000] == 0 && (sound[24_000] - 0.25).magnitude < 1e-6)
        #expect(sound[40_000] == 0.5 && sound[48_001] == 0.125)
        item.tracks.first?.isEnabled = false
        #expect(Measure.peak(try rig.render(1000)) == 0)
    }

    @Test("Two players do not share an item, and an item is opened anew for the second")
    func ownership() throws {
        let item = try item(3000), player = rig.player(item), other = AVPlayer()
        other.errorHandler = { _ in }
        other.replaceCurrentItem(with: item)
        #expect(other.currentItem == nil && other.lastError != nil && player.currentItem === item)
        let copy = try #require(item.copy() as? AVPlayerItem)
        #expect(copy !== item && copy.asset === item.asset)
    }

    @Test("A start at a host time falls on its frame offline")
    func startAtHostTime() throws {
        let item = try item(30_000), player = rig.player(item)
        player.setRate(1, time: .invalid, atHostTime: .invalid)
        #expect(player.rate == 0 && player.lastError != nil)
        player.automaticallyWaitsToMinimizeStalling = false
        _ = try rig.render(1000)
        #expect(waitUntil { item.status == .readyToPlay })
        player.setRate(
            1, time: CMTime(value: 500, timescale: 48_000), atHostTime: CMTime(value: 2100, timescale: 48_000))
        #expect(try rig.render(2000) == Signal.silence(count: 1100) + PlayerRig.noise(500..<1400))
    }
}
