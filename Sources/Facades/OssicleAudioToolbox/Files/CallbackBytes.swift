// A client's own file, reached through the client's functions.

import OssicleFiles

/// Bytes that a client reads, writes and counts. What it answers is believed only as far as it is possible.
final class CallbackBytes: ByteSource, ByteSink, @unchecked Sendable {
    let name = "client's file"
    private let clientData: UnsafeMutableRawPointer
    private let readProcedure: AudioFile_ReadProc?
    private let writeProcedure: AudioFile_WriteProc?
    private let sizeProcedure: AudioFile_GetSizeProc

    /// What one call asks for at most.
    private static let most = 1 << 20

    init(
        _ clientData: UnsafeMutableRawPointer, read: AudioFile_ReadProc?, write: AudioFile_WriteProc?,
        size: @escaping AudioFile_GetSizeProc
    ) {
        self.clientData = clientData
        readProcedure = read
        writeProcedure = write
        sizeProcedure = size
    }

    var byteCount: Int64 { max(0, sizeProcedure(clientData)) }

    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
        guard let readProcedure, let base = memory.baseAddress, offset >= 0 else { return 0 }
        var done = 0
        while done < memory.count {
            let (position, overflow) = offset.addingReportingOverflow(Int64(done))
            guard !overflow else { break }
            let wanted = min(memory.count - done, Self.most)
            var got: UInt32 = 0
            let status = readProcedure(clientData, position, UInt32(wanted), base + done, &got)
            guard status == noErr || status == kAudioFileEndOfFileError else { throw failure("read", status) }
            guard got > 0 else { break }
            done += min(Int(got), wanted)
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
        guard let base = bytes.baseAddress else { return }
        guard let writeProcedure else { throw failure("write", kAudioFilePermissionsError) }
        var done = 0
        while done < bytes.count {
            let wanted = min(bytes.count - done, Self.most)
            let (position, overflow) = offset.addingReportingOverflow(Int64(done))
            guard !overflow else { throw failure("write", kAudioFilePositionError) }
            var got: UInt32 = 0
            let status = writeProcedure(clientData, position, UInt32(wanted), base + done, &got)
            guard status == noErr, got > 0 else { throw failure("write", status) }
            done += min(Int(got), wanted)
        }
    }

    func close() {}

    private func failure(_ verb: String, _ status: OSStatus) -> AudioFileError {
        AudioFileError(
            verb == "read" ? .damaged : .writeFailed, path: name,
            found: "the \(verb) function returned \(OssicleError.describe(status: status))",
            rule: "It must return noErr and take or give at least one byte.",
            cure: "See what the client's function needs.")
    }
}
