import Foundation
import Testing
@testable import OssicleFiles

/// A folder that disappears with the test.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

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
                return Float(0.4 * sin(Double(frame) * 0.03 * Double(channel + 1)) + ((frame / 3000) % 2 == 1 ? 0.2 * noise : 0))
            }
        }
    }
}

/// Writes `channels` to a file and returns its path.
@discardableResult
func write(_ channels: [[Float]], to path: String, _ container: AudioContainer, _ codec: AudioCodec, rate: Double = 48_000,
           labels: [UInt32]? = nil, close: Bool = true) throws -> AudioFileWriter {
    let writer = try AudioFileWriter(path: path, container: container, codec: codec, sampleRate: rate, channelCount: channels.count,
                                     channelLabels: labels)
    let planes = channels.map { plane in UnsafeMutablePointer<Float>.allocate(capacity: max(plane.count, 1)).filled(with: plane) }
    defer { planes.forEach { $0.deallocate() } }
    try writer.write(planes.map { UnsafePointer($0) }, frames: channels.first?.count ?? 0)
    if close { writer.close() }
    return writer
}

/// Reads up to `frames` frames of every channel.
func read(_ reader: StreamReader, _ frames: Int) throws -> [[Float]] {
    let planes = (0..<reader.info.channelCount).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: max(frames, 1)) }
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

/// A container and codec, with what is known of it.
struct Coding: Sendable, CustomTestStringConvertible {
    let name: String
    let container: AudioContainer
    let codec: AudioCodec
    /// Largest error of a sample when read back; `nil` for lossy codecs.
    let step: Float?
    /// Frames are padded to whole blocks.
    var isPadded = false
    var testDescription: String { name }

    static let all: [Coding] = [
        Coding(name: "8.wav", container: .wav, codec: .pcm8Unsigned, step: 1 / 128), Coding(name: "16.wav", container: .wav, codec: .pcm16, step: 1 / 32_768),
        Coding(name: "24.wav", container: .wav, codec: .pcm24, step: 1 / 8_388_608), Coding(name: "32.wav", container: .wav, codec: .pcm32, step: 1 / 8_388_608),
        Coding(name: "f32.wav", container: .wav, codec: .float32, step: 0), Coding(name: "f64.wav", container: .wav, codec: .float64, step: 0),
        Coding(name: "16.rf64", container: .rf64, codec: .pcm16, step: 1 / 32_768), Coding(name: "16.w64", container: .wave64, codec: .pcm16, step: 1 / 32_768),
        Coding(name: "16.aiff", container: .aiff, codec: .pcm16, step: 1 / 32_768), Coding(name: "24.aiff", container: .aiff, codec: .pcm24, step: 1 / 8_388_608),
        Coding(name: "16.au", container: .au, codec: .pcm16, step: 1 / 32_768),
        Coding(name: "f32.caf", container: .caf, codec: .float32, step: 0), Coding(name: "alac16.caf", container: .caf, codec: .alac16, step: 1 / 32_768),
        Coding(name: "alac24.caf", container: .caf, codec: .alac24, step: 1 / 8_388_608),
        Coding(name: "16.flac", container: .flac, codec: .pcm16, step: 1 / 32_768), Coding(name: "24.flac", container: .flac, codec: .pcm24, step: 1 / 8_388_608),
        Coding(name: "ulaw.wav", container: .wav, codec: .muLaw, step: nil), Coding(name: "ima.wav", container: .wav, codec: .imaADPCM, step: nil, isPadded: true),
        Coding(name: "a.mp3", container: .mpeg, codec: .mp3, step: nil), Coding(name: "a.ogg", container: .ogg, codec: .vorbis, step: nil),
        Coding(name: "a.opus", container: .ogg, codec: .opus, step: nil),
    ]
}
