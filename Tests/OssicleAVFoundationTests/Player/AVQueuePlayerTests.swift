import OssicleAVFAudio
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

@Suite("AVQueuePlayer and AVPlayerLooper") struct AVQueuePlayerTests {
    private let rig: PlayerRig
    init() throws { rig = try PlayerRig() }

    private func item(_ frames: Int, seed: Int) throws -> AVPlayerItem {
        AVPlayerItem(url: try rig.noiseFile(frames, seed: seed))
    }

    @Test("Items follow each other without a gap, each ends once, and the queue runs empty")
    func gapless() throws {
        let items = try [(9001, 1), (137, 2), (20_000, 3)].map { try item($0, seed: $1) }
        let ends = items.map { NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, $0) }
        let player = rig.player(items)
        player.play()
        let sound = try rig.render(31_000)
        let expected =
            PlayerRig.noise(0..<9001, seed: 1) + PlayerRig.noise(0..<137, seed: 2)
            + PlayerRig.noise(0..<20_000, seed: 3)
        #expect(sound == expected + Signal.silence(count: 31_000 - expected.count))
        #expect(ends.map(\.count) == [1, 1, 1] && player.items().isEmpty && player.currentItem == nil)
        #expect(
            player.timeControlStatus == .waitingToPlayAtSpecifiedRate && player.reasonForWaitingToPlay == .noItemToPlay)
        player.insert(try item(500, seed: 4), after: nil)
        #expect(try rig.render(500) == PlayerRig.noise(0..<500, seed: 4))
    }

    @Test("What is inserted or removed behind the current item is heard in its place")
    func edits() throws {
        let items = try (1...3).map { try item(10_000, seed: $0) }, late = try item(300, seed: 9)
        let player = rig.player(items)
        player.play()
        var sound = try rig.render(4000)
        player.remove(items[1])
        player.insert(late, after: items[0])
        #expect(!player.canInsert(late, after: nil) && player.items() == [items[0], late, items[2]])
        sound += try rig.render(7000)
        #expect(
            sound == PlayerRig.noise(0..<10_000, seed: 1) + PlayerRig.noise(0..<300, seed: 9)
                + PlayerRig.noise(0..<700, seed: 3))
        #expect(player.currentItem === items[2] && items[1].machine == nil)
    }

    @Test("Advancing begins the next item at once; removing all leaves silence")
    func advances() throws {
        let items = try (1...2).map { try item(10_000, seed: $0) }, player = rig.player(items)
        player.play()
        _ = try rig.render(1000)
        player.advanceToNextItem()
        #expect(try rig.render(1000) == PlayerRig.noise(0..<1000, seed: 2))
        #expect(items[0].currentTime() == CMTime(value: 1000, timescale: 48_000))
        player.removeAllItems()
        #expect(try rig.render(1000) == Signal.silence(count: 1000) && player.items().isEmpty)
    }

    @Test("An item that cannot be read is passed over")
    func failure() throws {
        let bad = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere/a.wav"))
        let player = rig.player([try item(2000, seed: 1), bad, try item(2000, seed: 2)])
        let failed = NotificationCount(AVPlayerItem.failedToPlayToEndTimeNotification, bad)
        player.play()
        let sound = try rig.render(4000)
        #expect(sound == PlayerRig.noise(0..<2000, seed: 1) + PlayerRig.noise(0..<2000, seed: 2))
        #expect(bad.status == .failed && failed.count == 1)
    }

    @Test("An item of another rate is converted and follows within a millisecond")
    func otherRate() throws {
        let second = AVPlayerItem(
            url: try rig.file(Signal.sine(500, sampleRate: 44_100, count: 44_100, amplitude: 0.5), rate: 44_100))
        let first = AVPlayerItem(url: try rig.file(Signal.sine(500, count: 24_000, amplitude: 0.5)))
        let player = rig.player([first, second])
        player.play()
        let sound = try rig.render(60_000)
        let tone = Measure.pitch(near: 500, in: Array(sound[26_000..<58_000]))
        #expect((tone.frequency / 500 - 1).magnitude < 1e-4 && (tone.amplitude - 0.5).magnitude < 0.005)
        // No window of a millisecond around the seam is silent.
        #expect(Measure.peak(sound[23_976..<24_024]) > 0.05 && Measure.peak(sound[24_000..<24_048]) > 0.05)
    }

    @Test(
        "A looper repeats its item in phase, whole or in part, and ends after the pass that sounds",
        arguments: [true, false])
    func loops(isWhole: Bool) throws {
        let player = rig.player([])
        let range =
            isWhole
            ? CMTimeRange.invalid
            : CMTimeRange(start: CMTime(value: 1000, timescale: 48_000), end: CMTime(value: 4500, timescale: 48_000))
        let pass = isWhole ? PlayerRig.noise(0..<7001, seed: 5) : PlayerRig.noise(1000..<4500, seed: 5)
        let looper = AVPlayerLooper(player: player, templateItem: try item(7001, seed: 5), timeRange: range)
        player.play()
        let count = pass.count * 4 + pass.count / 2
        let expected = (0..<count).map { pass[$0 % pass.count] }
        #expect(try rig.render(count) == expected)
        #expect(looper.status == .ready && looper.loopCount == 4 && looper.loopingPlayerItems.count >= 3)
        looper.disableLooping()
        let rest = Array(pass[(pass.count / 2)...])
        #expect(try rig.render(rest.count + 500) == rest + Signal.silence(count: 500))
        #expect(looper.status == .cancelled && player.items().isEmpty)
    }

    @Test("A loop of no length fails with an error, one of two milliseconds sounds")
    func shortLoops() throws {
        let player = rig.player([]), template = try item(5000, seed: 6)
        let empty = AVPlayerLooper(
            player: player, templateItem: template, timeRange: CMTimeRange(start: .zero, duration: .zero))
        #expect(empty.status == .failed && empty.error != nil && player.items().isEmpty)
        let range = CMTimeRange(start: .zero, duration: CMTime(value: 96, timescale: 48_000))
        let short = AVPlayerLooper(player: player, templateItem: template, timeRange: range)
        player.play()
        let pass = PlayerRig.noise(0..<96, seed: 6)
        #expect(try rig.render(1000) == (0..<1000).map { pass[$0 % 96] } && short.loopCount == 10)
    }
}
