import OssicleCodecs

/// The end of a conversion into packets: encodes frames and keeps packets until the client takes them.
final class PacketSink {
    let encoder: any PacketEncoder
    private let source: any FrameSource
    private var bytes: [UInt8] = []
    private var spans: ArraySlice<PacketSpan> = []
    /// Frames the encoder has of the packet it is filling.
    private var collected = 0
    private var hasFinished = false

    init(_ source: any FrameSource, encoder: any PacketEncoder) {
        self.source = source
        self.encoder = encoder
    }

    /// Moves the next packet into `memory` from `offset` on; `nil` when it does not fit.
    func take(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> PacketSpan? {
        guard let span = spans.first, span.byteCount <= memory.count - offset else { return nil }
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
        bytes.withUnsafeBytes {
            place.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[span.offset..<span.offset + span.byteCount]))
        }
        spans.removeFirst()
        return PacketSpan(offset: offset, byteCount: span.byteCount, frameCount: span.frameCount)
    }

    /// How many packets `count` bytes hold, where they are of one size.
    func room(in count: Int) -> Int {
        encoder.format.bytesPerPacket > 0 ? count / encoder.format.bytesPerPacket : Int.max
    }

    /// Bytes of the next packet.
    var nextByteCount: Int { spans.first?.byteCount ?? 0 }

    /// Sees to it that there is a packet, with an eye to `wanted` of them; tells why when there is none.
    func prepare(_ wanted: Int, _ pull: Pull) throws(ConversionError) -> ConverterStatus? {
        while spans.isEmpty {
            if hasFinished { return .endOfStream }
            switch try source.next(demand(wanted), pull) {
            case .frames(let frames): try encode(frames)
            case .ranDry: return .inputRanDry
            case .ended: try finish()
            }
        }
        return nil
    }

    /// The frames that so many packets lack, as far as pieces go.
    private func demand(_ wanted: Int) -> Int {
        let (frames, overflow) = encoder.format.framesPerPacket.multipliedReportingOverflow(by: wanted)
        return overflow || frames <= 0
            ? SourcePiece.longest : min(frames - collected, SourcePiece.longest)
    }

    private func encode(_ frames: PlanarFrames) throws(ConversionError) {
        let packet = encoder.format.framesPerPacket
        collected = packet > 0 ? (collected + frames.count) % packet : 0
        try collect { emit throws(CodecError) in try encoder.encode(frames.planes, frames: frames.count, emit: emit) }
    }

    private func finish() throws(ConversionError) {
        hasFinished = true
        try collect { emit throws(CodecError) in try encoder.finish(emit) }
    }

    private func collect(
        _ work: (_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) -> Void
    ) throws(ConversionError) {
        var collectedBytes: [UInt8] = []
        var collectedSpans: [PacketSpan] = []
        do throws(CodecError) {
            try work { packet, frames in
                collectedSpans.append(
                    PacketSpan(offset: collectedBytes.count, byteCount: packet.count, frameCount: frames))
                collectedBytes.append(contentsOf: packet)
            }
        } catch { throw ConversionError(error) }
        (bytes, spans) = (collectedBytes, collectedSpans[...])
    }
}
