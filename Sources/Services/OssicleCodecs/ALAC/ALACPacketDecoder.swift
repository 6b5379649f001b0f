// Apple Lossless, after the published format: libsndfile, the library at hand that knows it, reads and writes whole
// files only.

import OssicleChannels
import OssicleCore

/// Decodes Apple Lossless of 16, 20, 24 or 32 bits with 1 ... 8 channels; packets may come from anywhere. Channels come
/// as they are in the stream, and the format's labels tell their order, as the layout chunk of a CAF file does; without
/// labels it is Apple Lossless' own.
final class ALACPacketDecoder: PacketDecoder {
    let format: PacketFormat
    let delay = 0
    private let configuration: ALACConfiguration
    private let memory: PlaneMemory
    private let quantizer: SampleQuantizer
    /// Samples of an element's two channels, and low bits that were kept apart.
    private let first: UnsafeMutablePointer<Int32>
    private let second: UnsafeMutablePointer<Int32>
    private let lowBits: UnsafeMutablePointer<UInt32>

    init(_ format: PacketFormat) throws(CodecError) {
        guard let configuration = ALACConfiguration(cookie: format.cookie) else {
            throw .damagedCookie(
                "alac decoder", found: "a cookie of \(format.cookie.count) bytes",
                rule: "It has 24 bytes and tells of 1 to 8 channels of 16, 20, 24 or 32 bits.")
        }
        let channels = configuration.channelCount
        var result = format
        result.codec = .alac(bits: configuration.bitDepth)
        (result.channelCount, result.framesPerPacket) = (channels, configuration.framesPerPacket)
        if configuration.sampleRate > 0 { result.sampleRate = Double(configuration.sampleRate) }
        if format.channelLabels?.count != channels { result.channelLabels = ChannelOrder.mpeg4(channels) }
        try result.checkRate()
        self.format = result
        self.configuration = configuration
        memory = PlaneMemory(channelCount: channels, capacity: configuration.framesPerPacket)
        quantizer = SampleQuantizer(bits: configuration.bitDepth)
        first = .allocate(capacity: configuration.framesPerPacket)
        second = .allocate(capacity: configuration.framesPerPacket)
        lowBits = .allocate(capacity: 2 * configuration.framesPerPacket)
    }

    deinit {
        first.deallocate()
        second.deallocate()
        lowBits.deallocate()
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        var reader = BitReader(packet)
        var channel = 0
        var count: Int?
        while channel < configuration.channelCount {
            switch ALACElement(rawValue: reader.read(3)) {
            case .single, .lowFrequency:
                try decodeElement(&reader, &count, channel: channel, channels: 1)
                channel += 1
            case .pair where channel + 2 <= configuration.channelCount:
                try decodeElement(&reader, &count, channel: channel, channels: 2)
                channel += 2
            case .data: Self.skipData(&reader)
            case .fill: Self.skipFill(&reader)
            default: throw damaged("an element that does not fit channel \(channel)")
            }
            guard !reader.isPastEnd else { throw damaged("an end amid channel \(channel)") }
        }
        return memory.frames(count ?? 0)
    }

    func drain() -> PlanarFrames { .none }
    func reset() {}

    private func damaged(_ found: String) -> CodecError {
        .damagedPacket(
            "alac decoder", found: found,
            rule: "A packet holds each of the \(configuration.channelCount) channels once, all with as many frames.")
    }

    private static func skipData(_ reader: inout BitReader) {
        reader.skip(4)
        let isAligned = reader.read(1) == 1
        let short = reader.read(8)
        let count = Int(short == 255 ? short + reader.read(8) : short)
        if isAligned { reader.skip((8 - reader.position % 8) % 8) }
        reader.skip(8 * count)
    }

    private static func skipFill(_ reader: inout BitReader) {
        let short = Int(reader.read(4))
        reader.skip(8 * (short == 15 ? short + Int(reader.read(8)) - 1 : short))
    }

    /// Decodes one or two channels into the planes from `channel` on. All elements have as many frames as the first.
    private func decodeElement(
        _ reader: inout BitReader, _ count: inout Int?, channel: Int, channels: Int
    ) throws(CodecError) {
        reader.skip(4 + 12)
        let isPartial = reader.read(1) == 1
        let shiftedBits = 8 * Int(reader.read(2))
        let isVerbatim = reader.read(1) == 1
        let frames = isPartial ? Int(reader.read(32)) : configuration.framesPerPacket
        guard (1...configuration.framesPerPacket).contains(frames), frames == count ?? frames else {
            throw damaged("\(frames) frames in channel \(channel)")
        }
        count = frames
        if isVerbatim {
            readVerbatim(&reader, frames, channels: channels)
        } else {
            try readCoded(&reader, frames, channels: channels, shiftedBits: shiftedBits)
        }
        let (left, right) = (memory.planes[channel], memory.planes[channel + channels - 1])
        for index in 0..<frames { left[index] = quantizer.sample(clamping: first[index]) }
        if channels == 2 { for index in 0..<frames { right[index] = quantizer.sample(clamping: second[index]) } }
    }

    private func readVerbatim(_ reader: inout BitReader, _ frames: Int, channels: Int) {
        for index in 0..<frames {
            first[index] = reader.readSigned(configuration.bitDepth)
            if channels == 2 { second[index] = reader.readSigned(configuration.bitDepth) }
        }
    }

    private func readCoded(
        _ reader: inout BitReader, _ frames: Int, channels: Int, shiftedBits: Int
    ) throws(CodecError) {
        let bits = configuration.bitDepth - shiftedBits + channels - 1
        guard (1...32).contains(bits) else { throw damaged("samples of \(bits) bits") }
        let mixtureBits = Int32(reader.read(8))
        let stereo = ALACStereo(weight: reader.readSigned(8), bits: mixtureBits)
        var coders = (0..<channels).map { _ in ALACChannelCoder(&reader, bits: bits) }
        if shiftedBits > 0 { for index in 0..<frames * channels { lowBits[index] = reader.read(shiftedBits) } }
        for (channel, samples) in [first, second].prefix(channels).enumerated() {
            guard coders[channel].read(&reader, into: samples, count: frames, configuration: configuration) else {
                throw damaged("an end amid the samples")
            }
        }
        if channels == 2 { stereo.unmix(first, second, count: frames) }
        guard shiftedBits > 0 else { return }
        for (channel, samples) in [first, second].prefix(channels).enumerated() {
            for index in 0..<frames {
                samples[index] =
                    samples[index] << Int32(shiftedBits) | Int32(bitPattern: lowBits[index * channels + channel])
            }
        }
    }
}
