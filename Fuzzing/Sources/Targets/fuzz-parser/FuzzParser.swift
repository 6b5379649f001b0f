import Driver
import OssicleCodecs
import OssicleFiles

/// The input is a stream in pieces: the first byte tells the container the parser is told of, the second the length of
/// a piece.
@main
enum FuzzParser {
    static func main() {
        fuzz { bytes, count in
            let input = UnsafeRawBufferPointer(start: bytes, count: count)
            guard input.count > 2 else { return 0 }
            let container = AudioContainer.allCases.enumerated().first { $0.offset == Int(input[0]) }?.element
            try? FuzzParser.parse(
                UnsafeRawBufferPointer(rebasing: input[2...]), container, piece: 1 + Int(input[1]) * Int(input[1]))
            return 0
        }
    }

    private static func parse(_ stream: UnsafeRawBufferPointer, _ container: AudioContainer?, piece: Int) throws {
        let parser = PacketStreamParser(container: container)
        for start in stride(from: 0, to: stream.count, by: piece) {
            try parser.parse(
                UnsafeRawBufferPointer(rebasing: stream[start..<min(start + piece, stream.count)]), event: event(_:))
        }
        try parser.finish(event(_:))
        _ = parser.byteOffset(ofPacket: 100)
    }

    private static func event(_ event: PacketStreamParser.Event) {
        switch event {
        case .format(let format): precondition(format.sampleRate > 0 && format.channelCount > 0)
        case .packets(let bytes, let spans):
            for span in spans {
                precondition(
                    span.offset >= 0 && span.byteCount >= 0 && span.offset + span.byteCount <= bytes.count
                        && span.frameCount >= 0)
            }
        default: break
        }
    }
}
