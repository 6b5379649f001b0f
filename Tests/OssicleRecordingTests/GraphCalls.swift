import Foundation
import OssicleAVFAudio
import OssicleTestSupport

/// Each call by which a client changes an AVAudioEngine, on one that is recorded.
final class GraphCalls: @unchecked Sendable {
    private let engine = AVAudioEngine()
    private let recording: URL
    private let stereo, mono: AVAudioFormat
    private let player = AVAudioPlayerNode(), mixer = AVAudioMixerNode(), environment = AVAudioEnvironmentNode()
    private let equalizer = AVAudioUnitEQ(numberOfBands: 1), delay = AVAudioUnitDelay(), reverb = AVAudioUnitReverb()
    private let distortion = AVAudioUnitDistortion(), pitch = AVAudioUnitTimePitch(), speed = AVAudioUnitVarispeed()
    private let sound: AVAudioPCMBuffer
    private let file: AVAudioFile
    private let presetFile: URL

    func commandCount() throws -> Int { try recordedCommands(in: recording) }

    init(recording: URL, folder: URL) throws {
        self.recording = recording
        try engine.startRecordingCommands(to: recording)
        guard let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let sound = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 480)
        else { throw CocoaError(.featureUnsupported) }
        (self.stereo, self.mono, self.sound) = (stereo, mono, sound)
        sound.frameLength = 480
        for frame in 0..<480 { sound.floatChannelData?[0][frame] = frame == 10 ? 0.5 : 0 }
        let url = folder.appendingPathComponent("sound.wav")
        try AVAudioFile(forWriting: url, settings: mono.settings).write(from: sound)
        file = try AVAudioFile(forReading: url)
        presetFile = folder.appendingPathComponent("delay.aupreset")
        let other = AVAudioUnitDelay()
        other.delayTime = 0.25
        let state = try PropertyListSerialization.data(
            fromPropertyList: other.auAudioUnit.fullState ?? [:], format: .xml, options: 0)
        try state.write(to: presetFile)
        for node in [player, mixer, environment, equalizer, delay, reverb, distortion, pitch, speed] as [AVAudioNode] {
            engine.attach(node)
        }
        engine.connect(player, to: environment, format: mono)
        engine.connect(environment, to: mixer, format: stereo)
        engine.connect(mixer, to: engine.mainMixerNode, format: stereo)
    }

    private var destination: AVAudioMixingDestination? { player.destination(forMixer: environment, bus: 0) }

    typealias Call = RecordedCall<GraphCalls>

    /// In an order in which each has something to do.
    static let all: [Call] = graph + mixing + environment + units + players

    private static let graph: [Call] = [
        Call("AVAudioEngine.attach") { $0.engine.attach(AVAudioMixerNode()) },
        Call("AVAudioEngine.connect") { $0.engine.connect($0.delay, to: $0.reverb, format: $0.stereo) },
        Call("AVAudioEngine.connectNode") { try $0.engine.connectNode($0.speed, to: $0.delay, format: $0.stereo) },
        Call("AVAudioEngine.disconnectNodeInput") { $0.engine.disconnectNodeInput($0.reverb) },
        Call("AVAudioEngine.disconnectNodeOutput") { $0.engine.disconnectNodeOutput($0.speed) },
        Call("AVAudioEngine.detach") { stage in
            let node = AVAudioMixerNode()
            stage.engine.attach(node)
            let before = try stage.commandCount()
            stage.engine.detach(node)
            if try stage.commandCount() == before { throw CocoaError(.featureUnsupported) }
        },
    ]

    private static let mixing: [Call] = [
        Call("AVAudioMixerNode.outputVolume") { $0.mixer.outputVolume = 0.5 },
        Call("AVAudioMixerNode.setCrossPoint") {
            $0.mixer.setCrossPoint(0.5, inputBus: 0, inputChannel: 0, outputChannel: 1)
        },
        Call("AVAudioNode.volume") { $0.player.volume = 0.5 },
        Call("AVAudioNode.pan") { $0.player.pan = 0.5 },
        Call("AVAudioNode.position") { $0.player.position = AVAudio3DPoint(x: 1, y: 0, z: 0) },
        Call("AVAudioNode.rate") { $0.player.rate = 1.5 },
        Call("AVAudioNode.reverbBlend") { $0.player.reverbBlend = 0.5 },
        Call("AVAudioNode.obstruction") { $0.player.obstruction = -3 },
        Call("AVAudioNode.occlusion") { $0.player.occlusion = -3 },
        Call("AVAudioNode.renderingAlgorithm") { $0.player.renderingAlgorithm = .HRTF },
        Call("AVAudioNode.sourceMode") { $0.player.sourceMode = .pointSource },
        Call("AVAudioNode.pointSourceInHeadMode") { $0.player.pointSourceInHeadMode = .bypass },
        Call("AVAudioMixingDestination.volume") { $0.destination?.volume = 0.4 },
        Call("AVAudioMixingDestination.pan") { $0.destination?.pan = -0.5 },
        Call("AVAudioMixingDestination.position") { $0.destination?.position = AVAudio3DPoint(x: 0, y: 1, z: 0) },
        Call("AVAudioMixingDestination.rate") { $0.destination?.rate = 1.2 },
        Call("AVAudioMixingDestination.reverbBlend") { $0.destination?.reverbBlend = 0.3 },
        Call("AVAudioMixingDestination.obstruction") { $0.destination?.obstruction = -6 },
        Call("AVAudioMixingDestination.occlusion") { $0.destination?.occlusion = -6 },
        Call("AVAudioMixingDestination.renderingAlgorithm") { $0.destination?.renderingAlgorithm = .equalPowerPanning },
        Call("AVAudioMixingDestination.sourceMode") { $0.destination?.sourceMode = .bypass },
        Call("AVAudioMixingDestination.pointSourceInHeadMode") { $0.destination?.pointSourceInHeadMode = .mono },
    ]

    private static let environment: [Call] = [
        Call("AVAudioEnvironmentNode.listenerPosition") {
            $0.environment.listenerPosition = AVAudio3DPoint(x: 1, y: 0, z: 0)
        },
        Call("AVAudioEnvironmentNode.listenerAngularOrientation") {
            $0.environment.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: 10, pitch: 0, roll: 0)
        },
        Call("AVAudioEnvironmentNode.listenerVectorOrientation") {
            $0.environment.listenerVectorOrientation = AVAudio3DVectorOrientation(
                forward: AVAudio3DVector(x: 1, y: 0, z: 0), up: AVAudio3DVector(x: 0, y: 1, z: 0))
        },
        Call("AVAudioEnvironmentNode.outputType") { $0.environment.outputType = .headphones },
        Call("AVAudioEnvironmentNode.outputVolume") { $0.environment.outputVolume = 0.5 },
        Call("AVAudioEnvironmentDistanceAttenuationParameters.distanceAttenuationModel") {
            $0.environment.distanceAttenuationParameters.distanceAttenuationModel = .linear
        },
        Call("AVAudioEnvironmentDistanceAttenuationParameters.maximumDistance") {
            $0.environment.distanceAttenuationParameters.maximumDistance = 50
        },
        Call("AVAudioEnvironmentDistanceAttenuationParameters.referenceDistance") {
            $0.environment.distanceAttenuationParameters.referenceDistance = 2
        },
        Call("AVAudioEnvironmentDistanceAttenuationParameters.rolloffFactor") {
            $0.environment.distanceAttenuationParameters.rolloffFactor = 2
        },
        Call("AVAudioEnvironmentReverbParameters.enable") { $0.environment.reverbParameters.enable = true },
        Call("AVAudioEnvironmentReverbParameters.level") { $0.environment.reverbParameters.level = -6 },
        Call("AVAudioEnvironmentReverbParameters.loadFactoryReverbPreset") {
            $0.environment.reverbParameters.loadFactoryReverbPreset(.cathedral)
        },
    ]

    private static let units: [Call] = [
        Call("AVAudioUnitDelay.delayTime") { $0.delay.delayTime = 0.5 },
        Call("AVAudioUnitDelay.feedback") { $0.delay.feedback = 20 },
        Call("AVAudioUnitDelay.lowPassCutoff") { $0.delay.lowPassCutoff = 5000 },
        Call("AVAudioUnitDelay.wetDryMix") { $0.delay.wetDryMix = 50 },
        Call("AVAudioUnitEffect.bypass") { $0.delay.bypass = true },
        Call("AVAudioUnit.loadPreset") { try $0.delay.loadPreset(at: $0.presetFile) },
        Call("AVAudioUnit.reset") { $0.delay.reset() },
        Call("AVAudioNode.reset") { $0.mixer.reset() },
        Call("AVAudioUnitDistortion.loadFactoryPreset") { $0.distortion.loadFactoryPreset(.multiEcho1) },
        Call("AVAudioUnitDistortion.preGain") { $0.distortion.preGain = 3 },
        Call("AVAudioUnitDistortion.wetDryMix") { $0.distortion.wetDryMix = 30 },
        Call("AVAudioUnitEQ.globalGain") { $0.equalizer.globalGain = 3 },
        Call("AVAudioUnitEQFilterParameters.bandwidth") { $0.equalizer.bands[0].bandwidth = 1 },
        Call("AVAudioUnitEQFilterParameters.bypass") { $0.equalizer.bands[0].bypass = false },
        Call("AVAudioUnitEQFilterParameters.filterType") { $0.equalizer.bands[0].filterType = .lowPass },
        Call("AVAudioUnitEQFilterParameters.frequency") { $0.equalizer.bands[0].frequency = 300 },
        Call("AVAudioUnitEQFilterParameters.gain") { $0.equalizer.bands[0].gain = 3 },
        Call("AVAudioUnitReverb.loadFactoryPreset") { $0.reverb.loadFactoryPreset(.plate) },
        Call("AVAudioUnitReverb.loadImpulseResponse") { try $0.reverb.loadImpulseResponse($0.sound) },
        Call("AVAudioUnitReverb.unloadImpulseResponse") { $0.reverb.unloadImpulseResponse() },
        Call("AVAudioUnitReverb.wetDryMix") { $0.reverb.wetDryMix = 30 },
        Call("AVAudioUnitTimeEffect.bypass") { $0.pitch.bypass = true },
        Call("AVAudioUnitTimePitch.overlap") { $0.pitch.overlap = 4 },
        Call("AVAudioUnitTimePitch.pitch") { $0.pitch.pitch = 100 },
        Call("AVAudioUnitTimePitch.rate") { $0.pitch.rate = 1.5 },
        Call("AVAudioUnitVarispeed.rate") { $0.speed.rate = 1.5 },
    ]

    private static let players: [Call] = [
        Call("AVAudioEngine.enableManualRenderingMode") {
            try $0.engine.enableManualRenderingMode(.offline, format: $0.stereo, maximumFrameCount: 512)
        },
        Call("AVAudioEngine.start") { try $0.engine.start() },
        Call("AVAudioPlayerNode.scheduleBuffer") { $0.player.scheduleBuffer($0.sound, completionHandler: nil) },
        Call("AVAudioPlayerNode.scheduleFile") { $0.player.scheduleFile($0.file, at: nil, completionHandler: nil) },
        Call("AVAudioPlayerNode.scheduleSegment") {
            $0.player.scheduleSegment($0.file, startingFrame: 10, frameCount: 20, at: nil, completionHandler: nil)
        },
        Call("AVAudioPlayerNode.play") { $0.player.play() },
        Call("AVAudioPlayerNode.pause") { $0.player.pause() },
        Call("AVAudioPlayerNode.playAudio") { try $0.player.playAudio() },
        Call("AVAudioPlayerNode.stop") { $0.player.stop() },
        Call("AVAudioEngine.reset") { stage in
            // Beside those of its nodes there has to be one of its own: time begins anew.
            stage.engine.reset()
            let text = try String(contentsOf: stage.recording, encoding: .utf8)
            if !text.contains("\"reset\"") { throw CocoaError(.featureUnsupported) }
        },
        Call("AVAudioEngine.pause") { $0.engine.pause() },
        Call("AVAudioEngine.stop") { $0.engine.stop() },
        Call("AVAudioEngine.disableManualRenderingMode") { $0.engine.disableManualRenderingMode() },
    ]

    /// What is in no recording, by the reason.
    static let exceptions: [String: [String]] = [
        "it asks": [
            "AVAudioConnectionPoint.isEqual", "AVAudioEngine.dumpGraph", "AVAudioEngine.inputConnectionPoint",
            "AVAudioEngine.nodeReports", "AVAudioEngine.outputConnectionPoints", "AVAudioMixingDestination.destination",
            "AVAudioNode.destination", "AVAudioNode.inputFormat", "AVAudioNode.name", "AVAudioNode.outputFormat",
            "AVAudioOutputNode.outputFormat", "AVAudioPlayerNode.nodeTime", "AVAudioPlayerNode.playerTime",
        ],
        "it changes no sample": [
            "AVAudioEngine.drainCallbacks", "AVAudioEngine.errorHandler", "AVAudioEngine.inspector",
            "AVAudioEngine.isInspectionEnabled", "AVAudioEngine.lastError", "AVAudioEngine.offlineHandlerTimeLimit",
            "AVAudioEngine.prepare", "AVAudioEngine.renderThreadCount",
            "AVAudioEnvironmentNode.isListenerHeadTrackingEnabled",
            "AVAudioInputNode.setMutedSpeechActivityEventListener", "AVAudioNode.installAudioTap",
            "AVAudioNode.installTap",
            "AVAudioNode.removeTap", "AVAudioPlayerNode.prepare", "AVAudioSpeechRing.close", "AVAudioSpeechRing.read",
        ],
        "a replay's calls are cut where they were": ["AVAudioEngine.renderOffline"],
        "it has an effect at devices only": [
            "AVAudioEngine.isAutoShutdownEnabled", "AVAudioEngine.outputDeviceUniqueID",
            "AVAudioEngine.staysOnWhenDevicesChange",
            "AVAudioInputNode.voiceProcessingOtherAudioDuckingConfiguration",
            "AVAudioVoiceProcessingOtherAudioDuckingConfiguration.duckingLevel",
            "AVAudioVoiceProcessingOtherAudioDuckingConfiguration.enableAdvancedDucking",
        ],
        "what the input gives is recorded": [
            "AVAudioIONode.setVoiceProcessingEnabled", "AVAudioInputNode.isVoiceProcessingAGCEnabled",
            "AVAudioInputNode.isVoiceProcessingBypassed", "AVAudioInputNode.isVoiceProcessingInputMuted",
            "AVAudioInputNode.setManualRenderingInputPCMFormat",
        ],
        "what the unit gives is recorded": [
            "AVAudioEngine.connectMIDI", "AVAudioEngine.disconnectMIDI", "AVAudioEngine.disconnectMIDIInput",
            "AVAudioEngine.disconnectMIDIOutput", "AVAudioEngine.musicSequence", "AVAudioUnitGenerator.bypass",
        ],
    ]
}
