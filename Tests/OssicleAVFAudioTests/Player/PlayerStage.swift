import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
import Synchronization
@testable import OssicleAVFAudio

/// An engine in offline rendering with players straight at its end, so that what comes out is what they play.
final class PlayerStage {
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let format: AVAudioFormat

    init(rate: Double = 48000, channels: AVAudioChannelCount = 1, starts: Bool = true) throws {
        format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 65536)
        engine.attach(player)
        engine.connect(player, to: engine.outputNode, format: format)
        if starts { try engine.start() }
    }

    /// The first channel, unless another is asked for.
    func render(_ frames: Int, cuts: [Int] = [4096], channel: Int = 0) throws -> [Float] {
        try renderAll(frames, cuts: cuts)[channel]
    }

    func renderAll(_ frames: Int, cuts: [Int] = [4096]) throws -> [[Float]] {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 65536))
        let data = try #require(buffer.floatChannelData)
        var output = [[Float]](repeating: [], count: Int(format.channelCount))
        var call = 0
        while output[0].count < frames {
            let count = min(cuts[call % cuts.count], frames - output[0].count)
            call += 1
            try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
            for channel in output.indices { output[channel] += UnsafeBufferPointer(start: data[channel], count: count) }
        }
        return output
    }

    func buffer(_ channels: [Float]...) throws -> AVAudioPCMBuffer { try pcm(channels, rate: format.sampleRate) }

    var errorCode: OSStatus? { (engine.lastError as NSError?).map { OSStatus($0.code) } }
}

func pcm(_ channels: [[Float]], rate: Double = 48000) throws -> AVAudioPCMBuffer {
    let format = try #require(
        AVAudioFormat(standardFormatWithSampleRate: rate, channels: AVAudioChannelCount(channels.count)))
    let buffer = try #require(
        AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(channels[0].count, 1))))
    let data = try #require(buffer.floatChannelData)
    for (channel, samples) in channels.enumerated() {
        for (frame, sample) in samples.enumerated() { data[channel][frame] = sample }
    }
    buffer.frameLength = AVAudioFrameCount(channels[0].count)
    return buffer
}

/// A WAV file of 32-bit floats with these samples.
func waveFile(_ folder: TemporaryFolder, _ name: String, _ channels: [[Float]], rate: Double) throws -> AVAudioFile {
    let url = folder.file(name)
    let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels.count,
        AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]
    let file = try AVAudioFile(forWriting: url, settings: settings)
    try file.write(from: try pcm(channels, rate: rate))
    file.close()
    return try AVAudioFile(forReading: url)
}

func ramp(_ count: Int, from start: Int = 1) -> [Float] { (0..<count).map { Float(start + $0) / 65536 } }
func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

/// What handlers said, in the order they said it.
final class Diary: Sendable {
    private let content = Mutex<[String]>([])
    var lines: [String] { content.withLock { $0 } }
    func note(_ line: String) { content.withLock { $0.append(line) } }
}

func time(_ frame: Int64, _ rate: Double = 48000) -> AVAudioTime { AVAudioTime(sampleTime: frame, atRate: rate) }
