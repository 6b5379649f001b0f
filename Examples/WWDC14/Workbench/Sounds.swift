import AVFoundation

extension AVAudioPCMBuffer {
    /// A mono buffer of `seconds` seconds with the sample that `sound` gives for each time.
    public static func mono(seconds: Double, rate: Double, _ sound: (Double) -> Double) throws -> AVAudioPCMBuffer {
        let frames = Int((seconds * rate).rounded())
        return try .holding([(0..<frames).map { Float(sound(Double($0) / rate)) }], rate: rate)
    }

    /// A buffer with these samples, channel by channel.
    public static func holding(_ channels: [[Float]], rate: Double) throws -> AVAudioPCMBuffer {
        let frames = channels.first?.count ?? 0
        guard
            let format = AVAudioFormat(
                standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(channels.count)),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
            let data = buffer.floatChannelData
        else { throw Failure("no buffer of \(frames) frames") }
        for (channel, samples) in channels.enumerated() { data[channel].update(from: samples, count: frames) }
        buffer.frameLength = AVAudioFrameCount(frames)
        return buffer
    }

    /// The valid samples of a channel.
    public func samples(_ channel: Int = 0) -> [Float] {
        guard let data = floatChannelData, channel < Int(format.channelCount) else { return [] }
        return Array(UnsafeBufferPointer(start: data[channel], count: Int(frameLength)))
    }

    /// Writes a file in the buffer's format.
    public func write(to url: URL) throws {
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: self)
        file.close()
    }
}

/// A gain from 0 up to 1 in `attack` seconds, and down to 0 again in the last `release` of `length` seconds, without
/// corners.
public func envelope(_ time: Double, length: Double, attack: Double = 0, release: Double) -> Double {
    let place = min(attack > 0 ? time / attack : 1, (length - time) / release, 1)
    return place <= 0 ? 0 : 0.5 - 0.5 * cos(.pi * place)
}
