import OssicleAVFAudio
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

@Suite("AVPlayer: rates and observers") struct AVPlayerRateTests {
    private let rig: PlayerRig
    init() throws { rig = try PlayerRig() }

    @Test(
        "The algorithm decides whether the pitch follows the rate; time follows it always",
        arguments: [
            (AVAudioTimePitchAlgorithm.timeDomain, 1.5, 500.0), (.spectral, 0.5, 500), (.varispeed, 1.5, 750),
            (.varispeed, 0.5, 250),
        ])
    func pitch(_ algorithm: AVAudioTimePitchAlgorithm, _ rate: Double, _ expected: Double) throws {
        let item = AVPlayerItem(url: try rig.file(Signal.sine(500, count: 200_000, amplitude: 0.5)))
        item.audioTimePitchAlgorithm = algorithm
        let player = rig.player(item)
        player.rate = Float(rate)
        let sound = try rig.render(24_000).dropFirst(14_000)
        let tone = Measure.pitch(near: expected, in: Array(sound))
        // 0.2 % is 3.5 cents; the windows of the time effect move the level by up to 1.7 dB.
        #expect((tone.frequency / expected - 1).magnitude < 2e-3 && (tone.amplitude - 0.5).magnitude < 0.1)
        #expect((player.currentTime().seconds - rate / 2).magnitude < 1e-4)
    }

    @Test("A file at another rate than the output's is played at its own pitch and time")
    func rateConversion() throws {
        let item = AVPlayerItem(url: try rig.file(Signal.sine(500, sampleRate: 44_100, count: 88_200), rate: 44_100))
        let player = rig.player(item)
        player.play()
        let tone = Measure.pitch(near: 500, in: Array(try rig.render(24_000).dropFirst(9600)))
        #expect((tone.frequency / 500 - 1).magnitude < 1e-4 && (tone.amplitude - 1).magnitude < 0.01)
        #expect((player.currentTime().seconds - 0.5).magnitude < 1e-4)
    }

    @Test("Periodic observers are called at the multiples of their interval, to the frame")
    func periodic() throws {
        let player = rig.player(AVPlayerItem(url: try rig.noiseFile(48_000))), times = Notes<CMTime>()
        let token = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: nil) {
            times.add($0)
        }
        player.play()
        _ = try rig.render(25_000, callsOf: 1999)
        let ticks = times.all.filter { $0 > .zero }
        #expect(ticks == (1...5).map { CMTime(value: Int64($0) * 4800, timescale: 48_000) })
        player.removeTimeObserver(token)
        _ = try rig.render(10_000)
        #expect(times.all.filter { $0 > .zero }.count == 5)
        player.removeTimeObserver("no token")
        #expect(player.lastError != nil)
    }

    @Test("Boundary observers are called when their times are passed, and what they do is heard from that frame on")
    func boundary() throws {
        let player = rig.player(AVPlayerItem(url: try rig.noiseFile(48_000))), passed = Notes<CMTime>()
        let times = [12_345, 20_000].map { NSValue(time: CMTime(value: $0, timescale: 48_000)) }
        _ = player.addBoundaryTimeObserver(forTimes: times, queue: nil) { [weak player] in
            passed.add(player?.currentTime() ?? .invalid)
            player?.pause()
        }
        player.play()
        let sound = try rig.render(16_000)
        #expect(passed.all == [CMTime(value: 12_345, timescale: 48_000)] && player.rate == 0)
        #expect(sound == PlayerRig.noise(0..<12_345) + Signal.silence(count: 3655))
        player.play()
        _ = try rig.render(16_000)
        #expect(passed.all.last == CMTime(value: 20_000, timescale: 48_000))
    }

    @Test("A change of rate while playing goes on at the same place")
    func changes() throws {
        let player = rig.player(
            AVPlayerItem(url: try rig.file(Signal.sine(500, count: 400_000, amplitude: 0.5))))
        player.defaultRate = 2
        player.play()
        _ = try rig.render(24_000)
        #expect((player.currentTime().seconds - 1).magnitude < 1e-4)
        player.rate = 0.5
        _ = try rig.render(48_000)
        #expect((player.currentTime().seconds - 1.5).magnitude < 1e-4)
    }

    @Test("Changes go to the handler and to streams")
    func changeFeed() async throws {
        let item = AVPlayerItem(url: try rig.noiseFile(3000)), player = rig.player(nil),
            states = Notes<AVPlayer.TimeControlStatus>()
        player.changeHandler = { if case .timeControlStatus(let status) = $0 { states.add(status) } }
        let opened = Task {
            for await _ in item.changes { return item.status }; return .unknown
        }
        // The stream counts from when it is asked for.
        while item.changeFeed.streamCount == 0 { await Task.yield() }
        player.replaceCurrentItem(with: item)
        player.play()
        _ = try rig.render(4000)
        #expect(await opened.value == .readyToPlay)
        #expect(waitUntil { states.all.last == .paused } && states.all.contains(.playing))
    }

    @Test("The handler gets changes in their order, however late its queue is")
    func lateQueue() throws {
        let player = rig.player(nil), states = Notes<AVPlayer.TimeControlStatus>()
        player.changeHandler = { if case .timeControlStatus(let status) = $0 { states.add(status) } }
        player.machine.reports.queue.suspend()
        // Without an item it waits for sure; a file could be open before.
        player.play()
        player.replaceCurrentItem(with: AVPlayerItem(url: try rig.noiseFile(3000)))
        _ = try rig.render(4000)
        player.machine.reports.queue.resume()
        // Waiting comes once for each of its reasons.
        #expect(states.all.suffix(2) == [.playing, .paused] && states.all.count > 2)
        #expect(states.all.dropLast(2).allSatisfy { $0 == .waitingToPlayAtSpecifiedRate })
    }
}
