#if FFmpeg
import Foundation
import OssicleCodecs
@testable import OssicleFiles

/// Writes and reads files through FFmpeg's side alone, so that these tests do not depend on which library the router
/// would choose.
enum FFmpegFile {
    static func write(
        _ channels: [[Double]], _ request: FileEncoderRequest, piece: Int = 4096, close: Bool = true
    ) throws {
        let encoder = try FFmpegFiles.makeEncoder(request), count = channels.first?.count ?? 0
        for start in stride(from: 0, to: count, by: piece) {
            try channels.withPlanes { planes in
                try encoder.write(planes.map { $0 + start }, frames: min(piece, count - start))
            }
            encoder.keepReadable()
        }
        if close { try encoder.close() }
    }

    /// Everything from the decoder's place on, in pieces of `piece` frames.
    static func read(_ decoder: any FileDecoder, frames: Int = .max, piece: Int = 1000) throws -> [[Double]] {
        var channels = [[Double]](repeating: [], count: decoder.info.channelCount)
        while channels[0].count < frames {
            let wanted = min(piece, frames - channels[0].count)
            let planes = channels.map { _ in UnsafeMutablePointer<Double>.allocate(capacity: wanted) }
            defer { planes.forEach { $0.deallocate() } }
            let count = try decoder.read(into: planes, frames: wanted)
            for (channel, plane) in planes.enumerated() {
                channels[channel] += UnsafeBufferPointer(start: plane, count: count)
            }
            if count < wanted { break }
        }
        return channels
    }

    static func read(_ path: String) throws -> (info: AudioFileInfo, channels: [[Double]]) {
        let decoder = try FFmpegFiles.makeDecoder(path: path)
        return (decoder.info, try read(decoder))
    }
}

extension [[Double]] {
    /// Calls `body` with one pointer per channel.
    func withPlanes<Result>(_ body: ([UnsafePointer<Double>]) throws -> Result) rethrows -> Result {
        let planes = map { channel in
            let plane = UnsafeMutablePointer<Double>.allocate(capacity: Swift.max(channel.count, 1))
            plane.initialize(from: channel, count: channel.count)
            return plane
        }
        defer { planes.forEach { $0.deallocate() } }
        return try body(planes.map { UnsafePointer($0) })
    }
}

/// Sounds to encode.
enum TestSound {
    /// Tones below 10 kHz, others in each channel, with noise 40 dB below.
    static func tones(channels: Int, frames: Int, rate: Double = 48_000, seed: UInt64 = 1) -> [[Double]] {
        (0..<channels).map { channel in
            var state = seed &+ UInt64(channel)
            return (0..<frames).map { frame in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let noise = Double(Int64(bitPattern: state)) / Double(Int64.max), time = Double(frame) / rate
                let tones = [220.0, 554, 1397, 3520, 7900].map { sin(2 * .pi * ($0 + 31 * Double(channel)) * time) }
                    .reduce(0, +)
                return 0.1 * tones + 0.003 * noise
            }
        }
    }
}

/// Level of `signal` over what `other` has otherwise, in decibels.
func signalToNoise(_ signal: [Double], _ other: [Double]) -> Double {
    let power = signal.reduce(0) { $0 + $1 * $1 },
        noise = zip(signal, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return 10 * log10(power / max(noise, 1e-30))
}

/// The lag, within ±`range`, at which `later` is most like `earlier`.
func bestLag(_ earlier: [Double], _ later: [Double], range: Int) -> Int {
    (-range...range).max { a, b in correlation(earlier, later, a) < correlation(earlier, later, b) } ?? 0
}

private func correlation(_ a: [Double], _ b: [Double], _ lag: Int) -> Double {
    var sum = 0.0
    for index in max(0, -lag)..<min(a.count, b.count - lag) { sum += a[index] * b[index + lag] }
    return sum
}
#endif
