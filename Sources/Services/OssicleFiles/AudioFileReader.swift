// Reading a sound file, frame by frame.

import OssicleCodecs

/// Reads one sound file in order and from any frame, always giving the same samples for the same frames.
///
/// Samples are planar and between -1 and 1: an integer sample of b bits is divided by 2^(b-1). NaN and infinity become
/// 0 and are counted. Not for the audio thread, and for one thread at a time.
package final class AudioFileReader {
    /// The file's path, or the name of the bytes.
    package let path: String
    package let info: AudioFileInfo
    /// What the file says about its content.
    package let metadata: AudioMetadata
    /// Samples that were NaN or infinite, and were replaced by 0, so far.
    package private(set) var nonFiniteCount = 0
    /// What is wrong with the file, as far as is known. Reading adds to it.
    package var warnings: [AudioFileWarning] {
        let missing = firstMissing.map {
            AudioFileWarning(
                kind: .missing, text: "it is cut short or damaged: frame \($0) of \(info.frameCount) is not there")
        }
        let words = "\(nonFiniteCount) of its samples were not finite and are read as 0"
        let notFinite = nonFiniteCount > 0 ? AudioFileWarning(kind: .notFinite, text: words) : nil
        return damage.map { AudioFileWarning(kind: .shape, text: $0) } + [missing, notFinite].compactMap { $0 }
    }

    /// What opening found.
    private let damage: [String]
    /// The first frame that reading in order did not find although the file tells of it.
    private var firstMissing: Int64?
    /// The frame the next read starts with.
    package private(set) var position: Int64 = 0

    private var decoder: (any FileDecoder)?
    /// Memory for reads in single precision: one plane per channel.
    private var scratch: [UnsafeMutablePointer<Double>] = []
    private static let chunk = 4096

    /// Opens the file at `path`.
    package convenience init(path: String) throws(AudioFileError) {
        self.init(try FileRouter.makeDecoder(path: path), path: path)
    }

    /// Opens bytes that lie anywhere. MPEG-4 and AAC are read from files only.
    package convenience init(source: any ByteSource) throws(AudioFileError) {
        self.init(try FileRouter.makeDecoder(source), path: source.name)
    }

    private init(_ choice: FileRouter.Choice, path: String) {
        self.path = path
        decoder = choice.decoder
        info = choice.decoder.info
        metadata = choice.decoder.metadata
        damage = choice.warnings
    }

    deinit {
        close()
        scratch.forEach { $0.deallocate() }
    }

    package var isOpen: Bool { decoder != nil }

    /// Gives the file back. Later reads throw.
    package func close() {
        decoder?.close()
        decoder = nil
    }

    /// Reads up to `frames` frames into one plane per channel and returns how many there were; fewer only at the end.
    /// Surplus channels are left out, surplus planes stay untouched.
    @discardableResult
    package func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        let decoder = try openFile()
        while scratch.count < min(planes.count, info.channelCount) { scratch.append(.allocate(capacity: Self.chunk)) }
        let used = Array(scratch.prefix(planes.count))
        var done = 0
        while done < frames {
            let count = try decoder.read(into: used, frames: min(frames - done, Self.chunk))
            guard count > 0 else {
                noteEnd()
                break
            }
            for (plane, samples) in zip(planes, used) {
                let frames = plane + done
                for frame in 0..<count { frames[frame] = Float(samples[frame]) }
                guard Self.hasNonFinite(frames, count) else { continue }
                for frame in 0..<count { frames[frame] = finite(frames[frame]) }
            }
            done += count
            position += Int64(count)
        }
        return done
    }

    /// Like `read(into:frames:)` in double precision, which holds 32-bit integer samples without loss.
    @discardableResult
    package func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        let used = Array(planes.prefix(info.channelCount))
        let count = try openFile().read(into: used, frames: max(0, frames))
        for plane in used where Self.hasNonFinite(plane, count) {
            for frame in 0..<count { plane[frame] = finite(plane[frame]) }
        }
        position += Int64(count)
        if count < frames { noteEnd() }
        return count
    }

    private func noteEnd() {
        if position < info.frameCount { firstMissing = firstMissing ?? position }
    }

    /// Moves to `frame`, clamped to the file. In codecs that cannot start anywhere (MP3, Vorbis, Opus) the frames
    /// before it are decoded and dropped, from the beginning when moving back.
    package func seek(to frame: Int64) throws(AudioFileError) {
        let target = min(max(0, frame), info.frameCount)
        guard target != position else { return }
        try openFile().seek(to: target)
        position = target
    }

    private func openFile() throws(AudioFileError) -> any FileDecoder {
        guard let decoder else {
            throw AudioFileError(
                .closed, path: path, found: "it has been closed", rule: "Only an open file can be read.",
                cure: "Open it again.")
        }
        return decoder
    }

    /// Whether an exponent has all its bits: adding its lowest one then carries into the sign.
    private static func hasNonFinite(_ samples: UnsafePointer<Double>, _ count: Int) -> Bool {
        var carries: UInt64 = 0
        for index in 0..<count {
            carries |= (samples[index].bitPattern & 0x7ff0_0000_0000_0000) &+ 0x0010_0000_0000_0000
        }
        return carries >> 63 != 0
    }

    private static func hasNonFinite(_ samples: UnsafePointer<Float>, _ count: Int) -> Bool {
        var carries: UInt32 = 0
        for index in 0..<count { carries |= (samples[index].bitPattern & 0x7f80_0000) &+ 0x0080_0000 }
        return carries >> 31 != 0
    }

    private func finite<Sample: BinaryFloatingPoint>(_ sample: Sample) -> Sample {
        if sample.isFinite { return sample }
        nonFiniteCount += 1
        return 0
    }
}

/// Tells what a sound file is, without decoding it.
package enum AudioFileProbe {
    /// The facts of the file at `path`, or an error that tells why it is no readable sound file.
    package static func probe(path: String) throws(AudioFileError) -> AudioFileInfo {
        try AudioFileReader(path: path).info
    }
}
