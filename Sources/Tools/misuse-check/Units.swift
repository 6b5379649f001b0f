import Foundation
import OssicleAudioToolbox
import OssicleAVFAudio

private func check<Unit: AVAudioNode>(_ unit: Unit, _ settings: [Setting<Unit, Float>]) throws {
    let graph = try OfflineGraph()
    try graph.insert(unit)
    try exercise(unit, settings, values: Hostile.floats) { try graph.render(256) }
    unit.reset()
    try graph.render(256)
}

/// Mixers, the environment and the effects.
let unitCases: [MisuseCase] = [
    MisuseCase("units: delay") {
        try check(
            AVAudioUnitDelay(),
            [
                Setting("delayTime") { $0.delayTime = Double($1) }, Setting("feedback", \.feedback),
                Setting("lowPassCutoff", \.lowPassCutoff),
                Setting("wetDryMix", \.wetDryMix),
            ])
    },
    MisuseCase("units: distortion") {
        let unit = AVAudioUnitDistortion()
        for preset in Hostile.integers { AVAudioUnitDistortionPreset(rawValue: preset).map(unit.loadFactoryPreset) }
        try check(unit, [Setting("preGain", \.preGain), Setting("wetDryMix", \.wetDryMix)])
    },
    MisuseCase("units: reverb") { try check(AVAudioUnitReverb(), [Setting("wetDryMix", \.wetDryMix)]) },
    MisuseCase("units: a reverb's impulse response") {
        let unit = AVAudioUnitReverb(), graph = try OfflineGraph(), folder = try Folder()
        try graph.insert(unit)
        try expectThrown("silence") {
            try unit.loadImpulseResponse(contentsOf: try folder.sound(frames: 1000).url)
        }
        try expectThrown("no frames") {
            try unit.loadImpulseResponse(contentsOf: try folder.sound(frames: 0, name: "none.wav").url)
        }
        try expectThrown("a folder") { try unit.loadImpulseResponse(contentsOf: folder.url) }
        try expectThrown("an address") {
            try unit.loadImpulseResponse(contentsOf: URL(string: "https://example.org/hall.wav") ?? folder.url)
        }
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 1e-3, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8)
        else { throw MisuseFailure("no buffer") }
        try expectThrown("an empty buffer") { try unit.loadImpulseResponse(buffer) }
        buffer.frameLength = 8
        for value in Hostile.floats {
            buffer.floatChannelData?[0][3] = value
            try expectThrown("\(value) at 0.001 Hz") { try unit.loadImpulseResponse(buffer) }
        }
        unit.unloadImpulseResponse()
        try graph.render(256)
    },
    MisuseCase("units: time and pitch") {
        try check(
            AVAudioUnitTimePitch(), [Setting("rate", \.rate), Setting("pitch", \.pitch), Setting("overlap", \.overlap)])
        try check(AVAudioUnitVarispeed(), [Setting("rate", \.rate)])
    },
    MisuseCase("units: equaliser") {
        for count in [Int.min, -1, 0, 1, 16, 4096] {
            note("\(count) bands")
            let unit = AVAudioUnitEQ(numberOfBands: count)
            let graph = try OfflineGraph()
            try graph.insert(unit)
            try exercise(unit, [Setting("globalGain", \.globalGain)], values: Hostile.floats) { try graph.render(256) }
            unit.globalGain = 0
            guard let band = unit.bands.first else { continue }
            band.bypass = false
            for type in 0..<11 {
                AVAudioUnitEQFilterType(rawValue: type).map { band.filterType = $0 }
                try exercise(
                    band,
                    [Setting("frequency", \.frequency), Setting("bandwidth", \.bandwidth), Setting("gain", \.gain)],
                    values: Hostile.floats
                ) { try graph.render(64) }
            }
        }
    },
    MisuseCase("units: environment") {
        let graph = try OfflineGraph(), node = AVAudioEnvironmentNode(),
            mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        graph.engine.attach(node)
        graph.engine.disconnectNodeOutput(graph.source)
        try graph.engine.connectNode(graph.source, to: node, format: mono)
        try graph.engine.connectNode(node, to: graph.engine.mainMixerNode, format: graph.format)
        graph.source.renderingAlgorithm = .HRTF
        let reverb = node.reverbParameters, distance = node.distanceAttenuationParameters
        reverb.enable = true
        func point(_ x: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: -x, z: x) }
        func vector(_ x: Float) -> AVAudio3DVector { AVAudio3DVector(x: x, y: -x, z: x) }
        try exercise(
            node,
            [
                Setting("outputVolume", \.outputVolume),
                Setting("listenerPosition") { $0.listenerPosition = point($1) },
                Setting("listenerAngularOrientation") {
                    $0.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: $1, pitch: $1, roll: $1)
                },
                Setting("listenerVectorOrientation") {
                    $0.listenerVectorOrientation = AVAudio3DVectorOrientation(forward: vector($1), up: vector($1))
                },
            ],
            values: Hostile.floats
        ) { try graph.render(256) }
        try exercise(
            reverb,
            [
                Setting("level", \.level), Setting("filter frequency") { $0.filterParameters.frequency = $1 },
                Setting("filter gain") { $0.filterParameters.gain = $1 },
            ], values: Hostile.floats
        ) { try graph.render(256) }
        try exercise(
            distance,
            [
                Setting("referenceDistance", \.referenceDistance), Setting("maximumDistance", \.maximumDistance),
                Setting("rolloffFactor", \.rolloffFactor),
            ], values: Hostile.floats
        ) { try graph.render(256) }
    },
    MisuseCase("units: mixer") {
        let mixer = AVAudioMixerNode()
        try check(mixer, [Setting("outputVolume", \.outputVolume), Setting("volume", \.volume), Setting("pan", \.pan)])
        for channel in Hostile.integers {
            note("cross point \(channel)")
            mixer.setCrossPoint(.nan, inputBus: channel, inputChannel: channel, outputChannel: channel)
            mixer.setCrossPoint(1, inputBus: 0, inputChannel: channel, outputChannel: 0)
            mixer.setCrossPoint(nil, inputBus: 0, inputChannel: 0, outputChannel: channel)
        }
    },
    MisuseCase("units: every parameter of every built-in effect") {
        var wanted = AudioComponentDescription()
        wanted.componentManufacturer = kAudioUnitManufacturer_Apple
        let all = AVAudioUnitComponentManager.shared().components(matching: wanted)
        try expect(!all.isEmpty, "no component is registered")
        for component in all where component.audioComponentDescription.componentType == kAudioUnitType_Effect {
            let graph = try OfflineGraph(),
                unit = AVAudioUnitEffect(audioComponentDescription: component.audioComponentDescription)
            try graph.insert(unit)
            for parameter in unit.auAudioUnit.parameterTree?.allParameters ?? [] {
                let standard = parameter.value
                for value in Hostile.floats {
                    note("\(component.name) \(parameter.identifier) = \(value)")
                    parameter.value = value
                    AudioUnitSetParameter(
                        unit.audioUnit, AudioUnitParameterID(parameter.address), kAudioUnitScope_Global, 0, value, .max)
                    try graph.render(64)
                }
                parameter.value = standard
            }
        }
    },
    MisuseCase("units: components that are not there") {
        let nothing = AudioComponentDescription(
            componentType: 0x21212121, componentSubType: .max, componentManufacturer: 0, componentFlags: .max,
            componentFlagsMask: .max)
        try expectThrown("AUAudioUnit of nothing") { _ = try AUAudioUnit(componentDescription: nothing) }
        let graph = try OfflineGraph()
        for unit in [
            AVAudioUnitEffect(audioComponentDescription: nothing),
            AVAudioUnitGenerator(audioComponentDescription: nothing),
            AVAudioUnitTimeEffect(audioComponentDescription: nothing),
        ] as [AVAudioUnit] {
            note("\(type(of: unit)) of nothing")
            graph.engine.attach(unit)
            graph.engine.connect(unit, to: graph.engine.mainMixerNode, format: graph.format)
            _ = (unit.auAudioUnit, unit.audioUnit, unit.name, unit.latency)
            try? unit.loadPreset(at: URL(fileURLWithPath: "/nonexistent"))
            graph.engine.detach(unit)
        }
        try graph.expectUnchanged("units of nothing")
    },
]
