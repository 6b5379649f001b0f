import Foundation
import OssicleCodecs
import OssicleFiles
@testable import ossicle

/// A folder with sound files that disappears with the test.
final class SoundFolder {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-tool-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Every file, also the hidden ones, as paths from here.
    var files: [String] {
        let all = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return all.filter { !FileSystem.isFolder(path($0)) }.sorted()
    }

    @discardableResult
    func write(
        _ channels: [[Double]], to name: String, _ container: AudioContainer = .wav, _ codec: AudioCodec = .pcm16,
        rate: Double = 48_000,
        labels: [UInt32]? = nil, metadata: AudioMetadata = AudioMetadata()
    ) throws -> String {
        let file = path(name)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let writer = try AudioFileWriter(
            FileEncoderRequest(
                path: file, container: container, codec: codec, sampleRate: rate, channelCount: channels.count,
                channelLabels: labels, metadata: metadata))
        let frames = channels.first?.count ?? 0
        let block = SampleBlock(channels: channels.count, capacity: max(frames, 1))
        for (plane, samples) in zip(block.planes, channels) { plane.update(from: samples, count: frames) }
        try writer.write(block.constPlanes, frames: frames)
        try writer.finish()
        return file
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    /// The whole file.
    func read(_ name: String) throws -> (info: AudioFileInfo, channels: [[Double]], metadata: AudioMetadata) {
        let reader = try AudioFileReader(path: path(name))
        let block = SampleBlock(channels: reader.info.channelCount, capacity: 4096)
        var channels = Array(repeating: [Double](), count: reader.info.channelCount)
        while case let frames = try reader.read(into: block.planes, frames: block.capacity), frames > 0 {
            for channel in channels.indices {
                channels[channel] += UnsafeBufferPointer(start: block.planes[channel], count: frames)
            }
        }
        return (reader.info, channels, reader.metadata)
    }
}

/// Sounds to write.
enum Tones {
    static func sine(_ frequency: Double, amplitude: Double = 0.5, seconds: Double, rate: Double = 48_000) -> [Double] {
        (0..<Int(seconds * rate)).map { amplitude * sin(2 * .pi * frequency * Double($0) / rate) }
    }

    /// Samples of 16 bits, every one another, to the ends of the range.
    static func integers(_ frames: Int) -> [Double] {
        (0..<frames).map { Double(Int16(truncatingIfNeeded: $0 &* 40_503)) / 32_768 }
    }

    /// The amplitude of the part of `samples` at `frequency`, by correlation over whole periods.
    static func amplitude(of frequency: Double, in samples: some Collection<Double>, rate: Double) -> Double {
        var (sine, cosine) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(frame) / rate
            sine += sample * sin(angle)
            cosine += sample * cos(angle)
        }
        return 2 * (sine * sine + cosine * cosine).squareRoot() / Double(samples.count)
    }
}
