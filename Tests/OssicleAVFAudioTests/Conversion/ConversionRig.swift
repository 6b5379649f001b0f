import Foundation
import Testing
@testable import OssicleAVFAudio

/// The input side of a conversion by script.
final class Script: @unchecked Sendable {
    enum Step {
        case give(AVAudioBuffer)
        case nothing, end
        /// `nil` with `.haveData`.
        case forget
    }

    private var steps: [Step]
    private(set) var asked: [AVAudioPacketCount] = []
    /// What comes when the steps are used up.
    private let last: Step

    init(_ steps: [Step], then last: Step = .end) { (self.steps, self.last) = (steps, last) }

    func next(
        _ packets: AVAudioPacketCount, _ status: UnsafeMutablePointer<AVAudioConverterInputStatus>
    ) -> AVAudioBuffer? {
        asked.append(packets)
        switch steps.isEmpty ? last : steps.removeFirst() {
        case .give(let buffer):
            status.pointee = .haveData
            return buffer
        case .forget:
            status.pointee = .haveData
            return nil
        case .nothing: status.pointee = .noDataNow
        case .end: status.pointee = .endOfStream
        }
        return nil
    }

    var remaining: Int { steps.count }
}

enum Rig {
    static func format(
        _ form: AVAudioCommonFormat = .pcmFormatFloat32, rate: Double = 48_000, channels: UInt32 = 2,
        interleaved: Bool = false
    ) throws -> AVAudioFormat {
        try #require(AVAudioFormat(commonFormat: form, sampleRate: rate, channels: channels, interleaved: interleaved))
    }

    static func compressed(
        _ id: AudioFormatID, rate: Double = 48_000, channels: Int = 2, _ more: [String: Any] = [:]
    ) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(
                settings: [AVFormatIDKey: id, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels].merging(more) {
                    $1
                }))
    }

    static func layout(_ tag: AudioChannelLayoutTag) throws -> AVAudioChannelLayout {
        try #require(AVAudioChannelLayout(layoutTag: tag))
    }

    static func converter(_ from: AVAudioFormat, _ to: AVAudioFormat) throws -> AVAudioConverter {
        try AVAudioConverter.converter(from: from, to: to)
    }

    /// A buffer of floating point that holds `channels`.
    static func buffer(
        _ channels: [[Float]], rate: Double = 48_000, format: AVAudioFormat? = nil
    ) throws -> AVAudioPCMBuffer {
        let form = try format ?? Self.format(rate: rate, channels: UInt32(channels.count)),
            count = channels.first?.count ?? 0
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: form, frameCapacity: UInt32(max(count, 1))))
        buffer.frameLength = UInt32(count)
        let data = try #require(buffer.floatChannelData)
        for (channel, samples) in channels.enumerated() {
            for (frame, sample) in samples.enumerated() { data[channel][frame * buffer.stride] = sample }
        }
        return buffer
    }

    /// The valid samples of a buffer of floating point.
    static func samples(_ buffer: AVAudioPCMBuffer) throws -> [[Float]] {
        let data = try #require(buffer.floatChannelData)
        return (0..<Int(buffer.format.channelCount)).map { channel in
            (0..<Int(buffer.frameLength)).map { data[channel][$0 * buffer.stride] }
        }
    }

    /// `channels` cut into buffers of `length` frames.
    static func pieces(
        _ channels: [[Float]], of length: Int, rate: Double = 48_000, format: AVAudioFormat? = nil
    ) throws -> [Script.Step] {
        let count = channels.first?.count ?? 0
        return try stride(from: 0, to: count, by: length).map { start in
            .give(
                try buffer(channels.map { Array($0[start..<min(start + length, count)]) }, rate: rate, format: format))
        }
    }

    /// Everything that comes out in floating point until the input is over or dry, asked for in pieces of `capacity`.
    static func run(_ converter: AVAudioConverter, _ steps: [Script.Step], capacity: UInt32 = 1000) throws -> [[Float]]
    {
        let script = Script(steps)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity))
        var output = [[Float]](repeating: [], count: Int(converter.outputFormat.channelCount))
        try everything(converter, script, buffer) {
            for (channel, samples) in try samples(buffer).enumerated() { output[channel] += samples }
        }
        return output
    }

    /// The packets an encoder makes of `steps`, in buffers of up to `packets`.
    static func encode(
        _ converter: AVAudioConverter, _ steps: [Script.Step], packets: UInt32 = 8
    ) throws -> [AVAudioCompressedBuffer] {
        let script = Script(steps)
        var output: [AVAudioCompressedBuffer] = []
        let buffer = AVAudioCompressedBuffer(
            format: converter.outputFormat, packetCapacity: packets,
            maximumPacketSize: converter.maximumOutputPacketSize)
        try everything(converter, script, buffer) {
            guard buffer.packetCount > 0 else { return }
            output.append(try #require(buffer.copy() as? AVAudioCompressedBuffer))
        }
        return output
    }

    private static func everything(
        _ converter: AVAudioConverter, _ script: Script, _ buffer: AVAudioBuffer, _ take: () throws -> Void
    ) throws {
        for _ in 0..<100_000 {
            var failure: NSError?
            let status = converter.convert(to: buffer, error: &failure) { script.next($0, $1) }
            if let failure { throw failure }
            try take()
            if status == .endOfStream { return }
            try #require(status != .error)
        }
        Issue.record("the stream never ends")
    }
}
