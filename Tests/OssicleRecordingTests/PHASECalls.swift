import Foundation
import OssicleAVFAudio
import OssiclePHASE
import OssicleTestSupport

/// Each call by which a client changes a PHASE engine, on one that is recorded.
final class PHASECalls: @unchecked Sendable {
    private let engine = PHASEEngine(updateMode: .manual)
    private let recording, folder: URL
    private let listener: PHASEListener, source: PHASESource
    private let shape: PHASEShape, zone: PHASEReverbZone
    private let group = PHASEGroup(identifier: "group")
    private let ducker: PHASEDucker, preset: PHASEGroupPreset
    private let event, stream: PHASESoundEvent
    private let stereo, mono: AVAudioFormat
    private let response, head: URL

    func commandCount() throws -> Int { try recordedCommands(in: recording) }

    init(recording: URL, folder: URL) throws {
        (self.recording, self.folder) = (recording, folder)
        try engine.startRecordingCommands(to: recording)
        guard let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        else { throw CocoaError(.featureUnsupported) }
        (self.stereo, self.mono) = (stereo, mono)
        listener = PHASEListener(engine: engine)
        source = PHASESource(engine: engine)
        let mesh = MDLMesh(
            boxWithExtent: SIMD3(4, 3, 4), segments: SIMD3(1, 1, 1), inwardNormals: false, geometryType: .triangles,
            allocator: nil)
        shape = PHASEShape(engine: engine, mesh: mesh, materials: [PHASEMaterial(engine: engine, preset: .wood)])
        zone = PHASEReverbZone(engine: engine, shapes: [shape])
        group.register(engine: engine)
        ducker = PHASEDucker(
            engine: engine, sourceGroups: [group], targetGroups: [group], gain: 0.5, attackTime: 0.1, releaseTime: 0.1,
            attackCurve: .linear, releaseCurve: .linear)
        preset = PHASEGroupPreset(
            engine: engine,
            settings: [
                "group": PHASEGroupPresetSetting(gain: 0.5, rate: 1, gainCurveType: .linear, rateCurveType: .linear)
            ],
            timeToTarget: 0, timeToReset: 0)
        for object in [listener, source, zone] { try engine.rootObject.addChild(object) }
        try Self.register(engine, mono)
        event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
        stream = try PHASESoundEvent(engine: engine, assetIdentifier: "stream")
        (response, head) = (folder.appendingPathComponent("room.wav"), folder.appendingPathComponent("head.sofa"))
        let sound = try Self.sound(mono)
        try AVAudioFile(forWriting: response, settings: mono.settings).write(from: sound)
        let ear = [Float](repeating: 0, count: 20) + [1] + [Float](repeating: 0, count: 107)
        let directions = [(0.0, 0.0), (90, 0), (180, 0), (270, 0), (0, 90), (0, -90)].map {
            (azimuth: $0.0, elevation: $0.1)
        }
        try Data(
            SofaWriter(
                sampleRate: 48_000, directions: directions,
                responses: directions.map { _ in (left: ear, right: ear) }
            ).bytes()
        ).write(to: head)
    }

    private static func register(_ engine: PHASEEngine, _ mono: AVAudioFormat) throws {
        try engine.assetRegistry.registerSoundAsset(
            data: Data(count: 9600), identifier: "sound", format: mono, normalizationMode: .none)
        let mixer = PHASEChannelMixerDefinition(
            channelLayout: .init(layoutTag: kAudioChannelLayoutTag_Mono)!, identifier: "mix")
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "sound", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.gainMetaParameterDefinition = PHASENumberMetaParameterDefinition(
            value: 1, minimum: 0, maximum: 1, identifier: "gain")
        let other = PHASESamplerNodeDefinition(soundAssetIdentifier: "sound", mixerDefinition: mixer)
        let choice = PHASESwitchNodeDefinition(
            switchMetaParameterDefinition: PHASEStringMetaParameterDefinition(value: "a", identifier: "which"))
        choice.addSubtree(sampler, switchValue: "a")
        choice.addSubtree(other, switchValue: "b")
        try engine.assetRegistry.registerSoundEventAsset(rootNode: choice, identifier: "event")
        let stream = PHASEPushStreamNodeDefinition(mixerDefinition: mixer, format: mono, identifier: "stream")
        try engine.assetRegistry.registerSoundEventAsset(rootNode: stream, identifier: "stream")
    }

    private static func sound(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        guard let sound = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 480) else {
            throw CocoaError(.featureUnsupported)
        }
        sound.frameLength = 480
        for frame in 0..<480 { sound.floatChannelData?[0][frame] = frame == 10 ? 0.5 : 0 }
        return sound
    }

    private var gain: PHASENumberMetaParameter? { event.metaParameters["gain"] as? PHASENumberMetaParameter }

    typealias Call = RecordedCall<PHASECalls>

    /// In an order in which each has something to do.
    static let all: [Call] = settings + scene + events

    private static let settings: [Call] = [
        Call("PHASEEngine.acousticsMode") { $0.engine.acousticsMode = .geometry },
        Call("PHASEEngine.acousticsQuality") { $0.engine.acousticsQuality = PHASEAcousticsQuality(rays: 64) },
        Call("PHASEEngine.defaultMedium") { $0.engine.defaultMedium = PHASEMedium(engine: $0.engine, preset: .air) },
        Call("PHASEEngine.defaultReverbPreset") { $0.engine.defaultReverbPreset = .smallRoom },
        Call("PHASEEngine.maximumVoiceCount") { $0.engine.maximumVoiceCount = 20 },
        Call("PHASEEngine.maximumFullVoiceCount") { $0.engine.maximumFullVoiceCount = 10 },
        Call("PHASEEngine.outputSpatializationMode") { $0.engine.outputSpatializationMode = .alwaysUseBinaural },
        Call("PHASEEngine.randomSeed") { $0.engine.randomSeed = 3 },
        Call("PHASEEngine.unitsPerMeter") { $0.engine.unitsPerMeter = 2 },
        Call("PHASEEngine.unitsPerSecond") { $0.engine.unitsPerSecond = 2 },
        Call("PHASEEngine.loadHRTF") { try $0.engine.loadHRTF(contentsOf: $0.head) },
        Call("PHASEEngine.resetHRTF") { $0.engine.resetHRTF() },
        Call("PHASEEngine.loadImpulseResponse") { try $0.engine.loadImpulseResponse(contentsOf: $0.response) },
        Call("PHASEEngine.unloadImpulseResponse") { $0.engine.unloadImpulseResponse() },
        Call("PHASEEngine.headTracking") { $0.engine.headTracking = PHASEHeadTracking(.supplied) },
        Call("PHASEEngine.insertEffects") { $0.engine.insertEffects = [AVAudioUnitDelay()] },
    ]

    private static let scene: [Call] = [
        Call("PHASEObject.transform") { $0.source.transform.columns.3.x = 1 },
        Call("PHASEObject.worldTransform") { $0.source.worldTransform.columns.3.x = 2 },
        Call("PHASEObject.copy") { _ = $0.source.copy() },
        Call("PHASEObject.removeChild") { $0.engine.rootObject.removeChild($0.source) },
        Call("PHASEObject.addChild") { try $0.engine.rootObject.addChild($0.source) },
        Call("PHASEObject.removeChildren") {
            $0.engine.rootObject.removeChildren()
            for object in [$0.listener, $0.source, $0.zone] { try $0.engine.rootObject.addChild(object) }
        },
        Call("PHASESource.gain") { $0.source.gain = 0.5 },
        Call("PHASEListener.gain") { $0.listener.gain = 0.5 },
        Call("PHASEListener.automaticHeadTrackingFlags") { $0.listener.automaticHeadTrackingFlags = .orientation },
        Call("PHASEReverbZone.borderWidth") { $0.zone.borderWidth = 2 },
        Call("PHASEReverbZone.level") { $0.zone.level = -3 },
        Call("PHASEReverbZone.priority") { $0.zone.priority = 1 },
        Call("PHASEReverbZone.reverb") { $0.zone.reverb = .preset(.largeHall) },
        Call("PHASEReverbZone.loadImpulseResponse") { try $0.zone.loadImpulseResponse(contentsOf: $0.response) },
        Call("PHASEReverbZone.unloadImpulseResponse") { $0.zone.unloadImpulseResponse() },
        Call("Element.material") { $0.shape.elements[0].material = PHASEMaterial(engine: $0.engine, preset: .glass) },
        Call("PHASEGroup.gain") { $0.group.gain = 0.5 },
        Call("PHASEGroup.rate") { $0.group.rate = 1.5 },
        Call("PHASEGroup.fadeGain") { $0.group.fadeGain(gain: 1, duration: 1, curveType: .linear) },
        Call("PHASEGroup.fadeRate") { $0.group.fadeRate(rate: 1, duration: 1, curveType: .linear) },
        Call("PHASEGroup.mute") { $0.group.mute() },
        Call("PHASEGroup.unmute") { $0.group.unmute() },
        Call("PHASEGroup.solo") { $0.group.solo() },
        Call("PHASEGroup.unsolo") { $0.group.unsolo() },
        Call("PHASEDucker.activate") { $0.ducker.activate() },
        Call("PHASEDucker.deactivate") { $0.ducker.deactivate() },
        Call("PHASEGroupPreset.activate") { $0.preset.activate() },
        Call("PHASEGroupPreset.deactivate") { $0.preset.deactivate() },
    ]

    private static let events: [Call] = [
        Call("PHASEEngine.enableManualRenderingMode") {
            try $0.engine.enableManualRenderingMode(.offline, format: $0.stereo, maximumFrameCount: 512)
        },
        Call("PHASEEngine.start") { try $0.engine.start() },
        Call("PHASEEngine.update") { $0.engine.update() },
        Call("PHASEEngine.renderOffline") {
            guard let buffer = AVAudioPCMBuffer(pcmFormat: $0.stereo, frameCapacity: 512) else { return }
            try $0.engine.renderOffline(512, to: buffer)
        },
        Call("PHASEAssetRegistry.registerSoundAsset") {
            try $0.engine.assetRegistry.registerSoundAsset(
                url: $0.response, identifier: "file", assetType: .resident, channelLayout: nil, normalizationMode: .none
            )
        },
        Call("PHASEAssetRegistry.registerSoundEventAsset") { stage in
            let mixer = PHASEChannelMixerDefinition(channelLayout: .init(layoutTag: kAudioChannelLayoutTag_Mono)!)
            let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "file", mixerDefinition: mixer)
            try stage.engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "file event")
        },
        Call("PHASEAssetRegistry.registerGlobalMetaParameter") {
            try $0.engine.assetRegistry.registerGlobalMetaParameter(
                metaParameterDefinition: PHASENumberMetaParameterDefinition(value: 1, identifier: "global"))
        },
        Call("PHASEMetaParameter.value") { $0.engine.assetRegistry.globalMetaParameters["global"]?.value = 2.0 },
        Call("PHASENumberMetaParameter.value") { $0.gain?.value = 0.5 },
        Call("PHASENumberMetaParameter.fade") { $0.gain?.fade(value: 1, duration: 1) },
        Call("PHASEStringMetaParameter.value") { $0.event.metaParameters["which"]?.value = "b" },
        Call("PHASEMixer.insertEffects") { $0.event.mixers["mix"]?.insertEffects = [AVAudioUnitDistortion()] },
        Call("PHASEPushStreamNode.scheduleBuffer") {
            $0.stream.pushStreamNodes["stream"]?.scheduleBuffer(buffer: try PHASECalls.sound($0.mono))
        },
        Call("PHASESoundEvent.prepare") { $0.event.prepare(completion: nil) },
        Call("PHASESoundEvent.start") { $0.event.start() },
        Call("PHASESoundEvent.pause") { $0.event.pause() },
        Call("PHASESoundEvent.resume") { $0.event.resume() },
        Call("PHASESoundEvent.seek") { $0.event.seek(to: 0.01) },
        Call("PHASESoundEvent.stopAndInvalidate") { $0.event.stopAndInvalidate() },
        Call("PHASEAssetRegistry.unregisterAsset") {
            $0.engine.assetRegistry.unregisterAsset(identifier: "file", completion: nil)
        },
        Call("PHASEGroup.unregisterFromEngine") { $0.group.unregisterFromEngine() },
        Call("PHASEGroup.register") { $0.group.register(engine: $0.engine) },
        Call("PHASEEngine.pause") { $0.engine.pause() },
        Call("PHASEEngine.stop") { $0.engine.stop() },
        Call("PHASEEngine.disableManualRenderingMode") { $0.engine.disableManualRenderingMode() },
    ]

    /// What is in no recording, by the reason.
    static let exceptions: [String: [String]] = [
        "it asks": [
            "PHASEAcousticsQuality.hash", "PHASEAssetRegistry.asset", "PHASEEngine.explain", "PHASEEngine.output",
            "PHASEEngine.roomMetrics", "PHASEEngine.takeMeters", "PHASEListenerOutput.takeMeters",
        ],
        "it changes no sample": [
            "PHASEEngine.drainCallbacks", "PHASEEngine.errorHandler", "PHASEEngine.installTap",
            "PHASEEngine.offlineHandlerTimeLimit", "PHASEEngine.removeTap", "PHASEEngine.renderThreadCount",
            "PHASEListenerOutput.installTap", "PHASEListenerOutput.removeTap", "PHASEMixer.installTap",
            "PHASEMixer.removeTap",
            "PHASEObject.name",
        ],
        "it has an effect at devices only": ["PHASEEngine.acousticsBudget"],
        "the pose is recorded where an update reads it": [
            "PHASEHeadTracking.recentre", "PHASEHeadTracking.start", "PHASEHeadTracking.stop",
            "PHASEHeadTracking.supply",
        ],
        "what the handler gives is recorded": ["PHASEPullStreamNode.renderHandler"],
        "a shape is recorded with the first object that has it": ["PHASEShape.copy"],
    ]
}
