import Foundation
import OssiclePHASE

/// A transform with one number everywhere but in the last row.
private func transform(_ x: Float) -> simd_float4x4 {
    simd_float4x4(SIMD4(x, 0, 0, 0), SIMD4(0, x, 0, 0), SIMD4(0, 0, x, 0), SIMD4(x, x, x, 1))
}

/// PHASE: engine, objects, groups.
let sceneCases: [MisuseCase] = [
    MisuseCase("scene: transforms that are none") {
        let scene = try OfflineScene(), other = PHASEObject(engine: scene.engine)
        for object in [scene.source, scene.listener, other] as [PHASEObject] {
            let before = object.transform
            try exercise(
                object,
                [
                    Setting("transform") { $0.transform = transform($1) },
                    Setting("worldTransform") { $0.worldTransform = transform($1) },
                ],
                values: Hostile.floats
            ) { try scene.render(256) }
            object.transform = simd_float4x4(SIMD4(0, 0, 0, 0), SIMD4(0, 0, 0, 0), SIMD4(0, 0, 0, 0), SIMD4(0, 0, 0, 0))
            try scene.render(256)
            object.transform = before
        }
        try scene.expectAudible("transforms")
    },
    MisuseCase("scene: impulse responses that are none") {
        let scene = try OfflineScene(), folder = try Folder()
        let zone = PHASEReverbZone(engine: scene.engine, shapes: [])
        let silent = try folder.sound(frames: 100).url
        for url in [silent, folder.url, URL(fileURLWithPath: "/nowhere/hall.wav")] {
            for level in Hostile.doubles {
                try expectThrown("\(url.lastPathComponent) at \(level) dB") {
                    try scene.engine.loadImpulseResponse(contentsOf: url, level: level)
                }
            }
            try expectThrown("\(url.lastPathComponent) for a zone") { try zone.loadImpulseResponse(contentsOf: url) }
        }
        scene.engine.unloadImpulseResponse()
        zone.unloadImpulseResponse()
        _ = try scene.render(256)
    },
    MisuseCase("scene: properties of engine, source, listener, group, mixer and zone") {
        let scene = try OfflineScene(), engine = scene.engine, render = { _ = try scene.render(256) }
        try exercise(
            engine,
            [
                Setting("unitsPerMeter", \.unitsPerMeter), Setting("unitsPerSecond", \.unitsPerSecond),
                Setting("acousticsBudget") { $0.acousticsBudget = $1 },
                Setting("defaultMedium") {
                    $0.defaultMedium = PHASEMedium(engine: $0, temperature: $1, humidity: $1, pressure: $1)
                },
            ],
            values: Hostile.doubles, render)
        engine.unitsPerMeter = 1
        engine.unitsPerSecond = 1
        try exercise(scene.source, [Setting("gain", \.gain)], values: Hostile.doubles, render)
        try exercise(scene.listener, [Setting("gain", \.gain)], values: Hostile.doubles, render)
        try exercise(
            scene.group,
            [
                Setting("gain", \.gain), Setting("rate", \.rate),
                Setting("fadeGain") { $0.fadeGain(gain: $1, duration: $1, curveType: .sine) },
                Setting("fadeRate") { $0.fadeRate(rate: $1, duration: $1, curveType: .linear) },
            ], values: Hostile.doubles, render)
        let box = MDLMesh(
            boxWithExtent: SIMD3(4, 4, 4), segments: SIMD3(1, 1, 1), inwardNormals: false, geometryType: .triangles,
            allocator: nil)
        let zone = PHASEReverbZone(engine: engine, shapes: [PHASEShape(engine: engine, mesh: box)])
        try engine.rootObject.addChild(zone)
        try exercise(
            zone, [Setting("borderWidth", \.borderWidth), Setting("level", \.level)], values: Hostile.doubles, render)
        try exercise(zone, [Setting("priority", \.priority)], values: Hostile.integers, render)
        try exercise(
            engine,
            [
                Setting("maximumVoiceCount") { $0.maximumVoiceCount = $1 },
                Setting("maximumFullVoiceCount") { $0.maximumFullVoiceCount = $1 },
                Setting("renderThreadCount") { $0.renderThreadCount = $1 },
                Setting("randomSeed") { $0.randomSeed = UInt64(bitPattern: Int64($1)) },
                Setting("acousticsQuality") {
                    $0.acousticsQuality = PHASEAcousticsQuality(
                        rays: $1, bounces: $1, reflectionOrder: $1, reflections: $1, edges: $1)
                },
            ],
            values: Hostile.integers, render)
    },
    MisuseCase("scene: families that cannot be") {
        let scene = try OfflineScene(), root = scene.engine.rootObject, other = PHASEEngine(updateMode: .manual)
        let (parent, child) = (PHASEObject(engine: scene.engine), PHASEObject(engine: scene.engine))
        try root.addChild(parent)
        try parent.addChild(child)
        try expectThrown("a child of itself") { try parent.addChild(parent) }
        try expectThrown("a child of its own child") { try child.addChild(parent) }
        try expectThrown("the root as a child") { try child.addChild(root) }
        try expectThrown("the child of another engine") { try root.addChild(PHASEObject(engine: other)) }
        try expect(parent.parent === root && child.parent === parent && root.parent == nil, "the tree is another")
        note("strangers are removed")
        child.removeChild(root)
        child.removeChild(child)
        root.removeChild(child)
        child.removeChildren()
        _ = (child.copy(), parent.copy(), scene.source.copy(), scene.listener.copy())
        try scene.expectAudible("what was refused")
        note("a line of 5000 objects")
        var last = child
        for _ in 0..<5000 {
            let next = PHASEObject(engine: scene.engine)
            try last.addChild(next)
            last = next
        }
        _ = last.worldTransform
        try last.addChild(PHASESource(engine: scene.engine))
        try scene.render()
        root.removeChildren()
        try scene.render()
    },
    MisuseCase("scene: start, stop, pause, update and render in any order") {
        let scene = try OfflineScene(), engine = scene.engine
        var random = SeededNumbers(seed: 5)
        for _ in 0..<200 {
            let step = random.next(7)
            note("step \(step)")
            switch step {
            case 0: try engine.start()
            case 1: engine.stop()
            case 2: engine.pause()
            case 3: engine.update()
            case 4: try? scene.render(64)
            case 5: scene.event.start(completion: nil)
            default: _ = (engine.renderingState, engine.soundEvents, engine.lastRenderTime)
            }
        }
        try engine.start()
        _ = try engine.explain(scene.event).description
        let again = try OfflineScene.event(
            "event", engine, mixer: scene.mixer, source: scene.source, listener: scene.listener)
        again.start(completion: nil)
        try scene.expectAudible("200 calls")
    },
    MisuseCase("scene: objects outlive their engine") {
        var scene: OfflineScene? = try OfflineScene()
        guard let source = scene?.source, let listener = scene?.listener, let event = scene?.event,
            let group = scene?.group, let mixer = scene?.mixer
        else { return }
        try scene?.render()
        scene = nil
        note("the engine is gone")
        source.transform = transform(2)
        source.gain = 0.5
        listener.gain = 0.1
        event.start(completion: nil)
        event.pause()
        event.resume()
        event.seek(to: 1, completion: nil)
        event.stopAndInvalidate()
        group.gain = 0.3
        group.fadeGain(gain: 0, duration: 1, curveType: .linear)
        group.unregisterFromEngine()
        _ = (source.worldTransform, source.parent, event.mixers, event.metaParameters, event.renderingState, mixer.gain)
        try? source.addChild(listener)
    },
    MisuseCase("scene: groups, duckers and presets") {
        let scene = try OfflineScene(), other = PHASEEngine(updateMode: .manual)
        scene.group.register(engine: scene.engine)
        scene.group.register(engine: other)
        for name in Hostile.names {
            let group = PHASEGroup(identifier: name)
            group.register(engine: scene.engine)
            PHASEGroup(identifier: name).register(engine: scene.engine)
            group.unregisterFromEngine()
            group.unregisterFromEngine()
        }
        for value in Hostile.doubles {
            note("ducker and preset of \(value)")
            let ducker = PHASEDucker(
                engine: scene.engine, sourceGroups: [scene.group], targetGroups: [scene.group], gain: value,
                attackTime: value, releaseTime: value,
                attackCurve: .sine, releaseCurve: .linear)
            ducker.activate()
            ducker.activate()
            let setting = PHASEGroupPresetSetting(
                gain: value, rate: value, gainCurveType: .linear, rateCurveType: .sine)
            let preset = PHASEGroupPreset(
                engine: scene.engine, settings: ["group": setting, "": setting, "nobody": setting], timeToTarget: value,
                timeToReset: value)
            preset.activate(timeToTargetOverride: value)
            try scene.render()
            preset.deactivate(timeToResetOverride: value)
            ducker.deactivate()
            ducker.deactivate()
            try scene.render()
        }
    },
]
