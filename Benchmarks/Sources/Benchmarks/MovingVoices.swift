import Foundation
import PHASE

/// Many sources on circles around the listener, each binaural and each in motion at every update.
enum MovingVoices {
    /// Seconds of sound per second of processor time.
    /// - Parameter hasAir: whether the medium takes high frequencies from them, which beside rivals it does not.
    static func measure(count: Int, seconds: Double, hasAir: Bool = false) throws -> Double {
        let stage = try Stage()
        if hasAir { stage.engine.defaultMedium = PHASEMedium(engine: stage.engine, temperature: 20) }
        try stage.register("noise", samples: Circles.noise, loops: true)
        let sources = try (0..<count).map { try stage.source(at: Circles.place(of: $0, at: 0)) }
        let events = try sources.map { try stage.event("noise", from: $0) }
        try stage.engine.start()
        for event in events { event.start(completion: nil) }
        defer { stage.engine.stop() }
        return try Circles.speed(seconds: seconds) { time in
            for (number, source) in sources.enumerated() {
                source.transform = Stage.transform(Circles.place(of: number, at: time))
            }
            try stage.render()
        }
    }

    /// The same voices at rest in a hall with late reverberation: seconds of sound per second of processor time.
    static func measureReverb(count: Int, seconds: Double) throws -> Double {
        let stage = try Stage()
        stage.engine.defaultReverbPreset = .mediumHall
        try stage.register(
            "noise", samples: Circles.noise, loops: true,
            flags: [.directPathTransmission, .lateReverb])
        let events = try (0..<count).map {
            try stage.event("noise", from: stage.source(at: Circles.place(of: $0, at: 0)))
        }
        try stage.engine.start()
        for event in events { event.start(completion: nil) }
        defer { stage.engine.stop() }
        return try Circles.speed(seconds: seconds) { _ in try stage.render() }
    }

    /// An engine that renders offline, two ears, with one listener.
    struct Stage {
        let engine = PHASEEngine(updateMode: .manual)
        let listener: PHASEListener
        private let buffer: AVAudioPCMBuffer

        init() throws {
            let frames = AVAudioFrameCount(Circles.blockFrames)
            guard let format = AVAudioFormat(standardFormatWithSampleRate: Double(Circles.sampleRate), channels: 2),
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)
            else { throw CocoaError(.featureUnsupported) }
            self.buffer = buffer
            engine.outputSpatializationMode = .alwaysUseBinaural
            try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: frames)
            listener = PHASEListener(engine: engine)
            try engine.rootObject.addChild(listener)
        }

        func register(
            _ name: String, samples: [Float], loops: Bool, flags: PHASESpatialPipeline.Flags = .directPathTransmission
        ) throws {
            guard let mono = AVAudioFormat(standardFormatWithSampleRate: Double(Circles.sampleRate), channels: 1)
            else { throw CocoaError(.featureUnsupported) }
            try engine.assetRegistry.registerSoundAsset(
                data: samples.withUnsafeBytes { Data($0) }, identifier: name + " sound", format: mono,
                normalizationMode: .none)
            try registerEvent(name, loops: loops, flags: flags)
        }

        /// A looping sound that is decoded while it plays.
        func register(_ name: String, streamedFrom path: String, flags: PHASESpatialPipeline.Flags) throws {
            try engine.assetRegistry.registerSoundAsset(
                url: URL(fileURLWithPath: path), identifier: name + " sound", assetType: .streamed, channelLayout: nil,
                normalizationMode: .none)
            try registerEvent(name, loops: true, flags: flags)
        }

        private func registerEvent(_ name: String, loops: Bool, flags: PHASESpatialPipeline.Flags) throws {
            guard let pipeline = PHASESpatialPipeline(flags: flags) else { throw CocoaError(.featureUnsupported) }
            let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
            mixer.distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
            let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: name + " sound", mixerDefinition: mixer)
            sampler.playbackMode = loops ? .looping : .oneShot
            sampler.cullOption = .doNotCull
            try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name)
        }

        func source(at place: SIMD3<Float>, shapes: [PHASEShape] = []) throws -> PHASESource {
            let source = shapes.isEmpty ? PHASESource(engine: engine) : PHASESource(engine: engine, shapes: shapes)
            source.transform = Self.transform(place)
            try engine.rootObject.addChild(source)
            return source
        }

        func event(_ name: String, from source: PHASESource) throws -> PHASESoundEvent {
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: "mixer", source: source, listener: listener)
            return try PHASESoundEvent(engine: engine, assetIdentifier: name, mixerParameters: parameters)
        }

        /// Updates, and renders one block.
        func render() throws {
            engine.update()
            try renderBlock()
        }

        func renderBlock() throws {
            _ = try engine.renderOffline(AVAudioFrameCount(Circles.blockFrames), to: buffer)
        }

        static func transform(_ place: SIMD3<Float>) -> simd_float4x4 {
            var transform = matrix_identity_float4x4
            transform.columns.3 = simd_make_float4(place.x, place.y, place.z, 1)
            return transform
        }
    }
}
