// The file of an AVAudioRecorder.

import OssicleCoreAudioTypes

/// A file that takes the input's buffers, converted to its rate and channels. For one thread at a time.
///
/// The file can be read at every moment, also after the process was killed: `AVAudioFile` brings it up to date with
/// every quarter of a second of sound.
final class RecordingFile {
    /// `nil` where nothing is kept: at "/dev/null", for who only wants the levels.
    private let file: AVAudioFile?
    private let path: String
    private let inputs: [Int]?
    private var converter: AVAudioConverter?
    private var output: AVAudioPCMBuffer?

    /// Creates or overwrites the file. Throws what of it is not possible.
    /// - Parameter inputs: the input's channel for each of the file's, counted from 0; `nil` for where the layouts say.
    init(url: URL, settings: [String: Any], inputs: [Int]? = nil) throws {
        (path, self.inputs) = (url.path, inputs)
        file = Self.keepsNothing(url) ? nil : try AVAudioFile(forWriting: url, settings: settings)
    }

    /// Throws what `init` would, before a file is there.
    static func check(_ url: URL, _ settings: [String: Any]) throws {
        if !keepsNothing(url) {
            _ = try AudioFileRequest(path: try AudioFileRequest.path(url), settings: settings)
        } else if AudioSettings(settings) == nil {
            throw AudioFileRequest.refusal(
                kAudio_ParamError, url.path, value: "settings \(settings)", rule: "Settings are numbers of a format.",
                cure: "Correct the values.")
        }
    }

    private static func keepsNothing(_ url: URL) -> Bool { url.path == "/dev/null" }

    /// The format in the file; `nil` where nothing is kept.
    var format: AVAudioFormat? { file?.fileFormat }

    /// Appends a buffer. Throws what keeps it from being written.
    func write(_ buffer: AVAudioPCMBuffer) throws {
        guard let file, buffer.frameLength > 0 else { return }
        if buffer.format == file.processingFormat, converter == nil, inputs == nil {
            return try file.write(from: buffer)
        }
        if converter == nil || converter?.inputFormat != buffer.format {
            try finishConversion()
            try beginConversion(from: buffer.format, to: file.processingFormat)
        }
        try convert(Feed(buffer))
    }

    /// Appends so many frames of silence. Throws what keeps it from being written.
    func writeSilence(_ frames: Int64, in format: AVAudioFormat) throws {
        let longest = AVAudioFrameCount(8192)
        guard frames > 0, let silence = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: longest) else { return }
        var left = frames
        while left > 0 {
            silence.frameLength = min(longest, AVAudioFrameCount(min(left, Int64(longest))))
            try write(silence)
            left -= Int64(silence.frameLength)
        }
    }

    /// Writes what the conversion still holds, and closes the file. Throws what keeps it from being finished; it is
    /// closed all the same.
    func close() throws {
        var failure: (any Error)?
        do { try finishConversion() } catch { failure = error }
        guard let file, file.isOpen else { return }
        file.close()
        if let failure { throw failure }
        if let warning = file.fileWarnings.first {
            throw AudioFileRequest.refusal(
                kAudioFileUnspecifiedError, path, value: warning, rule: "A recording is finished when it is closed.",
                cure: "Make room on the disk; what was written before can be read.")
        }
    }

    // MARK: Conversion

    /// Gives one buffer, and then nothing, or nothing any more.
    private final class Feed: @unchecked Sendable {
        private var buffer: AVAudioPCMBuffer?
        private let isLast: Bool

        init(_ buffer: AVAudioPCMBuffer?) { (self.buffer, isLast) = (buffer, buffer == nil) }

        func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
            status.pointee = buffer != nil ? .haveData : isLast ? .endOfStream : .noDataNow
            defer { buffer = nil }
            return buffer
        }
    }

    private func beginConversion(from input: AVAudioFormat, to format: AVAudioFormat) throws {
        guard let made = AVAudioConverter(from: input, to: format),
            let room = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8192)
        else {
            throw AudioFileRequest.refusal(
                kAudioFileUnsupportedDataFormatError, path, value: "\(format) from an input of \(input)",
                rule: "The input is converted to the file's rate and channels.",
                cure: "Record with the input's rate and channels.")
        }
        made.downmix = true
        if let inputs {
            made.channelMap = inputs.map { NSNumber(value: (0..<Int(input.channelCount)).contains($0) ? $0 : -1) }
        } else if input.channelCount == 1 {
            made.channelMap = (0..<format.channelCount).map { _ in 0 }
        }
        (converter, output) = (made, room)
    }

    private func finishConversion() throws {
        try convert(Feed(nil))
        converter = nil
    }

    private func convert(_ feed: Feed) throws {
        guard let converter, let output else { return }
        var status = AVAudioConverterOutputStatus.haveData
        while status == .haveData {
            var error: NSError?
            status = converter.convert(to: output, error: &error) { _, status in feed.next(status) }
            if let error { throw error }
            if output.frameLength > 0 { try file?.write(from: output) }
        }
    }
}

extension AVAudioPCMBuffer {
    /// Some of the valid frames: the buffer itself where they are all, else a copy. `nil` where memory runs out.
    func part(_ frames: Range<Int>) -> AVAudioPCMBuffer? {
        if frames == 0..<Int(frameLength) { return self }
        guard let source = floatChannelData, frames.upperBound <= frameLength,
            let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames.count)),
            let target = copy.floatChannelData
        else { return nil }
        for channel in 0..<Int(format.channelCount) {
            target[channel].update(from: source[channel] + frames.lowerBound, count: frames.count)
        }
        copy.frameLength = AVAudioFrameCount(frames.count)
        return copy
    }
}
