import Foundation
import OssicleCore
import OssiclePHASE

/// Every renderer at work: resident and streamed samplers at several rates, all mixers, walls, a changing room,
/// culling, starts and stops; a listener's own output, taps, and insert effects that come and go.
struct CheckScene {
    private let engine = PHASEEngine(updateMode: .automatic)
    let format: AVAudioFormat
    private let sources: [PHASESource]
    private let listener: PHASEListener
    private let streamed: URL
    private let output: PHASEListenerOutput
    private let effects = [AVAudioUnitEQ(numberOfBands: 4), AVAudioUnitReverb(), AVAudioUnitDelay()]

    init(channels: Int, layout: AudioChannelLayoutTag?) throws {
        let layouted = layout.flatMap { AVAudioChannelLayout(layoutTag: $0) }.map {
            AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: $0)
        }
        guard
            let format = layouted
                ?? AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: AVAudioChannelCount(channels))
        else {
            throw CheckError("no format of \(channels) channels")
        }
        self.format = format
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        engine.defaultReverbPreset = .mediumHall
        listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        output = engine.output(for: listener)
        try output.installTap(bufferSize: 256) { _, _ in }
        try engine.installTap(bufferSize: 1024) { _, _ in }
        sources = try [PHASESource](in: engine, count: 4)
        streamed = try CheckScene.writeNoise()
        let registry = engine.assetRegistry
        try registry.registerSoundAsset(
            url: streamed, identifier: "resident", assetType: .resident, channelLayout: nil, normalizationMode: .dynamic
        )
        try registry.registerSoundAsset(
            url: streamed, identifier: "streamed", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
        try addWall()
        try registerEvents()
    }

    /// - Returns: seconds rendered.
    func run() throws -> Double {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096) else {
            throw CheckError("no buffer")
        }
        try engine.start()
        try startEvents()
        // The runtime makes metadata when it is first needed: one turn of everything before the watch begins.
        engine.watchesRealTime = false
        var position = 0
        for turn in 0..<2 {
            var call = 1
            while position < (turn + 1) * 96_000 {
                if position % 7 == 0 { move(Float(position) / 48_000) }
                if position % 31 == 0 { try startEvents() }
                if position % 53 == 0 { engine.defaultReverbPreset = position % 2 == 0 ? .smallRoom : .cathedral }
                if position % 61 == 0 { try engine.loadImpulseResponse(contentsOf: streamed) }
                if position % 47 == 0 { engine.unloadImpulseResponse() }
                if position % 11 == 0 { engine.insertEffects = Array(effects.prefix(position % 4)) }
                try engine.renderOffline(AVAudioFrameCount(call), to: buffer)
                position += call
                call = call % 1024 + 37
            }
            engine.watchesRealTime = true
        }
        engine.stop()
        try? FileManager.default.removeItem(at: streamed)
        return (Double(position) / 480).rounded() / 100
    }

    private func move(_ time: Float) {
        for (index, source) in sources.enumerated() {
            var transform = matrix_identity_float4x4
            let angle = time * Float(index + 1)
            transform.columns.3 = SIMD4(4 * sin(angle), 0.3 * Float(index), 6 * cos(angle), 1)
            source.transform = transform
        }
        listener.transform = simd_float4x4(simd_quatf(angle: time, axis: SIMD3(0, 1, 0)))
    }

    private func addWall() throws {
        let box = MDLMesh.newBox(
            withDimensions: SIMD3(3, 3, 0.1), segments: SIMD3(repeating: 1), geometryType: .triangles,
            inwardNormals: false, allocator: nil)
        let wall = PHASEOccluder(
            engine: engine,
            shapes: [
                PHASEShape(engine: engine, mesh: box, materials: [PHASEMaterial(engine: engine, preset: .drywall)])
            ])
        var transform = matrix_identity_float4x4
        transform.columns.3 = SIMD4(0, 0, -1, 1)
        wall.transform = transform
        try engine.rootObject.addChild(wall)
    }

    private func registerEvents() throws {
        for (index, sound) in ["resident", "streamed", "resident", "streamed"].enumerated() {
            guard let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]) else {
                throw CheckError("no pipeline")
            }
            let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer \(index)")
            let distance = PHASEGeometricSpreadingDistanceModelParameters()
            distance.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 5)
            mixer.distanceModelParameters = distance
            let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: sound, mixerDefinition: mixer)
            sampler.playbackMode = index == 3 ? .oneShot : .looping
            sampler.cullOption =
                [.sleepWakeAtRealtimeOffset, .sleepWakeAtZero, .sleepWakeAtRandomOffset, .terminate][index]
            sampler.rate = [1, 0.7, 1.9, 1][index]
            try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event \(index)")
        }
        guard let mono = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono) else {
            throw CheckError("no layout")
        }
        let plain = PHASESamplerNodeDefinition(
            soundAssetIdentifier: "resident", mixerDefinition: PHASEChannelMixerDefinition(channelLayout: mono))
        try engine.assetRegistry.registerSoundEventAsset(rootNode: plain, identifier: "plain")
        let bed = PHASEAmbientMixerDefinition(
            channelLayout: mono, orientation: simd_quatf(angle: 0, axis: SIMD3(0, 1, 0)), identifier: "bed mixer")
        try engine.assetRegistry.registerSoundEventAsset(
            rootNode: PHASESamplerNodeDefinition(soundAssetIdentifier: "streamed", mixerDefinition: bed),
            identifier: "bed")
    }

    private func startEvents() throws {
        for (index, source) in sources.enumerated() {
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: "mixer \(index)", source: source, listener: listener)
            let event = try PHASESoundEvent(
                engine: engine, assetIdentifier: "event \(index)", mixerParameters: parameters)
            try event.mixers["mixer \(index)"]?.installTap(bufferSize: 128) { _, _ in }
            event.mixers["mixer \(index)"]?.insertEffects = [AVAudioUnitDistortion()]
            event.start(completion: nil)
            if engine.soundEvents.count > 40 { engine.soundEvents.first?.stopAndInvalidate() }
        }
        try PHASESoundEvent(engine: engine, assetIdentifier: "plain").start(completion: nil)
        let bed = PHASEMixerParameters()
        bed.addAmbientMixerParameters(identifier: "bed mixer", listener: listener)
        try PHASESoundEvent(engine: engine, assetIdentifier: "bed", mixerParameters: bed).start(completion: nil)
    }

    static func writeNoise() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-check-\(UUID().uuidString).wav")
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 30_000)
        else { throw CheckError("no buffer") }
        let random = CounterRandom(seed: 1, object: 1)
        buffer.frameLength = 30_000
        for frame in 0..<30_000 { buffer.floatChannelData?[0][frame] = Float(random.unit(UInt64(frame)) - 0.5) * 0.2 }
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: buffer)
        file.close()
        return url
    }
}

struct CheckError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension [PHASESource] {
    init(in engine: PHASEEngine, count: Int) throws {
        self = try (0..<count).map { _ in
            let source = PHASESource(engine: engine)
            try engine.rootObject.addChild(source)
            return source
        }
    }
}
