// Writing a sound file.

import CSndfile
import Foundation

/// Writes one sound file from beginning to end. In containers with a header of sizes (WAV, RF64, W64, AIFF, CAF, AU) it tells
/// the frames written so far after every `write`, so a file that is never closed can still be read. The same samples give the same bytes (Ogg excepted, whose streams carry a random
/// serial number). Not for the audio thread, and for one thread at a time.
package final class AudioFileWriter {
    package let path: String
    package let container: AudioContainer
    package let codec: AudioCodec
    package let channelCount: Int
    package let sampleRate: Double
    /// Whether samples lie in the file most significant byte first.
    package let isBigEndian: Bool
    /// Frames written so far.
    package private(set) var frameCount: Int64 = 0
    /// Samples that were NaN or infinite, and were replaced by 0, so far.
    package private(set) var nonFiniteCount = 0

    private var file: OpaquePointer?
    private let quantizer: SampleQuantizer?
    private let integers: UnsafeMutableBufferPointer<Int32>
    private let doubles: UnsafeMutableBufferPointer<Double>
    private static let chunk = 4096

    /// Creates or overwrites the file at `path`.
    ///
    /// - Parameters:
    ///   - codec: in FLAC, `.pcm8`, `.pcm16` or `.pcm24` is the depth that is coded.
    ///   - sampleRate: a whole number of hertz.
    ///   - channelLabels: one label per channel, as in `AudioFileInfo`; left out where the container cannot express them.
    ///   - quality: 0 (smallest) ... 1 (best), for lossy codecs; `nil` leaves the encoder's own choice.
    package init(path: String, container: AudioContainer, codec: AudioCodec, sampleRate: Double, channelCount: Int,
                 channelLabels: [UInt32]? = nil, quality: Double? = nil) throws(AudioFileError) {
        let labels = channelLabels?.count == channelCount ? channelLabels : nil
        let info = try Self.header(path, container, codec, sampleRate, channelCount, extensible: labels != nil && channelCount > 2)
        let file = try SoundFile.open(writing: path, info)
        sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        if let labels { ChannelLabels.write(labels, to: file) }
        if var quality, quality.isFinite {
            quality = min(max(0, quality), 1)
            sf_command(file, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
        }
        self.path = path
        self.container = container
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.file = file
        isBigEndian = SoundFile.isBigEndian(file, container, codec)
        quantizer = codec.isInteger ? SampleQuantizer(bits: codec.bitDepth) : nil
        integers = .allocate(capacity: codec.isInteger ? Self.chunk * channelCount : 0)
        doubles = .allocate(capacity: codec.isInteger ? 0 : Self.chunk * channelCount)
    }

    deinit {
        close()
        integers.deallocate()
        doubles.deallocate()
    }

    package var isOpen: Bool { file != nil }

    /// Finishes the header and gives the file back. Later writes throw.
    package func close() {
        if let file { sf_close(file) }
        file = nil
    }

    /// Appends `frames` frames, one plane per channel.
    package func write(_ planes: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        try append(planes, frames)
    }

    /// Appends `frames` frames in double precision.
    package func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        try append(planes, frames)
    }

    private func append<Sample: BinaryFloatingPoint>(_ planes: [UnsafePointer<Sample>], _ frames: Int) throws(AudioFileError) {
        guard let file else {
            throw AudioFileError(.closed, path: path, found: "it has been closed", rule: "Only an open file can be written.",
                                 cure: "Write before closing.")
        }
        guard planes.count == channelCount, frames >= 0 else {
            throw AudioFileError(.outOfRange, path: path, found: "\(planes.count) planes of \(frames) frames",
                                 rule: "A write brings one plane for each of the \(channelCount) channels.", cure: "Give \(channelCount) planes.")
        }
        var done = 0
        while done < frames {
            let wanted = min(frames - done, Self.chunk)
            interleave(planes, from: done, frames: wanted)
            let written = Int(quantizer == nil ? sf_writef_double(file, doubles.baseAddress, Int64(wanted))
                                               : sf_writef_int(file, integers.baseAddress, Int64(wanted)))
            frameCount += Int64(max(0, written))
            guard written == wanted else { throw failure(file) }
            done += wanted
        }
        if done > 0, container.hasRewritableHeader { sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    }

    private func failure(_ file: OpaquePointer) -> AudioFileError {
        AudioFileError(.writeFailed, path: path, found: String(cString: sf_strerror(file)), rule: "The disk must take every frame.",
                       cure: "Free some space; the file holds \(frameCount) frames.")
    }

    /// Integers go to libsndfile at the high end of 32 bits, so that it only drops zeros.
    private func interleave<Sample: BinaryFloatingPoint>(_ planes: [UnsafePointer<Sample>], from start: Int, frames: Int) {
        let shift = Int32(32 - max(codec.bitDepth, 1))
        for (channel, plane) in planes.enumerated() {
            for frame in 0..<frames {
                var sample = Double(plane[start + frame])
                if !isStorable(sample) {
                    sample = 0
                    nonFiniteCount += 1
                }
                let index = frame * channelCount + channel
                if let quantizer { integers[index] = quantizer.quantize(sample) << shift } else { doubles[index] = sample }
            }
        }
    }

    /// Finite, and in the range of what is stored.
    private func isStorable(_ sample: Double) -> Bool {
        codec == .float64 ? sample.isFinite : Float(sample).isFinite
    }

    private static func header(_ path: String, _ container: AudioContainer, _ codec: AudioCodec, _ sampleRate: Double,
                               _ channelCount: Int, extensible: Bool) throws(AudioFileError) -> SF_INFO {
        var info = SF_INFO()
        if let type = container.sndfileFormat(extensible: extensible), let subtype = codec.sndfileFormat,
           let rate = Int32(exactly: sampleRate), let channels = Int32(exactly: channelCount) {
            info.samplerate = rate
            info.channels = channels
            info.format = type | subtype
        }
        guard info.channels > 0, info.samplerate > 0, sf_format_check(&info) == SF_TRUE else {
            throw AudioFileError(.unsupported, path: path, found: "\(codec) in \(container), \(channelCount) channels at \(sampleRate) Hz",
                                 rule: "Container, codec, channels and a whole sample rate must go together.",
                                 cure: "WAV and CAF take every PCM codec; FLAC takes 8, 16 and 24 bits and up to 8 channels.")
        }
        return info
    }
}
