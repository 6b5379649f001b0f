import COssicle
import OssicleCodecs

/// The loops over the samples of one form.
///
/// Made where the form's type is known, so that each form has compiled loops of its own: through an existential the
/// compiler would look the code up for every sample, which is a hundred times slower.
struct SampleLoops {
    typealias Unpack = (
        _ source: UnsafeRawPointer, _ stride: Int, _ plane: UnsafeMutablePointer<Double>, _ count: Int
    ) -> Void
    typealias Pack = (
        _ plane: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ stride: Int, _ count: Int
    ) -> Void

    typealias PackPair = (
        _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>, _ target: UnsafeMutableRawPointer, _ count: Int
    ) -> Void

    /// Reads `count` samples that lie `stride` bytes apart.
    let unpack: Unpack
    /// Writes `count` samples `stride` bytes apart.
    let pack: Pack
    /// Writes two planes as the channels of frames side by side, if there is a loop for that.
    let packPair: PackPair?

    init(unpack: @escaping Unpack, pack: @escaping Pack, packPair: @escaping PackPair) {
        (self.unpack, self.pack, self.packPair) = (unpack, pack, packPair)
    }

    // Samples side by side have loops of their own: a stride the compiler knows lets it take several at once.
    @inline(__always)
    init<Code: SampleCode>(_ code: Code) {
        packPair = nil
        unpack = { source, stride, plane, count in
            if stride == Code.byteCount {
                for index in 0..<count { plane[index] = code.decode(source + index &* Code.byteCount) }
            } else {
                for index in 0..<count { plane[index] = code.decode(source + index &* stride) }
            }
        }
        pack = { plane, target, stride, count in
            if stride == Code.byteCount {
                for index in 0..<count { code.encode(plane[index], target + index &* Code.byteCount) }
            } else {
                for index in 0..<count { code.encode(plane[index], target + index &* stride) }
            }
        }
    }
}

extension PCMFormat {
    /// The loops over this format's samples; `nil` when there is no such sample.
    var sampleLoops: SampleLoops? { isBigEndian ? loops(BigEndian.self) : loops(LittleEndian.self) }

    @inline(__always)
    private func loops<Order: ByteOrder>(_: Order.Type) -> SampleLoops? {
        switch (kind, bytesPerSample) {
        case (.float, 4): bits == 32 ? SampleLoops(Float32Code<Order>()) : nil
        case (.float, 8): bits == 64 ? SampleLoops(Float64Code<Order>()) : nil
        case (.float, _): nil
        case (.signed, 2) where bits == 16 && Order.self == LittleEndian.self: sixteen
        case (_, 1): integers(Word<UInt8, Order>.self)
        case (_, 2): integers(Word<UInt16, Order>.self)
        case (_, 3): integers(ThreeBytes<Order>.self)
        case (_, 4): integers(Word<UInt32, Order>.self)
        default: nil
        }
    }

    /// The form of most files, which a kernel writes.
    private var sixteen: SampleLoops {
        let code = IntegerCode<Word<UInt16, LittleEndian>>(bits: 16, isSigned: true, isAlignedHigh: isAlignedHigh)
        return SampleLoops(
            unpack: SampleLoops(code).unpack, pack: { ossicle_pack_16($0, $1, $2, $3) },
            packPair: { ossicle_pack_16_pairs($0, $1, $2, $3) })
    }

    @inline(__always)
    private func integers<Word: SampleWord>(_: Word.Type) -> SampleLoops? {
        guard bits >= 1, bits <= 8 * Word.byteCount else { return nil }
        return SampleLoops(IntegerCode<Word>(bits: bits, isSigned: kind == .signed, isAlignedHigh: isAlignedHigh))
    }
}

/// Moves pieces of a PCM stream between the form it has in memory and planes of Double.
package struct SamplePacking {
    private let loops: SampleLoops
    let format: PCMFormat

    /// Throws when there are no such samples.
    package init(_ format: PCMFormat) throws(ConversionError) {
        try format.check()
        guard let loops = format.sampleLoops else { throw format.noSuchSample }
        self.loops = loops
        self.format = format
    }

    /// Reads `count` frames from frame `first` of `buffers` on into the beginnings of `planes`, of which there may be
    /// fewer than channels.
    package func unpack(
        _ buffers: [UnsafeRawPointer], from first: Int, count: Int, into planes: [UnsafeMutablePointer<Double>]
    ) {
        let stride = format.bytesPerFrame
        for channel in 0..<min(format.channelCount, planes.count) {
            loops.unpack(start(of: channel, in: buffers) + first * stride, stride, planes[channel], count)
        }
    }

    /// Writes `count` frames from the beginnings of `planes` into `buffers` from frame `first` on.
    package func pack(
        _ planes: [UnsafePointer<Double>], count: Int, into buffers: [UnsafeMutableRawPointer], from first: Int
    ) {
        let stride = format.bytesPerFrame
        if format.channelCount == 2, format.isInterleaved, let packPair = loops.packPair {
            return packPair(planes[0], planes[1], buffers[0] + first * stride, count)
        }
        for channel in 0..<format.channelCount {
            let target = format.isInterleaved ? buffers[0] + channel * format.bytesPerSample : buffers[channel]
            loops.pack(planes[channel], target + first * stride, stride, count)
        }
    }

    private func start(of channel: Int, in buffers: [UnsafeRawPointer]) -> UnsafeRawPointer {
        format.isInterleaved ? buffers[0] + channel * format.bytesPerSample : buffers[channel]
    }
}
