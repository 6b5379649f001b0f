// What stands behind an `ExtAudioFileRef`.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// A sound file that is read or written in the client's format. One thread at a time is let in;
/// `ExtAudioFileWriteAsync` comes by another way, see `AsyncWriter`.
final class ExtAudioFileObject: @unchecked Sendable {
    static let table = HandleTable<ExtAudioFileObject>()

    enum Side {
        case reading(ExtAudioFileReader)
        case writing(ExtAudioFileWriter)
    }

    let side: Side
    private let path: String?
    /// The file beneath: given by the client, or opened when it was asked for.
    private var audioFile: (reference: AudioFileID, isOwn: Bool)?
    private var converterReference: AudioConverterRef?
    /// What writes behind the audio thread, once it was asked for.
    var asyncWriter: AsyncWriter?
    var bufferSize: UInt32 = 32_768
    private let lock = NSRecursiveLock()

    init(_ side: Side, path: String?, audioFile: AudioFileID? = nil) {
        self.side = side
        self.path = path
        self.audioFile = audioFile.map { ($0, false) }
    }

    /// Lets one thread in.
    func alone<Result>(_ body: () throws(StatusError) -> Result) throws(StatusError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    var format: StreamFormat {
        switch side {
        case .reading(let reader): reader.format
        case .writing(let writer): writer.format
        }
    }

    var clientFormat: StreamFormat {
        switch side {
        case .reading(let reader): reader.clientFormat
        case .writing(let writer): writer.clientFormat
        }
    }

    var converter: ConverterObject? {
        switch side {
        case .reading(let reader): reader.converter
        case .writing(let writer): writer.converter
        }
    }

    var length: Int64 {
        switch side {
        case .reading(let reader): reader.length
        case .writing(let writer): writer.length
        }
    }

    var position: Int64 {
        switch side {
        case .reading(let reader): reader.position
        case .writing(let writer): writer.length
        }
    }

    func setClientFormat(_ format: StreamFormat) throws(StatusError) {
        try stopAsync()
        switch side {
        case .reading(let reader): try reader.setClientFormat(format)
        case .writing(let writer): try writer.setClientFormat(format)
        }
        if let converterReference { ConverterObject.table.remove(converterReference) }
        converterReference = nil
    }

    /// A reference to the converter, which is the file's own.
    func referToConverter() throws(StatusError) -> AudioConverterRef {
        guard let converter else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        if let converterReference, ConverterObject.table.object(of: converterReference) === converter {
            return converterReference
        }
        let reference = ConverterObject.table.add(converter)
        converterReference = reference
        return reference
    }

    /// A reference to the file beneath. A file being written has one only where the client gave it.
    func referToAudioFile() throws(StatusError) -> AudioFileID {
        if let audioFile { return audioFile.reference }
        guard case .reading = side, let path else { throw StatusError(kExtAudioFileError_InvalidProperty) }
        let bytes = try StatusError.file { () throws(AudioFileError) in try FileBytes(path: path) }
        let reference = AudioFileObject.table.add(try AudioFileObject(reading: bytes, hint: 0, path: path))
        audioFile = (reference, true)
        return reference
    }

    /// Appends frames of the client's buffers, behind those that wait.
    func write(_ list: UnsafeMutableAudioBufferListPointer, frames: Int) throws(StatusError) {
        try writing { writer throws(StatusError) in
            guard let buffers = BufferList.pointers(list, of: writer.clientFormat),
                BufferList.packets(list, of: writer.clientFormat) >= frames
            else {
                throw StatusError(kAudio_ParamError)
            }
            try asyncWriter?.drain(into: writer)
            if frames > 0 { try writer.write(buffers.map { UnsafeRawPointer($0) }, frames: frames) }
        }
    }

    /// Writes what waits, finishes the file and gives its references back.
    func close() throws(StatusError) {
        try alone { () throws(StatusError) in
            let stopped = status { () throws(StatusError) in try stopAsync() }
            if let converterReference { ConverterObject.table.remove(converterReference) }
            if let audioFile, audioFile.isOwn { AudioFileClose(audioFile.reference) }
            if case .writing(let writer) = side { try writer.finish() }
            guard stopped == noErr else { throw StatusError(stopped) }
        }
    }

    /// Calls `body` alone with the writer of a file being written.
    func writing(_ body: (ExtAudioFileWriter) throws(StatusError) -> Void) throws(StatusError) {
        try alone { () throws(StatusError) in
            guard case .writing(let writer) = side else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
            try body(writer)
        }
    }
}
