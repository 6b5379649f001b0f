// Writing a sound file.

import OssicleCodecs
import OssicleMessages

/// Writes one sound file from beginning to end. The same samples give the same bytes. Not for the audio thread, and for
/// one thread at a time.
///
/// A file that is never closed, because its process was killed or the disk is full, can be read: every write goes to
/// the system at once, and the header tells the frames after the first write and then after every quarter of a second
/// of sound. FLAC, MP3 and Ogg need no header for that; of Ogg the last unfinished page is lost, of packets in CAF the
/// last that the encoder gathers and, in recordings of more than four minutes, a thousandth of the recording. A request
/// may do without.
package final class AudioFileWriter {
    package let path: String
    package let container: AudioContainer
    package let codec: AudioCodec
    package let channelCount: Int
    package let sampleRate: Double
    /// Whether samples lie in the file most significant byte first.
    package let isBigEndian: Bool
    /// One label per channel in the order in which planes come; what the container cannot express is not in the file.
    package let channelLabels: [UInt32]?
    /// Frames written so far.
    package private(set) var frameCount: Int64 = 0
    /// Samples that were NaN or infinite, and were replaced by 0, so far.
    package private(set) var nonFiniteCount = 0

    private var encoder: (any FileEncoder)?
    private let storable: StorableSamples
    /// Memory for what the encoder takes: one plane per channel.
    private let scratch: [UnsafeMutablePointer<Double>]
    /// Frames after which the file is made readable again, and how many there are since.
    private let readableInterval: Int64
    private let isReadableMeanwhile: Bool
    private var unreadable: Int64
    private static let chunk = 8192

    /// Creates or overwrites the file a request describes; throws what of it is not possible.
    package convenience init(_ request: FileEncoderRequest) throws(AudioFileError) {
        try self.init(request, FileRouter.makeEncoder(request))
    }

    init(_ request: FileEncoderRequest, _ encoder: any FileEncoder) {
        path = request.path
        container = request.container
        codec = request.codec
        sampleRate = request.sampleRate
        channelCount = request.channelCount
        channelLabels = request.channelLabels?.count == request.channelCount ? request.channelLabels : nil
        self.encoder = encoder
        isBigEndian = encoder.isBigEndian
        storable = StorableSamples(request.codec)
        scratch = (0..<request.channelCount).map { _ in .allocate(capacity: Self.chunk) }
        readableInterval = Int64(request.sampleRate / 4)
        unreadable = readableInterval
        isReadableMeanwhile = request.isReadableMeanwhile
    }

    deinit {
        close()
        scratch.forEach { $0.deallocate() }
    }

    package var isOpen: Bool { encoder != nil }

    /// Finishes the file and gives it back. Later writes throw. The file is closed also when finishing it fails, for
    /// instance on a full disk.
    package func finish() throws(AudioFileError) {
        guard let encoder else { return }
        self.encoder = nil
        try encoder.close()
    }

    /// Like `finish()`, for callers that cannot receive an error: it goes to standard error.
    package func close() {
        do throws(AudioFileError) { try finish() } catch { StandardError.write("Ossicle: \(error)\n") }
    }

    /// Appends `frames` frames, one plane per channel. What was written before an error stays, and can be read.
    package func write(_ planes: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        try append(planes, frames)
    }

    /// Appends `frames` frames in double precision.
    package func write(_ planes: [UnsafePointer<Double>], frames: Int) throws(AudioFileError) {
        try append(planes, frames)
    }

    private func append<Sample: BinaryFloatingPoint>(
        _ planes: [UnsafePointer<Sample>], _ frames: Int
    ) throws(AudioFileError) {
        guard let encoder else {
            throw AudioFileError(
                .closed, path: path, found: "it has been closed", rule: "Only an open file can be written.",
                cure: "Write before closing.")
        }
        guard planes.count == channelCount, frames >= 0 else {
            throw AudioFileError(
                .outOfRange, path: path, found: "\(planes.count) planes of \(frames) frames",
                rule: "A write brings one plane for each of the \(channelCount) channels.",
                cure: "Give \(channelCount) planes.")
        }
        var done = 0
        while done < frames {
            let count = min(frames - done, Self.chunk)
            prepare(planes, from: done, frames: count)
            do throws(AudioFileError) {
                try encoder.write(scratch.map { UnsafePointer($0) }, frames: count)
            } catch {
                encoder.keepReadable()
                throw error
            }
            done += count
            frameCount += Int64(count)
            unreadable += Int64(count)
        }
        guard isReadableMeanwhile, done > 0, unreadable >= readableInterval else { return }
        encoder.keepReadable()
        unreadable = 0
    }

    private func prepare<Sample: BinaryFloatingPoint>(_ planes: [UnsafePointer<Sample>], from start: Int, frames: Int) {
        for (plane, target) in zip(planes, scratch) {
            nonFiniteCount += storable.store(plane + start, to: target, frames)
        }
    }
}
