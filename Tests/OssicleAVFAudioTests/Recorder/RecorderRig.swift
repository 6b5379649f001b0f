import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// An offline device whose input gives a signal, and recorders for it.
final class RecorderRig {
    let device: OfflineAudioDevice
    let folder: TemporaryFolder

    /// - Parameter value: sample of a channel at a frame of the input.
    init(
        rate: Double = 48_000, channels: AVAudioChannelCount = 1,
        _ value: @escaping (_ frame: Int, _ channel: Int) -> Float = OfflineRig.noise
    ) throws {
        folder = try TemporaryFolder()
        let input = OfflineRig.format(rate, channels)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: input, frameCapacity: 1 << 16))
        var next = 0
        device = try OfflineAudioDevice(format: OfflineRig.format(48_000, 2), inputFormat: input) { frames in
            for (channel, plane) in UnsafeBufferPointer(start: buffer.floatChannelData, count: Int(channels))
                .enumerated()
            {
                for frame in 0..<Int(frames) { plane[frame] = value(next + frame, channel) }
            }
            next += Int(frames)
            buffer.frameLength = frames
            return buffer.audioBufferList
        }
    }

    /// 32-bit floats, which keep every sample.
    static var floats: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
    }

    func recorder(_ name: String = "a.wav", _ settings: [String: Any] = floats) throws -> AVAudioRecorder {
        try device.use { try AVAudioRecorder(url: folder.file(name), settings: settings) }
    }

    /// Lets time pass.
    func run(_ frames: Int, cuts: [Int] = [4096]) throws {
        let longest = AVAudioFrameCount(cuts.max() ?? 1)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: device.format, frameCapacity: longest))
        var (left, call) = (frames, 0)
        while left > 0 {
            let count = min(left, cuts[call % cuts.count])
            try device.render(AVAudioFrameCount(count), to: buffer)
            left -= count
            call += 1
        }
    }

    static func samples(_ url: URL, channel: Int = 0) throws -> [Float] {
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(max(file.length, 1))))
        try file.read(into: buffer)
        return Array(UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: Int(buffer.frameLength)))
    }

    static func noise(_ frames: Range<Int>) -> [Float] { frames.map { OfflineRig.noise($0, 0) } }
}

/// What a delegate was told, in order.
final class RecorderListener: NSObject, AVAudioRecorderDelegate, Sendable {
    let diary = Diary()

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        diary.note("finished \(flag)")
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        diary.note("error")
    }
}
