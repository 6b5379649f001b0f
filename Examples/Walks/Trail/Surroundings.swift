import Kit
import PHASE

/// What is there besides the walker: a wind that gives way to the steps, a gate, and somebody who speaks at the end of
/// the path.
struct Surroundings {
    static let duckedGain = 0.3
    /// What the wind's mixer gives, apart from all else.
    let wind: Wiretap
    let gate: PHASESoundEvent
    private let studio: Studio
    private let breeze: PHASEGroup
    private let ducker: PHASEDucker

    init(in studio: Studio, under steps: PHASEGroup) throws {
        (self.studio, breeze) = (studio, PHASEGroup(identifier: "wind"))
        breeze.register(engine: studio.engine)
        ducker = PHASEDucker(
            engine: studio.engine, sourceGroups: [steps], targetGroups: [breeze], gain: Surroundings.duckedGain,
            attackTime: 0.02, releaseTime: 0.1, attackCurve: .linear, releaseCurve: .linear)
        ducker.activate()

        let sky = PHASEAmbientMixerDefinition(
            channelLayout: try Clips.field(), orientation: simd_quatf(angle: 0, axis: PHASEObject.up))
        let air = PHASESamplerNodeDefinition(soundAssetIdentifier: "wind", mixerDefinition: sky)
        air.playbackMode = .looping
        air.group = breeze
        try studio.engine.assetRegistry.registerSoundEventAsset(rootNode: air, identifier: "blow")
        let parameters = PHASEMixerParameters()
        parameters.addAmbientMixerParameters(identifier: sky.identifier, listener: studio.listener)
        let blow = try PHASESoundEvent(engine: studio.engine, assetIdentifier: "blow", mixerParameters: parameters)
        wind = try Wiretap(blow, sky.identifier, of: studio.engine)
        blow.start(completion: nil)

        // A sequence: latch, hinge, thud, each where the one before it ends.
        let post = try Studio.mixer()
        let opening = PHASESequenceNodeDefinition()
        for part in ["latch 0", "hinge 0", "thud 0"] {
            opening.addSubtree(PHASESamplerNodeDefinition(soundAssetIdentifier: part, mixerDefinition: post))
        }
        try studio.engine.assetRegistry.registerSoundEventAsset(rootNode: opening, identifier: "gate")
        gate = try studio.event("gate", post, at: studio.source(at: simd_float3(0.5, -0.7, -7)))
    }

    /// Somebody says so, through a push stream: the samples come from the program.
    func greet(from place: simd_float3) throws {
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: Sound.sampleRate, channels: 1) else {
            throw Failure("no mono format")
        }
        let mouth = try Studio.mixer()
        let voice = PHASEPushStreamNodeDefinition(mixerDefinition: mouth, format: mono, identifier: "voice")
        try studio.engine.assetRegistry.registerSoundEventAsset(rootNode: voice, identifier: "greeting")
        let greeting = try studio.event("greeting", mouth, at: studio.source(at: place))
        guard let stream = greeting.pushStreamNodes["voice"] else { throw Failure("the greeting has no stream") }
        stream.scheduleBuffer(buffer: try Greeting.sound.buffer(mono))
        greeting.start(completion: nil)
    }
}

/// A vowel of the voice's first eight partials.
enum Greeting {
    static let pitch = 130.0
    static let sound = Sound(seconds: 0.8) { time in
        min(time / 0.05, (0.8 - time) / 0.05, 1) * vowel(at: time)
    }

    private static func vowel(at time: Double) -> Double {
        (1...8).reduce(0.0) { $0 + 0.1 / Double($1) * sin(2 * .pi * pitch * Double($1) * time) }
    }
}
