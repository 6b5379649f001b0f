import OssicleCodecs
import OssicleCore

/// How one sample lies in memory, as a type of its own for every form, so that the loops over samples know it when
/// compiled.
protocol SampleCode {
    static var byteCount: Int { get }
    func decode(_ source: UnsafeRawPointer) -> Double
    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer)
}

/// Floating point of 32 bits. What it holds passes through Double as it is, infinities and NaN too; a double beyond its
/// range becomes infinite.
struct Float32Code<Order: ByteOrder>: SampleCode {
    static var byteCount: Int { 4 }

    func decode(_ source: UnsafeRawPointer) -> Double { Double(Float(bitPattern: Word<UInt32, Order>.load(source))) }

    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer) {
        Word<UInt32, Order>.store(Float(sample).bitPattern, target)
    }
}

/// Floating point of 64 bits.
struct Float64Code<Order: ByteOrder>: SampleCode {
    static var byteCount: Int { 8 }

    func decode(_ source: UnsafeRawPointer) -> Double {
        let bits = source.loadUnaligned(as: UInt64.self)
        return Double(bitPattern: Order.isBigEndian ? UInt64(bigEndian: bits) : UInt64(littleEndian: bits))
    }

    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer) {
        let bits = sample.bitPattern
        target.storeBytes(of: Order.isBigEndian ? bits.bigEndian : bits.littleEndian, as: UInt64.self)
    }
}

/// Integers of 1 ... 32 bits in words of as many bytes or more, signed or offset binary, at the low or the high end of
/// the word.
///
/// −2^(b−1) is −1. Reading is exact. Writing takes the nearest integer, ties to even, clamps what is beyond the range
/// and makes NaN 0.
struct IntegerCode<Word: SampleWord>: SampleCode {
    /// From the bits' place in the word to the high end of 32 bits.
    private let toTop: UInt32
    /// Drops what is below the bits.
    private let mask: UInt32
    /// Turns offset binary into two's complement.
    private let flip: UInt32
    private let scale: Double
    private let highest: Double
    /// Adds the offset of offset binary.
    private let offset: UInt32
    private let fromBottom: UInt32

    init(bits: Int, isSigned: Bool, isAlignedHigh: Bool) {
        let unused = UInt32(clamping: 8 * Word.byteCount - bits)
        toTop = UInt32(clamping: 32 - bits) - (isAlignedHigh ? unused : 0)
        mask = UInt32.max << UInt32(clamping: 32 - bits)
        flip = isSigned ? 0 : 1 << 31
        scale = Double(UInt64(1) << UInt64(clamping: bits - 1))
        highest = scale - 1
        offset = isSigned ? 0 : 1 << UInt32(clamping: bits - 1)
        fromBottom = isAlignedHigh ? unused : 0
    }

    static var byteCount: Int { Word.byteCount }

    func decode(_ source: UnsafeRawPointer) -> Double {
        let top = (Word.load(source) &<< toTop) & mask ^ flip
        return Double(Int32(bitPattern: top)) * 0x1p-31
    }

    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer) {
        // Comparisons in this order let NaN fall through as it is. Adding 1.5·2^52 then leaves the nearest integer,
        // ties to even, in the low bits.
        var scaled = sample * scale
        scaled = scaled < -scale ? -scale : scaled
        scaled = scaled > highest ? highest : scaled
        scaled = scaled == scaled ? scaled : 0
        let integer = UInt32(truncatingIfNeeded: (scaled + 0x1.8p52).bitPattern)
        Word.store((integer &+ offset) &<< fromBottom, target)
    }
}

/// Adds triangular noise of ±1 step ahead of the rounding to fewer bits, so that the error is noise instead of
/// distortion: its mean and power no longer depend on the sound, and with the rounding's own the power is 3 · step²/12
/// (Lipshitz, Wannamaker and Vanderkooy 1992).
///
/// The noise of a channel's frame depends on nothing but the two numbers.
final class Dither: FrameSource {
    /// Whether it does anything; the frames count on all the same.
    var isOn = false
    private let source: any FrameSource
    private let step: Double
    private let noise: [CounterRandom]
    private let memory: PlaneMemory
    private var position: UInt64 = 0

    var channelCount: Int { source.channelCount }

    init(_ source: any FrameSource, bits: Int) {
        self.source = source
        step = 1 / Double(UInt64(1) << UInt64(clamping: bits - 1))
        noise = (0..<source.channelCount).map {
            CounterRandom(seed: CounterRandom.number(of: "dither"), object: UInt64($0))
        }
        memory = PlaneMemory(channelCount: source.channelCount, capacity: SourcePiece.longest)
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        let piece = try source.next(min(limit, memory.capacity), pull)
        guard case .frames(let frames) = piece else { return piece }
        defer { position &+= UInt64(frames.count) }
        guard isOn else { return .frames(frames) }
        for channel in noise.indices {
            add(noise[channel], to: frames.planes[channel], count: frames.count, into: memory.planes[channel])
        }
        return .frames(memory.frames(frames.count))
    }

    /// The two halves of a random word are two uniform numbers; their difference is triangular.
    private func add(
        _ random: CounterRandom, to plane: UnsafePointer<Double>, count: Int, into target: UnsafeMutablePointer<Double>
    ) {
        let scale = step * 0x1p-32
        for index in 0..<count {
            let bits = random.bits(position &+ UInt64(index))
            let triangular = Double(Int64(bits >> 32) - Int64(bits & 0xFFFF_FFFF))
            target[index] = plane[index] + triangular * scale
        }
    }
}
