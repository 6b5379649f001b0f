import Foundation
import OssicleTestSupport
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

    private func scene(
        _ frequency: Double = 1000, at position: SIMD3<Float> = SIMD3(0, 0, -2), rolloff: Double? = 1,
        shapes: ((Stage) -> [PHASEShape])? = nil,
        mode: PHASESpatializationMode = .alwaysUseChannelBased
    ) throws -> Scene {
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
            let mesh = MDLMesh.newEllipsoid(
                withRadii: vector3(1, 1, 1), radialSegments: 48, verticalSegments: 24, geometryType: .triangles,
                inwardNormals: false,
                hemisphere: false, allocator: nil)
            return [PHASEShape(engine: stage.engine, mesh: mesh)]
        }
        let rows = try Table.load("volumetric-source-check.csv").rows.filter { $0["shape"] == "sphere_surface" }
        #expect(rows.count >= 2)
        for row in rows {
            let distance = Float(row.number("distance_from_centre_m"))
            let (point, shape) = (
                try scene(at: SIMD3(0, 0, -distance)), try scene(at: SIMD3(0, 0, -distance), shapes: sphere)
            )
            let difference = decibels(try shape.level() / point.level())
            #expect(
                abs(difference - row.number("level_db_re_point_at_centre")) < 0.3, "\(difference) dB at \(distance) m")
        }
    }

    // MARK: Transforms

    @Test func `scales multiply places below them, not levels`() throws {
        let scene = try scene(at: SIMD3(0, 0, -1))
        let full = try scene.level()
        let (outer, inner) = (PHASEObject(engine: scene.stage.engine), PHASEObject(engine: scene.stage.engine))
        try scene.stage.engine.rootObject.addChild(outer)
        try outer.addChild(inner)
        scene.stage.engine.rootObject.removeChild(scene.source)
        try inner.addChild(scene.source)
        outer.transform = scaled(2)
        inner.transform = scaled(1.5)
        #expect(abs(scene.source.worldTransform.columns.3.z + 3) < 1e-5)
        // Three times as far, and no louder for being three times as large.
        #expect(abs(decibels(try scene.level() / full) + 9.542) < 0.05)
        scene.source.transform = scaled(7) * .translation(SIMD3<Float>(0, 0, -1.0 / 21))
        #expect(abs(decibels(try scene.level() / full)) < 0.05)
        #expect(scene.stage.engine.lastError == nil)
    }

    private func scaled(_ factor: Float) -> simd_float4x4 { simd_float4x4(diagonal: SIMD4(factor, factor, factor, 1)) }

    @Test func `mirrors, shears and uneven scales are refused, each for its own reason`() throws {
        let scene = try scene()
        let before = scene.source.transform
        var shear = matrix_identity_float4x4
        shear.columns.1.x = 0.3
        let wrong = [
            simd_float4x4(diagonal: SIMD4(-1, 1, 1, 1)), scaled(-1), shear, simd_float4x4(diagonal: SIMD4(1, 2, 1, 1)),
            scaled(0),
        ]
        for matrix in wrong {
            let count = scene.stage.engine.recordedErrors.count
            scene.source.transform = matrix
            scene.source.worldTransform = matrix
            #expect(scene.source.transform == before)
            #expect(scene.stage.engine.recordedErrors.count == count + 2)
        }
        #expect(Set(scene.stage.engine.recordedErrors.map(\.localizedDescription)).count == 4)
        scene.source.transform = scaled(0.5)
        #expect(scene.source.transform == scaled(0.5))
    }

    @Test func `worldTransform puts a child where it says, whatever its parents are`() throws {
        let scene = try scene(at: SIMD3(0, 0, -1))
        let near = try scene.level()
        let parent = PHASEObject(engine: scene.stage.engine)
        try scene.stage.engine.rootObject.addChild(parent)
        parent.transform = .translation(SIMD3<Float>(3, -2, 5)) * .turn(1, about: SIMD3(0, 0.6, 0.8)) * scaled(2)
        scene.stage.engine.rootObject.removeChild(scene.source)
        try parent.addChild(scene.source)
        let wanted = simd_float4x4.translation(SIMD3<Float>(0, 0, -4)) * .turn(0.5)
        scene.source.worldTransform = wanted
        for (a, b) in [
            (scene.source.worldTransform.columns.0, wanted.columns.0),
            (scene.source.worldTransform.columns.3, wanted.columns.3),
        ] {
            #expect(simd_length(a - b) < 1e-5)
        }
        #expect(abs(decibels(try scene.level() / near) + 12.041) < 0.05)
        // The place in the parent stays when the parent moves.
        parent.transform = .translation(SIMD3<Float>(3, -2, 9)) * .turn(1, about: SIMD3(0, 0.6, 0.8)) * scaled(2)
        #expect(abs(scene.source.worldTransform.columns.3.z) < 1e-5)
    }

    @Test func `a listener below the source and a source below the listener keep their distance`() throws {
        let scene = try scene(at: SIMD3(0, 0, -2))
        let full = try scene.level()
        let root = scene.stage.engine.rootObject
        root.removeChild(scene.stage.listener)
        try scene.source.addChild(scene.stage.listener)
        scene.stage.listener.transform = .translation(SIMD3<Float>(0, 0, 2))
        scene.source.transform = .translation(SIMD3<Float>(50, 0, 0))
        #expect(abs(decibels(try scene.level() / full)) < 0.01)
        scene.source.removeChild(scene.stage.listener)
        root.removeChild(scene.source)
        try root.addChild(scene.stage.listener)
        try scene.stage.listener.addChild(scene.source)
        scene.source.transform = .translation(SIMD3<Float>(0, 0, -4))
        scene.stage.listener.transform = .translation(SIMD3<Float>(-70, 3, 1)) * .turn(2)
        #expect(abs(decibels(try scene.level() / full) + 6.0206) < 0.01)
    }

    @Test func `a copy has the settings, and neither parent nor children nor name`() throws {
        let scene = try scene(shapes: { [PHASEShape(engine: $0.engine, mesh: Self.wall)] })
        scene.source.gain = 0.25
        scene.source.name = "the original"
        let child = PHASEObject(engine: scene.stage.engine)
        try scene.source.addChild(child)
        let copy = try TestFailure.unwrap(scene.source.copy() as? PHASESource)
        #expect(
            copy.gain == 0.25 && copy.transform == scene.source.transform && copy.parent == nil && copy.children.isEmpty
        )
        #expect(copy.shapes.count == 1 && copy.shapes[0] === scene.source.shapes[0] && copy.name != "the original")
        copy.gain = 1
        #expect(scene.source.gain == 0.25)
        scene.stage.listener.gain = 0.5
        let ears = try TestFailure.unwrap(scene.stage.listener.copy() as? PHASEListener)
        #expect(ears.gain == 0.5 && ears.parent == nil)
        #expect(scene.stage.engine.lastError == nil)
    }

    // MARK: Obstacles

    private static var wall: MDLMesh {
        MDLMesh.newBox(
            withDimensions: vector3(40, 40, 0.1), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
    }

    @Test func `an occluder that moves, below a parent and while something plays, takes what its material does`() throws
    {
        let scene = try scene()
        let engine = scene.stage.engine
        let open = try scene.level()
        let shape = PHASEShape(
            engine: engine, mesh: Self.wall, materials: [PHASEMaterial(engine: engine, preset: .cardboard)])
        let (cart, occluder) = (PHASEObject(engine: engine), PHASEOccluder(engine: engine, shapes: [shape]))
        try cart.addChild(occluder)
        occluder.transform = .translation(SIMD3<Float>(0, 0, -1))
        cart.transform = .translation(SIMD3<Float>(100, 0, 0))
        try engine.rootObject.addChild(cart)
        #expect(abs(decibels(try scene.level() / open)) < 0.01)
        cart.transform = .translation(SIMD3<Float>(3, 0, 0))
        // 9.1 dB at 1 kHz.
        #expect(abs(decibels(try scene.level() / open) + 9.1) < 0.5)
        occluder.transform = .translation(SIMD3<Float>(0, 0, -30))
        #expect(abs(decibels(try scene.level() / open)) < 0.01)
    }

    @Test func `an element's material may change while something plays behind it`() throws {
        let scene = try scene()
        let engine = scene.stage.engine
        let open = try scene.level()
        let shape = PHASEShape(
            engine: engine, mesh: Self.wall, materials: [PHASEMaterial(engine: engine, preset: .cardboard)])
        let occluder = PHASEOccluder(engine: engine, shapes: [shape])
        occluder.transform = .translation(SIMD3<Float>(0, 0, -1))
        try engine.rootObject.addChild(occluder)
        #expect(abs(decibels(try scene.level() / open) + 9.1) < 0.5)
        for (preset, loss) in [(PHASEMaterialPreset.glass, 31.0), (.drywall, 40), (.cardboard, 9.1)] {
            shape.elements[0].material = PHASEMaterial(engine: engine, preset: preset)
            #expect(abs(decibels(try scene.level() / open) + loss) < 0.5)
        }
    }

    @Test func `elements take materials in turn, and shapes are shared`() throws {
        let engine = PHASEEngine(updateMode: .automatic)
        let mesh = Self.wall
        let submesh = try TestFailure.unwrap(mesh.submeshes?[0] as? MDLSubmesh)
        mesh.submeshes = NSMutableArray(array: [submesh, submesh, submesh])
        let materials = [PHASEMaterial(engine: engine, preset: .glass), PHASEMaterial(engine: engine, preset: .wood)]
        let shape = PHASEShape(engine: engine, mesh: mesh, materials: materials)
        #expect(shape.elements.map { $0.material === materials[0] } == [true, false, true])
        let (one, other) = (
            PHASEOccluder(engine: engine, shapes: [shape]), PHASESource(engine: engine, shapes: [shape])
        )
        #expect(one.shapes[0] === other.shapes[0])
        let copy = try TestFailure.unwrap(shape.copy() as? PHASEShape)
        copy.elements[0].material = nil
        #expect(shape.elements[0].material === materials[0] && copy.elements[1].material === materials[1])
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
