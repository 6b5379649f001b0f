import Foundation
import OssicleCodecs
import Testing
@testable import OssicleFiles

@Suite("Files that grow") struct RecordingTests {
    private static let rate = 48_000.0

    /// Frames that may still be in an encoder when its process is killed, beside the quarter of a second between two
    /// headers.
    private static func heldBack(_ coding: Coding) -> Int {
        switch coding.codec {
        // A packet, and packets that are more than the quarter together.
        case _ where coding.container == .caf && !coding.codec.isLinear: 2 * 4096
        case .imaADPCM, .microsoftADPCM, .ima4: 4089
        case .flac8, .flac16, .flac24: 4096
        case .mp3: 1152 * 12
        // A page of Vorbis takes up to 64 KiB, or 4 KiB with libogg's fill.
        case .vorbis: 48_000
        case .opus: 24_000
        default: 0
        }
    }

    @Test("What a killed process leaves behind reads up to the last quarter of a second", arguments: Coding.all)
    func killed(coding: Coding) throws {
        let sink = MemorySink(), request = coding.request("memory", channels: 2)
        let writer = AudioFileWriter(request, try FileRouter.makeEncoder(request) { sink })
        let sound = Signal.tonesAndNoise(channels: 2, frames: 3 * 48_000).map { $0.map(Double.init) }
        var whole: [[Double]] = [[], []]
        for start in stride(from: 0, to: sound[0].count, by: 1000) {
            try write(sound.map { Array($0[start..<start + 1000]) }, writer)
        }
        let left = sink.bytes
        try writer.finish()
        whole = try decoded(sink.bytes)
        let reader = try AudioFileReader(source: MemoryBytes(left)), read = try decoded(reader)
        #expect(
            read[0].count >= sound[0].count - 12_000 - Self.heldBack(coding), "\(read[0].count) of \(sound[0].count)")
        #expect(reader.info.frameCount == Int64(read[0].count))
        // MP3 has its gapless tag only after closing; until then the encoder's delay is heard.
        if coding.codec != .mp3 { #expect(read == whole.map { Array($0.prefix(read[0].count)) }) }
    }

    /// Byte by byte where samples are linear: libsndfile numbers each Ogg stream anew.
    @Test("A file that need not be readable meanwhile is the same in the end", arguments: Coding.all)
    func whenWhole(coding: Coding) throws {
        let sound = Signal.tonesAndNoise(channels: 2, frames: 48_000).map { $0.map(Double.init) }
        let files = try [true, false].map { isReadable in
            let sink = MemorySink()
            var request = coding.request("memory", channels: 2)
            request.isReadableMeanwhile = isReadable
            let writer = AudioFileWriter(request, try FileRouter.makeEncoder(request) { sink })
            try write(sound, writer)
            try write(sound, writer)
            try writer.finish()
            return sink.bytes
        }
        #expect(files[0] == files[1] || !coding.codec.isLinear)
        #expect(try decoded(files[0]) == decoded(files[1]))
    }

    @Test("The first write can be read at once", arguments: Coding.all.filter { $0.codec.isLinear })
    func firstWrite(coding: Coding) throws {
        let sink = MemorySink(), request = coding.request("memory", channels: 1)
        let writer = AudioFileWriter(request, try FileRouter.makeEncoder(request) { sink })
        try write([[0.25, -0.25, 0.5]], writer)
        #expect(try decoded(sink.bytes) == [[0.25, -0.25, 0.5]])
        #expect(writer.isOpen)
    }

    @Test("What was written before the disk was full can be read", arguments: Coding.all.filter { $0.codec != .mp3 })
    func fullDisk(coding: Coding) throws {
        let sink = MemorySink(limit: 40_000), request = coding.request("memory", channels: 1)
        let writer = AudioFileWriter(request, try FileRouter.makeEncoder(request) { sink })
        let piece = Signal.tonesAndNoise(channels: 1, frames: 2000).map { $0.map(Double.init) }
        var failure: AudioFileError?
        for _ in 0..<400 where failure == nil {
            do { try write(piece, writer) } catch { failure = error as? AudioFileError }
        }
        try? writer.finish()
        #expect(failure?.kind == .writeFailed)
        let read = try decoded(sink.bytes)
        #expect(
            !read[0].isEmpty && Int64(read[0].count) + 8192 + Int64(Self.heldBack(coding)) >= writer.frameCount,
            "\(read[0].count) of \(writer.frameCount)")
    }

    @Test("A file that would outgrow its header refuses in time, names RF64, and can be read")
    func limit() throws {
        for coding in Coding.all where ["16.wav", "16.aiff", "16.au"].contains(coding.name) {
            let sink = MemorySink(), request = coding.request("memory", channels: 1)
            let writer = AudioFileWriter(request, try SndfileEncoder(request, to: sink, byteLimit: 100_000))
            var failure: AudioFileError?
            for _ in 0..<20 where failure == nil {
                do { try write([[Double](repeating: 0.5, count: 4000)], writer) } catch {
                    failure = error as? AudioFileError
                }
            }
            #expect(failure?.kind == .tooLarge && failure?.cure.contains("RF64") == true)
            try writer.finish()
            #expect(try decoded(sink.bytes) == [[Double](repeating: 0.5, count: Int(writer.frameCount))])
            #expect(writer.frameCount > 0 && sink.bytes.count <= 100_000)
        }
    }
}
