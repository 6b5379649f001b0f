import OssicleCodecs
import Testing
@testable import OssicleConversion

@Suite("What a converter refuses")
struct RefusalTests {
    private let doubles = Conversion.doubles(48_000)

    private func kind(_ body: () throws -> Void) -> ConversionError.Kind? {
        do { try body() } catch { return (error as? ConversionError)?.kind }
        return nil
    }

    private static func pcm(
        _ rate: Double = 48_000, _ channels: Int = 1, _ kind: PCMFormat.Kind = .float, bits: Int = 32,
        bytes: Int? = nil,
        labels: [UInt32]? = nil
    ) -> PCMFormat {
        PCMFormat(
            sampleRate: rate, channelCount: channels, kind: kind, bits: bits, bytesPerSample: bytes ?? 4,
            channelLabels: labels)
    }

    private static let impossible: [PCMFormat] = [
        pcm(.nan), pcm(0), pcm(-48_000), pcm(.infinity), pcm(1e-300), pcm(48_001 * 256), pcm(48_000, 0),
        pcm(48_000, -3), pcm(48_000, .max),
        pcm(bits: 16), pcm(bits: 16, bytes: 2), pcm(bits: 64), pcm(bits: 64, bytes: 4),
        pcm(48_000, 1, .signed, bits: 0),
        pcm(48_000, 1, .signed, bits: -8), pcm(48_000, 1, .signed, bits: 33),
        pcm(48_000, 1, .signed, bits: 24, bytes: 2),
        pcm(48_000, 1, .signed, bits: 24, bytes: 0), pcm(48_000, 1, .unsigned, bits: 16, bytes: .max),
        pcm(48_000, 1, .signed, bits: .min),
        pcm(48_000, 2, labels: [1]),
    ]

    @Test("Formats that cannot be", arguments: impossible)
    func formats(_ format: PCMFormat) {
        #expect(kind { _ = try Converter(from: .pcm(format), to: doubles) } == .unsupported)
        #expect(kind { _ = try Converter(from: doubles, to: .pcm(format)) } == .unsupported)
    }

    @Test("Settings that make no sense, with a reason, and none that does", arguments: [0, 1, 2, 3, 4, 5, 6, 7])
    func settings(_ index: Int) throws {
        let converter = try Converter(from: doubles, to: Conversion.doubles(44_100, 2))
        let changes: [(inout ConversionSettings) -> Void] = [
            { $0.channelMap = [] }, { $0.channelMap = [0] }, { $0.channelMap = [0, 1] }, { $0.channelMap = [.max, 0] },
            { $0.rateQuality = -1 },
            { $0.rateQuality = 128 }, { $0.leadingTrim = -1 }, { $0.trailingTrim = .max },
        ]
        changes[index](&converter.settings)
        var room = [Double](repeating: 0, count: 8)
        try room.withUnsafeMutableBytes { room in
            let planes = [room.baseAddress!, room.baseAddress! + 32]
            #expect(
                kind { _ = try converter.convert(into: planes, frames: 1) { _ in .endOfStream } } == .invalidSetting)
            converter.settings = ConversionSettings()
            let (status, _) = try converter.convert(into: planes, frames: 1) { _ in .endOfStream }
            #expect(status == .endOfStream)
        }
    }

    @Test("Buffers of another form than the formats', and goes on")
    func buffers() throws {
        let converter = try Converter(from: doubles, to: doubles)
        var room = [0.0, 0]
        try room.withUnsafeMutableBytes { room in
            let base = room.baseAddress!, rawBase = UnsafeRawPointer(base)
            #expect(
                kind { _ = try converter.convert(into: [base, base], frames: 1) { _ in .endOfStream } }
                    == .invalidBuffer)
            #expect(
                kind { _ = try converter.convert(into: [base], frames: -1) { _ in .endOfStream } } == .invalidBuffer)
            #expect(kind { _ = try converter.convert(into: room, packets: 1) { _ in .endOfStream } } == .invalidBuffer)
            #expect(
                kind { _ = try converter.convert(into: [base], frames: 1) { _ in .samples([], frames: 1) } }
                    == .invalidBuffer)
            #expect(
                kind { _ = try converter.convert(into: [base], frames: 1) { _ in .samples([rawBase], frames: -1) } }
                    == .invalidBuffer)
            #expect(
                kind {
                    _ = try converter.convert(into: [base], frames: 1) { _ in .packets(UnsafeRawBufferPointer(room), [])
                    }
                } == .invalidBuffer)
            let (status, frames) = try converter.convert(into: [base], frames: 1) { _ in .samples([rawBase], frames: 1)
            }
            #expect(status == .full && frames == 1)
        }
    }

    @Test("Every refusal tells what was found, the rule and the cure")
    func wording() {
        do throws(ConversionError) {
            _ = try Converter(from: doubles, to: .pcm(PCMFormat(sampleRate: 48_000, channelCount: 0)))
            Issue.record("taken")
        } catch {
            #expect(error.description == "audio converter: 0 channels. A stream has 1 to 1024. Give such a number.")
        }
    }
}
