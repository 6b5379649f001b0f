/// Encodes to µ-law and A-law.
final class G711Encoder: PacketEncoder {
    let format: PacketFormat
    let primingFrames = 0
    let remainderFrames = 0
    var maximumPacketSize: Int { format.bytesPerPacket }
    private let law: CompandingLaw
    private let quantizer = SampleQuantizer(bits: 16)
    private var packet: [UInt8]
    private var isFinished = false

    init(_ format: PacketFormat, _ law: CompandingLaw) throws(CodecError) {
        self.format = try format.withConstantPackets(of: 1, bytesPerChannel: 1)
        self.law = law
        packet = [UInt8](repeating: 0, count: format.channelCount)
    }

    func encode(_ planes: [UnsafePointer<Double>], frames: Int, _ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        packet.withUnsafeMutableBytes { packet in
            for frame in 0..<frames {
                for (channel, plane) in planes.enumerated() { packet[channel] = law.compress(quantizer.quantize(plane[frame])) }
                emit(UnsafeRawBufferPointer(packet), 1)
            }
        }
    }

    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) { isFinished = true }
    func reset() { isFinished = false }
}
