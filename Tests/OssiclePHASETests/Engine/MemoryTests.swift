#if os(Linux)
import Foundation
import OssicleTestSupport
import PHASE
import Synchronization
import Testing

/// What long rendering keeps. In processes of their own, because tests that run at the same time share one.
@Suite struct MemoryTests {
    /// Bytes the process may grow by after the first seconds. The heap breathes, and the system's queues keep up to
    /// 1,023 used-up closures per worker thread; one kept event is some hundred kilobytes with a spatial mixer, and
    /// some ten with a channel mixer.
    private static let tolerance = 2 << 20

    private static func render(_ stage: Stage, seconds: Double, each step: (Int) throws -> Void) throws {
        let buffer = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 512))
        for call in 0..<Int(seconds * 48_000 / 512) {
            try step(call)
            try stage.engine.renderOffline(512, to: buffer)
        }
    }

    @Test func `ten minutes of rendering keep nothing after the first second`() async {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            stage.engine.defaultReverbPreset = .mediumRoom
            try stage.register("noise", [Signal.noise(count: 100_000, amplitude: 0.1)], rate: 44_100)
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
            try stage.registerEvent("noise", into: mixer, loops: true)
            let source = try stage.source(at: SIMD3(0, 0, -2))
            try stage.start()
            try stage.event("noise event", mixer, source).start(completion: nil)
            func go(_ seconds: Double) throws {
                try MemoryTests.render(stage, seconds: seconds) { call in
                    source.transform = .translation(SIMD3(3 * Float(sin(Double(call) / 50)), 0, -2))
                }
            }
            try go(1)
            let before = try HeapUse.bytes()
            var growth: [Int] = []
            for _ in 0..<10 {
                try go(59.9)
                growth.append(try HeapUse.bytes() - before)
            }
            // The system's queues keep some used-up closures; a leak would go on.
            #expect(growth[9] < 1 << 18, "\(growth) bytes")
        }
    }

    @Test func `ten minutes of a busy scene keep nothing after the first seconds`() async {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            let engine = stage.engine
            engine.defaultReverbPreset = .mediumRoom
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString).wav")
            let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
            let sound = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 200_000))
            sound.frameLength = 200_000
            for (index, sample) in Signal.noise(count: 200_000, amplitude: 0.1).enumerated() {
                sound.floatChannelData?[0][index] = sample
            }
            let file = try AVAudioFile(forWriting: url, settings: format.settings)
            try file.write(from: sound)
            file.close()
            try engine.assetRegistry.registerSoundAsset(
                url: url, identifier: "stream", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
            try stage.register("tick", [sine(1000, 4800)])
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
            try stage.registerEvent("stream", into: mixer, loops: true)
            try stage.registerEvent("tick", into: mixer)
            let source = try stage.source(at: SIMD3(0, 0, -2))
            try stage.start()
            try stage.event("stream event", mixer, source).start(completion: nil)
            func go(_ seconds: Double) throws {
                try MemoryTests.render(stage, seconds: seconds) { call in
                    source.transform = .translation(SIMD3(3 * Float(sin(Double(call) / 50)), 0, -2))
                    if call % 47 == 0 { try stage.event("tick event", mixer, source).start { _ in } }
                }
            }
            // An event is kept until its travel and its strip's tail are over, some two seconds.
            try go(5)
            let before = try HeapUse.bytes()
            try go(595)
            let growth = try HeapUse.bytes() - before
            try? FileManager.default.removeItem(at: url)
            #expect(growth < MemoryTests.tolerance, "\(growth) bytes")
        }
    }

    @Test func `a minute of sources and events that come and go, 500 a second, leaves nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            try stage.register("tick", [sine(1000, 480)])
            let mixer = try stage.spatialMixer(rolloff: 1)
            try stage.registerEvent("tick", into: mixer)
            try stage.start()
            let engine = stage.engine
            let ended = Mutex(0)
            var sources: [[PHASESource]] = []
            var made = 0
            func go(_ seconds: Double) throws {
                try MemoryTests.render(stage, seconds: seconds) { call in
                    // Five or six in each call of 512 frames, gone from the scene when their events are over.
                    let new = try (0..<(call % 3 == 0 ? 6 : 5)).map {
                        try stage.source(at: SIMD3(Float($0) - 2, 0, -2))
                    }
                    for source in new {
                        try stage.event("tick event", mixer, source).start { _ in ended.withLock { $0 += 1 } }
                    }
                    made += new.count
                    sources.append(new)
                    if sources.count > 4 { sources.removeFirst().forEach { engine.rootObject.removeChild($0) } }
                }
                sources.joined().forEach { engine.rootObject.removeChild($0) }
                sources = []
                // Travel and fades end some tenths of a second after the sound.
                try MemoryTests.render(stage, seconds: 0.5) { _ in }
                engine.drainCallbacks()
            }
            // The heap and the queues have their size after some five seconds.
            try go(10)
            let before = try HeapUse.bytes()
            try go(60)
            let growth = try HeapUse.bytes() - before
            // The heap was seen to breathe by 1 to 5 MB. An event that were kept would be hundreds of kilobytes, and
            // there are 30,000; 16 MiB are some 500 bytes for each.
            #expect(growth < 8 * MemoryTests.tolerance, "\(growth) bytes")
            #expect(made > 34_000 && ended.withLock { $0 } == made)
            #expect(engine.soundEvents.isEmpty)
            // The listener is all that is left.
            #expect(engine.rootObject.children.count == 1)
        }
    }

    @Test
    func `two thousand spatial events take the memory of those that are heard, and give it back when the engine stops`()
        async
    {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            try stage.register("tone", [sine(500, 4800)])
            let mixer = try stage.spatialMixer(rolloff: 1)
            try stage.registerEvent("tone", into: mixer, loops: true)
            try stage.start()
            let sources = try (0..<2000).map { try stage.source(at: SIMD3(0, 0, -1 - Float($0) / 100)) }
            let before = try HeapUse.bytes()
            for source in sources { try stage.event("tone event", mixer, source).start(completion: nil) }
            _ = try stage.render(512)
            let playing = try HeapUse.bytes() - before
            stage.engine.stop()
            let stopped = try HeapUse.bytes() - before
            // Some 0.6 MB for each that is heard, of which there are 512, and some 20 kB for each of the others.
            #expect(playing < 400 << 20, "\(playing) bytes")
            #expect(stopped < 64 << 20, "\(stopped) bytes")
        }
    }

    @Test func `ten thousand events leave nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let stage = try Stage()
            try stage.register("tick", [sine(1000, 480)])
            try stage.registerEvent("tick", into: stage.channelMixer())
            try stage.start()
            func go(_ seconds: Double) throws {
                // Five or six events in each call of 512 frames: 500 a second.
                try MemoryTests.render(stage, seconds: seconds) { call in
                    for _ in 0..<(call % 3 == 0 ? 6 : 5) { try stage.event("tick event").start { _ in } }
                }
                try MemoryTests.render(stage, seconds: 0.5) { _ in }
            }
            try go(1)
            let before = try HeapUse.bytes()
            try go(20)
            let growth = try HeapUse.bytes() - before
            #expect(growth < MemoryTests.tolerance, "\(growth) bytes")
            #expect(stage.engine.soundEvents.isEmpty)
        }
    }
}
#endif
