import OssicleCodecs

/// The head of a conversion that begins with packets: decodes what the client gives.
final class PacketSource: FrameSource {
    private let decoder: any PacketDecoder
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var spans: ArraySlice<PacketSpan> = []
    private var decoded = PlanarFrames.none
    /// How many frames of `decoded` are gone.
    private var used = 0
    private var hasEnded = false
    private var isDrained = false

    /// What is decoded, as the decoder knows it.
    let format: PacketFormat
    var channelCount: Int { format.channelCount }

    init(_ decoder: any PacketDecoder) {
        self.decoder = decoder
        format = decoder.format
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        while used == decoded.count {
            if let span = nextSpan() {
                try decode(span)
            } else if isDrained {
                return .ended
            } else if hasEnded {
                try drain()
            } else {
                try take(pull(packets(for: limit)))
                if spans.isEmpty, !hasEnded { return .ranDry }
            }
        }
        let count = min(limit, decoded.count - used)
        defer { used += count }
        return .frames(PlanarFrames(planes: decoded.planes.map { $0 + used }, count: count))
    }

    private func packets(for frames: Int) -> Int {
        guard format.framesPerPacket > 0 else { return 1 }
        return max(1, frames / format.framesPerPacket + (frames % format.framesPerPacket == 0 ? 0 : 1))
    }

    private func take(_ input: ConverterInput) throws(ConversionError) {
        switch input {
        case .packets(let bytes, let spans):
            guard
                spans.allSatisfy({
                    (0...bytes.count).contains($0.offset) && (0...bytes.count - $0.offset).contains($0.byteCount)
                })
            else {
                throw ConversionError(
                    .invalidBuffer, found: "packets beyond the \(bytes.count) bytes of input",
                    rule: "Packets lie within their memory.", cure: "Correct the packet descriptions.")
            }
            (self.bytes, self.spans) = (bytes, spans[...])
        case .samples:
            throw ConversionError(
                .invalidBuffer, found: "samples of input", rule: "This input is compressed.", cure: "Give its packets.")
        case .nothingNow: break
        case .endOfStream: hasEnded = true
        }
    }

    /// The next packet; with those behind it when all have one size, as they may be as small as a frame.
    private func nextSpan() -> PacketSpan? {
        guard var span = spans.popFirst() else { return nil }
        guard format.bytesPerPacket > 0 else { return span }
        while let next = spans.first, next.offset == span.offset + span.byteCount,
            next.byteCount == format.bytesPerPacket,
            (span.byteCount / format.bytesPerPacket) * format.framesPerPacket < SourcePiece.longest
        {
            span.byteCount += next.byteCount
            spans.removeFirst()
        }
        return span
    }

    /// A packet that throws is lost; the next call continues with the one behind it.
    private func decode(_ span: PacketSpan) throws(ConversionError) {
        clear()
        do {
            try keep(
                decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[span.offset..<span.offset + span.byteCount])))
        } catch { throw ConversionError(error) }
    }

    private func drain() throws(ConversionError) {
        clear()
        do {
            let rest = try decoder.drain()
            isDrained = rest.count == 0
            try keep(rest)
        } catch {
            isDrained = true
            throw ConversionError(error)
        }
    }

    private func clear() {
        decoded = .none
        used = 0
    }

    private func keep(_ frames: PlanarFrames) throws(CodecError) {
        guard frames.count == 0 || frames.planes.count == channelCount else {
            throw CodecError(
                .damaged, object: "decoder of \(format.codec)",
                found: "a packet of \(frames.planes.count) channels in a stream of \(channelCount)",
                rule: "A stream keeps its number of channels.", cure: "Convert it in parts.")
        }
        decoded = frames
    }
}
