import OssicleCore

/// The pieces of an Apple Lossless packet, one for each channel or pair of channels.
enum ALACElement: UInt32 {
    case single = 0, pair = 1, lowFrequency = 3, data = 4, fill = 6, end = 7

    var channelCount: Int { self == .pair ? 2 : 1 }

    /// The elements of a packet with 1 ... 8 channels, in the format's order of channels.
    static func sequence(channelCount: Int) -> [ALACElement] {
        switch channelCount {
        case 1: [.single]
        case 2: [.pair]
        case 3: [.single, .pair]
        case 4: [.single, .pair, .single]
        case 5: [.single, .pair, .pair]
        case 6: [.single, .pair, .pair, .single]
        case 7: [.single, .pair, .pair, .single, .single]
        default: [.single, .pair, .pair, .pair, .single]
        }
    }
}

/// Writes one element of each packet: a channel or a pair.
struct ALACElementWriter {
    /// Bits before the samples of an element that is kept as it is.
    static let longestHead = 3 + 4 + 12 + 4 + 32
    /// Bits of the mark behind the last element.
    static let endLength = 3

    private let element: ALACElement
    private let number: UInt32
    private let configuration: ALACConfiguration
    /// Low bits that are noise in most recordings are kept apart from the prediction.
    private let shiftedBits: Int
    private var coders: [ALACChannelCoder]
    private var isFresh = true
    /// Whole samples, their upper bits (mixed, where there are two channels), and what prediction leaves of these:
    /// channel behind channel.
    private var samples: [Int32]
    private var upper: [Int32]
    private var errors: [Int32]

    init(_ element: ALACElement, number: Int, configuration: ALACConfiguration) {
        let channels = element.channelCount
        self.element = element
        self.number = UInt32(number)
        self.configuration = configuration
        shiftedBits = configuration.bitDepth == 32 ? 16 : configuration.bitDepth == 24 ? 8 : 0
        coders = Array(
            repeating: ALACChannelCoder(bits: configuration.bitDepth - shiftedBits + channels - 1), count: channels)
        samples = [Int32](repeating: 0, count: configuration.framesPerPacket * channels)
        (upper, errors) = (samples, samples)
    }

    /// Writes `count` frames.
    mutating func write(
        _ planes: [UnsafePointer<Double>], count: Int, quantizer: SampleQuantizer, to writer: inout BitWriter
    ) {
        for (channel, plane) in planes.enumerated() {
            let start = channel * configuration.framesPerPacket
            for index in 0..<count {
                samples[start + index] = quantizer.quantize(plane[index])
                upper[start + index] = samples[start + index] >> Int32(shiftedBits)
            }
        }
        let start = writer
        writeCoded(count, to: &writer)
        let verbatimBits = Self.longestHead + planes.count * count * configuration.bitDepth
        guard writer.bitCount - start.bitCount >= verbatimBits else { return }
        writer = start
        writeVerbatim(count, to: &writer)
    }

    private func writeHead(_ count: Int, isVerbatim: Bool, to writer: inout BitWriter) {
        let isPartial = count != configuration.framesPerPacket
        writer.write(element.rawValue, 3)
        writer.write(number, 4)
        writer.write(0, 12)
        writer.write(isPartial ? 1 : 0, 1)
        writer.write(isVerbatim ? 0 : UInt32(shiftedBits / 8), 2)
        writer.write(isVerbatim ? 1 : 0, 1)
        if isPartial { writer.write(UInt32(count), 32) }
    }

    private func writeVerbatim(_ count: Int, to writer: inout BitWriter) {
        writeHead(count, isVerbatim: true, to: &writer)
        writeInterleaved(count, bits: configuration.bitDepth, to: &writer)
    }

    /// Writes the lowest `bits` of each sample.
    private func writeInterleaved(_ count: Int, bits: Int, to writer: inout BitWriter) {
        for index in 0..<count {
            for channel in coders.indices {
                writer.write(UInt32(bitPattern: samples[channel * configuration.framesPerPacket + index]), bits)
            }
        }
    }

    private mutating func writeCoded(_ count: Int, to writer: inout BitWriter) {
        writeHead(count, isVerbatim: false, to: &writer)
        let stereo = mix(count)
        writer.write(UInt32(stereo.bits), 8)
        writer.write(UInt32(bitPattern: stereo.weight), 8)
        if isFresh { predict(count) }
        isFresh = false
        for coder in coders { coder.writeHead(to: &writer) }
        if shiftedBits > 0 { writeInterleaved(count, bits: shiftedBits, to: &writer) }
        predict(count)
        errors.withUnsafeBufferPointer { errors in
            for (channel, coder) in coders.enumerated() {
                guard let start = errors.baseAddress.map({ $0 + channel * configuration.framesPerPacket }) else {
                    return
                }
                coder.write(start, count: count, configuration: configuration, to: &writer)
            }
        }
    }

    private mutating func mix(_ count: Int) -> ALACStereo {
        let none = ALACStereo(weight: 0, bits: 0)
        guard element == .pair else { return none }
        return upper.withUnsafeMutableBufferPointer { upper in
            guard let left = upper.baseAddress else { return none }
            let right = left + configuration.framesPerPacket
            let stereo = ALACStereo.best(left, right, count: count)
            stereo.mix(left, right, count: count)
            return stereo
        }
    }

    private mutating func predict(_ count: Int) {
        upper.withUnsafeBufferPointer { upper in
            errors.withUnsafeMutableBufferPointer { errors in
                guard let samples = upper.baseAddress, let errors = errors.baseAddress else { return }
                for channel in coders.indices {
                    let start = channel * configuration.framesPerPacket
                    coders[channel].predictor.errors(of: samples + start, into: errors + start, count: count)
                }
            }
        }
    }
}
