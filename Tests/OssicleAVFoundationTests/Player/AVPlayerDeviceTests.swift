import OssicleAVFAudio
import OssicleDevices
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

/// At the default device, without a sound; at the silent clock where there is none.
@Suite("AVPlayer at a device", .serialized) struct AVPlayerDeviceTests {
    private let rig: PlayerRig
    init() throws { rig = try PlayerRig() }

    private func player(_ items: [AVPlayerItem]) -> AVQueuePlayer {
        let player = AVQueuePlayer(items: items)
        player.isMuted = true
        return player
    }

    @Test("Time moves, observers are called on their queue, and items end one after the other")
    func plays() throws {
        let items = try (1...2).map { AVPlayerItem(url: try rig.noiseFile(12_000, seed: $0)) }
        let ends = items.map { NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, $0) }
        let player = player(items), times = Notes<CMTime>(), queue = DispatchQueue(label: "observer")
        let token = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 50), queue: queue) {
            dispatchPrecondition(condition: .onQueue(queue))
            times.add($0)
        }
        player.play()
        #expect(waitUntil { ends.map(\.count) == [1, 1] && player.currentItem == nil })
        #expect(times.all.filter { $0 > .zero }.count >= 10 && player.status == .readyToPlay)
        player.removeTimeObserver(token)
    }

    @Test("A seek while playing arrives, and playing goes on from there")
    func seeks() async throws {
        let item = AVPlayerItem(url: try rig.noiseFile(480_000)), player = player([item])
        player.play()
        #expect(waitUntil { player.timeControlStatus == .playing && player.currentTime() > .zero })
        #expect(await player.seek(to: CMTime(value: 9, timescale: 1)))
        #expect(player.currentTime().seconds >= 9 && waitUntil { player.currentTime().seconds > 9.02 })
        player.pause()
        let place = player.currentTime()
        #expect(player.currentTime() == place && player.timeControlStatus == .paused)
    }

    /// At a device of 40 ms latency, which the test drives: the host time of a frame is when the device takes it.
    @Test(
        "setRate(_:time:atHostTime:) has the item's frame in the frame of the device whose host time it is",
        arguments: [AVAudioTimePitchAlgorithm.timeDomain, .varispeed], [0.0, 0.5])
    func hostTime(_ algorithm: AVAudioTimePitchAlgorithm, from place: Double) throws {
        let steps = (0..<48_000).map { Float($0 + 1) / 65_536 }
        let item = AVPlayerItem(url: try rig.file(steps))
        item.audioTimePitchAlgorithm = algorithm
        let device = DrivenOutput(latency: 0.04)
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) {
            let player = AVPlayer(playerItem: item)
            player.automaticallyWaitsToMinimizeStalling = false
            #expect(waitUntil { player.status == .readyToPlay })
            let isReady = Notes<Bool>()
            player.seek(to: CMTime(value: Int64(place * 48_000), timescale: 48_000)) { _ in isReady.add(true) }
            #expect(waitUntil { isReady.all.count == 1 })
            let time = device.origin + 200_000_000
            player.setRate(1, time: .invalid, atHostTime: CMTime(value: Int64(time), timescale: 1_000_000_000))
            #expect(waitUntil { player.timeControlStatus == .playing && device.isRunning })
            device.take(blocks: 60)
            let begin = try #require(device.taken[0].firstIndex { $0 != 0 })
            #expect(begin == 9600)
            #expect(device.taken[0][begin + 1000] == steps[Int(place * 48_000) + 1000])
            player.pause()
        }
    }

    @Test("An interruption of the session pauses, and says why")
    func interruption() throws {
        let item = AVPlayerItem(url: try rig.noiseFile(480_000)), player = player([item]), reasons = Notes<String>()
        let token = NotificationCenter.default.addObserver(
            forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil
        ) { reasons.add($0.userInfo?[AVPlayer.rateDidChangeReasonKey] as? String ?? "") }
        defer { NotificationCenter.default.removeObserver(token) }
        player.play()
        #expect(waitUntil { player.timeControlStatus == .playing })
        NotificationCenter.default.post(
            name: AVAudioSession.interruptionNotification, object: player,
            userInfo: [AVAudioSessionInterruptionTypeKey: AVAudioSession.InterruptionType.began.rawValue])
        #expect(player.rate == 0 && waitUntil { reasons.all.count == 2 })
        #expect(reasons.all.last == AVPlayer.RateDidChangeReason.audioSessionInterrupted.rawValue)
    }
}
