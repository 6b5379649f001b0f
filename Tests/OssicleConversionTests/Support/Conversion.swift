// Whole sounds through a converter.

import OssicleCodecs
@testable import OssicleConversion

/// Hands a client's buffers to a converter piece by piece and collects what comes.
final class Conversion {
    /// Frames a pull gives at most, and frames asked for in one call.
    var pullLength = 4096
    var requestLength = 4096

    let converter: Converter

    init(from input: StreamFormat, to output: StreamFormat, _ set: (inout ConversionSettings) -> Void = { _ in }) throws
    {
        converter = try Converter(from: input, to: output)
        set(&converter.settings)
    }

    /// 64-bit floats, a buffer for each channel.
    static func doubles(_ rate: Double, _ channels: Int = 1, labels: [UInt32]? = nil) -> StreamFormat {
        .pcm(PCMFormat(sampleRate: rate, channelCount: channels, bits: 64, channelLabels: labels))
    }

    /// One channel from rate to rate.
    static func resampled(
        _ sound: [Double], from source: Double, to target: Double,
        _ set: (inout ConversionSettings) -> Void = { _ in }
    ) throws -> [Double] {
        try Conversion(from: doubles(source), to: doubles(target), set).run([sound])[0]
    }

    /// Planes of 64-bit floats through a converter between two such formats, to the end of the stream.
    func run(_ planes: [[Double]]) throws -> [[Double]] {
        let bytes = planes.map { plane in plane.withUnsafeBytes { Array($0) } }
        return try run(bytes, frames: planes.first?.count ?? 0).map { buffer in
            buffer.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
        }
    }

    /// Buffers of the input's format through the converter, to the end of the stream.
    func run(_ input: [[UInt8]], frames: Int) throws -> [[UInt8]] {
        guard case .pcm(let from) = converter.input, case .pcm(let to) = converter.output else { return [] }
        let memory = input.map { UnsafeMutableRawBufferPointer.copy(of: $0) }
        defer { memory.forEach { $0.deallocate() } }
        var given = 0
        return try collect(to) { _ in
            guard given < frames else { return .endOfStream }
            let count = min(self.pullLength, frames - given)
            defer { given += count }
            return .samples(
                memory.map { UnsafeRawPointer($0.baseAddress! + given * from.bytesPerFrame) }, frames: count)
        }
    }

    /// All frames a pull leads to.
    func collect(_ format: PCMFormat, _ pull: (Int) -> ConverterInput) throws -> [[UInt8]] {
        var output = [[UInt8]](repeating: [], count: format.bufferCount)
        let byteCount = requestLength * format.bytesPerFrame
        let room = (0..<format.bufferCount).map { _ in
            UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        }
        defer { room.forEach { $0.deallocate() } }
        while true {
            let (status, count) = try converter.convert(
                into: room.map { $0.baseAddress! }, frames: requestLength, pull: pull)
            for (index, buffer) in room.enumerated() { output[index] += buffer[..<(count * format.bytesPerFrame)] }
            if status == .endOfStream { return output }
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Memory with these bytes, for the caller to deallocate.
    static func copy(of bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let memory = allocate(byteCount: bytes.isEmpty ? 1 : bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        return memory
    }
}
