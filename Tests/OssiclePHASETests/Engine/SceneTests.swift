import OssicleTestKit
import PHASE
import Testing

/// Gains, units, trees of objects, extended and moving sources.
@Suite struct SceneTests {
    private struct Scene {
        let stage: Stage
        let source: PHASESource
        let event: PHASESoundEvent

        /// Power level over both channels, once all ramps and delays are through.
        func level() throws -> Double {
            let out = try stage.render(24_576)
            return out.map { rms($0[16_384...]) }.map { $0 * $0 }.reduce(0, +).squareRoot()
        }
    }

    private func scene(_ frequency: Double = 1000, at position: SIMD3<Float> = SIMD3(0, 0, -2), rolloff: Double? = 1, shapes: ((Stage) -> [PHASEShape])? = nil,
                       mode: PHASESpatializationMode = .alwaysUseChannelBased) throws -> Scene {
        let stage = try Stage(mode: mode)
        try stage.register("tone", [sine(frequency, 48_000, amplitude: 0.1)])
        let mixer = try stage.spatialMixer(rolloff: rolloff)
        try stage.registerEvent("tone", into: mixer, loops: true)
        let source = try stage.source(at: position, shapes: shapes?(stage))
        try stage.start()
        let event = try stage.event("tone event", mixer, source)
        event.start(completion: nil)
        return Scene(stage: stage, source: source, event: event)
    }

    @Test func `source and listener gain are amplitudes`() throws {
        let scene = try scene()
        let full = try scene.level()
        scene.source.gain = 0.5
        #expect(abs(decibels(try scene.level() / full) + 6.0206) < 0.01)
        scene.stage.listener.gain = 0.1
        #expect(abs(decibels(try scene.level() / full) + 26.0206) < 0.01)
        scene.stage.listener.gain = 0
        #expect(try scene.level() == 0)
    }

    @Test func `unitsPerMeter scales every length`() throws {
        let scene = try scene(at: SIMD3(0, 0, -1))
        let near = try scene.level()
        scene.stage.engine.unitsPerMeter = 100
        scene.source.transform = .translation(SIMD3(0, 0, -400))
        #expect(abs(decibels(try scene.level() / near) + 12.041) < 0.05)
    }

    @Test func `children move with their parents`() throws {
        let scene = try scene(at: SIMD3(0, 0, -1))
        let near = try scene.level()
        let (outer, inner) = (PHASEObject(engine: scene.stage.engine), PHASEObject(engine: scene.stage.engine))
        try scene.stage.engine.rootObject.addChild(outer)
        try outer.addChild(inner)
        scene.stage.engine.rootObject.removeChild(scene.source)
        try inner.addChild(scene.source)
        #expect(abs(decibels(try scene.level() / near)) < 0.01)
        outer.transform = .translation(SIMD3(0, 0, -1))
        #expect(abs(decibels(try scene.level() / near) + 6.02) < 0.05)
        inner.transform = .translation(SIMD3(0, 0, -2))
        #expect(abs(decibels(try scene.level() / near) + 12.04) < 0.05)
        #expect(scene.source.worldTransform.columns.3.z == -4)
    }

    @Test func `a listener that is taken out and put back hears again`() throws {
        let scene = try scene()
        let full = try scene.level()
        scene.stage.engine.rootObject.removeChild(scene.stage.listener)
        #expect(try scene.level() == 0)
        #expect(scene.event.renderingState == .started)
        try scene.stage.engine.rootObject.addChild(scene.stage.listener)
        #expect(abs(decibels(try scene.level() / full)) < 0.01)
    }

    @Test func `volumetric sources have the levels of the table`() throws {
        let sphere: (Stage) -> [PHASEShape] = { stage in
            let mesh = MDLMesh.newEllipsoid(withRadii: vector3(1, 1, 1), radialSegments: 48, verticalSegments: 24, geometryType: .triangles, inwardNormals: false,
                                            hemisphere: false, allocator: nil)
            return [PHASEShape(engine: stage.engine, mesh: mesh)]
        }
        let rows = try Table.load("volumetric-source-check.csv").rows.filter { $0["shape"] == "sphere_surface" }
        #expect(rows.count >= 2)
        for row in rows {
            let distance = Float(row.number("distance_from_centre_m"))
            let (point, shape) = (try scene(at: SIMD3(0, 0, -distance)), try scene(at: SIMD3(0, 0, -distance), shapes: sphere))
            let difference = decibels(try shape.level() / point.level())
            #expect(abs(difference - row.number("level_db_re_point_at_centre")) < 0.3, "\(difference) dB at \(distance) m")
        }
    }

    // MARK: Motion

    /// The source of a 1 kHz tone on a line through (x, 0, z), at `speed` m/s along the direction, moved by the client every `step` frames.
    private func ride(_ scene: Scene, from start: SIMD3<Float>, velocity: SIMD3<Float>, frames: Int, step: Int = 512) throws -> [[Float]] {
        var out: [[Float]] = [[], []]
        for position in stride(from: 0, to: frames, by: step) {
            scene.source.transform = .translation(start + velocity * Float(position) / 48_000)
            for (channel, part) in try scene.stage.render(step, call: step).enumerated() { out[channel] += part }
        }
        return out
    }

    @Test(arguments: [512, 800, 1024], [10, 30, -30])
    func `a listener coming or going at constant speed hears 1 + v over c`(step: Int, speed: Float) throws {
        let scene = try scene(at: SIMD3(0, 0, 0), rolloff: nil)
        let start = SIMD3<Float>(0, 0, speed > 0 ? 60 : 5)
        var out: [Float] = []
        for position in stride(from: 0, to: 60_000, by: step) {
            scene.stage.listener.transform = .translation(start + SIMD3(0, 0, -speed) * Float(position) / 48_000)
            out += try scene.stage.render(step, call: step)[0]
        }
        let ratio = 1 + Double(speed) / 343.2
        let tone = Measure.pitch(near: 1000 * ratio, in: Array(out[20_000..<50_000]))
        #expect(abs(1200 * log2(tone.frequency / 1000 / ratio)) < 1)
        #expect(tone.signalToNoise > 40)
    }

    @Test(arguments: [PHASESpatializationMode.alwaysUseChannelBased, .alwaysUseBinaural])
    func `a source that passes at 10 m per second sounds clean`(mode: PHASESpatializationMode) throws {
        let start = SIMD3<Float>(-10, 0, -2)
        let scene = try scene(at: start, mode: mode)
        let out = try ride(scene, from: start, velocity: SIMD3(10, 0, 0), frames: 96_256)
        for channel in out {
            // Doppler is at most 3 %. Straight pieces of one update's length in place of the true curve put sidebands at multiples of
            // 94 Hz around it; behind the third they are below −70 dB, with ears below −65 dB.
            #expect(Measure.energyOutside(700, 1300, in: Array(channel[8192...])) < (mode == .alwaysUseBinaural ? -65 : -70))
        }
    }

    @Test func `a source that is put elsewhere does not sweep there`() throws {
        let scene = try scene(at: SIMD3(0, 0, -1), rolloff: nil)
        _ = try scene.stage.render(24_576)
        scene.source.transform = .translation(SIMD3(0, 0, -60))
        let out = try scene.stage.render(24_576)[0]
        // 59 m in one update would be a glissando; a cross-fade of one quantum leaves the tone a tone on both sides.
        #expect(Measure.energyOutside(800, 1250, in: Array(out[256...])) < -60)
    }

    @Test func `no units or places, however absurd, make sound that is not finite`() throws {
        let scene = try scene(rolloff: 2, mode: .alwaysUseBinaural)
        for units in [0, .infinity, .nan, -1, 1e300, 1e-300] as [Double] {
            scene.stage.engine.unitsPerMeter = units
            for place in [SIMD3<Float>(0, 0, 0), SIMD3(1e30, 0, 0), SIMD3(3e38, 3e38, 3e38), SIMD3(1e-30, 0, 0)] {
                scene.source.transform = .translation(place)
                let isFinite = try scene.stage.render(1024).joined().allSatisfy(\.isFinite)
                #expect(isFinite, "\(units) units, \(place)")
            }
        }
        scene.stage.engine.unitsPerMeter = 1
        scene.source.transform = .translation(SIMD3(0, 0, -2))
        #expect(try scene.level() > 0.01)
    }
}
