import CReaderProcess
import Foundation
import Synchronization

/// Lets a library read a file in a child process: a damaged file may crash the library, but not this program.
package enum ReaderProcess {
    /// Bytes, of a file and of what the child has to say about it.
    package static let most = 1 << 30
    /// One child at a time: another would inherit the end of this one's pipe.
    private static let turn = Mutex(())

    /// The bytes of a file that is no larger than `most`, or in words why there are none.
    package static func bytes(ofFile path: String) -> Result<[UInt8], Refusal> {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= most else { return .failure(.tooLarge(bytes: size)) }
            return .success([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        } catch {
            return .failure(.unreadable(error.localizedDescription))
        }
    }

    /// What `reader` writes down about the bytes; cut short where it crashed. Blocks until it has come to its end, at most two minutes.
    package static func account(of bytes: [UInt8], by reader: ossicle_reader) -> Result<[UInt8], Refusal> {
        turn.withLock { _ in
            var (reading, child): (Int32, Int32) = (-1, -1)
            let failure = bytes.withUnsafeBytes { ossicle_reader_begin(reader, $0.baseAddress, $0.count, &reading, &child) }
            guard failure == 0 else { return .failure(.noProcess(String(cString: strerror(failure)))) }
            defer {
                close(reading)
                ossicle_reader_end(child)
            }
            return .success(everything(from: reading))
        }
    }

    private static func everything(from file: Int32) -> [UInt8] {
        var account: [UInt8] = []
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        defer { block.deallocate() }
        while account.count <= most {
            let count = Foundation.read(file, block.baseAddress, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            account.append(contentsOf: block[..<count])
        }
        return account
    }

    /// Why there is nothing to read, with the system's words.
    package enum Refusal: Error, Hashable, Sendable {
        case tooLarge(bytes: Int)
        case unreadable(String)
        case noProcess(String)
    }
}
