import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

/// An offline device, files to play, and what players tell.
final class PlayerRig {
    let device: OfflineAudioDevice
    let folder: TemporaryFolder
    let rate: Double

    init(rate: Double = 48_000, channels: AVAudioChannelCount = 2) throws {
        folder = try TemporaryFolder()
        self.rate = rate
        device = try OfflineAudioDevice(
            format: try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels)))
    }

    /// A player for a WAV file with these samples.
    func player(_ channels: [Float]..., rate: Double = 48_000) throws -> AVAudioPlayer {
        let file = try waveFile(folder, "\(UUID().uuidString).wav", channels, rate: rate)
        return try player(file.url)
    }

    func player(_ url: URL) throws -> AVAudioPlayer { try device.use { try AVAudioPlayer(contentsOf: url) } }

    /// The next frames, channel by channel.
    @discardableResult
    func render(_ frames: Int, cuts: [Int] = [4096]) throws -> [[Float]] {
        let longest = AVAudioFrameCount(cuts.max() ?? 1)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: device.format, frameCapacity: longest))
        var output = [[Float]](repeating: [], count: Int(device.format.channelCount))
        var call = 0
        while output[0].count < frames {
            let count = min(cuts[call % cuts.count], frames - output[0].count)
            call += 1
            try device.render(AVAudioFrameCount(count), to: buffer)
            for channel in output.indices {
                output[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: count)
            }
        }
        return output
    }

    /// Seconds of the device at a frame.
    func time(_ frame: Int) -> TimeInterval { Double(frame) / rate }
}

/// What a delegate was told, in order.
final class PlayerListener: NSObject, AVAudioPlayerDelegate, Sendable {
    let diary = Diary()

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        diary.note("finished \(flag)")
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        diary.note("error \((error as NSError?)?.code ?? 0)")
    }

    func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { diary.note("interrupted") }

    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {
        diary.note("interruption over \(flags)")
    }
}

/// A tone of whole periods per 100 frames at 48 kHz.
func tone(_ count: Int, frequency: Double = 480, rate: Double = 48_000, amplitude: Double = 0.5) -> [Float] {
    Signal.sine(frequency, sampleRate: rate, count: count, amplitude: amplitude)
}
