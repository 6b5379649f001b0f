import Foundation
import OssicleCodecs
import Testing
@testable import OssicleFiles

/// Signals to write: tones of another frequency per channel, with stretches of noise.
enum Signal {
    static func sine(_ frequency: Double, amplitude: Double, frames: Int, rate: Double) -> [Float] {
        (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    static func tonesAndNoise(channels: Int, frames: Int) -> [[Float]] {
        var state: UInt32 = 1
        return (0..<channels).map { channel in
            (0..<frames).map { frame in
                state = state &* 1_664_525 &+ 1_013_904_223
                let noise = Double(state >> 8) / 16_777_216 - 0.5
                return Float(
                    0.4 * sin(Double(frame) * 0.03 * Double(channel + 1)) + ((frame / 3000) % 2 == 1 ? 0.2 * noise : 0))
            }
        }
    }
}

/// Writes `channels` to a file and returns its path.
@discardableResult
func write(
    _ channels: [[Float]], to path: String, _ container: AudioContainer, _ codec: AudioCodec, rate: Double = 48_000,
    labels: [UInt32]? = nil, close: Bool = true
) throws -> AudioFileWriter {
    let writer = try AudioFileWriter(
        FileEncoderRequest(
            path: path, container: container, codec: codec, sampleRate: rate, channelCount: channels.count,
            channelLabels: labels))
    let planes = channels.map { plane in
        UnsafeMutablePointer<Float>.allocate(capacity: max(plane.count, 1)).filled(with: plane)
    }
    defer { planes.forEach { $0.deallocate() } }
    try writer.write(planes.map { UnsafePointer($0) }, frames: channels.first?.count ?? 0)
    if close { writer.close() }
    return writer
}

/// Reads up to `frames` frames of every channel.
func read(_ reader: StreamReader, _ frames: Int) throws -> [[Float]] {
    let planes = (0..<reader.info.channelCount).map { _ in
        UnsafeMutablePointer<Float>.allocate(capacity: max(frames, 1))
    }
    defer { planes.forEach { $0.deallocate() } }
    let count = try reader.read(into: planes, frames: frames)
    return planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
}

extension UnsafeMutablePointer where Pointee == Float {
    func filled(with values: [Float]) -> Self {
        update(from: values, count: values.count)
        return self
    }
}

/// A sound of `channels`; the test fails when it cannot be made.
func sound(_ channels: [[Float]], rate: Double = 48_000, labels: [UInt32]? = nil) throws -> ResidentAudio {
    try #require(ResidentAudio(channels: channels, sampleRate: rate, channelLabels: labels))
}

extension [[Float]] {
    var areFinite: Bool { allSatisfy { $0.allSatisfy { $0.isFinite } } }
}

extension ResidentAudio {
    var arrays: [[Float]] { (0..<channelCount).map { Array(samples($0)) } }
}

/// Writes `channels`, all of one length.
func write(_ channels: [[Double]], _ writer: AudioFileWriter) throws {
    let planes = channels.map { plane in
        let memory = UnsafeMutablePointer<Double>.allocate(capacity: max(plane.count, 1))
        memory.update(from: plane, count: plane.count)
        return memory
    }
    defer { planes.forEach { $0.deallocate() } }
    try writer.write(planes.map { UnsafePointer($0) }, frames: channels.first?.count ?? 0)
}

/// The bytes of a file of `channels`, written to memory.
func encoded(
    _ channels: [[Double]], _ coding: Coding, rate: Double = 48_000, labels: [UInt32]? = nil,
    settings: EncoderSettings = EncoderSettings(),
    metadata: AudioMetadata = AudioMetadata()
) throws -> [UInt8] {
    let sink = MemorySink()
    let request = coding.request(
        "memory", rate: rate, channels: channels.count, labels: labels, settings: settings, metadata: metadata)
    let writer = AudioFileWriter(request, try FileRouter.makeEncoder(request) { sink })
    try write(channels, writer)
    try writer.finish()
    return sink.bytes
}

/// Up to `limit` frames of every channel of a file, in double precision.
func decoded(_ reader: AudioFileReader, limit: Int = 1 << 20) throws -> [[Double]] {
    let chunk = 1000
    let planes = (0..<reader.info.channelCount).map { _ in UnsafeMutablePointer<Double>.allocate(capacity: chunk) }
    defer { planes.forEach { $0.deallocate() } }
    var channels = [[Double]](repeating: [], count: planes.count), frames = 0
    while frames < limit {
        let count = try reader.read(into: planes, frames: min(chunk, limit - frames))
        guard count > 0 else { break }
        for (channel, plane) in planes.enumerated() {
            channels[channel] += UnsafeBufferPointer(start: plane, count: count)
        }
        frames += count
    }
    return channels
}

func decoded(_ bytes: [UInt8]) throws -> [[Double]] { try decoded(AudioFileReader(source: MemoryBytes(bytes))) }
