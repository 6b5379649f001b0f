import Foundation
import OssicleFiles

/// Frames in order, as they come out of a file and pass through what converts them. For one thread at a time.
protocol FrameSource: AnyObject {
    /// Writes the next frames to one plane per channel; fewer than asked for only at the end.
    func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int
}

/// A stretch of a file, and then the whole file over and over if it is to repeat. Opens the file when it is read, and
/// again after a rest.
final class FileFrames: FrameSource {
    /// More frames than will ever be played.
    private static let endless: Int64 = 1 << 60

    let info: AudioFileInfo
    private let path: String
    private var reader: AudioFileReader?
    /// A stream at rest holds no file open; it finds one whose name is gone as long as the client's file is open.
    private weak var hold: FileHold?
    /// The frame that comes next, and how many are left.
    private var next: Int64
    private(set) var left: Int64
    /// It ended before its time.
    private(set) var isExhausted = false

    /// - Parameters:
    ///   - count: what lies beyond the end of the file is left out.
    ///   - repeats: how often the whole file follows a stretch that reaches its end; `Int.max` never ends.
    init(
        path: String, hold: FileHold?, from start: Int64, count: Int64, repeats: Int = 0
    ) throws(AudioFileError) {
        let reader = try AudioFileReader(path: hold?.reachablePath ?? path)
        (self.path, self.hold, self.reader, info, next) = (path, hold, reader, reader.info, start)
        let length = reader.info.frameCount
        let more = max(length, 0).multipliedReportingOverflow(by: Int64(max(repeats, 0)))
        left = max(0, min(count, length - start))
        left = more.overflow ? Self.endless : min(left + min(more.partialValue, Self.endless), Self.endless)
    }

    /// Lets go of the file until it is read again.
    func rest() { reader = nil }

    /// Samples that were NaN or infinite in what has been read so far, which became 0.
    private(set) var nonFiniteSamples = 0

    func read(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        let wanted = Int(min(Int64(frames), left))
        var done = 0
        while done < wanted {
            if next >= info.frameCount { next = 0 }
            let run = Int(min(Int64(wanted - done), info.frameCount - next))
            let count = try readRun(into: planes.map { $0 + done }, frames: run)
            done += count
            guard count == run else {
                isExhausted = true
                break
            }
        }
        return done
    }

    /// A run that does not pass the file's end.
    private func readRun(into planes: [UnsafeMutablePointer<Float>], frames: Int) throws(AudioFileError) -> Int {
        let reader = try open()
        try reader.seek(to: next)
        let before = reader.nonFiniteCount
        let count = try reader.read(into: planes, frames: frames)
        nonFiniteSamples += reader.nonFiniteCount - before
        next += Int64(count)
        left -= Int64(count)
        return count
    }

    private func open() throws(AudioFileError) -> AudioFileReader {
        if let reader { return reader }
        let opened = try AudioFileReader(path: hold?.reachablePath ?? path)
        reader = opened
        return opened
    }
}

/// Keeps a file within reach that is open for reading: it can be opened once more although its name is gone, or belongs
/// to another file by now.
package final class FileHold: Sendable {
    private let path: String
    private let descriptor: Int32

    /// `nil` if the file cannot be opened.
    package init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// What opens this file now: its path while that leads to it, else its entry in the table of open files, which
    /// child processes can follow too.
    var reachablePath: String {
        var (named, held) = (stat(), stat())
        guard fstat(descriptor, &held) == 0 else { return path }
        if stat(path, &named) == 0, named.st_dev == held.st_dev, named.st_ino == held.st_ino { return path }
        #if os(Linux)
        return "/proc/\(getpid())/fd/\(descriptor)"
        #else
        return "/dev/fd/\(descriptor)"
        #endif
    }
}
