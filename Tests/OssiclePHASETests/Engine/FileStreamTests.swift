import Foundation
@testable import OssiclePHASE
import OssicleTestSupport
import OssicleSpatial
import PHASE
import Testing

/// A file of 16-bit PCM without a channel layout.
func waveFile(_ channels: [[Int16]], rate: UInt32 = 48_000) throws -> URL {
    func bytes<Value: FixedWidthInteger>(_ values: Value...) -> Data {
        values.map { $0.littleEndian }.withUnsafeBytes { Data($0) }
    }
    let (count, frames) = (channels.count, channels[0].count)
    let interleaved = (0..<frames).flatMap { frame in channels.map { $0[frame].littleEndian } }
    let samples = interleaved.withUnsafeBytes { Data($0) }
    var file = Data("RIFF".utf8) + bytes(UInt32(36 + samples.count)) + Data("WAVEfmt ".utf8) + bytes(UInt32(16))
    file +=
        bytes(UInt16(1), UInt16(count)) + bytes(rate, rate * UInt32(count) * 2) + bytes(UInt16(count * 2), UInt16(16))
    file += Data("data".utf8) + bytes(UInt32(samples.count)) + samples
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString).wav")
    try file.write(to: url)
    return url
}

func steps(_ count: Int, seed: UInt64 = 1) -> [Int16] {
    Signal.noise(count: count, seed: seed, amplitude: 0.5).map { Int16($0 * 32_767) }
}

@Suite struct FileStreamTests {
    private func play(
        _ type: PHASEAsset.AssetType, _ url: URL, loops: Bool = false, rate: Double = 1,
        _ body: (Stage, PHASESoundEvent) throws -> Void
    ) throws {
        let stage = try Stage()
        try stage.engine.assetRegistry.registerSoundAsset(
            url: url, identifier: "file", assetType: type, channelLayout: nil, normalizationMode: .none)
        let event = try stage.event(
            try stage.registerEvent("file", into: stage.channelMixer(), loops: loops) { $0.rate = rate })
        try stage.start()
        event.start(completion: nil)
        try body(stage, event)
    }

    @Test func `offline nothing starves, and everything that was read is counted`() throws {
        let url = try waveFile([steps(300_000)])
        defer { try? FileManager.default.removeItem(at: url) }
        var results: [[Float]] = []
        for call in [127, 4096] {
            try play(.streamed, url, rate: 4) { stage, event in
                _ = try stage.render(1024)
                #expect(stage.engine.streamStatistics.openStreams == 1)
                let stream = try TestFailure.unwrap(stage.engine.streamStatistics.streams.first)
                #expect(
                    stream.assetIdentifier == "file" && stream.eventIdentifier == "file event"
                        && stream.starvedFrames == 0)
                #expect(stream.secondsAhead > 1)
                results.append(try stage.render(90_000, call: call)[0])
                let statistics = stage.engine.streamStatistics
                // The first third of a second lies in memory.
                #expect(
                    statistics.openStreams == 0 && statistics.framesRead == 300_000 - 16_384
                        && statistics.starvedFrames == 0)
                #expect(event.starvedFrameCount == 0 && stage.engine.lastError == nil)
            }
        }
        #expect(results[0] == results[1] && rms(results[0][1000..<70_000]) > 0.05)
    }

    @Test func `a file that is shorter than it was starves its player, and is told of once`() throws {
        let url = try waveFile([steps(100_000)])
        defer { try? FileManager.default.removeItem(at: url) }
        try play(.streamed, url) { stage, event in
            try FileHandle(forWritingTo: url).truncate(atOffset: 44 + 2 * 50_000)
            let out = try stage.render(90_000, call: 4096)[0]
            #expect(rms(out[40_000..<50_000]) > 0.2 && out[50_000...].allSatisfy { $0 == 0 })
            #expect(event.starvedFrameCount == 40_000 && stage.engine.streamStatistics.starvedFrames == 40_000)
            #expect(stage.engine.recordedErrors.count == 1 && "\(stage.engine.recordedErrors[0])".contains("50000"))
        }
    }

    @Test(arguments: [false, true]) func `a streamed sound goes on from another place as a resident one does`(
        loops: Bool
    ) throws {
        let url = try waveFile([steps(250_000)])
        defer { try? FileManager.default.removeItem(at: url) }
        var results: [[Float]] = []
        for type in [PHASEAsset.AssetType.resident, .streamed] {
            try play(type, url, loops: loops) { stage, event in
                _ = try stage.render(5000)
                for (place, time) in [(Int64(201_234), Int64(0)), (77, 30_017)] {
                    let voice = try TestFailure.unwrap(event.instance.voices.first)
                    stage.engine.control.locked {
                        stage.engine.control.spatial.player.restart(voice, at: place, leavingAt: time)
                        stage.engine.control.spatial.player.send(.seek(to: place, at: time), to: voice)
                    }
                    results.append(try stage.render(20_480)[0])
                }
                results.append(try stage.render(4096)[0])
                #expect(stage.engine.streamStatistics.openStreams == (type == .streamed ? 1 : 0))
                #expect(event.starvedFrameCount == 0)
            }
        }
        #expect(results.count == 6 && Array(results.prefix(3)) == Array(results.suffix(3)))
        #expect(results.allSatisfy { rms($0[...]) > 0.2 })
    }

    @Test func `at a device a disk that hangs makes streams starve, and stalls nobody`() throws {
        let url = try waveFile([steps(400_000)])
        defer { try? FileManager.default.removeItem(at: url) }
        let engine = PHASEEngine(updateMode: .automatic)
        try engine.assetRegistry.registerSoundAsset(
            url: url, identifier: "file", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
        let mono = try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono))
        let sampler = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "file", mixerDefinition: PHASEChannelMixerDefinition(channelLayout: mono))
        sampler.rate = 4
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        try engine.start()
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
        engine.control.spatial.player.readers.queue.suspend()
        event.start(completion: nil)
        func wait(_ isDone: () -> Bool) -> Bool {
            let end = Date().addingTimeInterval(20)
            while !isDone() && Date() < end { Thread.sleep(forTimeInterval: 0.002) }
            return isDone()
        }
        #expect(wait { engine.streamStatistics.starvedFrames > 0 && !engine.recordedErrors.isEmpty })
        #expect(event.starvedFrameCount > 0 && engine.streamStatistics.framesRead == 0)
        engine.control.spatial.player.readers.queue.resume()
        #expect(wait { engine.streamStatistics.framesRead > 0 })
        #expect(engine.recordedErrors.count == 1 && "\(engine.recordedErrors[0])".contains("file"))
        engine.stop()
        #expect(engine.streamStatistics.openStreams == 0)
    }
}
