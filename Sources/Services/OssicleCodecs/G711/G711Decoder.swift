/// Decodes µ-law and A-law: each frame is a packet with a byte per channel.
final class G711Decoder: PacketDecoder {
    let format: PacketFormat
    let delay = 0
    private let samples: [Double]
    private let memory: PlaneMemory

    init(_ format: PacketFormat, _ law: CompandingLaw) throws(CodecError) {
        self.format = try format.withConstantPackets(of: 1, bytesPerChannel: 1)
        samples = (0...255).map { Double(law.expand(UInt8($0))) / 32_768 }
        memory = PlaneMemory(channelCount: format.channelCount, capacity: 1024)
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        let frames = try format.wholePackets(in: packet)
        memory.reserve(frames)
        for (channel, plane) in memory.planes.enumerated() {
            for frame in 0..<frames { plane[frame] = samples[Int(packet[frame * format.channelCount + channel])] }
        }
        return memory.frames(frames)
    }

    func drain() -> PlanarFrames { .none }
    func reset() {}
}
