// Opening files with libsndfile, and telling why one cannot be opened.

import CSndfile
import Foundation
import Synchronization

/// The way into libsndfile. Its open call keeps the last failure in global memory, so only one thread opens at a time.
enum SoundFile {
    /// Whether the samples of an open file lie most significant byte first; false where samples have no byte order.
    static func isBigEndian(_ file: OpaquePointer, _ container: AudioContainer, _ codec: AudioCodec) -> Bool {
        let hasOrder = container != .flac && [.pcm16, .pcm24, .pcm32, .float32, .float64].contains(codec)
        let isForeign = sf_command(file, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) == SF_TRUE
        return hasOrder && isForeign == (Int(littleEndian: 1) == 1)
    }

    private static let opening = Mutex(())

    /// Opens an existing file for reading.
    static func open(reading path: String) throws(AudioFileError) -> (file: OpaquePointer, info: SF_INFO) {
        try checkReadable(path)
        var info = SF_INFO()
        let (file, reason) = open(path, SFM_READ, &info)
        guard let file else {
            throw AudioFileError(.unrecognized, path: path, found: reason,
                                 rule: "Readable are WAV, RF64, W64, AIFF, CAF, FLAC, Ogg Vorbis, Ogg Opus, MP3 and AU.",
                                 cure: "Convert the file to one of these.")
        }
        return (file, info)
    }

    /// Creates or overwrites a file.
    static func open(writing path: String, _ info: SF_INFO) throws(AudioFileError) -> OpaquePointer {
        try checkWritable(path)
        var info = info
        let (file, reason) = open(path, SFM_WRITE, &info)
        guard let file else {
            throw AudioFileError(.writeFailed, path: path, found: reason, rule: "The file must be creatable in its folder.",
                                 cure: "Check the folder's permissions and the format's limits.")
        }
        return file
    }

    private static func open(_ path: String, _ mode: Int, _ info: inout SF_INFO) -> (file: OpaquePointer?, reason: String) {
        opening.withLock { _ in
            let file = sf_open(path, Int32(mode), &info)
            return (file, file == nil ? Self.sentence(sf_strerror(nil)) : "")
        }
    }

    private static func checkReadable(_ path: String) throws(AudioFileError) {
        let status = try status(of: path)
        guard let status else {
            throw AudioFileError(.missing, path: path, found: "there is no such file", rule: "A file to read must exist.",
                                 cure: "Check the path; relative paths start at \(FileManager.default.currentDirectoryPath).")
        }
        try checkRegular(status, path)
        guard access(path, R_OK) == 0 else {
            throw AudioFileError(.notPermitted, path: path, found: "it may not be read", rule: "Reading needs the read permission.",
                                 cure: "Change the file's permissions or run as another user.")
        }
        guard status.st_size > 0 else {
            throw AudioFileError(.empty, path: path, found: "it has no bytes", rule: "A sound file begins with a header.",
                                 cure: "Write or copy the file again.")
        }
    }

    private static func checkWritable(_ path: String) throws(AudioFileError) {
        if let status = try status(of: path) {
            try checkRegular(status, path)
            guard access(path, W_OK) == 0 else {
                throw AudioFileError(.notPermitted, path: path, found: "it may not be overwritten", rule: "Writing needs the write permission.",
                                     cure: "Change the file's permissions or choose another path.")
            }
            return
        }
        let folder = (path as NSString).deletingLastPathComponent
        guard let status = try status(of: folder.isEmpty ? "." : folder), isFolder(status) else {
            throw AudioFileError(.missing, path: path, found: "its folder does not exist", rule: "A file is created in an existing folder.",
                                 cure: "Create the folder \"\(folder)\" first.")
        }
    }

    private static func checkRegular(_ status: stat, _ path: String) throws(AudioFileError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AudioFileError(.notAFile, path: path, found: isFolder(status) ? "it is a folder" : "it is no regular file",
                                 rule: "A sound file is a regular file.", cure: "Name the file itself.")
        }
    }

    private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

    /// The file's status, or `nil` when nothing is there.
    private static func status(of path: String) throws(AudioFileError) -> stat? {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw AudioFileError(.missing, path: path, found: "the path is empty or holds a zero byte", rule: "A path names a file.",
                                 cure: "Give a path.")
        }
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// The library's words without the full stop that some of them end in: ours follows.
    private static func sentence(_ text: UnsafePointer<CChar>) -> String {
        let words = String(cString: text)
        return words.hasSuffix(".") ? String(words.dropLast()) : words
    }
}
