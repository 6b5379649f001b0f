import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioPlayer: one clock")
struct AVAudioPlayerClockTests {
    @Test("Players of one rate started at one time of the device begin on the same frame", arguments: [48_000, 44_100])
    func synchronised(rate: Double) throws {
        let rig = try PlayerRig(channels: 1)
        let sound = Signal.noise(count: 9600, amplitude: 0.5)
        let one = try rig.player(sound, rate: rate), other = try rig.player(sound.map { -$0 }, rate: rate)
        let marker = try rig.player(Signal.impulse(count: 4800, height: 0.25), rate: 48_000)
        other.enableRate = true
        one.prepareToPlay()
        _ = try rig.render(1000, cuts: [333])
        let start = one.deviceCurrentTime + 0.1
        for player in [one, other, marker] {
            #expect(player.deviceCurrentTime == rig.time(1000))
            #expect(player.play(atTime: start) && player.isPlaying)
        }
        // What is opposite cancels, to the frame and to the bit.
        let output = try rig.render(8000)[0]
        #expect(output == Signal.impulse(count: 8000, at: 4800, height: 0.25))
        #expect(one.isPlaying && other.isPlaying && one.currentTime == other.currentTime)
    }

    @Test(
        "A file of another rate begins on the device's frame, to one of its own frames",
        arguments: [8000, 44_100, 96_000])
    func otherRates(rate: Double) throws {
        let rig = try PlayerRig(channels: 1)
        let player = try rig.player([Float](repeating: 0.5, count: 9600), rate: rate)
        _ = try rig.render(777)
        player.play(atTime: rig.time(5000))
        let sound = try rig.render(8000)[0]
        // Half of the step lies at its beginning.
        let onset = try #require(sound.firstIndex { $0 > 0.25 })
        #expect(Double(abs(777 + onset - 5000)) <= max(48_000 / rate, 1) + 1)
    }

    @Test("A player with another speed begins on its frame too", arguments: [0.5, 1.5] as [Float])
    func fastStart(rate: Float) throws {
        let rig = try PlayerRig(channels: 1)
        let player = try rig.player([0.5] + tone(9600))
        player.enableRate = true
        player.rate = rate
        player.play(atTime: rig.time(5000))
        let sound = try rig.render(30_000)[0]
        #expect(sound[..<5000].allSatisfy { $0 == 0 } && sound[5000] == 0.5)
        let end = sound.lastIndex { $0.magnitude > 0.05 } ?? 0
        #expect(abs(Double(end - 5000) - 9600 / Double(rate)) < 3000)
    }

    @Test("A time that has passed means now, and one that is none is refused")
    func oddTimes() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 1000)
        let player = try rig.player(sound)
        _ = try rig.render(500)
        for time in [Double.nan, .infinity, -.infinity] {
            player.lastError = nil
            #expect(!player.play(atTime: time) && !player.isPlaying && player.lastError != nil)
        }
        #expect(player.play(atTime: -3))
        #expect(try rig.render(1000)[0] == sound)
    }

    @Test("A start that is still to come can be paused away, and paused sound starts at a time again")
    func pausedStart() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 2000)
        let player = try rig.player(sound)
        player.play(atTime: rig.time(1000))
        _ = try rig.render(500)
        player.pause()
        #expect(try rig.render(1000)[0] == silence(1000))
        player.play(atTime: rig.time(2000))
        var output = try rig.render(1500)[0]
        #expect(output == silence(500) + sound[..<1000])
        player.pause()
        player.play(atTime: rig.time(3500))
        output = try rig.render(2000)[0]
        #expect(output == silence(500) + Array(sound[1000...]) + silence(500))
    }

    @Test("Two devices have players and times of their own")
    func devices() throws {
        let (one, other) = (try PlayerRig(), try PlayerRig())
        let sound = Signal.noise(count: 1000)
        let player = try one.player(sound)
        player.play()
        #expect(try other.render(1000)[0] == silence(1000))
        #expect(player.deviceCurrentTime == 0)
        #expect(try one.render(1000)[0] == sound)
        #expect(player.deviceCurrentTime == one.time(1000))
    }

    @Test("Sixteen players at once add up")
    func many() throws {
        let rig = try PlayerRig()
        let players = try (0..<16).map { try rig.player(Signal.noise(count: 3000, seed: UInt64($0), amplitude: 0.05)) }
        for player in players { player.play() }
        let noises = (0..<16).map { Signal.noise(count: 3000, seed: UInt64($0), amplitude: 0.05) }
        let sum = (0..<3000).map { frame in
            noises.reduce(Float(0)) { $0 + $1[frame] }
        }
        #expect(Measure.largestDifference(try rig.render(3000)[0], sum) < 1e-6)
    }
}
