import OssicleTestSupport
import PHASE
import Testing

/// The nodes of a sound event's tree, by what comes out of the engine.
@Suite struct TreeTests {
    /// A stage with constant sounds: the value in the output tells which one plays.
    private func stage(_ sounds: [String: Float], frames: Int = 256) throws -> Stage {
        let stage = try Stage()
        for (name, value) in sounds.sorted(by: { $0.key < $1.key }) {
            try stage.register(name, [[Float](repeating: value, count: frames)])
        }
        try stage.start()
        return stage
    }

    private func sampler(_ sound: String, _ stage: Stage, loops: Bool = false) throws -> PHASESamplerNodeDefinition {
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: sound, mixerDefinition: try stage.channelMixer())
        sampler.playbackMode = loops ? .looping : .oneShot
        return sampler
    }

    private func register(_ root: PHASESoundEventNodeDefinition, _ stage: Stage, as name: String = "tree") throws {
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: root, identifier: name)
    }

    @Test func `a random node draws two to one`() throws {
        let stage = try stage(["a": 0.125, "b": 0.25])
        let random = PHASERandomNodeDefinition()
        random.addSubtree(try sampler("a", stage), weight: 2)
        random.addSubtree(try sampler("b", stage), weight: 1)
        try register(random, stage)
        var counts: [Float: Int] = [:]
        for _ in 0..<600 {
            try stage.event("tree").start(completion: nil)
            counts[try stage.render(256, call: 256)[0][100], default: 0] += 1
        }
        // 400 expected; the standard deviation is 11.5.
        #expect(counts.keys.sorted() == [0.125, 0.25])
        #expect((360...440).contains(counts[0.125] ?? 0))
    }

    @Test func `a random node with a queue does not repeat itself`() throws {
        let stage = try stage(["a": 0.125, "b": 0.25, "c": 0.5])
        let random = PHASERandomNodeDefinition()
        for name in ["a", "b", "c"] { random.addSubtree(try sampler(name, stage), weight: 1) }
        random.uniqueSelectionQueueLength = 2
        try register(random, stage)
        var heard: [Float] = []
        for _ in 0..<60 {
            try stage.event("tree").start(completion: nil)
            heard.append(try stage.render(256, call: 256)[0][100])
        }
        for index in 2..<heard.count { #expect(Set(heard[index - 2...index]).count == 3) }
    }

    @Test func `a switch chooses at the trigger and keeps to it`() throws {
        let stage = try stage(["grass": 0.125, "wood": 0.25], frames: 4096)
        let terrain = PHASEStringMetaParameterDefinition(value: "grass", identifier: "terrain")
        let node = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
        node.addSubtree(try sampler("grass", stage), switchValue: "grass")
        node.addSubtree(try sampler("wood", stage), switchValue: "wood")
        try register(node, stage)
        func trigger(_ text: String?, then later: String? = nil) throws -> [Float] {
            let event = try stage.event("tree")
            if let text { event.metaParameters["terrain"]?.value = text }
            event.start(completion: nil)
            let start = try stage.render(2048)[0]
            if let later { event.metaParameters["terrain"]?.value = later }
            return start + (try stage.render(2048)[0])
        }
        #expect(try trigger(nil, then: "wood").allSatisfy { $0 == 0.125 })
        #expect(try trigger("wood", then: "grass").allSatisfy { $0 == 0.25 })
        #expect(try trigger("sand").allSatisfy { $0 == 0 })
    }

    @Test func `a container plays all its children at once`() throws {
        let stage = try stage(["a": 0.125, "b": 0.25, "c": 0.0625])
        let container = PHASEContainerNodeDefinition()
        for name in ["a", "b", "c"] { container.addSubtree(try sampler(name, stage)) }
        try register(container, stage)
        try stage.event("tree").start(completion: nil)
        #expect(try stage.render(256)[0].allSatisfy { $0 == 0.4375 })
    }

    /// The talk's wind: light up to 1, full below 0.5, heavy above; here with values that can be read off.
    @Test(arguments: [
        (0.0, 1.0, 0.0), (1, 1, 0), (2, 0.5, 0), (3, 0, 0), (7, 0, 0), (8, 0, 0.5), (9, 0, 1), (20, 0, 1),
    ])
    func `a blend follows its ranges`(input: Double, low: Double, high: Double) throws {
        let stage = try stage(["light": 0.5, "heavy": 0.25], frames: 4096)
        let wind = PHASENumberMetaParameterDefinition(value: 0, minimum: 0, maximum: 20, identifier: "wind")
        let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wind)
        blend.addRangeForInputValuesBelow(
            value: 3, fullGainAtValue: 1, fadeCurveType: .linear, subtree: try sampler("light", stage))
        blend.addRangeForInputValuesAbove(
            value: 7, fullGainAtValue: 9, fadeCurveType: .linear, subtree: try sampler("heavy", stage))
        try register(blend, stage)
        let event = try stage.event("tree")
        event.start(completion: nil)
        _ = try stage.render(512)
        event.metaParameters["wind"]?.value = input
        let out = try stage.render(2048)[0]
        #expect(abs(Double(out[1500]) - (0.5 * low + 0.25 * high)) < 1e-6)
    }

    @Test func `a blend by distance follows the source`() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        try stage.register("tone", [sine(1000, 48_000, amplitude: 0.2)])
        let mixer = try stage.spatialMixer()
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "tone", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        let blend = PHASEBlendNodeDefinition(spatialMixerDefinition: mixer)
        blend.addRangeForInputValuesBetween(
            lowValue: 2, highValue: 10, fullGainAtLowValue: 4, fullGainAtHighValue: 8, lowFadeCurveType: .linear,
            highFadeCurveType: .linear, subtree: sampler)
        try register(blend, stage)
        let source = try stage.source(at: SIMD3(0, 0, -6))
        try stage.start()
        try stage.event("tree", mixer, source).start(completion: nil)
        func level(at distance: Float) throws -> Double {
            source.transform = .translation(SIMD3(0, 0, -distance))
            return rms(try stage.render(16_384)[0][10_000...])
        }
        let full = try level(at: 6)
        for (distance, gain) in [(1.5, 0.0), (3, 0.5), (5, 1), (9, 0.5), (11, 0)] as [(Float, Double)] {
            #expect(abs(try level(at: distance) / full - gain) < 0.01, "at \(distance) m")
        }
    }

    /// Footsteps as the talk nests them: terrain switch → random of two steps each, and wet feet blended over them.
    @Test func `the talk's nested tree plays one step and its puddle`() throws {
        let stage = try stage(
            ["grass1": 0.01, "grass2": 0.02, "wood1": 0.04, "wood2": 0.08, "splash": 0.5], frames: 1024)
        let terrain = PHASEStringMetaParameterDefinition(value: "wood", identifier: "terrain")
        let wetness = PHASENumberMetaParameterDefinition(value: 0, minimum: 0, maximum: 1, identifier: "wetness")
        let steps = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
        for surface in ["grass", "wood"] {
            let random = PHASERandomNodeDefinition()
            for number in 1...2 { random.addSubtree(try sampler("\(surface)\(number)", stage), weight: 1) }
            steps.addSubtree(random, switchValue: surface)
        }
        let puddle = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wetness)
        puddle.addRangeForInputValuesAbove(
            value: 0, fullGainAtValue: 1, fadeCurveType: .linear, subtree: try sampler("splash", stage))
        let root = PHASEContainerNodeDefinition()
        root.addSubtree(steps)
        root.addSubtree(puddle)
        try register(root, stage)
        func step(_ surface: String, _ wet: Double) throws -> Float {
            let event = try stage.event("tree")
            event.metaParameters["terrain"]?.value = surface
            event.metaParameters["wetness"]?.value = wet
            event.start(completion: nil)
            return try stage.render(1024)[0][500]
        }
        let (dry, wet) = (
            try (0..<30).map { _ in try step("grass", 0) }, try (0..<30).map { _ in try step("wood", 0.5) }
        )
        #expect(Set(dry) == [0.01, 0.02])
        let woods = Set(wet.map { Int((($0 - 0.25) * 100).rounded()) })
        #expect(woods == [4, 8])
    }
}
