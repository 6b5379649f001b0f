import Foundation
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

@Suite struct PlayerFileTests {
    @Test func `a file sounds as its samples in memory do, and leaves the file object's position alone`() throws {
        let folder = try TemporaryFolder()
        let (left, right) = (
            Signal.noise(count: 300_001, seed: 1, amplitude: 0.5), Signal.noise(count: 300_001, seed: 2, amplitude: 0.5)
        )
        let file = try waveFile(folder, "noise.wav", [left, right], rate: 48000)
        file.framePosition = 123
        let stage = try PlayerStage(channels: 2)
        stage.player.scheduleFile(file, at: nil)
        stage.player.scheduleBuffer(try stage.buffer(left, right))
        stage.player.play()
        let output = try stage.renderAll(600_100, cuts: [4096, 100, 65536])
        #expect(Measure.sameBytes(output[0], left + left + silence(98)))
        #expect(Measure.sameBytes(output[1], right + right + silence(98)))
        #expect(file.framePosition == 123)
        #expect(stage.player.starvedFrameCount == 0)
    }

    @Test(arguments: [48_000.0, 44_100])
    func `a file that is open plays although its name is gone or leads to another file`(rate: Double) throws {
        let folder = try TemporaryFolder()
        let samples = Signal.noise(count: 20_000, seed: 1, amplitude: 0.5)
        let expected = try {
            let stage = try PlayerStage()
            stage.player.scheduleFile(try waveFile(folder, "kept.wav", [samples], rate: rate), at: nil)
            stage.player.play()
            return try stage.render(22_000)
        }()
        let file = try waveFile(folder, "noise.wav", [samples], rate: rate)
        let stage = try PlayerStage()
        try FileManager.default.removeItem(at: file.url)
        stage.player.scheduleFile(file, at: nil)
        stage.player.play()
        #expect(try stage.render(22_000) == expected)
        _ = try waveFile(folder, "noise.wav", [silence(20_000)], rate: rate)
        // More of them than stay open at a time: the later ones are opened when their turn comes.
        for _ in 0..<10 { stage.player.scheduleSegment(file, startingFrame: 0, frameCount: 1000, at: nil) }
        let segment = try stage.render(10 * 1100)
        #expect(
            segment.prefix(900) == expected.prefix(900) && Measure.level(Array(segment.suffix(1500).prefix(500))) > -20)
        #expect(stage.engine.lastError == nil)
        file.close()
        stage.player.scheduleFile(file, at: nil)
        #expect(stage.engine.lastError != nil)
    }

    @Test func `a segment plays its frames, what lies beyond the end is left out`() throws {
        let folder = try TemporaryFolder()
        let samples = ramp(10_000)
        let file = try waveFile(folder, "ramp.wav", [samples], rate: 48000)
        let stage = try PlayerStage()
        stage.player.scheduleSegment(file, startingFrame: 5000, frameCount: 1000, at: nil)
        stage.player.scheduleSegment(file, startingFrame: 100, frameCount: 50, at: nil)
        stage.player.scheduleSegment(file, startingFrame: 9990, frameCount: 5000, at: time(1200))
        stage.player.scheduleSegment(file, startingFrame: 20_000, frameCount: 5000, at: nil)
        stage.player.play()
        let parts: [[Float]] = [
            Array(samples[5000..<6000]), Array(samples[100..<150]), silence(150), Array(samples[9990...]), silence(90),
        ]
        #expect(try stage.render(1300) == Array(parts.joined()))
    }

    @Test func `five thousand segments play without a gap in one call, and do not use up the files a program may open`()
        throws
    {
        let folder = try TemporaryFolder()
        let samples = Signal.noise(count: 30_000, seed: 3, amplitude: 0.5)
        let file = try waveFile(folder, "noise.wav", [samples], rate: 48000)
        let stage = try PlayerStage()
        for index in 0..<5000 {
            stage.player.scheduleSegment(file, startingFrame: Int64(index * 6), frameCount: 6, at: nil)
        }
        stage.player.play()
        #expect(try stage.render(30_000, cuts: [30_000]) == samples)
        #expect(stage.player.starvedFrameCount == 0)
    }

    @Test(arguments: [
        (44100.0, 48000.0), (48000, 44100), (8000, 48000), (22050, 96000), (96000, 44100), (192000, 44100),
        (192000, 8000),
    ])
    func `a file of another rate keeps its pitch, level and length`(rate: Double, nodeRate: Double) throws {
        let folder = try TemporaryFolder()
        let seconds = 0.5
        let count = Int(rate * seconds) + 3
        let frequency = 997.0
        let file = try waveFile(
            folder, "tone.wav", [Signal.sine(frequency, sampleRate: rate, count: count, amplitude: 0.5)], rate: rate)
        let stage = try PlayerStage(rate: nodeRate)
        stage.player.scheduleFile(file, at: nil)
        stage.player.scheduleBuffer(try stage.buffer([1]))
        stage.player.play()
        let length = Int((Double(count) * nodeRate / rate).rounded(.up))
        let output = try stage.render(length + 1, cuts: [777])
        #expect(output[length] == 1)
        // In the middle, where neither edge is within the filter's reach.
        let expected = Signal.sine(frequency, sampleRate: nodeRate, count: length, amplitude: 0.5)
        let middle = 400..<(length - 400)
        let noise = zip(output[middle], expected[middle]).reduce(0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
        let signal = Measure.energy(expected[middle])
        #expect(10 * log10(signal / noise) > 95)
    }

    @Test func `conversion gives the same bytes however it is read`() throws {
        let folder = try TemporaryFolder()
        let file = try waveFile(
            folder, "noise.wav", [Signal.noise(count: 50_000, seed: 4, amplitude: 0.5)], rate: 44100)
        func output(_ cuts: [Int], preroll: AVAudioFrameCount) throws -> [Float] {
            let stage = try PlayerStage()
            stage.player.scheduleFile(file, at: nil)
            stage.player.prepare(withFrameCount: preroll)
            stage.player.play()
            return try stage.render(55_000, cuts: cuts)
        }
        let whole = try output([4096], preroll: 0)
        #expect(Measure.sameBytes(try output([1000, 1, 37], preroll: 3000), whole))
        #expect(Measure.sameBytes(try output([55_000], preroll: 100_000), whole))
    }

    @Test func `channels are dropped or left silent, and mono goes to both sides`() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (ramp(500), ramp(500, from: 7000))
        let stereo = try PlayerStage(channels: 2)
        stereo.player.scheduleFile(try waveFile(folder, "mono.wav", [a], rate: 48000), at: nil)
        stereo.player.play()
        #expect(try stereo.renderAll(500) == [a, a])
        let mono = try PlayerStage()
        mono.player.scheduleFile(try waveFile(folder, "stereo.wav", [a, b], rate: 48000), at: nil)
        mono.player.play()
        #expect(try mono.render(500) == a)
    }

    @Test func `a damaged file goes on as silence, and says so once`() throws {
        let folder = try TemporaryFolder()
        let samples = ramp(20_000)
        let file = try waveFile(folder, "cut.wav", [samples], rate: 48000)
        let stage = try PlayerStage()
        let stream = try FileStream(file, from: 0, count: 20_000, rate: 48000, channels: 1)
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.truncate(atOffset: 40_000)
        try handle.close()
        stage.player.queue.schedule(ScheduledSegment(stream, at: nil))
        stage.player.scheduleBuffer(try stage.buffer([1]))
        stage.player.play()
        let output = try stage.render(20_001)
        #expect(Array(output[..<9000]) == Array(samples[..<9000]))
        #expect(output[10_000..<20_000].allSatisfy { $0 == 0 })
        #expect(output[20_000] == 1)
        #expect(stage.errorCode == kAudioFileInvalidFileError)
    }

    @Test func `a converted file that breaks off says so, too`() throws {
        let folder = try TemporaryFolder()
        let file = try waveFile(folder, "cut.wav", [ramp(20_000)], rate: 44100)
        let stage = try PlayerStage()
        let stream = try FileStream(file, from: 0, count: 20_000, rate: 48000, channels: 1)
        let handle = try FileHandle(forWritingTo: file.url)
        try handle.truncate(atOffset: 40_000)
        try handle.close()
        stage.player.queue.schedule(ScheduledSegment(stream, at: nil))
        stage.player.play()
        let output = try stage.render(22_000)
        #expect(output[20_000...].allSatisfy { $0 == 0 })
        #expect(stage.errorCode == kAudioFileInvalidFileError)
    }

    @Test func `a stream nobody fills is counted as starved`() throws {
        let folder = try TemporaryFolder()
        let file = try waveFile(folder, "ramp.wav", [ramp(5000)], rate: 48000)
        let stage = try PlayerStage()
        let stream = try FileStream(file, from: 0, count: 5000, rate: 48000, channels: 1)
        stream.cancel()
        stage.player.queue.schedule(ScheduledSegment(stream, at: nil))
        stage.player.play()
        #expect(try stage.render(5100) == silence(5100))
        #expect(stage.player.starvedFrameCount == 5000)
    }

    @Test func `in device mode the reader service decodes ahead, without anybody waiting`() throws {
        let folder = try TemporaryFolder()
        let samples = Signal.noise(count: 200_000, seed: 5, amplitude: 0.5)
        let file = try waveFile(folder, "noise.wav", [samples], rate: 44100)
        let stream = try FileStream(file, from: 0, count: 200_000, rate: 48000, channels: 1)
        FileStream.readers.add(stream)
        defer { FileStream.readers.remove([stream]) }
        if stream.request(ahead: 48000) { FileStream.readers.wake() }
        for _ in 0..<1000 where stream.isBehind(48000) { Thread.sleep(forTimeInterval: 0.01) }
        #expect(!stream.isBehind(48000))
    }
}
