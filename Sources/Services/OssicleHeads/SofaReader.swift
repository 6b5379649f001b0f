import CMysofa
import Foundation
import Synchronization

/// Reads SOFA files with libmysofa, in a child process: a damaged file may crash the library, but not this program.
enum SofaReader {
    /// Bytes, of a file and of what the child has to say about it.
    private static let most = 1 << 30
    /// One child at a time: another would inherit the end of this one's pipe.
    private static let turn = Mutex(())
    private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    static func read(contentsOfFile path: String) throws(HeadSetError) -> SofaFile {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let bytes: Data
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= most else {
                throw HeadSetError(name, "its size", "\(size) bytes", rule: "at most \(most)", cure: "leave out measurements, or cut the responses")
            }
            bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as HeadSetError {
            throw error
        } catch {
            throw HeadSetError("Head set “\(name)”: cannot be read (\(error.localizedDescription)); check the path and its permissions.")
        }
        return try read([UInt8](bytes), name: name)
    }

    static func read(_ bytes: [UInt8], name: String) throws(HeadSetError) -> SofaFile {
        guard bytes.starts(with: signature) else {
            throw HeadSetError("Head set “\(name)”: does not begin with the signature of HDF5, so it is no SOFA file; pass a file as AES69 describes it.")
        }
        let account = try turn.withLock { _ throws(HeadSetError) in try accountOf(bytes, name) }
        var parser = AccountParser(account, name)
        return try parser.file()
    }

    private static func accountOf(_ bytes: [UInt8], _ name: String) throws(HeadSetError) -> [UInt8] {
        var (reading, child): (Int32, Int32) = (-1, -1)
        let failure = bytes.withUnsafeBytes { ossicle_sofa_begin($0.baseAddress, $0.count, &reading, &child) }
        guard failure == 0 else {
            throw HeadSetError("Head set “\(name)”: no process could be started to read it (\(String(cString: strerror(failure)))); end other processes.")
        }
        var account: [UInt8] = []
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        while account.count <= most {
            let count = Foundation.read(reading, block.baseAddress, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            account.append(contentsOf: block[..<count])
        }
        block.deallocate()
        close(reading)
        ossicle_sofa_end(child)
        return account
    }
}

/// Takes the child's account apart. It may stop anywhere, or be nonsense.
private struct AccountParser {
    private let bytes: [UInt8]
    private let name: String
    private var place = 0

    init(_ bytes: [UInt8], _ name: String) { (self.bytes, self.name) = (bytes, name) }

    mutating func file() throws(HeadSetError) -> SofaFile {
        guard let magic = word(), let error = word(), magic == 0x4146_4F53 else { throw damaged }
        guard error == 0, place < bytes.count else {
            throw HeadSetError("Head set “\(name)”: libmysofa cannot read it (its error \(Int32(bitPattern: error))); save it anew as SOFA (AES69), netCDF-4 with 64-bit numbers, with Conventions “SOFA” and all of the dimensions I = 1, C = 3, R, E, N and M.")
        }
        var file = SofaFile(name: name)
        guard word() != nil, word() != nil, let receivers = word(), let emitters = word(), let samples = word(), let measurements = word(),
              let attributes = attributes() else { throw damaged }
        (file.receivers, file.emitters, file.samples, file.measurements) = (Int(receivers), Int(emitters), Int(samples), Int(measurements))
        file.attributes = attributes
        let variables: [WritableKeyPath<SofaFile, SofaFile.Variable>] = [
            \.listenerPosition, \.listenerView, \.listenerUp, \.receiverPosition, \.sourcePosition, \.emitterPosition, \.responses, \.samplingRate, \.delay,
        ]
        for variable in variables {
            guard let values = floats(), let attributes = self.attributes() else { throw damaged }
            file[keyPath: variable] = SofaFile.Variable(values: values, attributes: attributes)
        }
        return file
    }

    private var damaged: HeadSetError { HeadSetError("Head set “\(name)”: is damaged, and reading it came to no end; get the file once more.") }

    private mutating func word() -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }

    private mutating func floats() -> [Float]? {
        guard let count = word().map(Int.init), count <= (bytes.count - place) / 4 else { return nil }
        defer { place += 4 * count }
        return bytes.withUnsafeBytes { raw in (0..<count).map { raw.loadUnaligned(fromByteOffset: place + 4 * $0, as: Float.self) } }
    }

    private mutating func text() -> String? {
        guard let count = word().map(Int.init), count <= bytes.count - place else { return nil }
        defer { place += count }
        return String(decoding: bytes[place..<place + count], as: UTF8.self)
    }

    private mutating func attributes() -> [String: String]? {
        guard let count = word() else { return nil }
        var result: [String: String] = [:]
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            result[name] = result[name] ?? value
        }
        return result
    }
}
