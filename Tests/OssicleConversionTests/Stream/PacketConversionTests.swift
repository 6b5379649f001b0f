import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleConversion

@Suite("Between samples and packets")
struct PacketConversionTests {
    private func format(
        _ codec: AudioCodec, rate: Double = 44_100, channels: Int = 2, cookie: [UInt8] = []
    ) -> StreamFormat {
        .packets(PacketFormat(codec: codec, sampleRate: rate, channelCount: channels, cookie: cookie))
    }

    /// Encodes planes; pulls of `pull` frames, requests of `packets`.
    private func encode(
        _ planes: [[Double]], _ converter: Converter, packets: Int = 3,
        pull: Int = 1000
    ) throws -> (bytes: [UInt8], spans: [PacketSpan]) {
        let memory = planes.map { plane in UnsafeMutableRawBufferPointer.copy(of: plane.withUnsafeBytes { Array($0) }) }
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: packets * converter.maximumOutputPacketSize, alignment: 16)
        defer { (memory + [room]).forEach { $0.deallocate() } }
        var given = 0, bytes: [UInt8] = [], spans: [PacketSpan] = []
        while true {
            let (status, new) = try converter.convert(into: room, packets: packets) { _ in
                guard given < planes[0].count else { return .endOfStream }
                let count = min(pull, planes[0].count - given)
                defer { given += count }
                return .samples(memory.map { UnsafeRawPointer($0.baseAddress! + 8 * given) }, frames: count)
            }
            for span in new {
                spans.append(PacketSpan(offset: bytes.count, byteCount: span.byteCount, frameCount: span.frameCount))
                bytes += room[span.offset..<span.offset + span.byteCount]
            }
            if status == .endOfStream { return (bytes, spans) }
        }
    }

    private func decode(
        _ bytes: [UInt8], _ spans: [PacketSpan], _ conversion: Conversion, perPull: Int = 2
    ) throws -> [[Double]] {
        guard case .pcm(let format) = conversion.converter.output else { return [] }
        let memory = UnsafeMutableRawBufferPointer.copy(of: bytes)
        defer { memory.deallocate() }
        var next = spans[...]
        return try conversion.collect(format) { _ in
            defer { next = next.dropFirst(perPull) }
            return next.isEmpty ? .endOfStream : .packets(UnsafeRawBufferPointer(memory), Array(next.prefix(perPull)))
        }.map { buffer in buffer.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) } }
    }

    private static func sound(_ count: Int, rate: Double = 44_100) -> [[Double]] {
        [
            Sounds.sine(441, rate: rate, count: count, amplitude: 0.25),
            Sounds.sine(1000, rate: rate, count: count, amplitude: 0.25),
        ]
    }

    private static let codecs: [AudioCodec] = {
        #if FFmpeg
        [.muLaw, .aLaw, .ima4, .alac16, .flac24, .aac]
        #else
        [.muLaw, .aLaw, .ima4, .alac16, .flac24]
        #endif
    }()

    @Test("There and back keeps the length and the sound when priming and remainder are trimmed", arguments: codecs)
    func roundTrip(_ codec: AudioCodec) throws {
        for count in [1, 64, 1000, 20_011] {
            let planes = Self.sound(count)
            let encoder = try Converter(from: Conversion.doubles(44_100, 2), to: format(codec))
            let (bytes, spans) = try encode(planes, encoder)
            let (leading, trailing) = encoder.priming
            #expect(spans.reduce(0) { $0 + $1.frameCount } == leading + count + trailing, "\(count) frames")
            let decoder = try Conversion(from: format(codec, cookie: encoder.cookie), to: Conversion.doubles(44_100, 2))
            {
                ($0.leadingTrim, $0.trailingTrim) = (leading, trailing)
            }
            #expect(decoder.converter.priming == (leading, trailing))
            let back = try decode(bytes, spans, decoder)
            #expect(back.map(\.count) == [count, count])
            guard count > 5000 else { continue }
            for (plane, sound) in zip(back, planes) {
                let range = 2000..<(count - 2000)
                let delay = Measure.delay(
                    of: plane[range].map { Float($0) }, after: sound[range].map { Float($0) }, range: 20)
                #expect(abs(delay) < 0.01)
                let error = Sounds.energy(zip(plane[range], sound[range]).map { $0 - $1 })
                #expect(
                    10 * log10(Sounds.energy(sound[range]) / error) > 30,
                    "\(codec): \(10 * log10(Sounds.energy(sound[range]) / error)) dB")
            }
        }
    }

    @Test(
        "Lossless codecs give every bit back, and with dither not",
        arguments: [(AudioCodec.alac16, 16), (.alac24, 24), (.flac16, 16), (.flac24, 24)])
    func lossless(_ codec: AudioCodec, _ bits: Int) throws {
        let scale = Double(1 << (bits - 1))
        let planes = (0..<2).map { channel in
            Sounds.noise(10_000, seed: UInt64(channel)).map { ($0 * scale).rounded(.down) / scale }
        }
        func thereAndBack(dithers: Bool) throws -> [[Double]] {
            let encoder = try Converter(from: Conversion.doubles(44_100, 2), to: format(codec))
            encoder.settings.dithers = dithers
            let (bytes, spans) = try encode(planes, encoder)
            let decoder = try Conversion(from: format(codec, cookie: encoder.cookie), to: Conversion.doubles(44_100, 2))
            {
                $0.trailingTrim = encoder.priming.trailing
            }
            return try decode(bytes, spans, decoder)
        }
        let plain = try thereAndBack(dithers: false), dithered = try thereAndBack(dithers: true)
        #expect(plain == planes)
        #expect(dithered != planes && dithered.map(\.count) == [10_000, 10_000])
    }

    @Test("Opus at the rate of the sound around it")
    func opus() throws {
        let planes = Self.sound(44_100)
        let encoder = try Converter(from: Conversion.doubles(44_100, 2), to: format(.opus, rate: 48_000))
        let (bytes, spans) = try encode(planes, encoder)
        let (leading, trailing) = encoder.priming
        let decoder = try Conversion(
            from: format(.opus, rate: 48_000, cookie: encoder.cookie), to: Conversion.doubles(44_100, 2)
        ) {
            ($0.leadingTrim, $0.trailingTrim) = (leading, trailing)
        }
        let back = try decode(bytes, spans, decoder)
        #expect(back.map(\.count) == [44_100, 44_100])
        for (plane, frequency) in zip(back, [441.0, 1000]) {
            let tone = Measure.tone(frequency, in: Sounds.middle(plane), sampleRate: 44_100)
            #expect(tone.signalToNoise > 20 && abs(Measure.decibels(tone.amplitude / 0.25)) < 0.5, "\(tone)")
        }
    }

    @Test("Packets do not depend on how requests and pulls are cut", arguments: codecs)
    func cuts(_ codec: AudioCodec) throws {
        let planes = Self.sound(9000)
        func run(packets: Int, pull: Int) throws -> ([UInt8], [PacketSpan]) {
            try encode(
                planes, try Converter(from: Conversion.doubles(44_100, 2), to: format(codec)), packets: packets,
                pull: pull)
        }
        let whole = try run(packets: 20_000, pull: 9000)
        for (packets, pull) in [(1, 9000), (7, 7), (64, 1), (3, 4096)] {
            let cut = try run(packets: packets, pull: pull)
            #expect(cut.0 == whole.0 && cut.1 == whole.1, "\(packets) packets, pulls of \(pull)")
        }
    }

    @Test("A change of rate and channels on the way in and out")
    func rateOnTheWay() throws {
        let sound = Sounds.sine(441, rate: 48_000, count: 24_000, amplitude: 0.5)
        let encoder = try Converter(from: Conversion.doubles(48_000), to: format(.ima4, rate: 22_050))
        let (bytes, spans) = try encode([sound], encoder)
        #expect(spans.count == (11_025 + 63) / 64)
        let decoder = try Conversion(from: format(.ima4, rate: 22_050), to: Conversion.doubles(48_000)) {
            $0.trailingTrim = encoder.priming.trailing
        }
        let back = try decode(bytes, spans, decoder)[0]
        #expect(back.count == 24_000)
        #expect(Measure.tone(441, in: Sounds.middle(back)).signalToNoise > 25)
    }

    @Test("From packets to packets")
    func transcoding() throws {
        let (bytes, spans) = try encode(
            Self.sound(6400), try Converter(from: Conversion.doubles(44_100, 2), to: format(.muLaw)))
        let converter = try Converter(from: format(.muLaw), to: format(.ima4))
        var next = spans[...], count = 0
        var room = [UInt8](repeating: 0, count: 680)
        try bytes.withUnsafeBytes { bytes in
            while true {
                let (status, new) = try room.withUnsafeMutableBytes { room in
                    try converter.convert(into: room, packets: 10) { wanted in
                        defer { next = next.dropFirst(wanted) }
                        return next.isEmpty ? .endOfStream : .packets(bytes, Array(next.prefix(wanted)))
                    }
                }
                count += new.count
                if status == .endOfStream { break }
            }
        }
        #expect(count == 100)
    }

    @Test("What is decoded ahead of a damaged packet comes first, then the error, then the rest")
    func damagedPacket() throws {
        // IMA4 has no step 127.
        let good = [UInt8](repeating: 0, count: 34), damaged = [UInt8](repeating: 0x7F, count: 34)
        let converter = try Converter(from: format(.ima4, channels: 1), to: Conversion.doubles(44_100))
        let packets = good + damaged + good
        var spans = (0..<3).map { PacketSpan(offset: 34 * $0, byteCount: 34) }[...]
        var room = [Double](repeating: 1, count: 200)
        try packets.withUnsafeBytes { packets in
            try room.withUnsafeMutableBytes { room in
                let pull: (Int) -> ConverterInput = { _ in
                    spans.popFirst().map { .packets(packets, [$0]) } ?? .endOfStream
                }
                let first = try converter.convert(into: [room.baseAddress!], frames: 200, pull: pull)
                #expect(first == (.inputRanDry, 64))
                let error = #expect(throws: ConversionError.self) {
                    try converter.convert(into: [room.baseAddress!], frames: 200, pull: pull)
                }
                #expect(error?.kind == .codec(.damaged))
                let rest = try converter.convert(into: [room.baseAddress!], frames: 200, pull: pull)
                #expect(rest == (.full, 64))
            }
        }
    }

    @Test("A decoder may get its cookie after it was asked for")
    func lateCookie() throws {
        let sound = Self.sound(5000)
        let encoder = try Converter(from: Conversion.doubles(44_100, 2), to: format(.alac24))
        let (bytes, spans) = try encode(sound, encoder)
        let decoder = try Conversion(from: format(.alac24), to: Conversion.doubles(44_100, 2)) {
            $0.trailingTrim = encoder.priming.trailing
        }
        #expect(throws: ConversionError.self) { try decode(bytes, spans, decoder) }
        decoder.converter.cookie = encoder.cookie
        let back = try decode(bytes, spans, decoder)
        #expect(back.map(\.count) == [5000, 5000])
        #expect(decoder.converter.cookie == encoder.cookie)
    }

    @Test("Room too small for a packet is refused, and more room takes it")
    func smallRoom() throws {
        let converter = try Converter(from: Conversion.doubles(44_100, 2), to: format(.ima4))
        let silence = [Double](repeating: 0, count: 64)
        var room = [UInt8](repeating: 0, count: 68)
        try silence.withUnsafeBytes { silence in
            try room.withUnsafeMutableBytes { room in
                let pull: (Int) -> ConverterInput = { _ in
                    .samples([silence.baseAddress!, silence.baseAddress!], frames: 64)
                }
                let tooSmall = UnsafeMutableRawBufferPointer(rebasing: room[..<67])
                #expect(throws: ConversionError.self) { try converter.convert(into: tooSmall, packets: 1, pull: pull) }
                let (status, spans) = try converter.convert(into: room, packets: 1, pull: pull)
                #expect(status == .full && spans == [PacketSpan(offset: 0, byteCount: 68, frameCount: 64)])
            }
        }
    }

    @Test("A codec there is none of is refused at once, and one that waits for its cookie is not")
    func unsupported() throws {
        do throws(ConversionError) {
            _ = try Converter(from: format(.other), to: Conversion.doubles(44_100, 2))
            Issue.record("taken")
        } catch { #expect(error.kind == .codec(.unsupported)) }
        #if FFmpeg
        _ = try Converter(from: format(.aac), to: Conversion.doubles(44_100, 2))
        #endif
    }
}
