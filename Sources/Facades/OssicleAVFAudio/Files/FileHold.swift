import Foundation

/// Keeps a file within reach that is open for reading: it can be opened once more although its name is gone, or belongs to another file by now.
final class FileHold: Sendable {
    private let path: String
    private let descriptor: Int32

    /// `nil` if the file cannot be opened.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// What opens this file now: its path while that leads to it, else its entry in the table of open files, which child processes can follow too.
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
