// Whether a file can be read or written at all.

import COssicle
import Foundation
import OssicleCodecs
import OssicleCore

/// Checks of paths, before any library sees them.
enum SoundFile {
    /// Throws unless `path` names a regular file with bytes that may be read.
    static func checkReadable(_ path: String) throws(AudioFileError) {
        let status = try status(of: path)
        guard let status else {
            throw AudioFileError(
                .missing, path: path, found: "there is no such file", rule: "A file to read must exist.",
                cure: "Check the path; relative paths start at \(FileManager.default.currentDirectoryPath).")
        }
        try checkRegular(status, path)
        guard access(path, R_OK) == 0 else {
            throw AudioFileError(
                .notPermitted, path: path, found: "it may not be read", rule: "Reading needs the read permission.",
                cure: "Change the file's permissions or run as another user.")
        }
        guard status.st_size > 0 else {
            throw AudioFileError(
                .empty, path: path, found: "it has no bytes", rule: "A sound file begins with a header.",
                cure: "Write or copy the file again.")
        }
    }

    /// Throws unless a file can be created or overwritten at `path`.
    static func checkWritable(_ path: String) throws(AudioFileError) {
        if let status = try status(of: path) {
            try checkRegular(status, path)
            guard access(path, W_OK) == 0 else {
                throw AudioFileError(
                    .notPermitted, path: path, found: "it may not be overwritten",
                    rule: "Writing needs the write permission.",
                    cure: "Change the file's permissions or choose another path.")
            }
            return
        }
        let folder = (path as NSString).deletingLastPathComponent
        guard let status = try status(of: folder.isEmpty ? "." : folder), isFolder(status) else {
            throw AudioFileError(
                .missing, path: path, found: "its folder does not exist",
                rule: "A file is created in an existing folder.",
                cure: "Create the folder \"\(folder)\" first.")
        }
    }

    /// Opens a file; negative where that fails. Never as 0, 1 or 2, which are free in a program that closed its
    /// standard error: messages would go into the sound.
    static func descriptor(_ path: String, _ flags: Int32) -> Int32 {
        let file = open(path, flags | O_CLOEXEC, 0o666)
        guard (0...2).contains(file) else { return file }
        defer { close(file) }
        return fcntl(file, F_DUPFD_CLOEXEC, 3)
    }

    private static func checkRegular(_ status: stat, _ path: String) throws(AudioFileError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AudioFileError(
                .notAFile, path: path, found: isFolder(status) ? "it is a folder" : "it is no regular file",
                rule: "A sound file is a regular file.", cure: "Name the file itself.")
        }
    }

    private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    /// The file's status, or `nil` when nothing is there.
    private static func status(of path: String) throws(AudioFileError) -> stat? {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw AudioFileError(
                .missing, path: path, found: "the path is empty or holds a zero byte", rule: "A path names a file.",
                cure: "Give a path.")
        }
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}

/// Brings samples into the range and onto the steps of a codec, before any encoder sees them.
struct StorableSamples {
    private let quantizer: SampleQuantizer?
    private let isClipped: Bool
    private let isDouble: Bool

    init(_ codec: AudioCodec) {
        quantizer = codec.isInteger ? SampleQuantizer(bits: codec.bitDepth) : nil
        // These code 16-bit integers, and would take what is beyond full scale for something else.
        isClipped = [.muLaw, .aLaw, .imaADPCM, .ima4, .microsoftADPCM].contains(codec)
        isDouble = codec == .float64
    }

    /// The sample as it is kept: integers by Apple's rule, companded and ADPCM clipped; `nil` for what is not finite in
    /// the codec's precision.
    func stored(_ sample: Double) -> Double? {
        guard isDouble ? sample.isFinite : Float(sample).isFinite else { return nil }
        if let quantizer { return quantizer.sample(quantizer.quantize(sample)) }
        return isClipped ? min(max(sample, -1), 1) : sample
    }

    /// `stored` of `count` samples, and 0 where it is nil.
    /// - Returns: how many were nil.
    func store<Sample: BinaryFloatingPoint>(
        _ samples: UnsafePointer<Sample>, to target: UnsafeMutablePointer<Double>, _ count: Int
    ) -> Int {
        var source = UnsafePointer(target)
        if Sample.self == Double.self {
            source = UnsafeRawPointer(samples).assumingMemoryBound(to: Double.self)
        } else {
            for index in 0..<count { target[index] = Double(samples[index]) }
        }
        if let quantizer, ossicle_round_to_steps(source, target, count, 1 / quantizer.sample(1)) != 0 { return 0 }
        var missing = 0
        for index in 0..<count {
            let sample = stored(Double(samples[index]))
            target[index] = sample ?? 0
            if sample == nil { missing += 1 }
        }
        return missing
    }
}

extension URL {
    /// The path on disk that a client means; `nil` for an address elsewhere. A URL without scheme and host, as
    /// `URL(string: "/sounds/a.caf")` makes it, stands for its path, as Core Foundation takes it.
    package var localPath: String? {
        guard isFileURL || (scheme == nil && host == nil && !path.isEmpty) else { return nil }
        return path
    }
}
