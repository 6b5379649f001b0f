import CReaderProcess
import Foundation
import Synchronization

/// Lets a library read a file in a child process: a damaged file may crash the library, fill memory or keep it busy for
/// ever, but not this program.
package enum ReaderProcess {
    /// Bytes of a file at the most.
    package static let most = 1 << 30
    /// One child at a time: so many bounds of memory count.
    private static let turn = Mutex(())

    /// What a child may take for a file.
    package struct Bounds: Sendable {
        /// Bytes of memory beside what the process had.
        package var memory: Int
        /// Bytes of the reply.
        package var reply: Int
        /// Seconds of work.
        package var work = 20
        /// Seconds altogether, on a machine that is busy.
        package var time = 120

        /// For a file of `bytes` bytes: text takes some thirty times its size while it is parsed, and the smallest file
        /// some for tables.
        package init(forFileOf bytes: Int) {
            memory = 128 << 20 + 32 * bytes
            reply = 16 << 20 + 16 * bytes
        }
    }

    /// The bytes of a regular file that is no larger than `most`, or in words why there are none.
    package static func bytes(ofFile path: String) -> Result<[UInt8], Refusal> { RegularFile.bytes(path, most: most) }

    /// What `reader` writes down about the bytes; cut short where it crashed or met a bound. Blocks until it has come
    /// to its end, at most `bounds.time` seconds.
    package static func reply(
        about bytes: [UInt8], by reader: ossicle_reader, _ bounds: Bounds? = nil
    ) -> Result<[UInt8], Refusal> {
        let bounds = bounds ?? Bounds(forFileOf: bytes.count)
        return turn.withLock { _ in
            var (reading, child): (Int32, Int32) = (-1, -1)
            let limits = ossicle_reader_bounds(
                memory: UInt64(bounds.memory), work: UInt32(bounds.work), time: UInt32(bounds.time))
            let failure = bytes.withUnsafeBytes {
                ossicle_reader_begin(reader, $0.baseAddress, $0.count, limits, &reading, &child)
            }
            guard failure == 0 else { return .failure(.noProcess(String(cString: strerror(failure)))) }
            defer {
                close(reading)
                ossicle_reader_end(child)
            }
            return .success(everything(from: reading, most: bounds.reply, until: .now + .seconds(bounds.time)))
        }
    }

    /// What comes until the child ends, the bound or the deadline is met.
    private static func everything(from file: Int32, most: Int, until deadline: ContinuousClock.Instant) -> [UInt8] {
        var reply: [UInt8] = []
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        defer { block.deallocate() }
        while reply.count < most, isReady(file, until: deadline) {
            let count = Foundation.read(file, block.baseAddress, min(block.count, most - reply.count))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            reply.append(contentsOf: block[..<count])
        }
        return reply
    }

    /// Waits until there is something to read, or the end.
    private static func isReady(_ file: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            var polled = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let result = poll(&polled, 1, Int32(clamping: left.components.seconds * 1000 + 1000))
            if result > 0 { return true }
            if result < 0, errno != EINTR { return false }
        }
    }

    /// Why there is nothing to read, with the system's words.
    package enum Refusal: Error, Hashable, Sendable {
        case tooLarge(bytes: Int)
        case unreadable(String)
        case noProcess(String)
    }
}

/// Takes a child's reply apart, item by item. It may stop anywhere, or be nonsense: what is not there is nil.
package struct Reply {
    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { place >= bytes.count }

    package mutating func word() -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }

    /// As many words as the first one says.
    package mutating func words() -> [UInt32]? { list() }

    /// As many numbers as the word before them says.
    package mutating func floats() -> [Float]? { list() }

    package mutating func text() -> String? {
        guard let count = word().map(Int.init), count <= bytes.count - place else { return nil }
        defer { place += count }
        return String(decoding: bytes[place..<place + count], as: UTF8.self)
    }

    private mutating func list<Element: BitwiseCopyable>() -> [Element]? {
        guard let count = word().map(Int.init), count <= (bytes.count - place) / 4 else { return nil }
        defer { place += 4 * count }
        return bytes.withUnsafeBytes { raw in
            (0..<count).map { raw.loadUnaligned(fromByteOffset: place + 4 * $0, as: Element.self) }
        }
    }
}

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
