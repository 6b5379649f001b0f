// Reading samples of any form from a sound file.

import OssicleCodecs
import OssicleConversion
import OssicleFiles
import OssicleProperties

/// Reads a sound file as samples of the client's format.
///
///     AudioFileReader ─ planes ─▶ Converter ─ client's samples ─▶
final class ExtAudioFileReader {
    let format: StreamFormat
    private(set) var clientFormat: StreamFormat
    /// `nil` while the client has set no format and the file's own is compressed.
    private(set) var converter: ConverterObject?

    private let reader: AudioFileReader
    private let planes: [UnsafeMutablePointer<Double>]
    /// The file's frame at which the converter began, and how many of the client's frames it gave since.
    private var start: Int64 = 0
    private var given: Int64 = 0
    private static let chunk = 4096

    init(_ reader: AudioFileReader) throws(StatusError) {
        self.reader = reader
        format = reader.info.streamFormat
        clientFormat = format
        planes = (0..<reader.info.channelCount).map { _ in .allocate(capacity: Self.chunk) }
        if format.isPCM { try setClientFormat(format) }
    }

    deinit { planes.forEach { $0.deallocate() } }

    var length: Int64 { reader.info.frameCount }

    /// The next frame, counted at the file's rate.
    var position: Int64 {
        let place = Double(start) + (Double(given) * format.sampleRate / clientFormat.sampleRate).rounded()
        return place < Double(length) ? Int64(place) : length
    }

    func setClientFormat(_ format: StreamFormat) throws(StatusError) {
        guard format.isPCM else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
        let file = self.format
        let inside = StreamFormat.planes(
            sampleRate: file.sampleRate, channelCount: file.channelCount, channelLabels: file.channelLabels)
        converter = try ConverterObject(from: file, to: format, input: inside)
        let place = position
        clientFormat = format
        try move(to: place)
    }

    /// Moves to `frame` of the file, its end included.
    func seek(to frame: Int64) throws(StatusError) {
        guard frame >= 0, frame <= length else { throw StatusError(kExtAudioFileError_InvalidSeek) }
        try move(to: frame)
    }

    private func move(to frame: Int64) throws(StatusError) {
        try StatusError.file { () throws(AudioFileError) in try reader.seek(to: frame) }
        try converter?.converting(forFile: true) { converter throws(StatusError) in converter.reset() }
        (start, given) = (frame, 0)
    }

    /// Fills up to `frames` frames of `list` and returns how many there were; none at the end.
    func read(into list: UnsafeMutableAudioBufferListPointer, frames: Int) throws(StatusError) -> Int {
        guard let converter else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
        guard let buffers = BufferList.pointers(list, of: clientFormat),
            BufferList.packets(list, of: clientFormat) >= frames
        else {
            throw StatusError(kAudio_ParamError)
        }
        var failure: AudioFileError?
        let count = try converter.converting(forFile: true) { converter throws(StatusError) in
            try StatusError.conversion { () throws(ConversionError) in
                try converter.convert(into: buffers, frames: frames) { _ in next(&failure) }
            }.frames
        }
        given += Int64(count)
        BufferList.setSize(list, packets: count, of: clientFormat)
        if let failure, count == 0, frames > 0 { throw StatusError(failure.status) }
        return count
    }

    private func next(_ failure: inout AudioFileError?) -> ConverterInput {
        do throws(AudioFileError) {
            let count = try reader.read(into: planes, frames: Self.chunk)
            return count > 0 ? .samples(planes.map { UnsafeRawPointer($0) }, frames: count) : .endOfStream
        } catch {
            failure = error
            return .nothingNow
        }
    }
}
