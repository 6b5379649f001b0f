import Foundation
import OssicleCore
import OssiclePHASE

/// A scene with every kind of sound event PHASE has, and objects to move. `SceneHand` plays it.
final class EverythingScene: @unchecked Sendable {
    let engine = PHASEEngine(updateMode: .automatic)
    let format: AVAudioFormat
    let listener: PHASEListener
    let second: PHASEListener
    let occluder: PHASEOccluder
    let zone: PHASEReverbZone
    let music = PHASEGroup(identifier: "music")
    let speech = PHASEGroup(identifier: "speech")
    let preset: PHASEGroupPreset
    let ducker: PHASEDucker
    /// Identifiers of the events.
    static let events = ["resident", "streamed", "short", "sequence", "push", "pull", "bed", "field", "plain", "tree"]
        .map { "event " + $0 }
    /// A file that stands for a sound from outside, and for one that comes and goes in the registry.
    let sound: URL
    /// A head from outside, where the machine has one.
    let head: URL?

    private static let installedHead = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"

    init(_ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat) throws {
        self.format = format
        try engine.enableManualRenderingMode(mode, format: format, maximumFrameCount: 4096)
        engine.randomSeed = 7
        engine.defaultReverbPreset = .mediumHall
        (listener, second) = (PHASEListener(engine: engine), PHASEListener(engine: engine))
        try engine.rootObject.addChild(listener)
        try engine.rootObject.addChild(second)
        let door = Self.box(SIMD3(3, 3, 0.1), looksInwards: false)
        occluder = PHASEOccluder(
            engine: engine,
            shapes: [
                PHASEShape(engine: engine, mesh: door, materials: [PHASEMaterial(engine: engine, preset: .drywall)])
            ])
        try engine.rootObject.addChild(occluder)
        let (walls, corner) = (
            Self.box(SIMD3(16, 6, 16), looksInwards: true), Self.box(SIMD3(4, 4, 4), looksInwards: false)
        )
        let room = PHASEShape(engine: engine, mesh: walls, materials: [PHASEMaterial(engine: engine, preset: .wood)])
        try engine.rootObject.addChild(PHASEOccluder(engine: engine, shapes: [room]))
        zone = PHASEReverbZone(engine: engine, shapes: [PHASEShape(engine: engine, mesh: corner)])
        zone.transform.columns.3 = SIMD4(3, 0, 3, 1)
        engine.acousticsQuality = .low
        let setting = PHASEGroupPresetSetting(gain: 0.4, rate: 1.2, gainCurveType: .sine, rateCurveType: .linear)
        preset = PHASEGroupPreset(engine: engine, settings: ["music": setting], timeToTarget: 0.05, timeToReset: 0.1)
        ducker = PHASEDucker(
            engine: engine, sourceGroups: [speech], targetGroups: [music], gain: 0.3, attackTime: 0.02,
            releaseTime: 0.1,
            attackCurve: .linear, releaseCurve: .sine)
        sound = try CheckScene.writeNoise()
        head =
            FileManager.default.fileExists(atPath: Self.installedHead) ? URL(fileURLWithPath: Self.installedHead) : nil
        music.register(engine: engine)
        speech.register(engine: engine)
        ducker.activate()
        try registerSounds()
        try registerEvents()
    }

    private static func box(_ size: SIMD3<Float>, looksInwards: Bool) -> MDLMesh {
        MDLMesh.newBox(
            withDimensions: size, segments: SIMD3(repeating: 1), geometryType: .triangles, inwardNormals: looksInwards,
            allocator: nil)
    }

    /// The places of an event: every mixer that needs one finds its own.
    func places(_ source: PHASESource, _ ears: PHASEListener) -> PHASEMixerParameters {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: "spatial", source: source, listener: ears)
        for bed in ["bed", "field"] { parameters.addAmbientMixerParameters(identifier: bed, listener: ears) }
        return parameters
    }

    // MARK: Sounds

    private func registerSounds() throws {
        let registry = engine.assetRegistry
        try registry.registerSoundAsset(
            url: sound, identifier: "resident", assetType: .resident, channelLayout: nil, normalizationMode: .dynamic)
        try registry.registerSoundAsset(
            url: sound, identifier: "streamed", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
        for (name, tag) in Self.layouts {
            let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: try layout(tag))
            let noise = Noise.samples(4000 * Int(format.channelCount), key: 2)
            try registry.registerSoundAsset(
                data: noise.withUnsafeBytes { Data($0) }, identifier: name, format: format, normalizationMode: .none)
        }
    }

    private static let layouts = [
        ("mono", kAudioChannelLayoutTag_Mono), ("stereo", kAudioChannelLayoutTag_Stereo),
        ("bed", kAudioChannelLayoutTag_MPEG_5_1_A),
        ("field", kAudioChannelLayoutTag_HOA_ACN_SN3D | 16),
    ]

    private func layout(_ tag: AudioChannelLayoutTag) throws -> AVAudioChannelLayout {
        guard let layout = AVAudioChannelLayout(layoutTag: tag) else { throw CheckError("no layout \(tag)") }
        return layout
    }

    static func streamFormat(_ rate: Double) throws -> AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) else {
            throw CheckError("no format at \(rate) Hz")
        }
        return format
    }

    // MARK: Events

    private func registerEvents() throws {
        let level = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "level")
        let rate = PHASENumberMetaParameterDefinition(value: 1, minimum: 0.25, maximum: 4, identifier: "rate")
        try engine.assetRegistry.registerGlobalMetaParameter(
            metaParameterDefinition: PHASENumberMetaParameterDefinition(
                value: 0.5, minimum: 0, maximum: 1, identifier: "blend"))
        func moved<Node: PHASEGeneratorNodeDefinition>(_ node: Node, _ group: PHASEGroup? = nil) -> Node {
            (node.gainMetaParameterDefinition, node.rateMetaParameterDefinition, node.group) = (level, rate, group)
            return node
        }
        func sampler(
            _ sound: String, _ mixer: PHASEMixerDefinition, loops: Bool = true,
            _ cull: PHASECullOption = .sleepWakeAtRealtimeOffset
        ) -> PHASESamplerNodeDefinition {
            let node = PHASESamplerNodeDefinition(soundAssetIdentifier: sound, mixerDefinition: mixer)
            (node.playbackMode, node.cullOption) = (loops ? .looping : .oneShot, cull)
            return node
        }
        let (spatial, mono) = (
            try spatialMixer(),
            PHASEChannelMixerDefinition(channelLayout: try layout(kAudioChannelLayoutTag_Mono), identifier: "mono")
        )
        let (bed, field) = (
            try ambient("bed", kAudioChannelLayoutTag_MPEG_5_1_A),
            try ambient("field", kAudioChannelLayoutTag_HOA_ACN_SN3D | 16)
        )
        let stereo = PHASEChannelMixerDefinition(
            channelLayout: try layout(kAudioChannelLayoutTag_Stereo), identifier: "stereo")
        try register(moved(sampler("resident", spatial), music), "resident")
        try register(moved(sampler("streamed", spatial, .sleepWakeAtZero), speech), "streamed")
        try register(moved(sampler("mono", spatial, loops: false, .terminate), speech), "short")
        let sequence = PHASESequenceNodeDefinition(identifier: "sequence")
        sequence.overlap = 0.02
        for sound in ["mono", "streamed", "mono", "resident"] {
            sequence.addSubtree(moved(sampler(sound, mono, loops: false)))
        }
        try register(sequence, "sequence")
        try register(
            moved(
                PHASEPushStreamNodeDefinition(
                    mixerDefinition: spatial, format: Self.streamFormat(44_100), identifier: "push"), music), "push")
        let pull = moved(
            PHASEPullStreamNodeDefinition(
                mixerDefinition: mono, format: try Self.streamFormat(48_000), identifier: "pull"))
        pull.normalize = true
        try register(pull, "pull")
        try register(sampler("bed", bed), "bed")
        try register(sampler("field", field), "field")
        try register(moved(sampler("stereo", stereo), music), "plain")
        try register(tree { moved(sampler($0, mono)) }, "tree")
    }

    private func register(_ node: PHASESoundEventNodeDefinition, _ identifier: String) throws {
        try engine.assetRegistry.registerSoundEventAsset(rootNode: node, identifier: "event " + identifier)
    }

    private func spatialMixer() throws -> PHASESpatialMixerDefinition {
        guard let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        else { throw CheckError("no pipeline") }
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "spatial")
        let distance = PHASEGeometricSpreadingDistanceModelParameters()
        distance.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 8)
        mixer.distanceModelParameters = distance
        let subband = PHASECardioidDirectivityModelSubbandParameters()
        (subband.frequency, subband.pattern) = (1000, 0.5)
        mixer.sourceDirectivityModelParameters = PHASECardioidDirectivityModelParameters(subbandParameters: [subband])
        return mixer
    }

    private func ambient(_ name: String, _ tag: AudioChannelLayoutTag) throws -> PHASEAmbientMixerDefinition {
        PHASEAmbientMixerDefinition(
            channelLayout: try layout(tag), orientation: simd_quatf(angle: 0.3, axis: SIMD3(0, 1, 0)), identifier: name)
    }

    /// Container, random, switch and blend.
    private func tree(_ leaf: (String) -> PHASESamplerNodeDefinition) -> PHASESoundEventNodeDefinition {
        let (container, random) = (PHASEContainerNodeDefinition(), PHASERandomNodeDefinition())
        for (index, sound) in ["mono", "resident"].enumerated() {
            random.addSubtree(leaf(sound), weight: NSNumber(value: index + 1))
        }
        let choice = PHASESwitchNodeDefinition(
            switchMetaParameterDefinition: PHASEStringMetaParameterDefinition(value: "a", identifier: "choice"))
        choice.addSubtree(leaf("mono"), switchValue: "a")
        let blend = PHASEBlendNodeDefinition(
            blendMetaParameterDefinition: PHASENumberMetaParameterDefinition(
                value: 0.5, minimum: 0, maximum: 1, identifier: "blend"))
        blend.addRangeForInputValuesBelow(
            value: 0.6, fullGainAtValue: 0.4, fadeCurveType: .linear, subtree: leaf("streamed"))
        blend.addRangeForInputValuesAbove(value: 0.4, fullGainAtValue: 0.6, fadeCurveType: .sine, subtree: leaf("mono"))
        for node in [random, choice, blend] as [PHASESoundEventNodeDefinition] { container.addSubtree(node) }
        return container
    }
}

/// Noise for the checks.
enum Noise {
    static func samples(_ count: Int, key: UInt64) -> [Float] {
        let random = CounterRandom(seed: 1, object: key)
        return (0..<count).map { Float(random.unit(UInt64($0)) - 0.5) * 0.1 }
    }
}
