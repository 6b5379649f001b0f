// Encoding with libsndfile.

import CSndfile
import OssicleCodecs

/// Writes FLAC, Ogg Vorbis, Ogg Opus, MP3 and what of WAV, RF64, W64, AIFF, CAF and AU is not linear PCM, to bytes
/// anywhere.
final class SndfileEncoder: FileEncoder {
    let isBigEndian: Bool

    private let request: FileEncoderRequest
    private let sink: any ByteSink
    private var file: VirtualFile?
    private let order: FileChannelOrder
    private let limit: ContainerLimit
    private var frameCount: Int64 = 0
    private let integers: UnsafeMutableBufferPointer<Int32>
    private let doubles: UnsafeMutableBufferPointer<Double>
    private let chunk: Int
    /// The most samples encoded at a time.
    private static let most = 32_768

    /// - Parameter byteLimit: the size the file must not exceed; the container's own when `nil`.
    init(_ request: FileEncoderRequest, to sink: any ByteSink, byteLimit: Int64? = nil) throws(AudioFileError) {
        let order = FileChannelOrder(request)
        let header = try Self.header(request, order)
        let cursor = VirtualBytes(writing: sink, isDraft: request.container.hasRewritableHeader), file: VirtualFile
        do throws(VirtualFile.Refusal) {
            file = try VirtualFile(cursor, mode: SFM_WRITE, header: header)
        } catch {
            throw cursor.failure
                ?? AudioFileError(
                    .writeFailed, path: request.path, found: error.reason,
                    rule: "Encoder and container must take the format.",
                    cure: "Choose another format.")
        }
        sf_command(file.handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        sf_command(file.handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        if let labels = order.labels { file.setChannelLabels(labels) }
        request.metadata.write(to: file)
        request.settings.apply(to: file, request)
        cursor.endDraft()
        self.request = request
        self.sink = sink
        self.file = file
        self.order = order
        limit = ContainerLimit(request, byteLimit: byteLimit)
        isBigEndian = file.isBigEndian
        chunk = max(1, min(4096, Self.most / request.channelCount))
        integers = .allocate(capacity: request.codec.isInteger ? chunk * request.channelCount : 0)
        doubles = .allocate(capacity: request.codec.isInteger ? 0 : chunk * request.channelCount)
    }

    deinit {
        integers.deallocate()
        doubles.deallocate()
    }

    func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        guard let file else { return }
        var done = 0
        while done < frames {
            let wanted = min(frames - done, chunk)
            try limit.check(adding: wanted, to: file.bytes.byteCount, frameCount: frameCount)
            interleave(planes, from: done, frames: wanted)
            let written =
                request.codec.isInteger
                ? sf_writef_int(file.handle, integers.baseAddress, Int64(wanted))
                : sf_writef_double(file.handle, doubles.baseAddress, Int64(wanted))
            frameCount += max(0, written)
            guard written == wanted, file.bytes.failure == nil else { throw failure(file) }
            done += wanted
        }
    }

    func keepReadable() {
        guard let file, request.container.hasRewritableHeader else { return }
        file.bytes.goOn()
        sf_command(file.handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    }

    func close() throws(AudioFileError) {
        guard let file else { return }
        try fillLastPacket()
        let cursor = file.bytes
        cursor.goOn()
        self.file = nil
        file.close()
        if let place = file.lengthPlace { try writeLength(place) }
        if let failure = cursor.failure { throw failure }
        try sink.close()
    }

    /// AIFF-C counts packets of 64 frames, and libsndfile would not count a last one that is not full.
    private func fillLastPacket() throws(AudioFileError) {
        let rest = Int(frameCount % 64)
        guard request.codec == .ima4, rest > 0 else { return }
        let silence = [Double](repeating: 0, count: 64 - rest)
        var failure: AudioFileError?
        silence.withUnsafeBufferPointer { silence in
            guard let plane = silence.baseAddress else { return }
            do throws(AudioFileError) {
                try write([UnsafePointer<Double>](repeating: plane, count: request.channelCount), frames: silence.count)
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The library counts the frames of full blocks there, or a byte of padding; this is how many were written.
    private func writeLength(_ place: VirtualFile.LengthPlace) throws(AudioFileError) {
        let bytes = (0..<place.byteCount).map {
            UInt8(truncatingIfNeeded: frameCount >> Int64(8 * (place.isBigEndian ? place.byteCount - 1 - $0 : $0)))
        }
        var failure: AudioFileError?
        bytes.withUnsafeBytes { memory in
            do throws(AudioFileError) { try sink.write(memory, at: place.offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func failure(_ file: VirtualFile) -> AudioFileError {
        file.bytes.failure
            ?? AudioFileError(
                .writeFailed, path: request.path, found: file.failure, rule: "The disk must take every frame.",
                cure: "Free some space; the file holds \(frameCount) frames.")
    }

    /// Integers go to libsndfile at the high end of 32 bits, so that it only drops zeros.
    private func interleave(_ planes: [UnsafePointer<Double>], from start: Int, frames: Int) {
        let stride = order.planes.count
        if request.codec.isInteger, stride == 2, let target = integers.baseAddress {
            let (left, right) = (planes[order.planes[0]] + start, planes[order.planes[1]] + start)
            for frame in 0..<frames {
                target[2 * frame] = Self.integer(left[frame])
                target[2 * frame + 1] = Self.integer(right[frame])
            }
            return
        }
        for (channel, plane) in order.planes.enumerated() {
            let samples = planes[plane] + start
            if let target = integers.baseAddress, request.codec.isInteger {
                for frame in 0..<frames { target[frame * stride + channel] = Self.integer(samples[frame]) }
            } else {
                for frame in 0..<frames { doubles[frame * stride + channel] = samples[frame] }
            }
        }
    }

    /// A stored sample of at most 32 bits as the integer it stands for, without a conversion: where doubles have a unit
    /// in the last place of 1, their lower bits are the integer.
    @inline(__always)
    private static func integer(_ sample: Double) -> Int32 {
        let scaled = sample * 2_147_483_648
        let above = scaled < -2_147_483_648 ? -2_147_483_648 : scaled
        let held = above > 2_147_483_647 ? 2_147_483_647 : above
        return Int32(truncatingIfNeeded: (held + 0x1.8p52).bitPattern)
    }
}

extension SndfileEncoder {
    private static let opusRates: [Double] = [8000, 12_000, 16_000, 24_000, 48_000]

    /// Throws unless libsndfile can write what `request` asks for; nothing is created.
    static func check(_ request: FileEncoderRequest) throws(AudioFileError) {
        try AudioFileError.load(.sndfile, for: request.path)
        _ = try header(request, FileChannelOrder(request))
    }

    static func header(_ request: FileEncoderRequest, _ order: FileChannelOrder) throws(AudioFileError) -> SF_INFO {
        var info = SF_INFO()
        if let type = request.container.sndfileFormat(extensible: WaveFormat.needsMask(order.labels)),
            let subtype = request.codec.sndfileFormat(in: request.container),
            let rate = Int32(exactly: request.sampleRate), let channels = Int32(exactly: request.channelCount)
        {
            info.samplerate = rate
            info.channels = channels
            info.format =
                type | subtype | (request.isBigEndian.map { Int32($0 ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE) } ?? 0)
        }
        guard info.channels > 0, info.samplerate > 0, sf_format_check(&info) == SF_TRUE,
            request.codec != .opus || opusRates.contains(request.sampleRate)
        else {
            throw AudioFileError(
                .unsupported, path: request.path,
                found:
                    "\(request.codec) in \(request.container), \(request.channelCount) channels at \(request.sampleRate) Hz"
                    + (request.isBigEndian.map { $0 ? ", big-endian" : ", little-endian" } ?? ""),
                rule: "Container, codec, channels, byte order and a whole sample rate must go together.",
                cure:
                    "WAV and CAF take every PCM codec; FLAC takes 8, 16 and 24 bits and up to 8 channels; Opus takes 8, 12, 16, 24 and 48 kHz."
            )
        }
        return info
    }
}
