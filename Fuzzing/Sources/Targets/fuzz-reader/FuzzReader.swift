import Driver
import OssicleFiles

/// The input is a sound file: read from its beginning, from its middle and from its beginning again.
@main
enum FuzzReader {
    /// Frames read at a time, and from one place at most: a small file may well stand for hours of sound.
    private static let piece = 4096, most = 1 << 17

    static func main() {
        fuzz { bytes, count in
            try? FuzzReader.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    private static func read(_ file: [UInt8]) throws {
        let reader = try AudioFileReader(source: MemoryBytes(file))
        precondition(
            reader.info.sampleRate > 0 && reader.info.sampleRate.isFinite && reader.info.channelCount > 0
                && reader.info.frameCount >= 0)
        let memory = UnsafeMutableBufferPointer<Double>.allocate(capacity: piece * reader.info.channelCount)
        defer { memory.deallocate() }
        memory.initialize(repeating: 0)
        let first = try read(reader, memory)
        try reader.seek(to: reader.info.frameCount / 2)
        _ = try read(reader, memory)
        try reader.seek(to: 0)
        let again = try read(reader, memory)
        precondition(first == again, "the same frames, but other samples")
    }

    /// Reads on, and returns a sum of what came.
    private static func read(_ reader: AudioFileReader, _ memory: UnsafeMutableBufferPointer<Double>) throws -> UInt64 {
        guard let base = memory.baseAddress else { return 0 }
        let planes = (0..<reader.info.channelCount).map { base + $0 * piece }
        var sum: UInt64 = 0, frames = 0
        while frames < most {
            let count = try reader.read(into: planes, frames: piece)
            precondition(count >= 0 && count <= piece)
            for plane in planes { for frame in 0..<count { sum = sum &* 31 &+ checked(plane[frame]).bitPattern } }
            frames += count
            if count < piece { break }
        }
        return sum
    }

    private static func checked(_ sample: Double) -> Double {
        precondition(sample.isFinite)
        return sample
    }
}
