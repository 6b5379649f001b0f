// The sound of an item, in the player's rate and channels.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleFiles

/// Reads an item's file from any frame, forwards and backwards. A mono file goes to both channels of a stereo player;
/// other differences of rate and channels are converted. One thread at a time gets in.
final class ItemDecoder: @unchecked Sendable {
    private let lock = NSLock()
    private let reader: AudioFileReader
    private var target: AVAudioFormat?
    private var converter: AVAudioConverter?
    private var converted: AVAudioPCMBuffer?
    /// The frame of the target's clock that comes next.
    private var next: Int64 = 0
    private let fileFormat: AVAudioFormat
    private let input: ConverterInput

    /// Most frames of one call.
    static let chunk = 4096

    init(_ reader: AudioFileReader) {
        self.reader = reader
        fileFormat = .items(rate: reader.info.sampleRate, labels: reader.info.channelLabels, reader.info.channelCount)
        input = ConverterInput(reader, fileFormat)
    }

    /// Reads frames from `frame` on, in the target's rate, at most a chunk; 0 at the end. Throws what is wrong with the
    /// file.
    func read(
        _ count: Int, from frame: Int64, as format: AVAudioFormat, into planes: [UnsafeMutablePointer<Float>]
    ) throws -> Int {
        try lock.withLock {
            try adapt(to: format)
            if frame != next { try seek(to: frame) }
            let done = try converter == nil ? readPlain(count, planes) : convert(count, planes)
            next += Int64(done)
            return done
        }
    }

    private func adapt(to format: AVAudioFormat) throws {
        guard format != target else { return }
        target = format
        let isSame = format.sampleRate == fileFormat.sampleRate && format.channelCount == fileFormat.channelCount
        let isSpread = format.sampleRate == fileFormat.sampleRate && fileFormat.channelCount == 1
        converter = isSame || isSpread ? nil : AVAudioConverter(from: fileFormat, to: format)
        converted =
            converter == nil
            ? nil : AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(Self.chunk))
        try seek(to: next)
    }

    private func seek(to frame: Int64) throws {
        let ratio = fileFormat.sampleRate / (target?.sampleRate ?? fileFormat.sampleRate)
        try reader.seek(to: ratio == 1 ? frame : Int64((Double(frame) * ratio).rounded()))
        converter?.reset()
        input.hasEnded = false
        next = frame
    }

    private func readPlain(_ count: Int, _ planes: [UnsafeMutablePointer<Float>]) throws -> Int {
        let done = try reader.read(into: planes, frames: min(count, Self.chunk))
        if reader.info.channelCount == 1, let first = planes.first {
            for plane in planes.dropFirst() { plane.update(from: first, count: done) }
        }
        return done
    }

    private func convert(_ count: Int, _ planes: [UnsafeMutablePointer<Float>]) throws -> Int {
        guard let converter, let converted else { return 0 }
        var failure: NSError?
        let status = converter.convert(to: converted, error: &failure) { [input] wanted, status in
            input.give(Int(wanted), status)
        }
        if let failure = input.takeFailure() ?? failure { throw failure }
        guard status != .error, let samples = converted.floatChannelData else { return 0 }
        let done = min(Int(converted.frameLength), count)
        for (channel, plane) in planes.enumerated() { plane.update(from: samples[channel], count: done) }
        return done
    }
}

/// What a converter takes its input from.
private final class ConverterInput: @unchecked Sendable {
    var hasEnded = false
    private var failure: (any Error)?
    private let reader: AudioFileReader
    private let buffer: AVAudioPCMBuffer?

    init(_ reader: AudioFileReader, _ format: AVAudioFormat) {
        self.reader = reader
        buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(ItemDecoder.chunk))
    }

    func give(
        _ wanted: Int, _ status: UnsafeMutablePointer<AVAudioConverterInputStatus>
    ) -> AVAudioPCMBuffer? {
        status.pointee = .endOfStream
        guard !hasEnded, let buffer, let samples = buffer.floatChannelData else { return nil }
        let planes = (0..<reader.info.channelCount).map { samples[$0] }
        do {
            let count = try reader.read(into: planes, frames: min(max(wanted, 1), Int(buffer.frameCapacity)))
            guard count > 0 else {
                hasEnded = true
                return nil
            }
            buffer.frameLength = AVAudioFrameCount(count)
            status.pointee = .haveData
            return buffer
        } catch {
            failure = error
            hasEnded = true
            return nil
        }
    }

    func takeFailure() -> (any Error)? {
        defer { failure = nil }
        return failure
    }
}

extension AVAudioFormat {
    /// The format an item of `rate` and channels is read in, with its layout where it has more than two.
    static func items(rate: Double, labels: [UInt32]?, _ channels: Int) -> AVAudioFormat {
        let count = AVAudioChannelCount(max(channels, 1))
        if count <= 2, let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: count) { return format }
        let tag = kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(count)
        let layout = layout(labels, Int(count)) ?? AVAudioChannelLayout(layoutTag: tag)
        return layout.map { AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: $0) } ?? AVAudioFormat()
    }

    private static func layout(_ labels: [UInt32]?, _ count: Int) -> AVAudioChannelLayout? {
        guard let labels, labels.count == count else { return nil }
        let size = MemoryLayout<AudioChannelLayout>.size + count * MemoryLayout<AudioChannelDescription>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<AudioChannelLayout>.alignment)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let layout = memory.assumingMemoryBound(to: AudioChannelLayout.self)
        layout.pointee.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
        layout.pointee.mNumberChannelDescriptions = UInt32(count)
        guard let offset = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) else { return nil }
        for (channel, label) in labels.enumerated() {
            var description = AudioChannelDescription()
            description.mChannelLabel = label
            memory.storeBytes(
                of: description, toByteOffset: offset + channel * MemoryLayout<AudioChannelDescription>.stride,
                as: AudioChannelDescription.self)
        }
        return AVAudioChannelLayout(layout: layout)
    }
}
