import Foundation
import PHASE

/// A game's scene: one walks along a pier, past a fountain, towards a bell that is struck every second. All its sounds
/// are made here.
public final class Pier {
    public let engine: PHASEEngine
    /// Sound events that have begun, by name.
    public private(set) var events: [String: PHASESoundEvent] = [:]

    private let listener: PHASEListener
    private let fountain, bell: PHASESource
    private var strokes = 0

    /// - Parameter hasBug: somebody has turned the fountain down by 3 dB.
    public init(hasBug: Bool = ProcessInfo.processInfo.environment["PIER_BUG"] == "1") throws {
        engine = PHASEEngine(updateMode: .manual)
        engine.defaultReverbPreset = .mediumHall
        listener = PHASEListener(engine: engine)
        fountain = PHASESource(engine: engine)
        bell = PHASESource(engine: engine)
        try place(listener, [0, 0, 4])
        try place(fountain, [-3, 0, 0])
        try place(bell, [2, 1, -6])
        try register("fountain", Self.water(), isLooping: true, level: hasBug ? -9 : -6)
        try register("bell", Self.stroke(), isLooping: false, level: 0)
    }

    /// What happens at a time, in seconds from the start.
    public func advance(to time: Double) throws {
        listener.transform.columns.3.z = Float(4 - time)
        if events["fountain"] == nil { try start("fountain", at: fountain) }
        if time >= Double(strokes) + 0.5 {
            try start("bell", at: bell)
            strokes += 1
        }
    }

    private func place(_ object: PHASEObject, _ position: simd_float3) throws {
        object.transform.columns.3 = simd_float4(position, 1)
        try engine.rootObject.addChild(object)
    }

    private func register(_ name: String, _ samples: [Float], isLooping: Bool, level: Double) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let pipeline = PHASESpatialPipeline(flags: [.directPathTransmission, .earlyReflections, .lateReverb])
        else { throw CocoaError(.featureUnsupported) }
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: name + ".sound", format: format,
            normalizationMode: .none)
        for category: PHASESpatialCategory in [.earlyReflections, .lateReverb] {
            pipeline.entries[category]?.sendLevel = 0.2
        }
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: name + ".mixer")
        mixer.distanceModelParameters = PHASEGeometricSpreadingDistanceModelParameters()
        let sampler = PHASESamplerNodeDefinition(
            soundAssetIdentifier: name + ".sound", mixerDefinition: mixer, identifier: name + ".sampler")
        sampler.playbackMode = isLooping ? .looping : .oneShot
        sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: level)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: name)
    }

    private func start(_ name: String, at source: PHASESource) throws {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: name + ".mixer", source: source, listener: listener)
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: name, mixerParameters: parameters)
        event.start()
        events[name] = event
    }

    /// Noise, the same each time: a linear congruential generator.
    private static func water() -> [Float] {
        var state: UInt32 = 1
        return (0..<48_000).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.2
        }
    }

    private static func stroke() -> [Float] {
        (0..<38_400).map { frame in
            let time = Double(frame) / 48_000
            return Float(0.4 * min(time / 0.002, 1) * sin(2 * .pi * 880 * time) * exp(-time * 6))
        }
    }
}
