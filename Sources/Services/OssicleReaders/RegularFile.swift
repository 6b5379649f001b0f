import Foundation

/// A whole file in memory.
enum RegularFile {
    /// The bytes of the regular file at `path`, at most `most` of them. A pipe, a device or a folder is refused without
    /// waiting for it.
    static func bytes(_ path: String, most: Int) -> Result<[UInt8], ReaderProcess.Refusal> {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { return .failure(.unreadable(String(cString: strerror(errno)))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .failure(.unreadable(String(cString: strerror(errno)))) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(.unreadable("it is no regular file")) }
        let size = Int(status.st_size)
        guard size <= most else { return .failure(.tooLarge(bytes: size)) }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { memory, count in
            while count < size {
                let got = Foundation.read(file, memory.baseAddress.map { $0 + count }, size - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        return failure == 0 ? .success(bytes) : .failure(.unreadable(String(cString: strerror(failure))))
    }
}
