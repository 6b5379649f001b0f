import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleAudioToolbox

@Suite("Extreme numbers") struct ExtremeNumberTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func number<Value>(_ file: AudioFileID, _ id: AudioFilePropertyID, _ start: Value) -> Value {
        var value = start, size = UInt32(MemoryLayout<Value>.size)
        #expect(AudioFileGetProperty(file, id, &size, &value) == noErr)
        return value
    }

    @Test("Numbers without a place among the 32-bit ones become the nearest")
    func rounding() {
        let cases: [(Double, UInt32)] = [
            (.nan, 0), (-.infinity, 0), (-0.6, 0), (0.5, 1), (4_294_967_294.4, .max - 1), (1e300, .max),
            (.infinity, .max),
        ]
        for (value, expected) in cases { #expect(UInt32(rounding: value) == expected) }
    }

    @Test(
        "Sizes that a converter works out end at the largest there is",
        arguments: [(8000.0, 192_000.0), (192_000, 8000)])
    func sizes(source: Double, target: Double) throws {
        var from = AudioStreamBasicDescription.floats(source, 2), to = AudioStreamBasicDescription.floats(target, 2),
            made: AudioConverterRef?
        #expect(AudioConverterNew(&from, &to, &made) == noErr)
        let converter = try #require(made)
        defer { AudioConverterDispose(converter) }
        func size(_ id: AudioConverterPropertyID, _ bytes: UInt32) -> UInt32 {
            var value = bytes, size: UInt32 = 4
            #expect(AudioConverterGetProperty(converter, id, &size, &value) == noErr)
            return value
        }
        let longer =
            source < target
            ? kAudioConverterPropertyCalculateOutputBufferSize : kAudioConverterPropertyCalculateInputBufferSize
        let shorter =
            source < target
            ? kAudioConverterPropertyCalculateInputBufferSize : kAudioConverterPropertyCalculateOutputBufferSize
        #expect(size(longer, .max) == .max && size(longer, 4000) == 96_000 && size(longer, 0) == 0)
        #expect(size(shorter, 96_000) == 4000 && size(shorter, .max) == 178_956_972)
    }

    @Test("Packets of any size a client claims are refused, or answered for")
    func packetSizes() {
        for id in [
            kAudioFormatULaw, kAudioFormatAppleIMA4, kAudioFormatOpus, kAudioFormatFLAC, kAudioFormatAppleLossless,
            kAudioFormatMPEG4AAC,
        ] {
            for (frames, bytes, channels) in [
                (UInt32.max, UInt32.max, 1), (.max, 0, 65_535), (1, .max, 8), (0, .max, 2),
            ] as [(UInt32, UInt32, UInt32)] {
                var source = AudioStreamBasicDescription.compressed(id, 48_000, channels),
                    target = AudioStreamBasicDescription.floats(48_000, channels)
                (source.mFramesPerPacket, source.mBytesPerPacket) = (frames, bytes)
                var made: AudioConverterRef?
                let status = AudioConverterNew(&source, &target, &made)
                #expect(made == nil ? status != noErr : status == noErr)
                guard let made else { continue }
                for property in [
                    kAudioConverterPropertyCalculateInputBufferSize, kAudioConverterPropertyCalculateOutputBufferSize,
                ] {
                    var value = UInt32.max, size: UInt32 = 4
                    #expect(AudioConverterGetProperty(made, property, &size, &value) == noErr)
                }
                AudioConverterDispose(made)
            }
        }
    }

    @Test("A file of an extreme rate tells clamped bit rates", arguments: [(1e300, UInt32.max), (1e-300, 0)])
    func rates(rate: Double, expected: UInt32) throws {
        var format = AudioStreamBasicDescription.integers(rate, 2), made: AudioFileID?
        #expect(AudioFileCreateWithURL(folder.file("a.caf"), kAudioFileCAFType, &format, .eraseFile, &made) == noErr)
        let writing = try #require(made)
        let samples = [Int16](repeating: 7, count: 2000)
        var packets: UInt32 = 1000
        #expect(AudioFileWritePackets(writing, false, 4000, nil, 0, &packets, samples) == noErr && packets == 1000)
        #expect(number(writing, kAudioFilePropertyBitRate, UInt32(9)) == expected)
        #expect(AudioFileClose(writing) == noErr)
        #expect(AudioFileOpenURL(folder.file("a.caf"), .readPermission, 0, &made) == noErr)
        let reading = try #require(made)
        defer { AudioFileClose(reading) }
        #expect(number(reading, kAudioFilePropertyBitRate, UInt32(9)) == expected)
        #expect(abs(number(reading, kAudioFilePropertyEstimatedDuration, 0.0) * rate - 1000) < 1e-9)
    }

    @Test("The place in a file stays inside it at every client's rate", arguments: [1.0, 8000, 192_000, 1e6, 1e9])
    func positions(rate: Double) throws {
        try makeFile(folder.path("a.wav"), .wav, .pcm16, tones(channels: 1, frames: 10_001))
        var made: ExtAudioFileRef?
        #expect(ExtAudioFileOpenURL(folder.file("a.wav"), &made) == noErr)
        let file = try #require(made)
        defer { ExtAudioFileDispose(file) }
        var client = AudioStreamBasicDescription.floats(rate, 1)
        guard
            ExtAudioFileSetProperty(
                file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: client)), &client)
                == noErr
        else {
            return #expect(!(8000...192_000).contains(rate))
        }
        let buffers = ClientBuffers(channels: 1, frames: 4096)
        var place: Int64 = 0, last: Int64 = 0
        for _ in 0..<20 {
            var frames: UInt32 = 4096
            buffers.reset()
            #expect(ExtAudioFileRead(file, &frames, buffers.list.unsafeMutablePointer) == noErr)
            #expect(ExtAudioFileTell(file, &place) == noErr)
            #expect(place >= last && place <= 10_001)
            last = place
        }
        #expect(rate > 192_000 || place == 10_001)
    }
}
