import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

private func standard(_ channels: UInt32 = 2, _ rate: Double = 48_000) throws -> AVAudioFormat {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) else {
        throw MisuseFailure("no format")
    }
    return format
}

/// Formats, buffers and the converter.
let bufferCases: [MisuseCase] = [
    MisuseCase("formats: rates, channels, layouts and settings that cannot be") {
        for rate in Hostile.doubles {
            for channels in [0, 1, 65, 1 << 20, UInt32.max] {
                note("\(channels) channels at \(rate)")
                if let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) {
                    _ = (format.description, format.settings, format.hash)
                }
                for common in 0..<6 {
                    guard let common = AVAudioCommonFormat(rawValue: UInt(common)) else { continue }
                    _ =
                        AVAudioFormat(commonFormat: common, sampleRate: rate, channels: channels, interleaved: true)?
                        .description
                }
            }
        }
        for tag in [
            0, .max, kAudioChannelLayoutTag_Unknown | 0xFFFF, kAudioChannelLayoutTag_DiscreteInOrder | 0xFFFF,
            kAudioChannelLayoutTag_UseChannelBitmap,
            kAudioChannelLayoutTag_UseChannelDescriptions,
        ] as [AudioChannelLayoutTag] {
            note("layout \(tag)")
            guard let layout = AVAudioChannelLayout(layoutTag: tag) else { continue }
            _ = (
                AVAudioFormat(standardFormatWithSampleRate: .nan, channelLayout: layout).description,
                layout.description, layout.channelCount
            )
            _ = AVAudioFormat(commonFormat: .otherFormat, sampleRate: -1, interleaved: false, channelLayout: layout)
        }
        for value in [NSNull(), -1, Double.nan, "x", Data(), [1], UInt64.max] as [Any] {
            note("settings \(value)")
            for key in [
                AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey,
                AVChannelLayoutKey, AVEncoderBitRateKey,
            ] {
                _ = AVAudioFormat(
                    settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2]
                        .merging([key: value]) { $1 })
            }
        }
    },
    MisuseCase("formats: stream descriptions of random bits") {
        var random = SeededNumbers(seed: 4)
        for _ in 0..<2000 {
            var description = AudioStreamBasicDescription()
            withUnsafeMutableBytes(of: &description) { bytes in
                for index in bytes.indices { bytes[index] = UInt8(random.next(256)) }
            }
            if random.next(2) == 0 { description.mFormatID = kAudioFormatLinearPCM }
            if random.next(2) == 0 { description.mSampleRate = 48_000 }
            if random.next(2) == 0 { description.mChannelsPerFrame = UInt32(random.next(4)) }
            guard let format = AVAudioFormat(streamDescription: &description) else { continue }
            _ = (format.description, format.settings, format.commonFormat)
            _ = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16)
            _ = AVAudioConverter(from: format, to: try standard())
        }
    },
    MisuseCase("buffers: capacities and lengths") {
        let format = try standard()
        for capacity in Hostile.frames {
            note("capacity \(capacity)")
            guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else { continue }
            for length in Hostile.frames {
                note("length \(length)")
                buffer.frameLength = length
                try expect(
                    buffer.frameLength <= buffer.frameCapacity,
                    "the length \(buffer.frameLength) is more than the capacity \(buffer.frameCapacity)")
            }
        }
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16) else {
            throw MisuseFailure("no buffer")
        }
        buffer.frameLength = .max
        _ = (
            buffer.copy(), buffer.mutableCopy(), AVReadOnlyAudioPCMBuffer(copying: buffer), buffer.int16ChannelData,
            buffer.int32ChannelData
        )
    },
    MisuseCase("buffers: memory of others with wrong sizes") {
        let format = try standard()
        var samples = [Float](repeating: 0.1, count: 64)
        try samples.withUnsafeMutableBytes { memory in
            for (count, size) in [(0, 64), (1, 64), (2, 0), (2, 63), (2, UInt32.max)] as [(Int, UInt32)] {
                note("\(count) buffers of \(size) bytes")
                let list = AudioBufferList.allocate(maximumBuffers: max(count, 2))
                defer { free(list.unsafeMutablePointer) }
                list.count = count
                for index in 0..<count {
                    list[index] = AudioBuffer(
                        mNumberChannels: UInt32.max, mDataByteSize: size, mData: index == 0 ? nil : memory.baseAddress)
                }
                let buffer = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer)
                try expect(
                    buffer == nil || buffer?.frameCapacity == 0,
                    "a buffer of \(buffer?.frameCapacity ?? 0) frames over memory that is not there")
            }
        }
    },
    MisuseCase("buffers: compressed, of any size") {
        guard
            let opus = AVAudioFormat(settings: [
                AVFormatIDKey: kAudioFormatOpus, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            ])
        else { return }
        for packets in Hostile.frames {
            for size in [Int.min, -1, 0, 1, 4000, Int(Int32.max), .max] {
                note("\(packets) packets of \(size) bytes")
                let buffer = AVAudioCompressedBuffer(format: opus, packetCapacity: packets, maximumPacketSize: size)
                buffer.packetCount = .max
                buffer.byteLength = .max
                try expect(
                    buffer.byteLength <= buffer.byteCapacity && buffer.packetCount <= buffer.packetCapacity,
                    "lengths beyond the capacity")
                _ = (buffer.audioBufferList, buffer.packetDescriptions)
                if buffer.byteCapacity < 1 << 20 { _ = buffer.copy() }
            }
        }
        _ = AVAudioCompressedBuffer(format: try standard(), packetCapacity: 4)
    },
    MisuseCase("converter: input that never ends, lies, or converts within itself") {
        let (from, to) = (try standard(2, 44_100), try standard(2, 48_000))
        guard let converter = AVAudioConverter(from: from, to: to),
            let output = AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 512),
            let empty = AVAudioPCMBuffer(pcmFormat: from, frameCapacity: 8),
            let wrong = AVAudioPCMBuffer(pcmFormat: try standard(1, 8000), frameCapacity: 8)
        else {
            throw MisuseFailure("no converter")
        }
        wrong.frameLength = 8
        nonisolated(unsafe) let (inner, answers) = (output, [empty, wrong, nil, output] as [AVAudioPCMBuffer?])
        nonisolated(unsafe) let again = converter
        for (index, answer) in answers.enumerated() {
            for status in [AVAudioConverterInputStatus.haveData, .noDataNow, .endOfStream] {
                note("answer \(index), status \(status.rawValue)")
                converter.reset()
                nonisolated(unsafe) let answer = answer
                var error: NSError?
                _ = converter.convert(to: output, error: &error) { _, result in
                    result.pointee = status
                    return answer
                }
                try expect(output.frameLength <= output.frameCapacity, "more frames than there is room")
            }
        }
        note("a conversion within its own input")
        var error: NSError?
        _ = converter.convert(to: output, error: &error) { _, status in
            var nested: NSError?
            _ = again.convert(to: inner, error: &nested) { _, status in
                status.pointee = .endOfStream
                return nil
            }
            status.pointee = .endOfStream
            return nil
        }
        try expectThrown("convert between buffers of other formats") { try converter.convert(to: wrong, from: empty) }
    },
    MisuseCase("converter: settings") {
        guard let converter = AVAudioConverter(from: try standard(2, 44_100), to: try standard(1, 48_000)) else {
            throw MisuseFailure("no converter")
        }
        for value in Hostile.integers {
            note("\(value)")
            converter.sampleRateConverterQuality = value
            converter.bitRate = value
            converter.channelMap = [NSNumber(value: value), NSNumber(value: value)]
            converter.contentSource = AVAudioContentSource(rawValue: value) ?? converter.contentSource
        }
        converter.magicCookie = Data(repeating: 0xFF, count: 1 << 16)
        converter.sampleRateConverterAlgorithm = String(repeating: "x", count: 1000)
        converter.primeInfo = AVAudioConverterPrimeInfo(leadingFrames: .max, trailingFrames: .max)
        guard let input = AVAudioPCMBuffer(pcmFormat: try standard(2, 44_100), frameCapacity: 64),
            let output = AVAudioPCMBuffer(pcmFormat: try standard(1), frameCapacity: 64)
        else {
            throw MisuseFailure("no buffer")
        }
        input.frameLength = 64
        var error: NSError?
        nonisolated(unsafe) let given = input
        _ = converter.convert(to: output, error: &error) { _, status in
            status.pointee = .haveData
            return given
        }
    },
]
