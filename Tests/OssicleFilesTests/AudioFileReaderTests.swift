import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Sound files") struct AudioFileTests {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    @Test("Every codec keeps the length, and every lossless one the samples to half a step", arguments: Coding.all)
    func roundTrip(coding: Coding) throws {
        let channels = Signal.tonesAndNoise(channels: 2, frames: 48_123)
        try write(channels, to: folder.path(coding.name), coding.container, coding.codec)
        let audio = try ResidentAudio(path: folder.path(coding.name))
        let info = try AudioFileProbe.probe(path: folder.path(coding.name))
        #expect(info.frameCount == Int64(audio.frameCount))
        #expect(audio.frameCount == coding.length(48_123), "\(audio.frameCount) frames")
        #expect(
            info.codec == coding.codec && info.container == coding.container && info.sampleRate == 48_000
                && info.channelCount == 2)
        for channel in 0..<2 {
            let errors = zip(audio.samples(channel), channels[channel]).map { abs($0 - $1) }
            if let step = coding.step {
                #expect((errors.max() ?? 1) <= step * 0.5)
            } else {
                let power = errors.map { Double($0 * $0) }.reduce(0, +) / Double(errors.count)
                #expect(power.squareRoot() < 0.07, "a lossy codec stays near the signal")
            }
        }
    }

    @Test("A stream gives the same samples as the whole file, for odd chunks and seeks", arguments: Coding.all)
    func streamEqualsResident(coding: Coding) throws {
        try write(
            Signal.tonesAndNoise(channels: coding.codec == .mp3 ? 1 : 2, frames: 48_123), to: folder.path(coding.name),
            coding.container, coding.codec)
        let whole = try ResidentAudio(path: folder.path(coding.name)).arrays
        let reader = try StreamedAudio(path: folder.path(coding.name)).makeReader()
        let length = whole[0].count

        var sequential: [[Float]] = whole.map { _ in [] }
        for chunk in [1, 7, 64, 127, 4097, 1000, 3, 50_000, 10] {
            for (channel, samples) in try read(reader, chunk).enumerated() { sequential[channel] += samples }
        }
        #expect(sequential == whole)
        #expect(reader.position == Int64(length))

        var state: UInt32 = 7
        for step in 0..<24 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let start = step % 6 == 0 ? 0 : step % 6 == 1 ? length - 77 : Int(state >> 4) % length
            try reader.seek(to: Int64(start))
            let count = min(1234, length - start)
            #expect(try read(reader, 1234) == whole.map { Array($0[start..<start + count]) }, "seek to \(start)")
        }
    }

    @Test("A seek beyond the end or before the start is clamped")
    func seekIsClamped() throws {
        try write([[0.25, 0.5]], to: folder.path("a.wav"), .wav, .float32)
        let reader = try AudioFileReader(path: folder.path("a.wav"))
        try reader.seek(to: 99)
        #expect(reader.position == 2)
        try reader.seek(to: -5)
        #expect(reader.position == 0)
    }

    @Test("Integers follow Apple's rule: -32768 is -1, +1 is clamped to 32767")
    func integerRule() throws {
        try write(
            [[-1, 1, 0.5, -2, 32_767 / 32_768, 1.5 / 32_768, 2.5 / 32_768]], to: folder.path("a.wav"), .wav, .pcm16)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wav"))).suffix(14)
        let values = (0..<7).map {
            Int16(
                bitPattern: UInt16(bytes[bytes.startIndex + 2 * $0]) | UInt16(bytes[bytes.startIndex + 2 * $0 + 1]) << 8
            )
        }
        #expect(values == [-32_768, 32_767, 16_384, -32_768, 32_767, 2, 2])
        #expect(try ResidentAudio(path: folder.path("a.wav")).arrays[0][0] == -1)
    }

    @Test("NaN and infinity become zero and are counted, when writing and when reading")
    func nonFinite() throws {
        let writer = try write([[0.5, .nan, -.infinity, 0.25]], to: folder.path("a.wav"), .wav, .float32)
        #expect(writer.nonFiniteCount == 2)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wav")))
        withUnsafeBytes(of: Float.infinity.bitPattern.littleEndian) {
            bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: $0)
        }
        try bytes.write(to: URL(fileURLWithPath: folder.path("b.wav")))
        let audio = try ResidentAudio(path: folder.path("b.wav"))
        #expect(audio.arrays == [[0.5, 0, 0, 0]])
        #expect(audio.nonFiniteCount == 1)
    }

    @Test("A file that is not closed yet can be read up to the last write")
    func headerStaysValid() throws {
        for coding in Coding.all where coding.codec.isInteger || coding.codec.isFloat {
            guard coding.codec.isLinear else { continue }
            let writer = try write(
                Signal.tonesAndNoise(channels: 1, frames: 5000), to: folder.path(coding.name), coding.container,
                coding.codec, close: false)
            #expect(try ResidentAudio(path: folder.path(coding.name)).frameCount == 5000, "\(coding.name)")
            #expect(writer.isOpen)
        }
    }

    @Test("The same samples give the same bytes")
    func deterministicBytes() throws {
        let channels = Signal.tonesAndNoise(channels: 2, frames: 9000)
        for coding in Coding.all where coding.container != .ogg {
            try write(channels, to: folder.path("1" + coding.name), coding.container, coding.codec)
            try write(channels, to: folder.path("2" + coding.name), coding.container, coding.codec)
            let first = try Data(contentsOf: URL(fileURLWithPath: folder.path("1" + coding.name)))
            let second = try Data(contentsOf: URL(fileURLWithPath: folder.path("2" + coding.name)))
            #expect(first == second, "\(coding.name)")
        }
    }

    @Test("Channel labels survive in WAVE and CAF")
    func labels() throws {
        let surround: [UInt32] = [1, 2, 3, 4, 5, 6]
        let channels = Signal.tonesAndNoise(channels: 6, frames: 100)
        try write(channels, to: folder.path("a.wav"), .wav, .pcm24, labels: surround)
        try write(channels, to: folder.path("a.caf"), .caf, .pcm24, labels: surround)
        #expect(try AudioFileProbe.probe(path: folder.path("a.wav")).channelLabels == surround)
        #expect(try AudioFileProbe.probe(path: folder.path("a.caf")).channelLabels == surround)
        try write(channels, to: folder.path("b.wav"), .wav, .pcm24)
        #expect(try AudioFileProbe.probe(path: folder.path("b.wav")).channelLabels == nil)
    }

    @Test("Planes beyond the file's channels stay untouched, missing ones are left out")
    func planeCounts() throws {
        try write([[0.5], [0.25]], to: folder.path("a.wav"), .wav, .float32)
        let plane = UnsafeMutablePointer<Float>.allocate(capacity: 1),
            other = UnsafeMutablePointer<Float>.allocate(capacity: 1),
            third = UnsafeMutablePointer<Float>.allocate(capacity: 1)
        defer { [plane, other, third].forEach { $0.deallocate() } }
        third.pointee = 9
        #expect(try AudioFileReader(path: folder.path("a.wav")).read(into: [plane, other, third], frames: 1) == 1)
        #expect([plane.pointee, other.pointee, third.pointee] == [0.5, 0.25, 9])
        #expect(try AudioFileReader(path: folder.path("a.wav")).read(into: [plane], frames: 5) == 1)
    }
}
