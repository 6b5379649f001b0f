import OssicleTestSupport
import PHASE
import Testing

@Suite struct AmbientMixerTests {
    private func mixer(_ tag: AudioChannelLayoutTag, turned angle: Float = 0) throws -> PHASEAmbientMixerDefinition {
        PHASEAmbientMixerDefinition(
            channelLayout: try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: tag)),
            orientation: simd_quatf(angle: angle, axis: simd_float3(0, 1, 0)))
    }

    /// Levels of both ears for a bed of noise, with bed and head turned to the left by an angle each.
    private func levels(
        bed: Float = 0, head: Float = 0, _ channels: [[Float]], _ tag: AudioChannelLayoutTag
    ) throws -> [Double] {
        let stage = try Stage()
        try stage.register("bed", channels, layout: tag)
        let mixer = try mixer(tag, turned: bed)
        try stage.registerEvent("bed", into: mixer, loops: true)
        stage.listener.transform = simd_float4x4(simd_quatf(angle: head, axis: simd_float3(0, 1, 0)))
        try stage.start()
        let parameters = PHASEMixerParameters()
        parameters.addAmbientMixerParameters(identifier: mixer.identifier, listener: stage.listener)
        try PHASESoundEvent(engine: stage.engine, assetIdentifier: "bed event", mixerParameters: parameters).start(
            completion: nil)
        return try stage.render(48_000).map { rms($0[4800...]) }
    }

    private var quad: [[Float]] {
        (0..<4).map { Signal.noise(count: 24_000, seed: UInt64($0), amplitude: 0.1 * Double($0 + 1)) }
    }

    @Test(arguments: [90, -90, 45, 180])
    func `turning the head is turning the bed the other way`(degrees: Float) throws {
        let angle = degrees * .pi / 180
        let head = try levels(head: angle, quad, kAudioChannelLayoutTag_Quadraphonic)
        let bed = try levels(bed: -angle, quad, kAudioChannelLayoutTag_Quadraphonic)
        let straight = try levels(quad, kAudioChannelLayoutTag_Quadraphonic)
        for (a, b) in zip(head, bed) { #expect(abs(decibels(a / b)) < 0.1) }
        #expect(zip(head, straight).contains { abs(decibels($0 / $1)) > 0.5 })
    }

    @Test func `turned together nothing moves`() throws {
        let (both, none) = (
            try levels(bed: 1, head: 1, quad, kAudioChannelLayoutTag_Quadraphonic),
            try levels(quad, kAudioChannelLayoutTag_Quadraphonic)
        )
        for (a, b) in zip(both, none) { #expect(abs(decibels(a / b)) < 0.01) }
    }

    @Test func `low-frequency channels are dropped`() throws {
        var channels = [[Float]](repeating: Signal.silence(count: 4800), count: 6)
        channels[3] = Signal.noise(count: 4800)
        #expect(try levels(channels, kAudioChannelLayoutTag_MPEG_5_1_A) == [0, 0])
    }

    @Test func `a bed needs a listener`() throws {
        let stage = try Stage()
        try stage.register("bed", [sine(440, 480), sine(440, 480)])
        try stage.registerEvent("bed", into: mixer(kAudioChannelLayoutTag_Stereo))
        #expect { try stage.event("bed event") } throws: { ($0 as? PHASESoundEventError)?.code == .apiMisuse }
    }
}
