import OssicleCore
import OssicleCoreAudioTypes

/// Planes a unit renders into, and their way into a buffer list of any linear PCM form.
final class PlaneWriter: @unchecked Sendable {
    let channels: Int
    /// Where each channel goes on, for those who render piece by piece.
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let stride: Int
    private let writer: SampleWriter
    private let isInterleaved: Bool

    init(_ format: AVAudioFormat, frames: Int) {
        (channels, stride, isInterleaved) = (Int(format.channelCount), frames, format.isInterleaved)
        samples = SampleMemory(count: max(channels, 1) * frames)
        pointers = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (pointers + channel).initialize(to: samples.pointer + channel * frames) }
        writer = SampleWriter(format)
    }

    deinit { pointers.deallocate() }

    func point(to offset: Int) {
        for channel in 0..<channels { pointers[channel] = samples.pointer + channel * stride + offset }
    }

    /// Writes the first `frames` frames to a list of the format.
    func write(to list: UnsafeMutablePointer<AudioBufferList>, frames: Int) {
        let list = UnsafeMutableAudioBufferListPointer(list)
        for channel in 0..<channels {
            guard let data = list[isInterleaved ? 0 : channel].mData else { continue }
            writer.write(samples.pointer + channel * stride, channel: channel, to: data, frames: frames)
        }
    }
}
