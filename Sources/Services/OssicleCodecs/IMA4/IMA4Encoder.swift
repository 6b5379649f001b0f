/// Encodes to Apple's IMA4; the last packet is filled up with silence.
final class IMA4Encoder: PacketEncoder {
    let format: PacketFormat
    let primingFrames = 0
    private(set) var remainderFrames = 0
    var maximumPacketSize: Int { format.bytesPerPacket }
    private let quantizer = SampleQuantizer(bits: 16)
    private let block: PacketBlock
    private var states: [IMAPredictor]
    private var packet: [UInt8]
    private var isFinished = false

    init(_ format: PacketFormat) throws(CodecError) {
        self.format = try format.withConstantPackets(of: IMA4Decoder.framesPerPacket, bytesPerChannel: IMA4Decoder.bytesPerChannel)
        block = PacketBlock(channelCount: format.channelCount, size: IMA4Decoder.framesPerPacket)
        states = Array(repeating: IMAPredictor(), count: format.channelCount)
        packet = Array(repeating: 0, count: self.format.bytesPerPacket)
    }

    func encode(_ planes: [UnsafePointer<Double>], frames: Int, _ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        try block.append(planes, frames) { () throws(CodecError) in encodeBlock(emit) }
    }

    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        guard !isFinished else { return }
        isFinished = true
        guard block.count > 0 else { return }
        remainderFrames = block.size - block.count
        block.pad()
        encodeBlock(emit)
    }

    private func encodeBlock(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        packet.withUnsafeMutableBytes { packet in
            for (channel, plane) in block.planes.enumerated() {
                let start = channel * IMA4Decoder.bytesPerChannel
                encode(plane, &states[channel], into: UnsafeMutableRawBufferPointer(rebasing: packet[start..<start + IMA4Decoder.bytesPerChannel]))
            }
            emit(UnsafeRawBufferPointer(packet), block.size)
        }
    }

    private func encode(_ plane: UnsafePointer<Double>, _ state: inout IMAPredictor, into bytes: UnsafeMutableRawBufferPointer) {
        let header = UInt16(truncatingIfNeeded: state.sample & ~127 | state.index)
        bytes[0] = UInt8(header >> 8)
        bytes[1] = UInt8(header & 255)
        for position in 0..<IMA4Decoder.framesPerPacket / 2 {
            let low = state.compress(quantizer.quantize(plane[2 * position]))
            let high = state.compress(quantizer.quantize(plane[2 * position + 1]))
            bytes[2 + position] = low | high << 4
        }
    }

    func reset() {
        block.removeAll()
        states = states.map { _ in IMAPredictor() }
        (remainderFrames, isFinished) = (0, false)
    }
}
