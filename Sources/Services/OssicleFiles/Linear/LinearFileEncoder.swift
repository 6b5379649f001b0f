// Linear samples into files.

import OssicleCodecs
import OssicleConversion

/// Writes linear PCM into WAV, RF64, W64, AIFF, CAF and AU. Headers are the same on every machine, and tell of all
/// frames whenever `keepReadable` has been called.
final class LinearFileEncoder: FileEncoder {
    let isBigEndian: Bool
    private let writer: PacketFileWriter
    private let packing: SamplePacking
    private let order: FileChannelOrder
    private let limit: ContainerLimit
    private let bytesPerFrame: Int
    private let memory: UnsafeMutableRawBufferPointer
    private let chunk: Int
    private var frameCount: Int64 = 0
    /// Bytes written at a time at the most, unless a frame has more.
    private static let most = 1 << 17

    /// The form of the samples in the file; nil where they are not linear, or the container does not hold them so.
    static func format(_ request: FileEncoderRequest) -> PCMFormat? {
        guard request.codec.isLinear, Int32(exactly: request.sampleRate) != nil,
            (1...1024).contains(request.channelCount)
        else { return nil }
        let isOneByte = request.codec.bitDepth == 8
        let ownOrder = request.container == .aiff || request.container == .au
        let format = PCMFormat(
            sampleRate: request.sampleRate, channelCount: request.channelCount,
            kind: request.codec.isFloat ? .float : request.codec == .pcm8Unsigned ? .unsigned : .signed,
            bits: request.codec.bitDepth, isBigEndian: !isOneByte && (request.isBigEndian ?? ownOrder),
            isInterleaved: true, channelLabels: FileChannelOrder(request).labels)
        let isHeld: Void? = try? PacketFileWriter.check(.pcm(format), in: request.container, path: request.path)
        return isHeld == nil ? nil : format
    }

    /// - Parameter byteLimit: the size the file must not exceed; the container's own when `nil`.
    init(
        _ request: FileEncoderRequest, _ format: PCMFormat, to sink: any ByteSink, byteLimit: Int64? = nil
    ) throws(AudioFileError) {
        do throws(ConversionError) {
            packing = try SamplePacking(format)
        } catch {
            throw AudioFileError(
                .unsupported, path: request.path, found: error.found, rule: error.rule, cure: error.cure)
        }
        writer = try PacketFileWriter(sink, container: request.container, format: .pcm(format))
        writer.metadata = request.metadata.writable
        order = FileChannelOrder(request)
        limit = ContainerLimit(request, byteLimit: byteLimit)
        isBigEndian = format.isBigEndian
        bytesPerFrame = format.bytesPerFrame
        chunk = max(1, min(8192, Self.most / bytesPerFrame))
        memory = .allocate(byteCount: chunk * bytesPerFrame, alignment: 16)
        try writer.begin()
    }

    deinit { memory.deallocate() }

    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        guard let start = memory.baseAddress else { return }
        var done = 0
        while done < frames {
            let count = min(frames - done, chunk)
            try limit.check(adding: count, to: frameCount * Int64(bytesPerFrame), frameCount: frameCount)
            packing.pack(order.planes.map { planes[$0] + done }, count: count, into: [start], from: 0)
            try writer.write(UnsafeRawBufferPointer(start: start, count: count * bytesPerFrame))
            frameCount += Int64(count)
            done += count
        }
    }

    /// A full disk may refuse it; the next write then says so.
    func keepReadable() { try? writer.keepReadable() }

    func close() throws(AudioFileError) { try writer.close() }
}
