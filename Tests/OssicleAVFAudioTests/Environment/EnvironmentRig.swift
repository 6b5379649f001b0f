import Foundation
import OssicleCoreAudioTypes
@testable import OssicleAVFAudio

/// An engine in manual rendering whose environment hears a few sounds.
final class EnvironmentRig {
    let engine = AVAudioEngine()
    let environment = AVAudioEnvironmentNode()
    let format: AVAudioFormat

    init(channels: Int = 2, layout tag: AudioChannelLayoutTag? = nil, sampleRate: Double = 48_000) throws {
        format = try Self.format(sampleRate, channels, tag)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        engine.attach(environment)
        try engine.connectNode(environment, to: engine.outputNode, format: format)
    }

    static func format(_ sampleRate: Double, _ channels: Int, _ tag: AudioChannelLayoutTag?) throws -> AVAudioFormat {
        if let tag, let layout = AVAudioChannelLayout(layoutTag: tag) {
            return AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: layout)
        }
        guard
            let format = AVAudioFormat(
                standardFormatWithSampleRate: sampleRate, channels: AVAudioChannelCount(channels))
        else { throw CocoaError(.featureUnsupported) }
        return format
    }

    /// A source that plays these channels once, connected to the next free bus.
    @discardableResult
    func add(
        _ channels: [[Float]], layout tag: AudioChannelLayoutTag? = nil, sampleRate: Double = 48_000
    ) throws -> AVAudioSourceNode {
        var played = 0
        let source = AVAudioSourceNode { _, _, count, list in
            for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for i in 0..<Int(count) {
                    samples[i] = played + i < channels[channel].count ? channels[channel][played + i] : 0
                }
            }
            played += Int(count)
            return noErr
        }
        engine.attach(source)
        try engine.connectNode(source, to: environment, format: Self.format(sampleRate, channels.count, tag))
        return source
    }

    /// The next frames, channel by channel.
    func render(_ frames: Int) throws -> [[Float]] {
        if !engine.isRunning { try engine.start() }
        var out = [[Float]](repeating: [], count: Int(format.channelCount))
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096) else {
            throw CocoaError(.featureUnsupported)
        }
        while out[0].count < frames {
            let count = AVAudioFrameCount(min(frames - out[0].count, 512))
            guard try engine.renderOffline(count, to: buffer) == .success, let data = buffer.floatChannelData else {
                throw CocoaError(.featureUnsupported)
            }
            for channel in out.indices { out[channel] += UnsafeBufferPointer(start: data[channel], count: Int(count)) }
        }
        return out
    }
}
