// Linear samples out of files.

import OssicleCodecs
import OssicleConversion

/// Decodes linear PCM of WAV, RF64, W64, AIFF, CAF and AU: integers of up to 32 bits and floats of 32 and 64, in either
/// byte order.
final class LinearFileDecoder: FileDecoder {
    let info: AudioFileInfo
    let metadata: AudioMetadata
    private let file: PacketFileReader
    private let packing: SamplePacking
    private let bytesPerFrame: Int
    private let memory: UnsafeMutableRawBufferPointer
    private let chunk: Int
    private var position: Int64 = 0
    /// The largest magnitude of a float; what is not a number passes, to be counted.
    private let peak: Double?
    /// Bytes read at a time at the most, unless a frame has more.
    private static let most = 1 << 17

    /// Nil where the first bytes are not those of such a container, or where it holds packets.
    init?(_ source: any ByteSource) throws(AudioFileError) {
        let kind = String(decoding: source.bytes(at: 0, 4), as: UTF8.self)
        guard ["RIFF", "RF64", "BW64", "riff", "FORM", "caff", ".snd"].contains(kind) else { return nil }
        file = try PacketFileReader(source)
        guard case .pcm(let format) = file.format, let packing = try? SamplePacking(format) else { return nil }
        self.packing = packing
        bytesPerFrame = format.bytesPerFrame
        chunk = max(1, min(4096, Self.most / bytesPerFrame))
        memory = .allocate(byteCount: chunk * bytesPerFrame, alignment: 16)
        info = file.info
        metadata = file.metadata.readable
        peak = info.codec.isFloat ? info.codec.decodedPeak : nil
    }

    deinit { memory.deallocate() }

    func close() {}

    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        var done = 0
        while done < frames {
            let wanted = Int(min(Int64(min(frames - done, chunk)), info.frameCount - position))
            guard wanted > 0, let start = memory.baseAddress else { break }
            let bytes = try file.readBytes(
                from: position * Int64(bytesPerFrame),
                into: UnsafeMutableRawBufferPointer(start: start, count: wanted * bytesPerFrame))
            let got = bytes / bytesPerFrame
            guard got > 0 else { break }
            let targets = planes.map { $0 + done }
            packing.unpack([UnsafeRawPointer(start)], from: 0, count: got, into: targets)
            if let peak { hold(targets, got, within: peak) }
            done += got
            position += Int64(got)
        }
        return done
    }

    private func hold(_ planes: [UnsafeMutablePointer<Double>], _ count: Int, within peak: Double) {
        for plane in planes.prefix(info.channelCount) {
            for frame in 0..<count {
                let sample = plane[frame]
                plane[frame] = sample < -peak ? -peak : (sample > peak ? peak : sample)
            }
        }
    }

    func seek(to frame: Int64) { position = min(max(0, frame), info.frameCount) }
}

extension AudioMetadata {
    /// libsndfile adds its own name to that of the writing program, and has room for about 100 KB of header.
    private static let signature = " (libsndfile-", longest = 8192

    /// Without empty texts, and without the name of a library behind that of the program.
    var readable: AudioMetadata {
        var metadata = keeping { !$0.isEmpty }
        if let program = encodingApplication, let end = program.firstRange(of: Self.signature) {
            metadata.encodingApplication = String(program[..<end.lowerBound])
        }
        return metadata
    }

    /// Without texts that no header holds.
    var writable: AudioMetadata {
        keeping { !$0.isEmpty && $0.utf8.count < Self.longest && !$0.utf8.contains(0) }
    }

    private func keeping(_ isKept: (String) -> Bool) -> AudioMetadata {
        let fields: [WritableKeyPath<AudioMetadata, String?>] = [
            \.title, \.artist, \.album, \.comment, \.date, \.genre, \.trackNumber, \.copyright, \.encodingApplication,
        ]
        return fields.reduce(into: self) { metadata, field in
            if let text = metadata[keyPath: field], !isKept(text) { metadata[keyPath: field] = nil }
        }
    }
}
