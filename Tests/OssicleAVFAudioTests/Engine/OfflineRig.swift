import Foundation
import OssicleCoreAudioTypes
@testable import OssicleAVFAudio

/// An engine in offline manual rendering, and what it renders.
final class OfflineRig {
    let engine = AVAudioEngine()
    let format: AVAudioFormat

    init(rate: Double = 48000, channels: AVAudioChannelCount = 2, maximum: AVAudioFrameCount = 4096) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) else {
            throw RigError.format
        }
        self.format = format
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximum)
    }

    enum RigError: Error { case format, buffer }

    /// The next frames, channel by channel.
    func render(_ frames: Int, callsOf size: Int = 512) throws -> [[Float]] {
        var channels = Array(repeating: [Float](), count: Int(format.channelCount))
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(size)) else {
            throw RigError.buffer
        }
        var left = frames
        while left > 0 {
            let count = min(left, size)
            try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
            for channel in channels.indices {
                channels[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: count)
            }
            left -= count
        }
        return channels
    }

    static func format(_ rate: Double, _ channels: AVAudioChannelCount) -> AVAudioFormat {
        AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels) ?? .initial
    }

    /// A source whose frame n of channel c is `value(n, c)`, counted from its first block.
    static func source(_ value: @escaping (Int, Int) -> Float) -> AVAudioSourceNode {
        var next = 0
        return AVAudioSourceNode { _, _, frames, list in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for (channel, buffer) in buffers.enumerated() {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) { samples[frame] = value(next + frame, channel) }
            }
            next += Int(frames)
            return noErr
        }
    }

    /// A signal with no two equal neighbours, different in every channel.
    static func noise(_ frame: Int, _ channel: Int) -> Float {
        var x = UInt64(bitPattern: Int64(frame &* 2 &+ channel &+ 1)) &* 0x9E37_79B9_7F4A_7C15
        x ^= x >> 29
        x = x &* 0xBF58_476D_1CE4_E5B9
        x ^= x >> 32
        return Float(Int32(truncatingIfNeeded: x)) * 0x1p-32
    }
}
