import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioPlayer: level and speed")
struct AVAudioPlayerLevelTests {
    @Test("Volume scales, within 0 and 1", arguments: [0, 0.25, 0.5, 1] as [Float])
    func volume(value: Float) throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 2000)
        let player = try rig.player(sound)
        player.volume = value
        player.play()
        #expect(try rig.render(2000)[0] == sound.map { $0 * value })
        player.volume = 7
        #expect(player.volume == 1)
        player.volume = -1
        #expect(player.volume == 0)
    }

    @Test(
        "Pan lowers the farther side by cos(|pan| π/2) and leaves the nearer",
        arguments: [-1, -0.5, 0, 0.3, 1] as [Float])
    func pan(value: Float) throws {
        let rig = try PlayerRig()
        let sound = tone(4800)
        let player = try rig.player(sound)
        player.pan = value
        player.play()
        let output = try rig.render(4800)
        let lowered = value.magnitude == 1 ? 0 : cos(value.magnitude * .pi / 2)
        let (near, far) = value > 0 ? (1, 0) : (0, 1)
        #expect(output[near] == sound)
        #expect(Measure.largestDifference(output[far], sound.map { $0 * lowered }) < 1e-6)
    }

    @Test("A fade is a straight line, and ends at its volume")
    func fade() throws {
        let rig = try PlayerRig()
        let player = try rig.player([Float](repeating: 1, count: 48_000))
        player.volume = 0.25
        player.play()
        _ = try rig.render(1024)
        player.setVolume(1, fadeDuration: 0.2)
        #expect(player.volume == 0.25)
        let half = try rig.render(4800)[0]
        #expect(abs(player.volume - 0.625) < 1e-3)
        let rest = try rig.render(6000)[0]
        let line = (0..<9600).map { 0.25 + 0.75 * Float($0) / 9600 }
        // Ramps of 128 frames along the line: they meet it at their ends.
        #expect(Measure.largestDifference(Array((half + rest)[..<9600]), line) < 1e-3)
        #expect(rest[5000...].allSatisfy { $0 == 1 } && player.volume == 1)
    }

    @Test("A fade does not depend on how the calls are cut")
    func fadeCuts() throws {
        let sounds = try [[4096], [100, 1, 777]].map { (cuts: [Int]) -> [Float] in
            let rig = try PlayerRig()
            let player = try rig.player(tone(24_000))
            player.play()
            player.setVolume(0, fadeDuration: 0.3)
            return try rig.render(20_000, cuts: cuts)[0]
        }
        // Where sound begins, a gain is taken at once: up to a quantum of the line's 14,400 frames, of a tone of 0.5.
        #expect(Measure.largestDifference(sounds[0], sounds[1]) < 0.5 * 128 / 14_400)
        #expect(sounds[0].suffix(5000).allSatisfy { $0 == 0 })
    }

    @Test("rate changes the speed and keeps the pitch", arguments: [0.5, 0.8, 1.25, 2] as [Float])
    func rate(value: Float) throws {
        let rig = try PlayerRig()
        let player = try rig.player(tone(48_000, frequency: 440))
        player.enableRate = true
        player.rate = value
        player.play()
        let sound = try rig.render(Int(48_000 / value) + 9600)[0]
        let middle = Array(sound[8000..<18_000])
        let pitch = Measure.pitch(near: 440, in: middle).frequency
        #expect(abs(1200 * log2(pitch / 440)) < 5)
        #expect(abs(Measure.level(middle) + 9.03) < 0.5)
        // The stretcher's windows are 85 ms.
        let end = sound.lastIndex { $0.magnitude > 0.05 } ?? 0
        #expect(abs(Double(end) - 48_000 / Double(value)) < 4800)
        #expect(!player.isPlaying)
    }

    @Test("Without enableRate the rate is kept and not heard; out of range it is moved to the edge")
    func rateOff() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 2000)
        let player = try rig.player(sound)
        player.rate = 2
        player.play()
        #expect(try rig.render(2000)[0] == sound)
        player.rate = 9
        #expect(player.rate == 2)
        player.rate = 0.1
        #expect(player.rate == 0.5)
    }

    @Test("With enableRate at rate 1 samples pass unchanged")
    func rateOne() throws {
        let rig = try PlayerRig()
        let sound = Signal.noise(count: 5000)
        let player = try rig.player(sound)
        player.enableRate = true
        player.play()
        #expect(try rig.render(5000)[0] == sound)
    }

    @Test("Meters tell RMS and peak of each channel, whatever volume and pan are")
    func meters() throws {
        let rig = try PlayerRig()
        let player = try rig.player(tone(48_000, amplitude: 1), tone(48_000, amplitude: 0.1))
        player.play()
        _ = try rig.render(9600)
        player.updateMeters()
        #expect(player.averagePower(forChannel: 0) == -160 && player.peakPower(forChannel: 0) == -160)
        player.isMeteringEnabled = true
        (player.volume, player.pan) = (0.1, 1)
        _ = try rig.render(9600)
        #expect(player.averagePower(forChannel: 0) == -160)
        player.updateMeters()
        #expect(abs(player.averagePower(forChannel: 0) + 3.01) < 0.05)
        #expect(abs(player.averagePower(forChannel: 1) + 23.01) < 0.05)
        #expect(abs(player.peakPower(forChannel: 0)) < 0.05 && abs(player.peakPower(forChannel: 1) + 20) < 0.05)
        #expect(player.peakPower(forChannel: 2) == -160 && player.peakPower(forChannel: -1) == -160)
        player.pause()
        player.updateMeters()
        #expect(player.averagePower(forChannel: 0) == -160)
    }

    @Test("Channel assignments send each channel where they say, and only where there is one for each")
    func assignments() throws {
        let rig = try PlayerRig()
        let (left, right) = (Signal.noise(count: 2000), Signal.noise(count: 2000, seed: 2))
        let player = try rig.player(left, right), next = try rig.player(left, right)
        func port(_ numbers: Int...) -> [AVAudioSessionChannelDescription] {
            numbers.map { AVAudioSessionChannelDescription(name: "", owner: "", number: $0, label: 0) }
        }
        player.channelAssignments = port(1)
        #expect(player.channelAssignments == nil && player.lastError != nil)
        player.channelAssignments = port(2, 1)
        #expect(player.channelAssignments?.map(\.channelNumber) == [2, 1])
        player.play()
        #expect(try rig.render(2000) == [right, left])
        // Gains are led over while there is sound.
        _ = try rig.render(128)
        player.channelAssignments = port(9, 1)
        player.play()
        #expect(try rig.render(2000) == [right, silence(2000)])
        player.stop()
        _ = try rig.render(128)
        // The mixer's bus is free again.
        next.play()
        #expect(try rig.render(2000) == [left, right])
    }
}
