import OssicleCore

/// A law of ITU-T G.711: eight bits a sample, finer steps for quiet sounds. Numbers are on the scale of 16 bits.
enum CompandingLaw: Sendable {
    case mu, a

    /// The value a code stands for (tables 2 and 1 of the recommendation, times 4 and times 8): sign, three bits of
    /// exponent, four of mantissa. The codes travel with all bits (µ) or every second (A) inverted.
    func expand(_ code: UInt8) -> Int32 {
        switch self {
        case .mu:
            let bits = ~code
            let exponent = Int32(bits >> 4 & 7), mantissa = Int32(bits & 15)
            let magnitude = (mantissa << 3 + Self.muBias) << exponent - Self.muBias
            return bits & 0x80 != 0 ? -magnitude : magnitude
        case .a:
            let bits = code ^ 0x55
            let exponent = Int32(bits >> 4 & 7), mantissa = Int32(bits & 15)
            let magnitude = exponent == 0 ? mantissa << 4 + 8 : (mantissa << 4 + 0x108) << (exponent - 1)
            return bits & 0x80 != 0 ? magnitude : -magnitude
        }
    }

    /// The code whose interval holds a value.
    func compress(_ value: Int32) -> UInt8 {
        switch self {
        case .mu:
            let magnitude = min(value.magnitude, 32_635) + UInt32(Self.muBias)
            let exponent = UInt32(24 - magnitude.leadingZeroBitCount)
            let bits = UInt8(truncatingIfNeeded: exponent << 4 | magnitude >> (exponent + 3) & 15)
            return ~(value < 0 ? bits | 0x80 : bits)
        case .a:
            let magnitude = value < 0 ? UInt32(-(value + 1)) : UInt32(value)
            let exponent = UInt32(max(24 - magnitude.leadingZeroBitCount, 0))
            let bits = UInt8(truncatingIfNeeded: exponent << 4 | magnitude >> (max(exponent, 1) + 3) & 15)
            return (value < 0 ? bits : bits | 0x80) ^ 0x55
        }
    }

    /// Makes the first step as long as a power of two, so that exponents come by shifting.
    private static let muBias: Int32 = 0x84
}

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

    func encode(
        _ planes: [UnsafePointer<Double>], frames: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        packet.withUnsafeMutableBytes { packet in
            for frame in 0..<frames {
                for (channel, plane) in planes.enumerated() {
                    packet[channel] = law.compress(quantizer.quantize(plane[frame]))
                }
                emit(UnsafeRawBufferPointer(packet), 1)
            }
        }
    }

    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) { isFinished = true }
    func reset() { isFinished = false }
}
