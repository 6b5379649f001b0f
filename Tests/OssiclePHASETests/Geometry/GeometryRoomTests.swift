import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing

/// The late field of a scene, against the theory of diffuse fields, and against presets.
@Suite struct GeometryRoomTests {
    /// 6 × 3 × 5 m, α = 0.2, every reflection scattered: as diffuse as a box can be.
    private static let size = SIMD3<Float>(6, 3, 5)
    private static let (volume, surface, absorption) = (90.0, 126.0, 0.2)
    private static var eyring: Double { 24 * log(10.0) / 343.2 * volume / (-surface * log(1 - absorption)) }

    private func tail(_ box: BoxStage, seconds: Double) throws -> [[Float]] {
        try box.play(
            Signal.impulse(count: 64, height: 0.5), at: SIMD3(-1.1, 0.2, -0.9), flags: [.lateReverb], loops: false)
        return try box.stage.render(Int(seconds * 48_000))
    }

    private func room(_ quality: PHASEAcousticsQuality = .medium) throws -> BoxStage {
        let box = try BoxStage(mode: .alwaysUseChannelBased, quality: quality)
        try box.add(Self.size, at: .zero, box.material(absorption: Self.absorption, scattering: 1), isRoom: true)
        box.stage.listener.transform = .translation(SIMD3(1.2, -0.1, 1.3))
        return box
    }

    @Test func `the tail decays as theory has it, within 10 per cent`() throws {
        let times = Measure.reverberationTimes(try tail(room(), seconds: 1.2), bands: [4, 5, 6])
        for time in times { #expect(abs(time / Self.eyring - 1) < 0.1, "\(time) s for \(Self.eyring) s") }
    }

    // A preset's level is a diffuse field's by its own table; so the two are compared through the same output, whatever
    // that makes of a diffuse field.
    @Test func `the tail is as loud as the energy balance has it, within 1.5 dB`() throws {
        let heard = try tail(room(), seconds: 1.5)
        let reference = try Stage(mode: .alwaysUseChannelBased)
        reference.engine.defaultReverbPreset = .mediumRoom
        try reference.register("click", [Signal.impulse(count: 64, height: 0.5)])
        let mixer = try reference.spatialMixer([.lateReverb])
        try reference.registerEvent("click", into: mixer)
        try reference.start()
        try reference.event("click event", mixer, reference.source(at: SIMD3(0, 0, -2))).start(completion: nil)
        let known = try reference.render(96_000)
        let row = try TestFailure.unwrap(
            try Table.load("reverb-presets.csv").rows.first { $0["preset"] == "mediumRoom" })
        func level(_ out: [[Float]], _ band: Int) -> Double {
            10 * log10(out.reduce(0) { $0 + pow(10, Measure.octaveEnergies(of: $1)[band] / 10) })
        }
        // The direct sound passes a source at 1 m. All that walls scatter is the tail's: it follows the direct sound at
        // 3.2 m.
        let start = 3.2 / 343.2
        let expected =
            10
            * log10(4 * Double.pi * 343.2 / Self.volume * Self.eyring / 13.8155 * exp(-13.8155 * start / Self.eyring))
        let difference = (4...5).reduce(0) { $0 + level(heard, $1) - level(known, $1) } / 2
        #expect(
            abs(difference - (expected - row.number("late_level_db_re_direct_1m"))) < 1.5,
            "\(difference) dB for \(expected - row.number("late_level_db_re_direct_1m")) dB")
    }

    @Test func `metrics read as the diffuse room they are of`() throws {
        let box = try room()
        let (source, _) = try box.play([0], at: SIMD3(-1.1, 0.2, -0.9), flags: [.lateReverb], loops: false)
        let metrics = try box.engine.roomMetrics(from: source, to: box.stage.listener)
        let (t, c80) = (metrics.t20[5], metrics.c80[5])
        #expect(abs(t / Self.eyring - 1) < 0.08, "\(t) s")
        // Direct sound at 3.2 m and a diffuse field from the start.
        let field = 4 * Double.pi * 343.2 / Self.volume * Self.eyring / 13.8155
        let late = field * exp(-13.8155 * 0.0893 / Self.eyring)
        #expect(
            abs(c80 - 10 * log10((1 / 10.2 + field * exp(-13.8155 * 0.0093 / Self.eyring) - late) / late)) < 1.5,
            "\(c80) dB")
        #expect(metrics.sti > 0.5 && metrics.sti < 0.85 && metrics.escapedShare < 0.01)
        let stranger = PHASESource(engine: box.engine)
        #expect(throws: PHASEError.self) { try box.engine.roomMetrics(from: stranger, to: box.stage.listener) }
    }

    @Test func `a mode that changes while sound plays does not click`() throws {
        let box = try BoxStage(mode: .alwaysUseChannelBased, quality: .low)
        try box.add(Self.size, at: .zero, box.material(absorption: Self.absorption, scattering: 0.2), isRoom: true)
        box.stage.listener.transform = .translation(SIMD3(1.2, -0.1, 1.3))
        box.engine.acousticsMode = .preset
        box.engine.defaultReverbPreset = .mediumRoom
        try box.play(
            sine(1000, 48_000), at: SIMD3(-1.1, 0.2, -0.9), flags: [.directPathTransmission, .earlyReflections])
        var heard = try box.stage.render(24_576)
        for mode in [PHASEEngine.AcousticsMode.geometry, .preset] {
            box.engine.acousticsMode = mode
            for (channel, samples) in try box.stage.render(24_576).enumerated() { heard[channel] += samples }
        }
        // Reflections come and go within 10 to 85 ms. Steps, or delays that sweep while they fall silent, stand above
        // −30 dB.
        for channel in heard { #expect(Measure.energyOutside(700, 1300, in: Array(channel[8192...])) < -50) }
    }

    @Test func `while somebody listens rays are traced beside, and the room is heard when they are back`() async throws
    {
        let engine = PHASEEngine(updateMode: .automatic)
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
        (engine.acousticsMode, engine.acousticsQuality, engine.acousticsBudget) = (.geometry, .low, 10)
        let mesh = MDLMesh.newBox(
            withDimensions: Self.size, segments: vector_uint3(1, 1, 1), geometryType: .triangles, inwardNormals: true,
            allocator: nil)
        try engine.rootObject.addChild(PHASEOccluder(engine: engine, shapes: [PHASEShape(engine: engine, mesh: mesh)]))
        let (source, listener) = (PHASESource(engine: engine), PHASEListener(engine: engine))
        for object in [source, listener] as [PHASEObject] { try engine.rootObject.addChild(object) }
        let silence = Data(count: 4 * 4800)
        try engine.assetRegistry.registerSoundAsset(
            data: silence, identifier: "sound",
            format: try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)),
            normalizationMode: .none)
        let mixer = PHASESpatialMixerDefinition(
            spatialPipeline: try TestFailure.unwrap(PHASESpatialPipeline(flags: [.lateReverb])))
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "sound", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event", mixerParameters: parameters)
        try engine.start()
        event.start(completion: nil)
        // Who waits here waits for a thread, not for a speed: a machine that is late is late.
        var rounds = 0
        while engine.acousticsReport.simulations == 0 || engine.explain(event).voices.first?.reverbTimes == nil,
            rounds < 6000
        {
            rounds += 1
            try await Task.sleep(for: .milliseconds(10))
        }
        let report = engine.acousticsReport
        let times = try TestFailure.unwrap(engine.explain(event).voices.first?.reverbTimes)
        #expect(report.simulations > 0 && report.lastDuration ?? 0 > 0 && !report.isDegraded && times[5] > 0.1)
        engine.stop()
    }
}
