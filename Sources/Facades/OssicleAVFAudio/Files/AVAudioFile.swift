// Sound files, read and written through buffers.

import OssicleCoreAudioTypes
import OssicleFiles
import OssiclePlayback
import OssicleMessages

/// A sound file open for reading or for writing. Frames pass in `processingFormat`, whatever the file holds. Safe to
/// use from several threads, one call at a time; not for the audio thread.
open class AVAudioFile: NSObject, @unchecked Sendable {
    /// Where the file is.
    public let url: URL
    /// The format in the file. Its `magicCookie` is left `nil`, because frames come decoded: who wants the packets
    /// opens the file with `AudioFileOpenURL` and asks for `kAudioFilePropertyMagicCookieData`.
    public let fileFormat: AVAudioFormat
    /// The format of the buffers that are read or written.
    public let processingFormat: AVAudioFormat

    private let lock = NSLock()
    private var access: FileAccess
    /// What a player opens the file by, until it is closed.
    private var hold: FileHold?
    /// What a file being written was asked to be.
    private let request: AudioFileRequest?
    private let planes: FilePlanes
    /// Why the file could not be finished.
    private var closing: String?
    /// The kinds of warnings that went to standard error.
    private var reported: Set<AudioFileWarning.Kind> = []

    private init(
        url: URL, access: FileAccess, request: AudioFileRequest? = nil, fileFormat: AVAudioFormat,
        processingFormat: AVAudioFormat
    ) {
        self.url = url
        self.access = access
        self.request = request
        self.fileFormat = fileFormat
        self.processingFormat = processingFormat
        planes = FilePlanes(channelCount: Int(processingFormat.channelCount))
        super.init()
        reportWarnings()
    }

    /// Opens a file for reading; buffers are deinterleaved 32-bit floating point.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file for reading into buffers of the given form. Throws what is wrong with the file, or that
    /// `.otherFormat` is no form.
    public convenience init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws
    {
        let path = try AudioFileRequest.path(fileURL)
        try AudioFileRequest.checkCommon(format, path)
        let reader = try AudioFileRequest.translating { () throws(AudioFileError) in try AudioFileReader(path: path) }
        let fileFormat = AVAudioFormat(file: reader.info)
        self.init(
            url: fileURL, access: .reading(reader), fileFormat: fileFormat,
            processingFormat: fileFormat.processing(format, interleaved: interleaved))
        hold = FileHold(path: path)
    }

    /// Creates or overwrites a file; buffers are deinterleaved 32-bit floating point.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates or overwrites a file of the format in `settings`, in the container of `AVAudioFileTypeKey` or of the
    /// extension, from buffers of the given form. Throws what of it is not possible.
    public convenience init(
        forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
    ) throws {
        let path = try AudioFileRequest.path(fileURL)
        try AudioFileRequest.checkCommon(format, path)
        let request = try AudioFileRequest(path: path, settings: settings)
        let writer = try request.makeWriter()
        let fileFormat = AVAudioFormat(file: request.info(writer), layout: request.settings.layout)
        self.init(
            url: fileURL, access: .writing(writer, AudioMetadata()), request: request, fileFormat: fileFormat,
            processingFormat: fileFormat.processing(format, interleaved: interleaved))
    }

    /// Length in frames; while writing, the frames written so far.
    open var length: AVAudioFramePosition { lock.withLock { access.length } }

    /// The frame the next read or write begins with. Setting it seeks, clamped to the file; a file being written only
    /// grows at its end.
    open var framePosition: AVAudioFramePosition {
        get { lock.withLock { access.position } }
        set { lock.withLock { access.seek(to: newValue) } }
    }

    /// Whether the file has not been closed.
    open var isOpen: Bool { lock.withLock { access.isOpen } }

    /// Finishes the header of a file being written and gives the file back. Later reads and writes throw. What keeps it
    /// from being finished, for instance a full disk, stands in `fileWarnings` and on standard error; what was written
    /// until then can be read.
    open func close() {
        lock.withLock {
            reportWarnings()
            do throws(AudioFileError) { try access.close() } catch {
                closing = "\(error)"
                StandardError.write("Ossicle: \(error)\n")
            }
            hold = nil
        }
    }

    /// Keeps the file within reach while it is open for reading.
    var reach: FileHold? { lock.withLock { hold } }

    /// Reads as many frames as `buffer` holds, fewer at the end, and none (without an error) beyond it.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Reads up to `frames` frames, limited by the buffer's capacity, and sets its `frameLength` to what was read.
    /// Throws when the buffer's format is not the processing format, when the file is closed or being written, or when
    /// it is damaged.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        try checkFormat(of: buffer)
        buffer.frameLength = 0
        let count = try lock.withLock { () throws -> Int in
            let reader = try access.reader(url.path)
            return try AudioFileRequest.translating { () throws(AudioFileError) in
                defer { reportWarnings() }
                return try planes.read(reader, into: buffer, frames: Int(min(frames, buffer.frameCapacity)))
            }
        }
        buffer.frameLength = AVAudioFrameCount(clamping: count)
    }

    /// Appends the buffer's valid frames. Throws when its format is not the processing format, when the file is closed
    /// or being read, or when the disk is full.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        try checkFormat(of: buffer)
        try lock.withLock {
            let writer = try access.writer(url.path)
            try AudioFileRequest.translating { () throws(AudioFileError) in try planes.write(buffer, to: writer) }
        }
    }

    /// What is wrong with the file, and why it could not be finished.
    var warnings: [String] { lock.withLock { access.warnings.map(sentence) + [closing].compactMap { $0 } } }

    private func sentence(_ warning: AudioFileWarning) -> String { "sound file \"\(url.path)\": \(warning.text)." }

    /// Says each kind of warning once.
    private func reportWarnings() {
        let fresh = access.warnings.filter { !reported.contains($0.kind) }
        for warning in fresh { StandardError.write("Ossicle: \(sentence(warning))\n") }
        reported.formUnion(fresh.map(\.kind))
    }

    /// What the file says about its content.
    var facts: AudioMetadata { lock.withLock { access.metadata } }

    /// Throws if the file is closed or being written.
    func checkReadable() throws {
        guard let nothing = AVAudioPCMBuffer(pcmFormat: processingFormat, frameCapacity: 0) else { return }
        try read(into: nothing, frameCount: 0)
    }

    /// Begins a file being written anew, with `metadata` ahead of the first frame.
    func begin(with metadata: AudioMetadata) throws {
        try lock.withLock {
            let writer = try access.writer(url.path)
            guard let request, writer.isOpen, writer.frameCount == 0 else {
                throw AudioFileRequest.refusal(
                    kAudioFileOperationNotSupportedError, url.path,
                    value: "metadata behind \(writer.frameCount) frames",
                    rule: "Metadata stands ahead of the sound in an open file.", cure: "Set it before the first write.")
            }
            writer.close()
            access = .writing(try request.makeWriter(metadata), metadata)
        }
    }

    private func checkFormat(of buffer: AVAudioPCMBuffer) throws {
        guard buffer.format == processingFormat else {
            throw OssicleError.avfaudio(
                kExtAudioFileError_InvalidDataFormat, "AVAudioFile \"\(url.path)\"",
                value: "a buffer of \(buffer.format)",
                rule: "Buffers have the file's processing format, \(processingFormat).",
                cure: "Make the buffer with file.processingFormat.")
        }
    }

    /// Path, direction and formats in words.
    open override var description: String {
        "<AVAudioFile: \"\(url.path)\", file \(fileFormat), processing \(processingFormat)>"
    }
}
