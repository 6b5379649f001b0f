// What stands behind an `AudioFileID`.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// A sound file by its packets, being read or being written. One thread at a time is let in.
final class AudioFileObject: @unchecked Sendable {
    static let table = HandleTable<AudioFileObject>()

    private enum State {
        case reading(PacketFileReader)
        case writing(WrittenFile)
    }

    /// `nil` for a client's own file.
    let path: String?
    /// What is read.
    let source: (any ByteSource)?
    private let state: State
    /// Whether the client asked to write as well.
    private let wantsWriting: Bool
    private let lock = NSRecursiveLock()

    /// Opens a file to be read; `hint` is asked where its first bytes do not tell its type.
    init(
        reading source: any ByteSource, hint: AudioFileTypeID, path: String? = nil, wantsWriting: Bool = false
    ) throws(StatusError) {
        let reader = try StatusError.file { () throws(AudioFileError) in
            try Self.open(source, hint: AudioContainer(type: hint))
        }
        state = .reading(reader)
        self.source = source
        self.path = path
        self.wantsWriting = wantsWriting
    }

    init(writing file: WrittenFile, path: String? = nil) {
        state = .writing(file)
        source = nil
        self.path = path
        wantsWriting = true
    }

    private static func open(_ source: any ByteSource, hint: AudioContainer?) throws(AudioFileError) -> PacketFileReader
    {
        do {
            return try PacketFileReader(source)
        } catch {
            guard let hint, error.kind == .unrecognized else { throw error }
            return try PacketFileReader(source, container: hint)
        }
    }

    /// Calls `body` with a file open for reading.
    func reading<Result>(_ body: (PacketFileReader) throws(StatusError) -> Result) throws(StatusError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard case .reading(let reader) = state else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return try body(reader)
    }

    /// Calls `body` with a file being written.
    func writing<Result>(_ body: (WrittenFile) throws(StatusError) -> Result) throws(StatusError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        guard case .writing(let file) = state else {
            throw StatusError(wantsWriting ? kAudioFileOperationNotSupportedError : kAudioFilePermissionsError)
        }
        return try body(file)
    }

    func property(_ id: AudioFilePropertyID, _ question: PropertyData) throws(StatusError) -> PropertyValue {
        lock.lock()
        defer { lock.unlock() }
        switch state {
        case .reading(let reader): return try reader.property(id, question)
        case .writing(let file): return try file.property(id)
        }
    }

    func isSettable(_ id: AudioFilePropertyID) -> Bool {
        guard case .writing = state else { return false }
        return WrittenFile.settable.contains(id)
    }

    /// Finishes a file being written.
    func close() throws(StatusError) {
        if case .writing = state { try writing { file throws(StatusError) in try file.close() } }
    }
}

extension AudioFileObject {
    /// A reader of the file's samples.
    func extAudioFileReader() throws(StatusError) -> ExtAudioFileReader {
        guard let source else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return try ExtAudioFileReader(
            try StatusError.file { () throws(AudioFileError) in
                if let path { try AudioFileReader(path: path) } else { try AudioFileReader(source: source) }
            })
    }

    /// A writer of samples in the place of the writer of packets, which must not have written any.
    func extAudioFileWriter() throws(StatusError) -> ExtAudioFileWriter {
        guard let path else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return try writing { written throws(StatusError) in
            guard written.packetCount == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
            try written.close()
            let format = written.format
            return try ExtAudioFileWriter(
                FileEncoderRequest(
                    path: path, written.fileType, description: format.description, channelLabels: format.channelLabels))
        }
    }
}
