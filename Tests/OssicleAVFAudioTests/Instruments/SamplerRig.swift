import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
@testable import OssicleAVFAudio

/// An engine with a sampler, offline, and a folder for its files.
final class SamplerRig {
    let engine = AVAudioEngine()
    let sampler = AVAudioUnitSampler()
    let format: AVAudioFormat
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sampler-\(UUID().uuidString)")

    init(rate: Double = 48_000) throws {
        format = OfflineRig.format(rate, 2)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        engine.attach(sampler)
        try engine.connectNode(sampler, to: engine.mainMixerNode, format: format)
        try engine.start()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url
    }

    /// Both channels of so many frames, rendered so many at a time.
    func render(_ frames: Int, callsOf size: Int = 1024) throws -> [[Float]] {
        var sound: [[Float]] = [[], []], left = frames
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096) else { return sound }
        while left > 0 {
            let count = min(size, left)
            guard try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success,
                let planes = buffer.floatChannelData
            else { return sound }
            for channel in 0..<2 { sound[channel] += UnsafeBufferPointer(start: planes[channel], count: count) }
            left -= count
        }
        return sound
    }

    /// A bank of three programs, each a level of its own: 0.1 in bank 0 program 0, 0.2 in program 5, 0.4 in percussion.
    static var levels: [UInt8] {
        let zones = (0..<3).map { [BankWriter.Zone(generators: [(54, 1), (53, $0)])] }
        let presets = [(0, 0), (5, 0), (0, 128)].enumerated().map { index, place in
            BankWriter.Preset(
                name: "level \(index)", number: place.0, bank: place.1,
                zones: [BankWriter.Zone(generators: [(41, index)])])
        }
        return BankWriter(
            presets: presets, instruments: zones,
            samples: [0.1, 0.2, 0.4].map {
                .init(frames: [Int16](repeating: Int16($0 * 32_768), count: 400), loop: 10..<390)
            }
        ).bytes
    }

    /// A bank whose notes are a single frame in every program, whatever the key, the velocity and the controllers.
    static var clicks: [UInt8] {
        var frames = [Int16](repeating: 0, count: 64)
        frames[0] = 16_000
        let zone = BankWriter.Zone(
            generators: [(56, 0), (53, 0)],
            modulators: [
                (0x020E, 59, 0, 0x0010), (0x0502, 48, 0, 0), (0x0587, 48, 0, 0), (0x058B, 48, 0, 0), (0x028A, 17, 0, 0),
                (0x0102, 8, 0, 0),
            ])
        return BankWriter(
            presets: [.init(zones: [.init(generators: [(41, 0)])])], instruments: [[zone]],
            samples: [.init(frames: frames)]
        ).bytes
    }
}
