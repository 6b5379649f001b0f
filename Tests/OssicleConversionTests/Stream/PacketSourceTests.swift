import OssicleCodecs
import Testing
@testable import OssicleConversion

/// A decoder whose packets hold their frames as bytes; one that begins with 255 is damaged. It gives three frames of
/// 200 at the end.
private final class ByteDecoder: PacketDecoder {
    let format: PacketFormat
    let delay = 0
    private var plane = UnsafeMutablePointer<Double>.allocate(capacity: 256)
    private var isDrained = false

    init(bytesPerPacket: Int = 0) {
        format = PacketFormat(
            codec: .other, sampleRate: 48_000, channelCount: 1, framesPerPacket: bytesPerPacket,
            bytesPerPacket: bytesPerPacket)
    }

    deinit { plane.deallocate() }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        if packet.first == 255 { throw CodecError(.damaged, object: "byte decoder", found: "255", rule: "", cure: "") }
        for (index, byte) in packet.enumerated() { plane[index] = Double(byte) }
        return PlanarFrames(planes: [UnsafePointer(plane)], count: packet.count)
    }

    func drain() -> PlanarFrames {
        defer { isDrained = true }
        for index in 0..<3 { plane[index] = 200 }
        return isDrained ? .none : PlanarFrames(planes: [UnsafePointer(plane)], count: 3)
    }

    func reset() { isDrained = false }
}

@Suite("Packets in")
struct PacketSourceTests {
    /// All frames of a stream of packets handed over a few at a time; a `nil` frame stands for an error.
    private func frames(
        _ packets: [[UInt8]], perPull: Int, limit: Int, decoder: ByteDecoder = ByteDecoder()
    ) -> [Double?] {
        let source = PacketSource(decoder)
        let bytes = packets.flatMap { $0 }
        var spans: [PacketSpan] = []
        for packet in packets {
            spans.append(PacketSpan(offset: spans.last.map { $0.offset + $0.byteCount } ?? 0, byteCount: packet.count))
        }
        var out: [Double?] = []
        return bytes.withUnsafeBytes { bytes in
            var next = spans[...]
            while true {
                do throws(ConversionError) {
                    let piece = try source.next(limit) { _ in
                        defer { next = next.dropFirst(perPull) }
                        return next.isEmpty ? .endOfStream : .packets(bytes, Array(next.prefix(perPull)))
                    }
                    guard case .frames(let frames) = piece else { return out }
                    out += UnsafeBufferPointer(start: frames.planes[0], count: frames.count).map { $0 }
                } catch { out.append(nil) }
            }
        }
    }

    @Test("Packets of any size, some at a time, then what the decoder has left", arguments: [1, 2, 9], [1, 3, 100])
    func anySize(_ perPull: Int, _ limit: Int) {
        let packets: [[UInt8]] = [[1, 2, 3], [], [4], [5, 6, 7, 8, 9, 10], [11]]
        #expect(frames(packets, perPull: perPull, limit: limit) == (1...11).map { Double($0) } + [200, 200, 200])
    }

    @Test("A damaged packet throws once and the stream goes on behind it")
    func damaged() {
        #expect(frames([[1, 2], [255], [3]], perPull: 3, limit: 10) == [1, 2, nil, 3, 200, 200, 200])
    }

    @Test("Packets of one size are decoded together")
    func constant() {
        #expect(
            frames([[1], [2], [3]], perPull: 3, limit: 10, decoder: ByteDecoder(bytesPerPacket: 1)) == [
                1, 2, 3, 200, 200, 200,
            ])
    }

    @Test(
        "Packets beyond their memory are refused",
        arguments: [(-1, 1), (0, -1), (5, 0), (3, 2), (1, .max), (.max, .max)])
    func beyond(_ offset: Int, _ byteCount: Int) {
        let span = PacketSpan(offset: offset, byteCount: byteCount)
        let source = PacketSource(ByteDecoder())
        let bytes: [UInt8] = [1, 2, 3, 4]
        let error = bytes.withUnsafeBytes { bytes in
            do throws(ConversionError) { _ = try source.next(1) { _ in .packets(bytes, [span]) } } catch {
                return Optional(error)
            }
            return nil
        }
        #expect(error?.kind == .invalidBuffer)
    }
}
