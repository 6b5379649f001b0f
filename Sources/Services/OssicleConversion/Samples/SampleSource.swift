import OssicleCodecs

/// The head of a conversion that begins with samples: reads what the client gives.
final class SampleSource: FrameSource {
    private let format: PCMFormat
    private let packing: SamplePacking
    private let memory: PlaneMemory
    private var buffers: [UnsafeRawPointer] = []
    private var first = 0
    private var remaining = 0
    private var hasEnded = false

    var channelCount: Int { format.channelCount }

    init(_ format: PCMFormat) throws(ConversionError) {
        self.format = format
        packing = try SamplePacking(format)
        memory = PlaneMemory(channelCount: format.channelCount, capacity: SourcePiece.longest)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        if remaining == 0, !hasEnded { try take(pull(limit)) }
        guard remaining > 0 else { return hasEnded ? .ended : .ranDry }
        let count = min(limit, remaining, memory.capacity)
        packing.unpack(buffers, from: first, count: count, into: memory.planes)
        first += count
        remaining -= count
        return .frames(memory.frames(count))
    }

    private func take(_ input: ConverterInput) throws(ConversionError) {
        switch input {
        case .samples(let buffers, let frames):
            guard buffers.count == format.bufferCount, frames >= 0 else {
                throw ConversionError(
                    .invalidBuffer, found: "\(frames) frames of input in \(buffers.count) buffers",
                    rule: "This input has \(format.bufferCount) and never less than 0 frames.",
                    cure: "Give buffers of the input's format.")
            }
            (self.buffers, first, remaining) = (buffers, 0, frames)
        case .packets:
            throw ConversionError(
                .invalidBuffer, found: "packets of input", rule: "This input is linear PCM.", cure: "Give its samples.")
        case .nothingNow: break
        case .endOfStream: hasEnded = true
        }
    }
}

/// 1 ... 4 bytes in one of the two orders.
protocol SampleWord {
    static var byteCount: Int { get }
    /// The bytes as the low end of a word; what is above them is unspecified.
    static func load(_ source: UnsafeRawPointer) -> UInt32
    /// Writes the low end of `word`.
    static func store(_ word: UInt32, _ target: UnsafeMutableRawPointer)
}

/// Which byte comes first.
protocol ByteOrder {
    static var isBigEndian: Bool { get }
}

enum LittleEndian: ByteOrder {
    static var isBigEndian: Bool { false }
}

enum BigEndian: ByteOrder {
    static var isBigEndian: Bool { true }
}

/// A word of 1, 2 or 4 bytes.
enum Word<Bits: FixedWidthInteger & UnsignedInteger, Order: ByteOrder>: SampleWord {
    static var byteCount: Int { MemoryLayout<Bits>.size }

    static func load(_ source: UnsafeRawPointer) -> UInt32 {
        let bits = source.loadUnaligned(as: Bits.self)
        return UInt32(truncatingIfNeeded: Order.isBigEndian ? Bits(bigEndian: bits) : Bits(littleEndian: bits))
    }

    static func store(_ word: UInt32, _ target: UnsafeMutableRawPointer) {
        let bits = Bits(truncatingIfNeeded: word)
        target.storeBytes(of: Order.isBigEndian ? bits.bigEndian : bits.littleEndian, as: Bits.self)
    }
}

/// A word of 3 bytes.
enum ThreeBytes<Order: ByteOrder>: SampleWord {
    static var byteCount: Int { 3 }
    private static var first: Int { Order.isBigEndian ? 2 : 0 }
    private static var last: Int { Order.isBigEndian ? 0 : 2 }

    static func load(_ source: UnsafeRawPointer) -> UInt32 {
        UInt32(source.load(fromByteOffset: first, as: UInt8.self)) | UInt32(
            source.load(fromByteOffset: 1, as: UInt8.self)) << 8
            | UInt32(source.load(fromByteOffset: last, as: UInt8.self)) << 16
    }

    static func store(_ word: UInt32, _ target: UnsafeMutableRawPointer) {
        target.storeBytes(of: UInt8(truncatingIfNeeded: word), toByteOffset: first, as: UInt8.self)
        target.storeBytes(of: UInt8(truncatingIfNeeded: word >> 8), toByteOffset: 1, as: UInt8.self)
        target.storeBytes(of: UInt8(truncatingIfNeeded: word >> 16), toByteOffset: last, as: UInt8.self)
    }
}
