import OssicleTestSupport
import PHASE
import Testing

@Suite struct ParameterTests {
    /// A loop of one tone into a channel mixer, with what `configure` attaches to it.
    private func tone(
        _ frequency: Double = 1000, _ configure: (PHASESamplerNodeDefinition, PHASEChannelMixerDefinition) -> Void
    )
        throws -> (stage: Stage, event: PHASESoundEvent)
    {
        let stage = try Stage()
        try stage.register("tone", [sine(frequency, 48_000)])
        let mixer = try stage.channelMixer()
        try stage.registerEvent("tone", into: mixer, loops: true) { configure($0, mixer) }
        try stage.start()
        let event = try stage.event("tone event")
        event.start(completion: nil)
        return (stage, event)
    }

    @Test(arguments: [(7.0, 1.0), (-3, -0.5), (.nan, 0)])
    func `an initial value beyond the limits begins at the nearest and is recorded when it is registered`(
        given: Double, begins: Double
    ) throws {
        let gain = PHASENumberMetaParameterDefinition(value: given, minimum: -0.5, maximum: 1, identifier: "gain")
        let (stage, event) = try tone { sampler, _ in sampler.gainMetaParameterDefinition = gain }
        #expect(event.metaParameters["gain"]?.value as? Double == begins)
        let text = "\(try #require(stage.engine.lastError))"
        #expect(
            stage.engine.recordedErrors.count == 1 && text.contains("“gain”") && text.contains("\(given)")
                && text.contains("\(begins)"))
        let shared = PHASENumberMetaParameterDefinition(value: given, minimum: -0.5, maximum: 1, identifier: "shared")
        let asset = try stage.engine.assetRegistry.registerGlobalMetaParameter(metaParameterDefinition: shared)
        #expect(
            stage.engine.recordedErrors.count == 2
                && stage.engine.assetRegistry.globalMetaParameters[asset.identifier]?.value as? Double == begins)
    }

    @Test func `an initial value at a limit is no error`() throws {
        let gain = PHASENumberMetaParameterDefinition(value: 1, minimum: -0.5, maximum: 1, identifier: "gain")
        let (stage, _) = try tone { sampler, _ in sampler.gainMetaParameterDefinition = gain }
        #expect(stage.engine.recordedErrors.isEmpty)
    }

    private func cents(_ signal: [Float], near frequency: Double) -> Double {
        1200 * log2(Measure.pitch(near: frequency, in: signal).frequency / frequency)
    }

    @Test(arguments: [0.25, 0.5, 0.7, 1.3, 2, 4])
    func `the rate moves the pitch`(rate: Double) throws {
        let (stage, _) = try tone { sampler, _ in sampler.rate = rate }
        let out = try stage.render(24_000)[0]
        #expect(abs(cents(Array(out[2000..<22_000]), near: 1000 * rate)) < 0.1)
    }

    @Test(arguments: [0.25, 1.5, 4])
    func `a rate meta-parameter moves it while it plays`(rate: Double) throws {
        let parameter = PHASENumberMetaParameterDefinition(value: 1, minimum: 0.1, maximum: 10, identifier: "rate")
        let (stage, event) = try tone { sampler, _ in sampler.rateMetaParameterDefinition = parameter }
        _ = try stage.render(5000)
        event.metaParameters["rate"]?.value = rate
        let out = try stage.render(24_000)[0]
        #expect(abs(cents(Array(out[2000..<22_000]), near: 1000 * rate)) < 0.1)
    }

    @Test func `a gain meta-parameter fades linearly in rendered time`() throws {
        let parameter = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "gain")
        let (stage, event) = try tone { sampler, _ in sampler.gainMetaParameterDefinition = parameter }
        _ = try stage.render(4800)
        (event.metaParameters["gain"] as? PHASENumberMetaParameter)?.fade(value: 0, duration: 1)
        let out = try stage.render(52_800)[0]
        for (at, gain) in [(12_000, 0.75), (24_000, 0.5), (36_000, 0.25)] {
            // Updates lag by at most one interval of 512 frames.
            #expect(abs(rms(out[at - 240..<at + 240]) * 2.0.squareRoot() / 0.25 - gain) < 0.012)
        }
        #expect(out[49_200...].allSatisfy { $0 == 0 })
        #expect(event.metaParameters["gain"]?.value as? Double == 0)
    }

    @Test func `unitsPerSecond scales fades`() throws {
        let parameter = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "gain")
        let (stage, event) = try tone { sampler, _ in sampler.gainMetaParameterDefinition = parameter }
        stage.engine.unitsPerSecond = 1000
        (event.metaParameters["gain"] as? PHASENumberMetaParameter)?.fade(value: 0, duration: 500)
        _ = try stage.render(12_000)
        #expect(abs((event.metaParameters["gain"]?.value as? Double ?? -1) - 0.5) < 0.001)
    }

    @Test func `a mapped meta-parameter follows its input through the envelope`() throws {
        let input = PHASENumberMetaParameterDefinition(value: 0, minimum: 0, maximum: 10, identifier: "speed")
        let envelope = try TestFailure.unwrap(
            PHASEEnvelope(
                startPoint: simd_double2(0, 0.2),
                segments: [PHASEEnvelopeSegment(endPoint: simd_double2(10, 1), curveType: .linear)]))
        let mapped = PHASEMappedMetaParameterDefinition(inputMetaParameterDefinition: input, envelope: envelope)
        let (stage, event) = try tone { sampler, _ in sampler.gainMetaParameterDefinition = mapped }
        for (speed, gain) in [(0.0, 0.2), (5, 0.6), (10, 1)] {
            event.metaParameters["speed"]?.value = speed
            let out = try stage.render(9600)[0]
            #expect(abs(rms(out[4800...]) * 2.0.squareRoot() / 0.25 - gain) < 0.001)
        }
    }

    @Test func `a global meta-parameter moves every event at once`() throws {
        let stage = try Stage()
        try stage.register("flat", [[Float](repeating: 0.25, count: 48_000)])
        let level = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "world")
        try stage.engine.assetRegistry.registerGlobalMetaParameter(metaParameterDefinition: level)
        try stage.registerEvent("flat", into: stage.channelMixer(), loops: true) {
            $0.gainMetaParameterDefinition = level
        }
        try stage.start()
        let events = try (0..<3).map { _ in try stage.event("flat event") }
        for event in events { event.start(completion: nil) }
        #expect(try stage.render(1000)[0].last == 0.75)
        stage.engine.assetRegistry.globalMetaParameters["world"]?.value = 0.5
        #expect(abs(try stage.render(2000)[0][1999] - 0.375) < 1e-6)
        #expect(events.allSatisfy { $0.metaParameters["world"]?.value as? Double == 0.5 })
    }

    @Test func `an event's own meta-parameter moves that event only`() throws {
        let stage = try Stage()
        try stage.register("flat", [[Float](repeating: 0.25, count: 48_000)])
        let level = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "own")
        try stage.registerEvent("flat", into: stage.channelMixer(), loops: true) {
            $0.gainMetaParameterDefinition = level
        }
        try stage.start()
        let events = try (0..<2).map { _ in try stage.event("flat event") }
        for event in events { event.start(completion: nil) }
        events[0].metaParameters["own"]?.value = 0.0
        #expect(abs(try stage.render(2000)[0][1999] - 0.25) < 1e-6)
    }

    @Test func `a mixer's gain meta-parameter moves the mixer`() throws {
        let parameter = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "gain")
        let (stage, event) = try tone { _, mixer in mixer.gainMetaParameterDefinition = parameter }
        let loud = rms(try stage.render(9600)[0][4800...])
        let mixer = try TestFailure.unwrap(event.mixers.values.first)
        mixer.gainMetaParameter?.value = 0.25
        #expect(mixer.gain == 0.25)
        #expect(abs(decibels(rms(try stage.render(9600)[0][4800...]) / loud) + 12.04) < 0.01)
    }

    @Test func `a send-level meta-parameter moves the direct path`() throws {
        let stage = try Stage()
        try stage.register("tone", [sine(1000, 48_000)])
        let mixer = try stage.spatialMixer()
        let parameter = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "send")
        mixer.spatialPipeline.entries[.directPathTransmission]?.sendLevelMetaParameterDefinition = parameter
        try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        let event = try stage.event("tone event", mixer, stage.source(at: SIMD3(0, 0, -2)))
        event.start(completion: nil)
        let loud = rms(try stage.render(9600)[0][4800...])
        event.metaParameters["send"]?.value = 0.5
        #expect(abs(decibels(rms(try stage.render(9600)[0][4800...]) / loud) + 6.02) < 0.01)
    }
}
