import Foundation
import OssicleAVFAudio
import OssicleFiles

/// Sound in memory, to be measured: one array of samples per channel, full scale 1.
///
/// A value; for any thread. Seconds count from its first frame. A window of time (`during:`) is cut to what is there;
/// nil is all of it. Samples that are not finite count as 0 in every measurement, and `nonFiniteSampleCount` counts
/// them.
public struct Sound: Sendable, Equatable {
    /// At least one, all of the same length.
    public let channels: [[Float]]
    /// Hz, 1 to 2,822,400.
    public let sampleRate: Double
    /// One for each channel, numbered as Core Audio's `AudioChannelLabel`; nil where nothing is known.
    public let channelLabels: [UInt32]?

    /// - Throws: `SoundError` where there is no channel, channels differ in length, the rate is out of range, or there
    ///   is not one label for each channel.
    public init(channels: [[Float]], sampleRate: Double, channelLabels: [UInt32]? = nil) throws(SoundError) {
        guard let first = channels.first else {
            throw SoundError("A sound has 0 channels: give one array of samples at least.")
        }
        if let index = channels.firstIndex(where: { $0.count != first.count }) {
            throw SoundError(
                "Channel \(index + 1) has \(channels[index].count) samples and channel 1 has \(first.count): give all channels the same length."
            )
        }
        guard (1...2_822_400).contains(sampleRate) else {
            throw SoundError("A sample rate of \(sampleRate) Hz is outside 1 to 2822400: give one in that range.")
        }
        if let channelLabels, channelLabels.count != channels.count {
            throw SoundError(
                "There are \(channelLabels.count) labels for \(channels.count) channels: give one for each, or none.")
        }
        self.init(trusted: channels, sampleRate, channelLabels)
    }

    init(trusted channels: [[Float]], _ sampleRate: Double, _ labels: [UInt32]?) {
        (self.channels, self.sampleRate, channelLabels) = (channels, sampleRate, labels)
    }

    /// One channel.
    /// - Throws: `SoundError` where the rate is out of range.
    public init(samples: [Float], sampleRate: Double) throws(SoundError) {
        try self.init(channels: [samples], sampleRate: sampleRate)
    }

    /// The valid frames of a buffer of any linear PCM.
    /// - Throws: `SoundError` where the format is no linear PCM.
    public init(_ buffer: AVAudioPCMBuffer) throws(SoundError) {
        let format = buffer.format, labels = format.channelLayout?.channelLabels
        let plain =
            format.channelLayout.map {
                AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channelLayout: $0)
            }
            ?? AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channels: format.channelCount)
        guard let plain, let floats = buffer.converted(to: plain), let planes = floats.floatChannelData else {
            throw SoundError("A buffer of \(format) cannot be read as samples: give one of linear PCM.")
        }
        let count = Int(floats.frameLength), width = Int(format.channelCount)
        try self.init(
            channels: (0..<width).map { Array(UnsafeBufferPointer(start: planes[$0], count: count)) },
            sampleRate: format.sampleRate, channelLabels: labels?.count == width ? labels : nil)
    }

    /// All of a sound file, of any format that Ossicle reads.
    /// - Throws: `SoundError`, which says what is wrong with the file.
    public init(contentsOf url: URL) throws(SoundError) {
        let reader: AudioFileReader
        do { reader = try AudioFileReader(path: url.path) } catch { throw SoundError("\(error)") }
        let width = reader.info.channelCount
        var channels = Array(repeating: [Float](), count: width)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4096 * max(width, 1))
        defer { memory.deallocate() }
        let planes = (0..<width).map { memory + $0 * 4096 }
        while true {
            let count: Int
            do { count = try reader.read(into: planes, frames: 4096) } catch { throw SoundError("\(error)") }
            guard count > 0 else { break }
            for index in 0..<width { channels[index] += UnsafeBufferPointer(start: planes[index], count: count) }
        }
        try self.init(
            channels: channels, sampleRate: reader.info.sampleRate, channelLabels: reader.info.channelLabels)
    }

    /// Frames of each channel.
    public var frameCount: Int { channels[0].count }
    /// Seconds.
    public var duration: Double { Double(frameCount) / sampleRate }
    /// Samples that are NaN or infinite, in all channels.
    public var nonFiniteSampleCount: Int { channels.reduce(0) { $0 + $1.count { !$0.isFinite } } }

    /// A part of it, which begins at 0 again.
    public subscript(_ window: Range<Double>) -> Sound {
        let frames = frames(window)
        return Sound(trusted: channels.map { Array($0[frames]) }, sampleRate, channelLabels)
    }

    /// One channel of it, from 0 on; nil where there is none of that number.
    public func channel(_ index: Int) -> Sound? {
        guard channels.indices.contains(index) else { return nil }
        return Sound(trusted: [channels[index]], sampleRate, nil)
    }

    /// Writes it as a WAVE file of 32-bit floating point, to be listened to.
    /// - Throws: `SoundError` where the sound is longer than such a file may be or the file cannot be written.
    public func write(to url: URL) throws(SoundError) {
        guard let file = WaveFile(channels: channels, sampleRate: Int(sampleRate.rounded())) else {
            throw SoundError(
                "A sound of \(duration) s and \(channels.count) channels is too long for a WAVE file: cut it.")
        }
        do { try Data(file.bytes).write(to: url) } catch {
            throw SoundError("\(url.path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// The frames of a window, cut to what is there.
    func frames(_ window: Range<Double>?) -> Range<Int> {
        guard let window else { return 0..<frameCount }
        func frame(_ time: Double) -> Int { Int(min(max(time * sampleRate, 0), Double(frameCount)).rounded()) }
        let start = window.lowerBound.isNaN ? 0 : frame(window.lowerBound)
        return start..<max(start, window.upperBound.isNaN ? start : frame(window.upperBound))
    }

    /// A channel's samples for measurements.
    func samples(_ channel: Int, _ frames: Range<Int>) -> [Double] {
        channels[channel][frames].map { $0.isFinite ? Double($0) : 0 }
    }

    func allSamples(_ frames: Range<Int>) -> [[Double]] { channels.indices.map { samples($0, frames) } }
}

/// What is wrong with a sound or a rendering: the object, the value, the rule and the cure.
public struct SoundError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ sentence: String) { description = sentence }
}
