import CMysofa
import Foundation
import OssicleLibraries
import OssicleReaders

/// Reads SOFA files with libmysofa, in a child process: a damaged file may crash the library, but not this program.
enum SofaReader {
    private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    static func read(contentsOfFile path: String) throws(HRTFSetError) -> SofaFile {
        let name = URL(fileURLWithPath: path).lastPathComponent
        return try read(try usable(ReaderProcess.bytes(ofFile: path), name), name: name)
    }

    static func read(_ bytes: [UInt8], name: String) throws(HRTFSetError) -> SofaFile {
        guard bytes.starts(with: signature) else {
            throw HRTFSetError(
                "Head set “\(name)”: does not begin with the signature of HDF5, so it is no SOFA file; pass a file as AES69 describes it."
            )
        }
        guard OptionalLibrary.mysofa.isThere else {
            let missing = OptionalLibrary.mysofa.missing
            throw HRTFSetError("Head set “\(name)”: \(missing.found), which reads SOFA files. \(missing.cure)")
        }
        var parser = ReplyParser(try usable(ReaderProcess.reply(about: bytes, by: ossicle_sofa_describe), name), name)
        return try parser.file()
    }

    private static func usable(
        _ result: Result<[UInt8], ReaderProcess.Refusal>, _ name: String
    ) throws(HRTFSetError) -> [UInt8] {
        switch result {
        case .success(let bytes): return bytes
        case .failure(.tooLarge(let size)):
            throw HRTFSetError(
                name, "its size", "\(size) bytes", rule: "at most \(ReaderProcess.most)",
                cure: "leave out measurements, or cut the responses")
        case .failure(.unreadable(let reason)):
            throw HRTFSetError("Head set “\(name)”: cannot be read (\(reason)); check the path and its permissions.")
        case .failure(.noProcess(let reason)):
            throw HRTFSetError(
                "Head set “\(name)”: no process could be started to read it (\(reason)); end other processes.")
        }
    }
}

/// Makes a file of the child's reply, as `ossicle_sofa_describe` orders it.
private struct ReplyParser {
    private var reply: Reply
    private let name: String

    init(_ bytes: [UInt8], _ name: String) { (reply, self.name) = (Reply(bytes), name) }

    mutating func file() throws(HRTFSetError) -> SofaFile {
        guard let magic = reply.word(), let error = reply.word(), magic == 0x4146_4F53 else { throw damaged }
        guard error == 0, !reply.isAtEnd else {
            throw HRTFSetError(
                "Head set “\(name)”: libmysofa cannot read it (its error \(Int32(bitPattern: error))); save it anew as SOFA (AES69), netCDF-4 with 64-bit numbers, with Conventions “SOFA” and all of the dimensions I = 1, C = 3, R, E, N and M."
            )
        }
        var file = SofaFile(name: name)
        guard reply.word() != nil, reply.word() != nil, let receivers = reply.word(), let emitters = reply.word(),
            let samples = reply.word(), let measurements = reply.word(), let attributes = attributes()
        else { throw damaged }
        (file.receivers, file.emitters, file.samples, file.measurements) = (
            Int(receivers), Int(emitters), Int(samples), Int(measurements)
        )
        file.attributes = attributes
        let variables: [WritableKeyPath<SofaFile, SofaFile.Variable>] = [
            \.listenerPosition, \.listenerView, \.listenerUp, \.receiverPosition, \.sourcePosition, \.emitterPosition,
            \.responses, \.samplingRate, \.delay,
        ]
        for variable in variables {
            guard let values = reply.floats(), let attributes = self.attributes() else { throw damaged }
            file[keyPath: variable] = SofaFile.Variable(values: values, attributes: attributes)
        }
        return file
    }

    private var damaged: HRTFSetError {
        HRTFSetError("Head set “\(name)”: is damaged, and reading it came to no end; get the file once more.")
    }

    private mutating func attributes() -> [String: String]? {
        guard let count = reply.word() else { return nil }
        var result: [String: String] = [:]
        for _ in 0..<count {
            guard let name = reply.text(), let value = reply.text() else { return nil }
            result[name] = result[name] ?? value
        }
        return result
    }
}

/// What a SOFA file says, as it says it. Nothing is checked here but that it could be read.
struct SofaFile: Sendable {
    struct Variable: Sendable {
        var values: [Float] = []
        /// Type, Units …
        var attributes: [String: String] = [:]
    }

    var name: String
    var attributes: [String: String] = [:]
    /// Dimensions of AES69: receivers, emitters, samples, measurements.
    var receivers = 0, emitters = 0, samples = 0, measurements = 0
    var listenerPosition = Variable(), listenerView = Variable(), listenerUp = Variable()
    var receiverPosition = Variable(), sourcePosition = Variable(), emitterPosition = Variable()
    /// measurements × receivers × samples
    var responses = Variable()
    var samplingRate = Variable()
    /// Samples; 1 or measurements × receivers.
    var delay = Variable()
}
