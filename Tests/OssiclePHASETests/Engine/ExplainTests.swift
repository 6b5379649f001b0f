import Foundation
import PHASE
import Testing

@Suite struct ExplainTests {
    /// A tone that loops, 2 m in front of the listener; panned, so that the energy of both channels is that of the
    /// sound.
    private struct Scene {
        let stage: Stage
        let mixer: PHASESpatialMixerDefinition
        let source: PHASESource
        let group = PHASEGroup(identifier: "music")
        let event: PHASESoundEvent

        init(
            _ flags: PHASESpatialPipeline.Flags = [.directPathTransmission], loops: Bool = true,
            cull: PHASECullOption = .terminate,
            starts: Bool = true,
            _ configure: (PHASESpatialMixerDefinition, PHASESamplerNodeDefinition) throws -> Void = { _, _ in }
        ) throws {
            stage = try Stage(mode: .alwaysUseChannelBased)
            mixer = try stage.spatialMixer(flags, rolloff: 1)
            mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
            group.register(engine: stage.engine)
            try stage.register("tone", [sine(1000, 9600)])
            let sampler = PHASESamplerNodeDefinition(
                soundAssetIdentifier: "tone", mixerDefinition: mixer, identifier: "sampler")
            (sampler.playbackMode, sampler.cullOption, sampler.group) = (loops ? .looping : .oneShot, cull, group)
            try configure(mixer, sampler)
            try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "tone event")
            source = try stage.source(at: SIMD3(0, 0, -2))
            source.name = "bell"
            stage.listener.name = "ears"
            try stage.start()
            event = try stage.event("tone event", mixer, source)
            if starts {
                event.start(completion: nil)
                try pass()
            }
        }

        func pass(_ frames: Int = 1024) throws { _ = try stage.render(frames) }
        var explanation: PHASEExplanation { stage.engine.explain(event) }
        var causes: [PHASEExplanation.Cause] { explanation.silentBecause }
    }

    @Test func `a sound that is heard has no cause to be silent`() throws {
        let scene = try Scene()
        #expect(scene.causes == [] && scene.explanation.voices.map(\.silentBecause) == [[]])
        #expect(scene.explanation.state == "playing" && scene.explanation.voices.first?.state == "playing")
    }

    // MARK: Causes

    @Test func `states of the event and the engine`() throws {
        let scene = try Scene(loops: false, starts: false)
        #expect(scene.causes == [.notStarted])
        scene.event.start(completion: nil)
        #expect(scene.causes == [.waitingForUpdate])
        try scene.pass()
        #expect(scene.causes == [])
        scene.event.pause()
        #expect(scene.causes == [.eventPaused])
        scene.event.resume()
        scene.stage.engine.pause()
        #expect(scene.causes == [.enginePaused])
        try scene.stage.start()
        try scene.pass(20_000)
        #expect(scene.causes == [.ended(.finishedPlaying)])
        let other = try Scene()
        other.event.stopAndInvalidate()
        #expect(other.causes == [.ended(.terminated)])
        other.stage.engine.stop()
        #expect(other.causes == [.engineStopped, .ended(.terminated)])
    }

    @Test func `a start time that has not come`() throws {
        let scene = try Scene(starts: false)
        scene.event.start(at: AVAudioTime(sampleTime: 48_000, atRate: 48_000), completion: nil)
        try scene.pass(24_000)
        #expect(
            scene.causes == [.waitingForStartTime(seconds: 0.5)] && scene.explanation.voices.first?.state == "waiting")
        try scene.pass(24_512)
        #expect(scene.causes == [])
    }

    @Test func `a push stream without a buffer`() throws {
        let stage = try Stage()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let node = PHASEPushStreamNodeDefinition(
            mixerDefinition: try stage.channelMixer(), format: format, identifier: "radio")
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: node, identifier: "event")
        try stage.start()
        let event = try stage.event("event")
        event.start(completion: nil)
        _ = try stage.render(1024)
        #expect(stage.engine.explain(event).silentBecause == [.noFrames(node: "radio")])
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
        buffer.frameLength = 4800
        event.pushStreamNodes["radio"]?.scheduleBuffer(buffer: buffer)
        _ = try stage.render(1024)
        #expect(stage.engine.explain(event).silentBecause == [])
    }

    @Test func `culled: asleep, or for good`() throws {
        for option in [PHASECullOption.sleepWakeAtZero, .terminate, .doNotCull] {
            let scene = try Scene(cull: option)
            scene.source.transform = .translation(SIMD3(0, 0, -20))
            try scene.pass()
            let culled = PHASEExplanation.Cause.culled(distance: 20, cullDistance: 10)
            #expect(scene.causes == (option == .terminate ? [.ended(.terminated), culled] : [culled]))
        }
    }

    @Test func `groups: muted, silenced by a solo, turned off by a preset, a ducker, a fade`() throws {
        let scene = try Scene()
        let (engine, group) = (scene.stage.engine, scene.group)
        group.mute()
        #expect(scene.causes == [.groupMuted(group: "music")])
        group.unmute()
        let others = ["b", "a"].map(PHASEGroup.init(identifier:))
        for other in others { other.register(engine: engine); other.solo() }
        #expect(scene.causes == [.silencedBySolo(group: "music", of: ["a", "b"])])
        others.forEach { $0.unsolo() }
        let setting = PHASEGroupPresetSetting(gain: 0, rate: 1, gainCurveType: .linear, rateCurveType: .linear)
        let preset = PHASEGroupPreset(engine: engine, settings: ["music": setting], timeToTarget: 0, timeToReset: 0)
        preset.activate()
        #expect(scene.causes == [.groupPreset(group: "music")])
        preset.deactivate()
        let ducker = PHASEDucker(
            engine: engine, sourceGroups: [group], targetGroups: [group], gain: 0, attackTime: 0, releaseTime: 0,
            attackCurve: .linear, releaseCurve: .linear)
        ducker.activate()
        try scene.pass()
        #expect(scene.causes == [.ducked(group: "music", by: ducker.identifier)])
        ducker.deactivate()
        try scene.pass()
        group.fadeGain(gain: 0, duration: 0, curveType: .linear)
        #expect(scene.causes == [.gain(of: "fade of group “music”")])
        group.fadeGain(gain: 1, duration: 0, curveType: .linear)
        group.gain = 0
        #expect(scene.causes == [.gain(of: "group “music”")])
        group.gain = 1
        #expect(scene.causes == [])
    }

    @Test func `gains of the generator, the source, the mixer and the listener`() throws {
        let gain = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "gain")
        let level = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "level")
        let scene = try Scene { mixer, sampler in
            mixer.gainMetaParameterDefinition = level
            sampler.gainMetaParameterDefinition = gain
        }
        scene.event.metaParameters["gain"]?.value = 0.0
        #expect(scene.causes == [.gain(of: "gain meta-parameter “gain”")])
        scene.event.metaParameters["gain"]?.value = 1.0
        scene.event.metaParameters["level"]?.value = 0.0
        #expect(scene.causes == [.gain(of: "mixer “\(scene.mixer.identifier)”")])
        scene.event.metaParameters["level"]?.value = 1.0
        scene.source.gain = 0
        #expect(scene.causes == [.gain(of: "source “bell”")])
        scene.source.gain = 1
        scene.stage.listener.gain = 0
        #expect(scene.causes == [.listenerGain("ears")])
        scene.stage.listener.gain = 1
        #expect(scene.causes == [])
        #expect(
            try Scene { $1.setCalibrationMode(calibrationMode: .none, level: 0) }.causes == [
                .gain(of: "generator level")
            ])
        #expect(
            try Scene { $1.setCalibrationMode(calibrationMode: .relativeSpl, level: -120) }.causes == [
                .gain(of: "generator level")
            ])
        let many = try Scene { $1.setCalibrationMode(calibrationMode: .relativeSpl, level: -80) }
        many.group.gain = 0.1
        guard case .tooQuiet(let decibels)? = many.causes.first else {
            Issue.record("\(many.causes)")
            return
        }
        #expect(abs(decibels - (-80 - 20 - 6.02)) < 0.01 && many.causes.count == 1)
    }

    @Test func `out of the scene`() throws {
        let scene = try Scene()
        scene.stage.engine.rootObject.removeChild(scene.source)
        #expect(scene.causes == [.sourceNotInScene("bell")])
        try scene.pass()
        #expect(scene.causes == [.sourceNotInScene("bell")])
        try scene.stage.engine.rootObject.addChild(scene.source)
        scene.stage.engine.rootObject.removeChild(scene.stage.listener)
        try scene.pass()
        #expect(scene.causes == [.listenerNotInScene("ears")])
        try scene.stage.engine.rootObject.addChild(scene.stage.listener)
        try scene.pass()
        #expect(scene.causes == [])
    }

    @Test func `a send of zero, and no room for the other`() throws {
        let scene = try Scene([.directPathTransmission, .lateReverb]) { mixer, _ in
            mixer.spatialPipeline.entries[.directPathTransmission]?.sendLevel = 0
        }
        #expect(scene.causes == [.sends(mixer: scene.mixer.identifier)])
        scene.stage.engine.defaultReverbPreset = .cathedral
        #expect(scene.causes == [])
        #expect(scene.explanation.voices.first?.sends.map(\.category) == [.directPathTransmission, .lateReverb])
    }

    @Test func `behind a wall, by name`() throws {
        let scene = try Scene()
        let box = MDLMesh.newBox(
            withDimensions: vector3(40, 40, 0.1), segments: vector_uint3(1, 1, 1), geometryType: .triangles,
            inwardNormals: false,
            allocator: nil)
        func wall(_ loss: Double) throws -> PHASEOccluder {
            let material = PHASEMaterial(
                engine: scene.stage.engine, absorption: [0.1], transmissionLoss: [loss], scattering: [0.1])
            let wall = PHASEOccluder(
                engine: scene.stage.engine,
                shapes: [PHASEShape(engine: scene.stage.engine, mesh: box, materials: [material])])
            wall.transform = .translation(SIMD3(0, 0, -1))
            try scene.stage.engine.rootObject.addChild(wall)
            try scene.pass()
            return wall
        }
        let thin = try wall(12)
        thin.name = "curtain"
        #expect(scene.causes == [])
        scene.stage.engine.rootObject.removeChild(thin)
        let thick = try wall(45)
        thick.name = "great wall"
        #expect(scene.causes == [.behind(occluders: ["great wall"])])
        let voice = try #require(scene.explanation.voices.first)
        #expect(voice.occluders.map(\.name) == ["great wall"] && voice.bands.allSatisfy { $0 < -30 })
    }

    @Test func `the voice limit`() throws {
        let scene = try Scene()
        scene.stage.engine.maximumVoiceCount = 0
        try scene.pass()
        #expect(scene.causes == [.voiceLimit(maximum: 0)])
        #expect(scene.explanation.voices.first?.state == "playing unheard")
    }

    @Test func `a blend, and a switch that chose nothing`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(1000, 9600)])
        let speed = PHASENumberMetaParameterDefinition(value: 0, minimum: 0, maximum: 1, identifier: "speed")
        let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: speed, identifier: "wind")
        let sampler = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "tone", mixerDefinition: try stage.channelMixer(), identifier: "sampler")
        sampler.playbackMode = .looping
        blend.addRangeForInputValuesAbove(value: 0.25, fullGainAtValue: 0.75, fadeCurveType: .linear, subtree: sampler)
        let ground = PHASEStringMetaParameterDefinition(value: "grass", identifier: "ground")
        let choice = PHASESwitchNodeDefinition(switchMetaParameterDefinition: ground, identifier: "steps")
        choice.addSubtree(blend, switchValue: "grass")
        try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: choice, identifier: "event")
        try stage.start()
        let event = try stage.event("event")
        event.start(completion: nil)
        _ = try stage.render(1024)
        #expect(stage.engine.explain(event).silentBecause == [.blend(node: "wind", input: 0)])
        event.metaParameters["speed"]?.value = 0.5
        let voice = try #require(stage.engine.explain(event).voices.first)
        #expect(voice.silentBecause == [] && abs(voice.gain - 0.5) < 1e-12)
        #expect(voice.way == ["switch “steps” chose “grass”, child 1 of 1", "blend “wind”: child 1 of 1"])
        let mute = try stage.event("event")
        mute.metaParameters["ground"]?.value = "water"
        mute.start(completion: nil)
        _ = try stage.render(512)
        #expect([[.nothingChosen], [.ended(.finishedPlaying)]].contains(stage.engine.explain(mute).silentBecause))
    }

    // MARK: Levels

    @Test func `the product is the level that is heard`() throws {
        let gain = PHASENumberMetaParameterDefinition(value: 0.8, minimum: 0, maximum: 1, identifier: "gain")
        let scene = try Scene { mixer, sampler in
            mixer.gain = 0.9
            mixer.spatialPipeline.entries[.directPathTransmission]?.sendLevel = 0.7
            let cone = PHASEConeDirectivityModelSubbandParameters()
            cone.frequency = 1000
            cone.outerGain = 0.5
            cone.setAngles(innerAngle: 90, outerAngle: 120)
            mixer.sourceDirectivityModelParameters = PHASEConeDirectivityModelParameters(subbandParameters: [cone])
            sampler.gainMetaParameterDefinition = gain
            sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: -3)
        }
        let engine = scene.stage.engine
        let alone = try energy(scene)
        #expect(abs(decibels(alone / (try #require(scene.explanation.voices.first)).gain)) < 0.1)
        scene.source.gain = 0.8
        scene.stage.listener.gain = 0.75
        scene.group.gain = 0.6
        scene.group.fadeGain(gain: 0.9, duration: 0, curveType: .linear)
        let setting = PHASEGroupPresetSetting(gain: 0.7, rate: 1, gainCurveType: .linear, rateCurveType: .linear)
        PHASEGroupPreset(engine: engine, settings: ["music": setting], timeToTarget: 0, timeToReset: 0).activate()
        let ducker = PHASEDucker(
            engine: engine, sourceGroups: [scene.group], targetGroups: [scene.group], gain: 0.5, attackTime: 0,
            releaseTime: 0,
            attackCurve: .linear, releaseCurve: .linear)
        ducker.activate()
        let level = try energy(scene)
        let voice = try #require(scene.explanation.voices.first)
        #expect(abs(decibels(level / voice.gain)) < 0.1)
        #expect(voice.factors.filter { $0.gain != 1 }.count >= 12)
        // Closed form: 2 m away, and from behind the source, which looks away from the listener.
        let calibration: Double = pow(10, -3.0 / 20)
        let ownAndGroup: Double = calibration * 0.8 * 0.6 * 0.9 * 0.7 * 0.5
        let mixerAndScene: Double = 0.9 * 0.8 * 0.75 * 0.7 * 0.5 * 0.5
        let expected: Double = ownAndGroup * mixerAndScene
        #expect(abs(decibels(voice.gain / expected)) < 0.01)
        #expect(voice.bands.allSatisfy { abs($0 - voice.decibels) < 0.01 })
        #expect(
            abs((voice.sends.first?.gain ?? 0) - voice.gain) < 1e-12 && voice.distance == 2 && voice.cullDistance == 10)
    }

    /// Linear level of what is heard, relative to the tone.
    private func energy(_ scene: Scene) throws -> Double {
        try scene.pass(4096)
        let channels = try scene.stage.render(9600).map { rms($0[...]) }
        return (channels[0] * channels[0] + channels[1] * channels[1]).squareRoot() / (0.25 / 2.0.squareRoot())
    }

    @Test func `explaining changes nothing that is heard`() throws {
        let runs = try [false, true].map { asks in
            let scene = try Scene([.directPathTransmission, .lateReverb])
            scene.stage.engine.defaultReverbPreset = .smallRoom
            return try (0..<8).flatMap { step in
                scene.source.transform = .translation(SIMD3(Float(step) / 10, 0, -2))
                scene.group.fadeGain(gain: Double(step % 3) / 2, duration: 0.05, curveType: .sine)
                if asks { #expect(scene.explanation.voices.count == 1) }
                return try scene.stage.render(700)[0]
            }
        }
        #expect(runs[0] == runs[1])
    }

    @Test func `the description reads well`() throws {
        let scene = try Scene([.directPathTransmission, .lateReverb])
        scene.group.gain = 0.5
        scene.group.mute()
        let text = scene.explanation.description
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "“tone event”: playing, at 0.021 s (scene as of 0.011 s)")
        #expect(lines.contains("  silent, because group “music” is muted"))
        #expect(lines.contains("  sampler plays “tone”: playing, 0.021 s in, rate 1.000"))
        // Names on the left, levels aligned.
        let levels = lines.filter { $0.hasPrefix("    ") && $0.contains(" dB   ") }
        #expect(
            levels.count >= 7
                && Set(
                    levels.map {
                        $0.distance(from: $0.startIndex, to: $0.range(of: " dB   ")?.lowerBound ?? $0.startIndex)
                    }
                ).count == 1)
        #expect(levels.contains { $0.hasPrefix("    distance") && $0.contains("−6.0 dB   2.00 m") })
    }

    @Test func `an event of another engine is explained, and the mistake recorded`() throws {
        let (scene, other) = (try Scene(), try Scene())
        #expect(other.stage.engine.explain(scene.event).silentBecause == [])
        #expect((other.stage.engine.lastError as? PHASESoundEventError)?.code == .apiMisuse)
        #expect(scene.stage.engine.lastError == nil)
    }
}
