// Writing samples of any form into a sound file.

import OssicleCodecs
import OssicleConversion
import OssicleFiles
import OssicleProperties

/// Writes samples of the client's format into a sound file.
///
///     client's samples ─▶ Converter ─ planes ─▶ AudioFileWriter
final class ExtAudioFileWriter {
    private(set) var format: StreamFormat
    private(set) var clientFormat: StreamFormat
    /// `nil` while the client has set no format and the file's own is compressed.
    private(set) var converter: ConverterObject?

    private var request: FileEncoderRequest
    private var writer: AudioFileWriter
    private let planes: [UnsafeMutablePointer<Double>]
    private var hasBegun = false
    private static let chunk = 4096

    /// Creates or overwrites the file that `request` describes.
    init(_ request: FileEncoderRequest) throws(StatusError) {
        let writer = try StatusError.file { () throws(AudioFileError) in try AudioFileWriter(request) }
        self.request = request
        self.writer = writer
        format = writer.format
        clientFormat = format
        planes = (0..<request.channelCount).map { _ in .allocate(capacity: Self.chunk) }
        if format.isPCM { try setClientFormat(format) }
    }

    deinit { planes.forEach { $0.deallocate() } }

    /// Frames in the file.
    var length: Int64 { writer.frameCount }

    func setClientFormat(_ format: StreamFormat) throws(StatusError) {
        guard format.isPCM else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
        if hasBegun { try drain() }
        let inside = StreamFormat.planes(
            sampleRate: request.sampleRate, channelCount: request.channelCount, channelLabels: self.format.channelLabels
        )
        converter = try ConverterObject(from: format, to: self.format, output: inside)
        clientFormat = format
    }

    /// Names the file's channels, which is possible before the first frame.
    func setLabels(_ labels: [UInt32]) throws(StatusError) {
        guard labels.count == request.channelCount else { throw StatusError(kExtAudioFileError_InvalidPropertySize) }
        guard !hasBegun else { throw StatusError(kExtAudioFileError_InvalidOperationOrder) }
        request.channelLabels = labels
        try renew()
        if converter != nil { try setClientFormat(clientFormat) }
    }

    /// Appends `frames` frames of `buffers`.
    func write(_ buffers: [UnsafeRawPointer], frames: Int) throws(StatusError) {
        guard let converter else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
        try begin(with: converter.converter.settings.encoder)
        var given = false
        try convert { _ in
            defer { given = true }
            return given ? .nothingNow : .samples(buffers, frames: frames)
        }
    }

    /// Writes what the converter still holds and finishes the file.
    func finish() throws(StatusError) {
        let drained = hasBegun ? status { () throws(StatusError) in try drain() } : noErr
        try StatusError.file { () throws(AudioFileError) in try writer.finish() }
        guard drained == noErr else { throw StatusError(drained) }
    }

    /// The client sets the encoder through the converter, until the first frame.
    private func begin(with settings: EncoderSettings) throws(StatusError) {
        guard !hasBegun else { return }
        if settings != request.settings {
            request.settings = settings
            try renew()
        }
        hasBegun = true
    }

    private func renew() throws(StatusError) {
        writer.close()
        let request = self.request
        writer = try StatusError.file { () throws(AudioFileError) in try AudioFileWriter(request) }
        format = writer.format
    }

    private func drain() throws(StatusError) {
        try convert { _ in .endOfStream }
        try converter?.converting(forFile: true) { converter throws(StatusError) in converter.reset() }
    }

    /// Runs the converter until it gives no more, and writes what it gives.
    private func convert(_ pull: (Int) -> ConverterInput) throws(StatusError) {
        let targets = planes.map { UnsafeMutableRawPointer($0) }, sources = planes.map { UnsafePointer($0) }
        try converter?.converting(forFile: true) { converter throws(StatusError) in
            while true {
                let made = try StatusError.conversion { () throws(ConversionError) in
                    try converter.convert(into: targets, frames: Self.chunk, pull: pull)
                }.frames
                guard made > 0 else { return }
                try StatusError.file { () throws(AudioFileError) in try writer.write(sources, frames: made) }
            }
        }
    }
}

extension AudioFileWriter {
    /// The stream in the file.
    fileprivate var format: StreamFormat {
        AudioFileInfo(
            sampleRate: sampleRate, channelCount: channelCount, frameCount: frameCount, container: container,
            codec: codec,
            isBigEndian: isBigEndian, channelLabels: channelLabels
        ).streamFormat
    }
}
