import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// Measured rooms through the whole engine.
@Suite("Measured rooms") struct MeasuredRoomTests {
    /// Two channels of noise that fall by 60 dB in `seconds`, in a file.
    private static func file(in folder: TemporaryFolder, seconds: Double, height: Double = 0.5) throws -> URL {
        let url = folder.url.appendingPathComponent("hall-\(seconds).wav")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let count = Int(seconds * 48_000)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)))
        buffer.frameLength = AVAudioFrameCount(count)
        for channel in 0..<2 {
            let noise = Signal.noise(count: count, seed: UInt64(channel + 1), amplitude: height)
            for frame in 0..<count {
                buffer.floatChannelData?[channel][frame] =
                    noise[frame] * Float(exp(-6.907755 * Double(frame) / Double(count)))
            }
        }
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: buffer)
        return url
    }

    /// The answer to a click that is sent to the reverb only.
    private func tail(
        seconds: Double, at place: SIMD3<Float> = .zero, _ prepare: (Stage) throws -> Void
    ) throws -> [[Float]] {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        try prepare(stage)
        stage.listener.transform = .translation(place)
        try stage.register("click", [Signal.impulse(count: 64, height: 0.5)])
        let mixer = try stage.spatialMixer([.lateReverb])
        try stage.registerEvent("click", into: mixer)
        try stage.start()
        try stage.event("click event", mixer, stage.source(at: place + SIMD3(0, 0, -2))).start(completion: nil)
        return try stage.render(Int(seconds * 48_000))
    }

    private static func middle(_ channels: [[Float]]) -> Double {
        channels.reduce(0) { sum, channel in
            let octaves = Measure.octaveEnergies(of: channel)
            return sum + pow(10, octaves[4] / 10) + pow(10, octaves[5] / 10)
        }
    }

    @Test(
        "A measured room decays as its response, and its level is −6 dB re the direct sound at 1 m, whatever the file's"
    )
    func engine() throws {
        let folder = try TemporaryFolder()
        let preset = try tail(seconds: 2) { $0.engine.defaultReverbPreset = .largeRoom }
        for height in [0.9, 0.01] {
            let url = try Self.file(in: folder, seconds: 0.6, height: height)
            let out = try tail(seconds: 2) { stage in
                stage.engine.defaultReverbPreset = .cathedral
                try stage.engine.loadImpulseResponse(contentsOf: url)
                #expect(stage.engine.impulseResponseName == url.path)
            }
            let time = Measure.reverberationTimes(out, bands: [5])[0]
            #expect(abs(time / 0.6 - 1) < 0.1, "\(time) s")
            // A large room's late field has −2.9 dB.
            let ratio = 10 * log10(Self.middle(out) / Self.middle(preset))
            #expect(abs(ratio - -3.1) < 1.5, "\(ratio) dB")
        }
    }

    @Test("Unloaded, the preset sounds to the byte as if there had been none")
    func unload() throws {
        let folder = try TemporaryFolder()
        let url = try Self.file(in: folder, seconds: 0.3)
        let plain = try tail(seconds: 0.5) { $0.engine.defaultReverbPreset = .smallRoom }
        let unloaded = try tail(seconds: 0.5) { stage in
            stage.engine.defaultReverbPreset = .smallRoom
            try stage.engine.loadImpulseResponse(contentsOf: url)
            stage.engine.unloadImpulseResponse()
        }
        #expect(plain == unloaded)
    }

    @Test("A zone with a response has its decay within and the preset's outside")
    func zone() throws {
        let folder = try TemporaryFolder()
        let url = try Self.file(in: folder, seconds: 1)
        for (place, expected) in [(SIMD3<Float>(9, 0, 0), 1.0), (SIMD3(0, 0, 0), 0.35)] {
            let out = try tail(seconds: 2, at: place) { stage in
                stage.engine.defaultReverbPreset = .smallRoom
                let box = MDLMesh.newBox(
                    withDimensions: SIMD3(10, 10, 20), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
                    inwardNormals: false, allocator: nil)
                let zone = PHASEReverbZone(engine: stage.engine, shapes: [PHASEShape(engine: stage.engine, mesh: box)])
                try zone.loadImpulseResponse(contentsOf: url)
                zone.transform = .translation(SIMD3(10, 0, 0))
                try stage.engine.rootObject.addChild(zone)
            }
            let time = Measure.reverberationTimes(out, bands: [5])[0]
            #expect(abs(time / expected - 1) < 0.15, "\(place): \(time) s")
        }
    }

    @Test("With steady noise no change of room falls more than 1.5 dB below the softer of both")
    func handover() throws {
        let folder = try TemporaryFolder()
        let url = try Self.file(in: folder, seconds: 0.8)
        let stage = try Stage(mode: .alwaysUseChannelBased)
        stage.engine.defaultReverbPreset = .smallRoom
        try stage.register("noise", [Signal.noise(count: 480_000, seed: 8, amplitude: 0.2)])
        let mixer = try stage.spatialMixer([.lateReverb])
        try stage.registerEvent("noise", into: mixer)
        try stage.start()
        try stage.event("noise event", mixer, stage.source(at: SIMD3(0, 0, -2))).start(completion: nil)
        func levels(_ seconds: Double) throws -> [Double] {
            let out = try stage.render(Int(seconds * 48_000))
            return stride(from: 0, to: out[0].count - 4799, by: 4800).map { start in
                out.reduce(0) { $0 + Measure.energy($1[start..<start + 4800]) }
            }
        }
        func mean(_ values: some Collection<Double>) -> Double { values.reduce(0, +) / Double(values.count) }
        var before = mean(try levels(1).suffix(5))
        let changes: [(PHASEEngine) throws -> Void] = [
            { $0.defaultReverbPreset = .mediumChamber }, { try $0.loadImpulseResponse(contentsOf: url) },
            { $0.unloadImpulseResponse() }, { $0.defaultReverbPreset = .smallRoom },
        ]
        for (number, change) in changes.enumerated() {
            try change(stage.engine)
            let during = try levels(2)
            let after = mean(during.suffix(5))
            let dip = 10 * log10((during.min() ?? 0) / min(before, after))
            #expect(dip > -1.5, "change \(number): \(dip) dB")
            before = after
        }
    }

    @Test("A file that is none names what is wrong")
    func errors() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        #expect(throws: PHASEAssetError.self) {
            try stage.engine.loadImpulseResponse(contentsOf: URL(fileURLWithPath: "/nowhere/hall.wav"))
        }
        #expect(stage.engine.impulseResponseName == nil)
    }
}
