import Driver
import OssicleCodecs

/// The input is a stream of packets. Its first byte tells the codec; the next the channels and whether the cookie comes
/// from our encoder or follows, a byte of length before it. Then come packets, two bytes of length before each.
@main
enum FuzzDecoders {
    static func main() {
        fuzz { bytes, count in
            var input = Input(bytes: UnsafeRawBufferPointer(start: bytes, count: count))
            try? FuzzDecoders.decode(&input)
            return 0
        }
    }

    private struct Input {
        let bytes: UnsafeRawBufferPointer
        var place = 0
        var isAtEnd: Bool { place >= bytes.count }

        mutating func byte() -> Int {
            guard !isAtEnd else { return 0 }
            defer { place += 1 }
            return Int(bytes[place])
        }

        mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
            let end = min(place + count, bytes.count)
            defer { place = end }
            return UnsafeRawBufferPointer(rebasing: bytes[min(place, end)..<end])
        }
    }

    private static func decode(_ input: inout Input) throws {
        let codec = AudioCodec.allCases[input.byte() % AudioCodec.allCases.count], choice = input.byte()
        let channels = 1 + choice % 8, sampleRate = [8000.0, 16_000, 44_100, 48_000][choice / 8 % 4]
        var format = PacketFormat(codec: codec, sampleRate: sampleRate, channelCount: channels)
        if choice < 128, let encoder = try? Codecs.makeEncoder(codec, sampleRate: sampleRate, channelCount: channels) {
            format = encoder.format
        } else {
            format.cookie = Array(input.take(input.byte()))
        }
        let decoder = try Codecs.makeDecoder(format)
        while !input.isAtEnd {
            let length = input.byte() << 8 | input.byte()
            check((try? decoder.decode(input.take(length))) ?? .none, of: decoder)
        }
        // Whatever is left inside comes out in some pieces.
        for _ in 0..<1000 {
            let rest = try decoder.drain()
            check(rest, of: decoder)
            if rest.count == 0 { break }
        }
        decoder.reset()
    }

    private static func check(_ frames: PlanarFrames, of decoder: any PacketDecoder) {
        precondition(frames.count >= 0 && (frames.count == 0 || frames.planes.count == decoder.format.channelCount))
        for plane in frames.planes { for frame in 0..<frames.count { precondition(plane[frame].isFinite) } }
    }
}
