import OssicleCore

/// The state of IMA ADPCM for one channel: the last sample and the size of the next step. Four bits tell a sample: a
/// sign and the difference in quarters of the step ("Recommended Practices for Enhancing Digital Audio Compatibility",
/// Interactive Multimedia Association, 1992).
struct IMAPredictor: Sendable {
    /// On the scale of 16 bits.
    var sample: Int32 = 0
    /// Where in the table of steps, 0 ... 88.
    var index: Int32 = 0

    static let highestIndex: Int32 = 88

    /// The sample a code stands for.
    mutating func expand(_ code: UInt8) -> Int32 {
        let step = Self.steps[Int(index)]
        var difference = step >> 3
        if code & 4 != 0 { difference += step }
        if code & 2 != 0 { difference += step >> 1 }
        if code & 1 != 0 { difference += step >> 2 }
        sample = min(max(code & 8 != 0 ? sample - difference : sample + difference, -32_768), 32_767)
        index = min(max(index + Self.indexChanges[Int(code & 7)], 0), Self.highestIndex)
        return sample
    }

    /// The code that comes nearest to `target`, and the step to it.
    mutating func compress(_ target: Int32) -> UInt8 {
        let step = Self.steps[Int(index)]
        let difference = target - sample
        let quarters = min(Int32(7), (4 * abs(difference)) / step)
        let code = UInt8(quarters) | (difference < 0 ? 8 : 0)
        _ = expand(code)
        return code
    }

    private static let indexChanges: [Int32] = [-1, -1, -1, -1, 2, 4, 6, 8]
    private static let steps: [Int32] = [
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
        107, 118, 130, 143, 157, 173,
        190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282,
        1411, 1552, 1707, 1878, 2066,
        2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10_442, 11_487,
        12_635, 13_899, 15_289,
        16_818, 18_500, 20_350, 22_385, 24_623, 27_086, 29_794, 32_767,
    ]
}

/// Decodes Apple's IMA4: 64 frames a packet; for each channel two bytes of state and 32 bytes of codes, the lower half
/// of a byte first.
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

    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ channel: Int, into plane: UnsafeMutablePointer<Double>
    ) throws(CodecError) {
        let header = Int32(Int16(bitPattern: UInt16(bytes[0]) << 8 | UInt16(bytes[1])))
        let stated = IMAPredictor(sample: header & ~127, index: header & 127)
        guard stated.index <= IMAPredictor.highestIndex else {
            throw .damagedPacket("ima4 decoder", found: "step \(stated.index)", rule: "There are 89 steps, from 0 on.")
        }
        var state = Self.goOn(from: states[channel], stated)
        for (position, byte) in bytes.dropFirst(2).enumerated() {
            plane[2 * position] = Double(state.expand(byte & 15)) / 32_768
            plane[2 * position + 1] = Double(state.expand(byte >> 4)) / 32_768
        }
        states[channel] = state
    }

    /// A packet tells only the upper nine bits of its first state. Where the last packet ended there, its own lower
    /// bits are better.
    private static func goOn(from last: IMAPredictor?, _ stated: IMAPredictor) -> IMAPredictor {
        guard let last, last.index == stated.index, abs(last.sample - stated.sample) < 128 else { return stated }
        return last
    }

    func drain() -> PlanarFrames { .none }
    func reset() { states = states.map { _ in nil } }
}

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
        self.format = try format.withConstantPackets(
            of: IMA4Decoder.framesPerPacket, bytesPerChannel: IMA4Decoder.bytesPerChannel)
        block = PacketBlock(channelCount: format.channelCount, size: IMA4Decoder.framesPerPacket)
        states = Array(repeating: IMAPredictor(), count: format.channelCount)
        packet = Array(repeating: 0, count: self.format.bytesPerPacket)
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
        guard block.count > 0 else { return }
        remainderFrames = block.size - block.count
        block.pad()
        encodeBlock(emit)
    }

    private func encodeBlock(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        packet.withUnsafeMutableBytes { packet in
            for (channel, plane) in block.planes.enumerated() {
                let start = channel * IMA4Decoder.bytesPerChannel
                encode(
                    plane, &states[channel],
                    into: UnsafeMutableRawBufferPointer(rebasing: packet[start..<start + IMA4Decoder.bytesPerChannel]))
            }
            emit(UnsafeRawBufferPointer(packet), block.size)
        }
    }

    private func encode(
        _ plane: UnsafePointer<Double>, _ state: inout IMAPredictor, into bytes: UnsafeMutableRawBufferPointer
    ) {
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
