import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// Sequences, by what comes out: constant sounds whose value tells which one plays.
@Suite struct SequenceTests {
    private func stage(_ mode: PHASEEngine.UpdateMode = .automatic) throws -> Stage {
        let stage = try Stage(updateMode: mode)
        try stage.start()
        return stage
    }

    private func sampler(
        _ value: Float, _ frames: Int, _ stage: Stage, rate: Double = 48_000, loops: Bool = false,
        _ configure: (PHASESamplerNodeDefinition) -> Void = { _ in }
    ) throws -> PHASESamplerNodeDefinition {
        let name = "\(value) \(frames) \(rate)"
        if stage.engine.assetRegistry.asset(forIdentifier: name) == nil {
            try stage.register(name, [[Float](repeating: value, count: frames)], rate: rate)
        }
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name, mixerDefinition: try stage.channelMixer())
        sampler.playbackMode = loops ? .looping : .oneShot
        configure(sampler)
        return sampler
    }

    private func sequence(
        _ children: [PHASESoundEventNodeDefinition], overlap: Double = 0
    ) -> PHASESequenceNodeDefinition {
        let sequence = PHASESequenceNodeDefinition()
        sequence.overlap = overlap
        for child in children { sequence.addSubtree(child) }
        return sequence
    }

    private func event(_ root: PHASESoundEventNodeDefinition, _ stage: Stage) throws -> PHASESoundEvent {
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: root, identifier: "tree")
        return try stage.event("tree")
    }

    private func steps(_ parts: (Float, Int)...) -> [Float] { parts.flatMap { [Float](repeating: $0.0, count: $0.1) } }

    @Test func `its own values are kept within their range`() {
        let sequence = PHASESequenceNodeDefinition(identifier: "turns")
        #expect(sequence.overlap == 0 && sequence.identifier == "turns" && sequence.children.isEmpty)
        for (given, kept) in [(-1, 0), (2.5, 2.5), (.nan, 2.5), (.infinity, .greatestFiniteMagnitude)]
            as [(Double, Double)]
        {
            sequence.overlap = given
            #expect(sequence.overlap == kept)
        }
    }

    @Test(arguments: [64, 100, 512, 4096])
    func `children play one after the other, sample by sample`(call: Int) throws {
        let stage = try stage()
        let event = try event(
            sequence([
                sampler(0.125, 1000, stage), sampler(0.25, 77, stage), sampler(0.5, 6001, stage),
                sampler(0.0625, 300, stage),
            ]), stage)
        #expect(!event.isIndefinite)
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        event.start { heard.note($0) }
        let out = try stage.render(7378, call: call)[0]
        heard.wait()
        #expect(out == steps((0.125, 1000), (0.25, 77), (0.5, 6001), (0.0625, 300)))
        #expect(heard.values == [.finishedPlaying] && event.renderingState == .stopped)
        #expect(try stage.render(1000, call: call)[0].allSatisfy { $0 == 0 })
    }

    @Test func `a chain of very short children has no gaps`() throws {
        let stage = try stage()
        let children = try (0..<200).map { try sampler(Float($0 % 7 + 1) / 16, 13, stage) }
        try event(sequence(children), stage).start(completion: nil)
        let expected: [Float] = (0..<2600).map { Float(($0 / 13) % 7 + 1) / 16 }
        #expect(try stage.render(2600)[0] == expected)
    }

    @Test func `each begins the overlap before the one before it ends, and never before that one begins`() throws {
        let stage = try stage()
        stage.engine.unitsPerSecond = 10
        // 480 frames.
        let tree = try sequence(
            [
                sampler(0.125, 3000, stage), sampler(0.25, 2000, stage), sampler(0.5, 100, stage),
                sampler(0.0625, 1000, stage),
            ], overlap: 0.1)
        try event(tree, stage).start(completion: nil)
        // The third begins at 4,040 and ends at 4,140; the fourth would begin before it.
        let expected = steps(
            (0.125, 2520), (0.375, 480), (0.25, 1040), (0.8125, 100), (0.3125, 380), (0.0625, 520), (0, 1000))
        #expect(try stage.render(6040)[0] == expected)
    }

    @Test func `a child ends with its longest leaf; sequences, containers and blends nest`() throws {
        let stage = try stage()
        let both = PHASEContainerNodeDefinition()
        both.addSubtree(try sampler(0.125, 500, stage))
        both.addSubtree(try sampler(0.25, 900, stage))
        let wind = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 2, identifier: "wind")
        let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: wind)
        blend.addRangeForInputValuesBelow(
            value: 2, fullGainAtValue: 0, fadeCurveType: .linear, subtree: try sampler(0.25, 700, stage))
        let inner = try sequence([sampler(0.0625, 300, stage), sampler(0.5, 5000, stage)])
        let beside = PHASEContainerNodeDefinition()
        beside.addSubtree(inner)
        beside.addSubtree(try sampler(0.25, 400, stage))
        try event(sequence([both, beside, blend]), stage).start(completion: nil)
        let expected = steps((0.375, 500), (0.25, 400), (0.3125, 300), (0.75, 100), (0.5, 4900), (0.125, 700), (0, 300))
        #expect(try stage.render(7200)[0] == expected)
    }

    @Test func `a child without a sound is passed over, and what it holds back does not wait`() throws {
        let stage = try stage()
        let terrain = PHASEStringMetaParameterDefinition(value: "snow", identifier: "terrain")
        func nothing() throws -> PHASESwitchNodeDefinition {
            let node = PHASESwitchNodeDefinition(switchMetaParameterDefinition: terrain)
            node.addSubtree(try sampler(0.5, 100, stage), switchValue: "grass")
            return node
        }
        let tree = try sequence([
            nothing(), sampler(0.125, 700, stage), nothing(), sequence([nothing(), nothing()]),
            sampler(0.25, 300, stage), nothing(),
        ])
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        try event(tree, stage).start { heard.note($0) }
        let out = try stage.render(1000)[0]
        heard.wait()
        #expect(out == steps((0.125, 700), (0.25, 300)) && heard.values == [.finishedPlaying])
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: sequence([nothing()]), identifier: "empty")
        try stage.event("empty").start { heard.note($0) }
        _ = try stage.render(1)
        _ = try stage.render(512)
        heard.wait(for: 2)
        #expect(heard.values == [.finishedPlaying, .finishedPlaying])
    }

    @Test(arguments: [44_100.0, 32_000, 96_000])
    func `seams are exact at other rates`(rate: Double) throws {
        let stage = try stage()
        let frames = 4001
        try event(sequence([sampler(0.25, frames, stage, rate: rate), sampler(0.5, 2000, stage)]), stage).start(
            completion: nil)
        let out = try stage.render(12_000)[0]
        let seam = Int((Double(frames) * 48_000 / rate).rounded(.up))
        // The one before rings off around its end, at no more than half of its height and 9 %.
        #expect(out[seam - 1] < 0.4 && out[seam] > 0.45 && abs(out[seam - 400] - 0.25) < 0.003)
        #expect(out[seam + 400] == 0.5 && out[seam + 1999] == 0.5 && out[seam + 2000] == 0)
    }

    @Test func `a child whose rate changes is waited for`() throws {
        let stage = try stage()
        let rate = PHASENumberMetaParameterDefinition(value: 1, minimum: 0.25, maximum: 4, identifier: "rate")
        let first = try sampler(0.25, 24_000, stage) { $0.rateMetaParameterDefinition = rate }
        let event = try event(sequence([first, sampler(0.5, 2000, stage)]), stage)
        event.start(completion: nil)
        // The second has been told to begin at 24,000 when the first is slowed down.
        var out = try stage.render(22_016)[0]
        event.metaParameters["rate"]?.value = 0.5
        out += try stage.render(8000)[0]
        let seam = 22_016 + (24_000 - 22_016) * 2
        #expect(out[seam - 1] < 0.4 && out[seam] > 0.45 && out[seam + 400] == 0.5 && out[seam + 2000] == 0)
    }

    @Test func `start(at:) begins the first exactly there, and seams follow from it`() throws {
        let stage = try stage()
        let event = try event(sequence([sampler(0.125, 1000, stage), sampler(0.25, 1000, stage)]), stage)
        event.start(at: AVAudioTime(sampleTime: 10_007, atRate: 48_000), completion: nil)
        #expect(try stage.render(12_507)[0] == steps((0, 10_007), (0.125, 1000), (0.25, 1000), (0, 500)))
    }

    @Test(arguments: [100, 512, 3000])
    func `a pause holds up those whose turn has not come`(call: Int) throws {
        let stage = try stage()
        let event = try event(sequence([sampler(0.125, 6000, stage), sampler(0.25, 1000, stage)]), stage)
        event.start(completion: nil)
        var out = try stage.render(3000, call: call)[0]
        event.pause()
        out += try stage.render(9000, call: call)[0]
        event.resume()
        out += try stage.render(6000, call: call)[0]
        // Halted with its frame 3,128; the rest of it is left.
        let seam = 12_000 + 6000 - 3128
        #expect(out[3128...12_000].allSatisfy { $0 == 0 })
        #expect(out[12_128..<seam].allSatisfy { $0 == 0.125 } && out[seam..<seam + 1000].allSatisfy { $0 == 0.25 })
        #expect(out[(seam + 1000)...].allSatisfy { $0 == 0 })
    }

    @Test func `a seek moves the child whose turn it is, and those behind it follow`() throws {
        let stage = try stage()
        let event = try event(sequence([sampler(0.125, 48_000, stage), sampler(0.25, 4000, stage)]), stage)
        event.start(completion: nil)
        var out = try stage.render(1000)[0]
        event.seek(to: 0.9, completion: nil)
        out += try stage.render(11_000)[0]
        let seam = 1128 + 4800
        #expect(
            out[1256..<seam].allSatisfy { $0 == 0.125 } && out[seam..<seam + 4000].allSatisfy { $0 == 0.25 }
                && out[seam + 4000] == 0)
    }

    @Test func `a loop keeps the rest waiting, until it is culled`() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        try stage.register("loop", [[Float](repeating: 0.1, count: 480)])
        try stage.register("after", [[Float](repeating: 0.25, count: 4800)])
        let mixer = try stage.spatialMixer(rolloff: 0)
        mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        let loop = PHASESamplerNodeDefinition(soundAssetIdentifier: "loop", mixerDefinition: mixer)
        loop.playbackMode = .looping
        let after = PHASESamplerNodeDefinition(soundAssetIdentifier: "after", mixerDefinition: try stage.channelMixer())
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: sequence([loop, after]), identifier: "tree")
        let source = try stage.source(at: SIMD3(0, 0, -1))
        try stage.start()
        let event = try stage.event("tree", mixer, source)
        #expect(event.isIndefinite)
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        event.start { heard.note($0) }
        let looping = try stage.render(20_000)[0]
        #expect(looping[1000...].allSatisfy { $0 < 0.1 })
        source.transform = .translation(SIMD3(0, 0, -20))
        let next = try stage.render(6000)[0]
        heard.wait()
        // What is still under way over 20 m arrives within 2,800 frames.
        #expect(next[3500] == 0.25 && next[5500] == 0 && heard.values == [.terminated])
    }

    @Test func `in manual mode turns are taken at updates, with exact seams`() throws {
        let stage = try stage(.manual)
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        try event(sequence([sampler(0.125, 5000, stage), sampler(0.25, 333, stage), sampler(0.5, 2500, stage)]), stage)
            .start { heard.note($0) }
        var out: [Float] = []
        for _ in 0..<10 {
            stage.engine.update()
            out += try stage.render(800)[0]
        }
        stage.engine.update()
        #expect(out == steps((0.125, 5000), (0.25, 333), (0.5, 2500), (0, 167)) && heard.values == [.finishedPlaying])
    }

    @Test func `stopped in the middle, the rest does not begin`() throws {
        let stage = try stage()
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        let event = try event(sequence([sampler(0.125, 1000, stage), sampler(0.25, 1000, stage)]), stage)
        event.start { heard.note($0) }
        _ = try stage.render(900)
        event.stopAndInvalidate()
        let out = try stage.render(3000)[0]
        heard.wait()
        #expect(out[128...].allSatisfy { $0 == 0 } && heard.values == [.terminated])
    }
}
