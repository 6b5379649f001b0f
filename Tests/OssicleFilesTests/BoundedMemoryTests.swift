import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleFiles

@Suite("Sizes that a file only claims") struct BoundedMemoryTests {
    /// A CAF file of 84 bytes: a description, four bytes of audio and no more.
    static func tiny(_ kind: String, bytesPerPacket: UInt32, framesPerPacket: UInt32) -> [UInt8] {
        func big(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        let description =
            big(Double(48_000).bitPattern) + Array(kind.utf8) + big(UInt32(0)) + big(bytesPerPacket)
            + big(framesPerPacket) + big(UInt32(1)) + big(UInt32(0))
        return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(Int64(32)) + description
            + Array("free".utf8) + big(Int64(0))
            + Array("data".utf8) + big(Int64(8)) + [0, 0, 0, 0, 1, 2, 3, 4]
    }

    /// In a process of its own, because the tests that run beside this one would be counted as well.
    @Test("A CAF file of 84 bytes takes little memory, whatever size of packet it tells of")
    func cafPackets() async {
        await #expect(processExitsWith: .success) {
            let before = try HeapUse.bytes()
            for kind in ["alac", "aac ", "flac", "opus", ".mp3", "ulaw", "ima4", "lpcm"] {
                for (bytes, frames) in [
                    (UInt32(0x7FFF_FFFF), UInt32(1024)), (0x7FFF_FFFF, 0x7FFF_FFFF), (34, 0x7FFF_FFFF), (1 << 20, 64),
                    (0, 0x7FFF_FFFF),
                ] {
                    let file = BoundedMemoryTests.tiny(kind, bytesPerPacket: bytes, framesPerPacket: frames)
                    try #require(file.count == 84)
                    _ = try? decoded(file)
                    let packets = try? PacketFileReader(MemoryBytes(file))
                    try #require((packets?.maximumPacketSize ?? 0) <= 1 << 20)
                    let parser = PacketStreamParser()
                    try? file.withUnsafeBytes { try parser.parse($0) { _ in } }
                }
            }
            // The clean pages of decoders that were loaded count as well.
            try #require(HeapUse.bytes() - before < 64 << 20)
        }
    }

    @Test("Constant packets that are larger than any codec's are refused in words")
    func refused() {
        let error = #expect(throws: AudioFileError.self) {
            try PacketFileReader(MemoryBytes(Self.tiny("ulaw", bytesPerPacket: 0x7FFF_FFFF, framesPerPacket: 1)))
        }
        #expect(error?.kind == .damaged && error?.found.contains("2147483647") == true)
    }
}

@Suite("Samples out of damaged packets") struct DecodedPeakTests {
    @Test(
        "Spoilt packets decode to samples within the stated bounds", arguments: Coding.all.filter { !$0.codec.isFloat })
    func bounded(coding: Coding) throws {
        let sound = OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 6000).map { $0.map { Double($0) * 2 } }
        let whole = try encoded(sound, coding), peak = coding.codec.decodedPeak
        #expect(
            peak
                == (coding.codec.isLossless
                    || [.muLaw, .aLaw, .ima4, .imaADPCM, .microsoftADPCM].contains(coding.codec) ? 1 : 16))
        var mutator = Mutator(seed: 9), readable = 0
        for _ in 0..<100 {
            let spoilt = mutator.mutate(whole, most: 20),
                bytes = coding.container == .ogg ? OggPages.withRightChecksums(spoilt) : spoilt
            guard let reader = try? AudioFileReader(source: MemoryBytes(bytes)),
                let channels = try? decoded(reader, limit: 20_000)
            else { continue }
            readable += 1
            let bound = reader.info.codec.decodedPeak
            #expect(channels.allSatisfy { $0.allSatisfy { $0.isFinite && abs($0) <= bound } })
        }
        #expect(readable > 0)
    }

    @Test("A CAF file whose description and cookie differ in channels is damaged, not read into some of the planes")
    func differentChannels() throws {
        let coding = try #require(Coding.all.first { $0.name == "16flac.caf" })
        var bytes = try encoded([[0.5, -0.5], [0.25, 0]], coding)
        let description = try #require(bytes.firstRange(of: Array("desc".utf8))).upperBound + 8
        bytes[description + 27] = 5
        #expect(throws: AudioFileError.self) { try AudioFileReader(source: MemoryBytes(bytes)) }
    }

    @Test(
        "A packet table that ends within a size, or has one of six bytes, is refused before libsndfile prints a line about it"
    )
    func openPacketTable() throws {
        let coding = try #require(Coding.all.first { $0.name == "alac16.caf" })
        let sound = OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 30_000).map { $0.map(Double.init) }
        let whole = try encoded(sound, coding)
        let sizes = try #require(whole.firstRange(of: Array("pakt".utf8))).upperBound + 8 + 24
        #expect(throws: Never.self) { try SndfileDecoder(MemoryBytes(whole)) }
        for spoilt in [Array(repeating: UInt8(0x81), count: 6), [0x81]] {
            var bytes = whole
            bytes.replaceSubrange(sizes..<sizes + spoilt.count, with: spoilt)
            if spoilt.count == 1 {
                // The table is one byte long now, and the rest of it a chunk that is passed over.
                let rest = Int(bytes[sizes - 25]) - 25
                try #require(rest > 12 && bytes[sizes - 32..<sizes - 25].allSatisfy { $0 == 0 })
                bytes[sizes - 25] = 25
                let filler = Array("free".utf8) + withUnsafeBytes(of: Int64(rest - 12).bigEndian) { Array($0) }
                bytes.replaceSubrange(sizes + 1..<sizes + 13, with: filler)
            }
            let error = #expect(throws: AudioFileError.self) { try SndfileDecoder(MemoryBytes(bytes)) }
            #expect(error?.kind == .damaged && error?.found.contains("packet table") == true)
        }
    }

    /// As a file, because only there FFmpeg is asked last; it reads such a rate as 0.
    @Test("A CAF file whose rate is no number is refused")
    func rateIsNoNumber() throws {
        let coding = try #require(Coding.all.first { $0.name == "16.caf" }), folder = try TemporaryFolder()
        var bytes = try encoded([[0.5, -0.5], [0.25, 0]], coding)
        let description = try #require(bytes.firstRange(of: Array("desc".utf8))).upperBound + 8
        bytes.replaceSubrange(description..<description + 2, with: [0xFF, 0xFF])
        try Data(bytes).write(to: folder.url.appendingPathComponent("a.caf"))
        #expect(throws: AudioFileError.self) { try AudioFileReader(path: folder.path("a.caf")) }
    }

    @Test("MPEG audio out of our own decoder is what libsndfile makes of it, to the sample")
    func sameMPEG() throws {
        let coding = try #require(Coding.all.first { $0.name == "a.mp3" })
        let sound = OssicleFilesTests.Signal.tonesAndNoise(channels: 2, frames: 30_000).map { $0.map(Double.init) }
        let whole = try encoded(sound, coding)
        let other = try SndfileDecoder(MemoryBytes(whole)), ours = try PacketFileDecoder(MemoryBytes(whole))
        #expect(ours.info.frameCount == other.info.frameCount && ours.info.frameCount == 30_000)
        func samples(_ decoder: any FileDecoder) throws -> [[Double]] {
            let planes = (0..<2).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: 40_000) }
            defer { planes.forEach { $0.deallocate() } }
            let count = try decoder.read(into: planes, frames: 40_000)
            return planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
        }
        #expect(try samples(ours) == samples(other))
        #expect(try decoded(whole) == samples(SndfileDecoder(MemoryBytes(whole))))
    }
}
