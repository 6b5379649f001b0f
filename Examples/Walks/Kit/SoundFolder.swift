import AVFAudio
import Foundation

/// A folder of sound files in the system's temporary folder.
public struct SoundFolder {
    public let url: URL

    public init(_ name: String) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Writes a WAVE file. The layout may be left out for mono and stereo.
    @discardableResult
    public func write(_ sound: Sound, as name: String, layout: AVAudioChannelLayout? = nil) throws -> URL {
        let file = url.appendingPathComponent(name + ".wav")
        let format =
            layout.map { AVAudioFormat(standardFormatWithSampleRate: Sound.sampleRate, channelLayout: $0) }
            ?? AVAudioFormat(
                standardFormatWithSampleRate: Sound.sampleRate, channels: AVAudioChannelCount(sound.channels.count))
        guard let format else { throw Failure("no format for \(name)") }
        try AVAudioFile(forWriting: file, settings: format.settings).write(from: sound.buffer(format))
        return file
    }
}

extension Sound {
    /// The same as a buffer, for push streams and files.
    public func buffer(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        let frames = AVAudioFrameCount(channels.first?.count ?? 0)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames),
            let data = buffer.floatChannelData,
            Int(format.channelCount) == channels.count
        else { throw Failure("no buffer of \(frames) frames in \(format)") }
        buffer.frameLength = frames
        for (index, channel) in channels.enumerated() {
            for (frame, sample) in channel.enumerated() { data[index][frame] = sample }
        }
        return buffer
    }
}
