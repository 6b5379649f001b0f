import OssicleChannels
import OssicleCore

/// Encodes to Apple Lossless of 16, 20, 24 or 32 bits in packets of 4096 frames, the last of which may be shorter.
/// Prediction begins with the weights that the last packet ended with; an element is kept as it is when that is
/// smaller. The stream keeps the order of the channels it is given, which a CAF file tells; for a container that
/// cannot, give them in the order of `Codecs.channelLabels`.
final class ALACPacketEncoder: PacketEncoder {
    static let channelCounts = 1...8

    let format: PacketFormat
    let primingFrames = 0
    let remainderFrames = 0
    let maximumPacketSize: Int
    private let configuration: ALACConfiguration
    private let elements: [ALACElement]
    private let quantizer: SampleQuantizer
    private let block: PacketBlock
    private var writers: [ALACElementWriter]
    private var bits = BitWriter()
    private var isFinished = false

    init(_ format: PacketFormat) throws(CodecError) {
        let object = "\(format.codec) encoder", channels = format.channelCount
        guard let own = ChannelOrder.mpeg4(channels) else {
            throw .channels(object, found: channels, allowed: Self.channelCounts)
        }
        guard let rate = UInt32(exactly: format.sampleRate), rate > 0 else {
            throw .rate(object, found: format.sampleRate, rule: "Apple Lossless takes whole numbers of hertz.")
        }
        let labels = format.channelLabels ?? own
        guard labels.count == channels else { throw .labels(object, found: labels, allowed: own) }
        var configuration = ALACConfiguration(
            bitDepth: format.codec.bitDepth, channelCount: channels, sampleRate: Int(rate))
        elements = ALACElement.sequence(channelCount: channels)
        let samples = channels * configuration.framesPerPacket * configuration.bitDepth
        let heads = elements.count * ALACElementWriter.longestHead + ALACElementWriter.endLength
        maximumPacketSize = (samples + heads + 7) / 8
        configuration.maximumPacketSize = maximumPacketSize
        self.configuration = configuration
        self.format = PacketFormat(
            codec: format.codec, sampleRate: format.sampleRate, channelCount: channels,
            framesPerPacket: configuration.framesPerPacket, cookie: configuration.bytes, channelLabels: labels)
        quantizer = SampleQuantizer(bits: configuration.bitDepth)
        block = PacketBlock(channelCount: channels, size: configuration.framesPerPacket)
        writers = Self.makeWriters(elements, configuration)
    }

    /// Elements of a kind are numbered.
    private static func makeWriters(
        _ elements: [ALACElement], _ configuration: ALACConfiguration
    ) -> [ALACElementWriter] {
        elements.enumerated().map { position, element in
            ALACElementWriter(
                element, number: elements.prefix(position).filter { $0 == element }.count, configuration: configuration)
        }
    }

    func encode(
        _ planes: [UnsafePointer<Double>], frames: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        try block.append(planes, frames) { () throws(CodecError) in encodeBlock(emit) }
    }

    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        guard !isFinished else { return }
        isFinished = true
        if block.count > 0 { encodeBlock(emit) }
    }

    private func encodeBlock(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        bits.removeAll()
        var channel = 0
        for index in writers.indices {
            let planes = block.planes[channel..<channel + elements[index].channelCount]
            writers[index].write(planes.map { UnsafePointer($0) }, count: block.count, quantizer: quantizer, to: &bits)
            channel += elements[index].channelCount
        }
        bits.write(ALACElement.end.rawValue, ALACElementWriter.endLength)
        bits.align()
        bits.bytes.withUnsafeBytes { emit($0, block.count) }
    }

    func reset() {
        block.removeAll()
        writers = Self.makeWriters(elements, configuration)
        isFinished = false
    }
}
