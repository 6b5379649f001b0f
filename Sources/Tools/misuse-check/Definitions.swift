import Foundation
import OssiclePHASE

/// PHASE: definitions, trees, the registry.
let definitionCases: [MisuseCase] = [
    MisuseCase("definitions: numbers of generators, mixers and distance models") {
        let scene = try OfflineScene()
        for value in Hostile.doubles {
            note("\(value)")
            let sampler = scene.sampler()
            sampler.rate = value
            sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: value)
            let distance = PHASEGeometricSpreadingDistanceModelParameters()
            distance.rolloffFactor = value
            distance.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: value)
            scene.mixer.distanceModelParameters = distance
            scene.mixer.gain = value
            scene.mixer.spatialPipeline.entries[.lateReverb]?.sendLevel = value
            let (cardioid, cone) = (
                PHASECardioidDirectivityModelSubbandParameters(), PHASEConeDirectivityModelSubbandParameters()
            )
            (cardioid.frequency, cardioid.pattern, cardioid.sharpness) = (value, value, value)
            (cone.frequency, cone.outerGain) = (value, value)
            cone.setAngles(innerAngle: value, outerAngle: -value)
            scene.mixer.sourceDirectivityModelParameters = PHASECardioidDirectivityModelParameters(subbandParameters: [
                cardioid, cardioid,
            ])
            scene.mixer.listenerDirectivityModelParameters = PHASEConeDirectivityModelParameters(subbandParameters: [
                cone, cone,
            ])
            let event = try scene.play(sampler)
            try scene.render()
            event.stopAndInvalidate()
            try scene.render()
        }
    },
    MisuseCase("definitions: envelopes and blends") {
        let scene = try OfflineScene()
        for (index, x) in Hostile.doubles.enumerated() {
            for y in Hostile.doubles {
                note("envelope to \(x), \(y)")
                let segments = [
                    PHASEEnvelopeSegment(endPoint: SIMD2(x, y), curveType: .jumpToEndValue),
                    PHASEEnvelopeSegment(endPoint: SIMD2(y, x), curveType: .sine),
                ]
                guard let envelope = PHASEEnvelope(startPoint: SIMD2(y, x), segments: segments) else { continue }
                for place in Hostile.doubles { _ = envelope.evaluate(x: place) }
                _ = (envelope.domain, envelope.range)
                scene.mixer.distanceModelParameters = PHASEEnvelopeDistanceModelParameters(envelope: envelope)
            }
            let number = PHASENumberMetaParameterDefinition(
                value: x, minimum: Hostile.doubles[(index + 1) % 9], maximum: Hostile.doubles[(index + 3) % 9],
                identifier: "n\(index)")
            let blend = PHASEBlendNodeDefinition(blendMetaParameterDefinition: number)
            blend.addRangeForInputValuesBelow(
                value: x, fullGainAtValue: x, fadeCurveType: .linear, subtree: scene.sampler())
            blend.addRangeForInputValuesBetween(
                lowValue: 1, highValue: x, fullGainAtLowValue: -x, fullGainAtHighValue: 0, lowFadeCurveType: .cubed,
                highFadeCurveType: .sine,
                subtree: scene.sampler())
            blend.addRangeForInputValuesAbove(
                value: x, fullGainAtValue: -x, fadeCurveType: .squared, subtree: scene.sampler())
            guard !x.isNaN else {
                try expectThrown("register a blend at \(x)") { try scene.play(blend) }
                continue
            }
            note("blend at \(x)")
            let event = try scene.play(blend)
            for value in Hostile.doubles {
                event.metaParameters["n\(index)"]?.value = value
                (event.metaParameters["n\(index)"] as? PHASENumberMetaParameter)?.fade(value: value, duration: value)
                try scene.render(128)
            }
            event.metaParameters["n\(index)"]?.value = "a word"
            event.stopAndInvalidate()
            try scene.render(128)
        }
        note("an envelope without segments")
        _ = PHASEEnvelope(startPoint: .zero, segments: [])?.evaluate(x: .nan)
    },
    MisuseCase("definitions: trees with circles, without leaves, with impossible weights") {
        let scene = try OfflineScene()
        let (first, second) = (PHASEContainerNodeDefinition(), PHASEContainerNodeDefinition())
        first.addSubtree(second)
        second.addSubtree(first)
        try expectThrown("register a circle") {
            try scene.engine.assetRegistry.registerSoundEventAsset(rootNode: first, identifier: "circle")
        }
        let own = PHASERandomNodeDefinition()
        own.addSubtree(own, weight: 1)
        try expectThrown("register a node within itself") {
            try scene.engine.assetRegistry.registerSoundEventAsset(rootNode: own, identifier: "own")
        }
        for weight in [-1, 0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude] as [Double] {
            for length in Hostile.integers {
                note("weight \(weight), queue \(length)")
                let random = PHASERandomNodeDefinition()
                random.uniqueSelectionQueueLength = length
                for _ in 0..<3 { random.addSubtree(scene.sampler(), weight: NSNumber(value: weight)) }
                let event = try? scene.play(random)
                try scene.render(64)
                event?.stopAndInvalidate()
            }
        }
        for empty in [
            PHASEContainerNodeDefinition(), PHASERandomNodeDefinition(),
            PHASESequenceNodeDefinition(identifier: "empty sequence"),
        ] as [PHASESoundEventNodeDefinition] {
            note("\(type(of: empty)) without children")
            _ = try? scene.play(empty)
            try scene.render()
        }
        note("a tree 2000 deep")
        var deep: PHASESoundEventNodeDefinition = scene.sampler()
        for _ in 0..<2000 {
            let container = PHASEContainerNodeDefinition()
            container.addSubtree(deep)
            deep = container
        }
        _ = try? scene.play(deep)
        try scene.expectAudible("trees")
    },
    MisuseCase("definitions: identifiers that are empty, double, unknown or very long") {
        let scene = try OfflineScene(), registry = scene.engine.assetRegistry
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1) else {
            throw MisuseFailure("no format")
        }
        for (index, name) in Hostile.names.enumerated() {
            note("name \(index)")
            try? registry.registerSoundAsset(
                data: Data(count: 400), identifier: name, format: mono, normalizationMode: .none)
            try expectThrown("a second asset \(index)") {
                try registry.registerSoundEventAsset(rootNode: scene.sampler(), identifier: "event")
            }
            _ = registry.asset(forIdentifier: name)
            registry.unregisterAsset(identifier: name, completion: nil)
            registry.unregisterAsset(identifier: name, completion: nil)
            try expectThrown("an event of asset \(index), which is gone") {
                _ = try PHASESoundEvent(engine: scene.engine, assetIdentifier: name)
            }
            _ = PHASESpatialMixerDefinition(spatialPipeline: scene.mixer.spatialPipeline, identifier: name)
        }
        registry.unregisterAsset(identifier: "sound", completion: nil)
        registry.unregisterAsset(identifier: "event", completion: nil)
        try scene.render()
    },
    MisuseCase("definitions: assets of wrong bytes") {
        let scene = try OfflineScene(), registry = scene.engine.assetRegistry
        for (count, channels) in [(0, 1), (1, 1), (3, 2), (7, 2), (4096, 2)] as [(Int, UInt32)] {
            for common in [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32] {
                guard
                    let format = AVAudioFormat(
                        commonFormat: common, sampleRate: 48_000, channels: channels, interleaved: true)
                else { continue }
                note("\(count) bytes of \(format)")
                _ = try? registry.registerSoundAsset(
                    data: Data(repeating: 0xFF, count: count), identifier: nil, format: format,
                    normalizationMode: .dynamic)
            }
        }
        for path in ["", "/", "/dev/zero", "/dev/null", "/nonexistent.wav"] {
            try expectThrown("register \(path)") {
                try registry.registerSoundAsset(
                    url: URL(fileURLWithPath: path), identifier: nil, assetType: .streamed, channelLayout: nil,
                    normalizationMode: .none)
            }
        }
        for values in [[], [.nan], [.infinity, -.infinity], [Double](repeating: -1, count: 100)] as [[Double]] {
            note("material \(values.prefix(3))")
            _ = PHASEMaterial(engine: scene.engine, absorption: values, transmissionLoss: values, scattering: values)
        }
        try scene.expectAudible("what was refused")
    },
]
