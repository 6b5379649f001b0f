/// Decodes Apple's IMA4: 64 frames a packet; for each channel two bytes of state and 32 bytes of codes, the lower half of a byte first.
final class IMA4Decoder: PacketDecoder {
    static let framesPerPacket = 64
    static let bytesPerChannel = 34

    let format: PacketFormat
    let delay = 0
    private let memory: PlaneMemory
    /// What each channel's last packet left; `nil` at the start.
    private var states: [IMAPredictor?]

    init(_ format: PacketFormat) throws(CodecError) {
        self.format = try format.withConstantPackets(of: Self.framesPerPacket, bytesPerChannel: Self.bytesPerChannel)
        memory = PlaneMemory(channelCount: format.channelCount, capacity: Self.framesPerPacket)
        states = Array(repeating: nil, count: format.channelCount)
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        let packets = try format.wholePackets(in: packet)
        memory.reserve(packets * Self.framesPerPacket)
        for index in 0..<packets {
            for (channel, plane) in memory.planes.enumerated() {
                let start = index * format.bytesPerPacket + channel * Self.bytesPerChannel
                let bytes = UnsafeRawBufferPointer(rebasing: packet[start..<start + Self.bytesPerChannel])
                try decode(bytes, channel, into: plane + index * Self.framesPerPacket)
            }
        }
        return memory.frames(packets * Self.framesPerPacket)
    }

    private func decode(_ bytes: UnsafeRawBufferPointer, _ channel: Int, into plane: UnsafeMutablePointer<Double>) throws(CodecError) {
        let header = Int32(Int16(bitPattern: UInt16(bytes[0]) << 8 | UInt16(bytes[1])))
        let told = IMAPredictor(sample: header & ~127, index: header & 127)
        guard told.index <= IMAPredictor.highestIndex else {
            throw .damagedPacket("ima4 decoder", found: "step \(told.index)", rule: "There are 89 steps, from 0 on.")
        }
        var state = Self.goOn(from: states[channel], told)
        for (position, byte) in bytes.dropFirst(2).enumerated() {
            plane[2 * position] = Double(state.expand(byte & 15)) / 32_768
            plane[2 * position + 1] = Double(state.expand(byte >> 4)) / 32_768
        }
        states[channel] = state
    }

    /// A packet tells only the upper nine bits of its first state. Where the last packet ended there, its own lower bits are better.
    private static func goOn(from last: IMAPredictor?, _ told: IMAPredictor) -> IMAPredictor {
        guard let last, last.index == told.index, abs(last.sample - told.sample) < 128 else { return told }
        return last
    }

    func drain() -> PlanarFrames { .none }
    func reset() { states = states.map { _ in nil } }
}
