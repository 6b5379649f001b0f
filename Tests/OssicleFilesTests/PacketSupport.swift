import Foundation
import OssicleCodecs
import Testing
@testable import OssicleFiles

/// What a stream or a file gave: format, packets and the rest.
struct Packets: Equatable {
    var container: AudioContainer?
    var format: StreamFormat?
    var metadata = AudioMetadata()
    var leading = 0
    var trailing = 0
    var dataOffset: Int64?
    var packets: [[UInt8]] = []
    var frames: [Int] = []

    static var none: Packets { Packets() }
    private init() {}

    mutating func take(_ event: PacketStreamParser.Event) {
        switch event {
        case .container(let value): container = value
        case .format(let value): format = value
        case .metadata(let value): metadata = value
        case .priming(let first, let last): (leading, trailing) = (first, last)
        case .data(let offset, _, _): dataOffset = offset
        case .packets(let memory, let spans):
            for span in spans {
                packets.append(Array(memory[span.offset..<span.offset + span.byteCount]))
                frames.append(span.frameCount)
            }
        }
    }

    /// All packets of a file, read a few at a time.
    init(_ reader: PacketFileReader) throws {
        container = reader.info.container
        format = reader.format
        metadata = reader.metadata
        (leading, trailing, dataOffset) = (reader.primingFrames, reader.remainderFrames, reader.dataOffset)
        var memory = [UInt8](repeating: 0, count: max(reader.maximumPacketSize, 1 << 16))
        while true {
            let spans = try memory.withUnsafeMutableBytes {
                try reader.read(from: Int64(packets.count), count: 1000, into: $0)
            }
            guard !spans.isEmpty else { break }
            for span in spans {
                packets.append(Array(memory[span.offset..<span.offset + span.byteCount]))
                frames.append(span.frameCount)
            }
        }
    }

    /// All that a stream gives when its bytes come in pieces of `size`.
    init(_ bytes: [UInt8], pieces size: Int, container hint: AudioContainer? = nil) throws {
        let parser = PacketStreamParser(container: hint)
        for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
            try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
                try parser.parse(piece) { take($0) }
            }
        }
        try parser.finish { take($0) }
    }

    var bytes: [UInt8] { packets.flatMap { $0 } }
}

func contents(_ path: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path))) }
