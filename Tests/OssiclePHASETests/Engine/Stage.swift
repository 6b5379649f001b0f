import Foundation
import OssicleTestSupport
import PHASE

/// An engine that renders offline, and what tests ask of it.
final class Stage {
    let engine: PHASEEngine
    let format: AVAudioFormat
    let sampleRate: Double
    private(set) lazy var listener: PHASEListener = {
        let listener = PHASEListener(engine: engine)
        try? engine.rootObject.addChild(listener)
        return listener
    }()

    init(
        updateMode: PHASEEngine.UpdateMode = .automatic, sampleRate: Double = 48_000, channels: AVAudioChannelCount = 2,
        layout: AudioChannelLayoutTag? = nil, mode: PHASESpatializationMode = .automatic, seed: UInt64 = 0
    ) throws {
        engine = PHASEEngine(updateMode: updateMode)
        self.sampleRate = sampleRate
        let layouted = layout.flatMap { AVAudioChannelLayout(layoutTag: $0) }.map {
            AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0)
        }
        format =
            try layouted
            ?? TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels))
        engine.outputSpatializationMode = mode
        engine.randomSeed = seed
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
    }

    // MARK: Sounds

    func register(
        _ name: String, _ channels: [[Float]], rate: Double? = nil, layout: AudioChannelLayoutTag? = nil,
        normalization: PHASENormalizationMode = .none
    ) throws {
        var data = Data()
        for channel in channels { channel.withUnsafeBytes { data.append(contentsOf: $0) } }
        let format: AVAudioFormat
        if let layout, let channelLayout = AVAudioChannelLayout(layoutTag: layout) {
            format = AVAudioFormat(standardFormatWithSampleRate: rate ?? sampleRate, channelLayout: channelLayout)
        } else {
            format = try TestFailure.unwrap(
                AVAudioFormat(
                    standardFormatWithSampleRate: rate ?? sampleRate, channels: AVAudioChannelCount(channels.count)))
        }
        try engine.assetRegistry.registerSoundAsset(
            data: data, identifier: name, format: format, normalizationMode: normalization)
    }

    func channelMixer(_ tag: AudioChannelLayoutTag = kAudioChannelLayoutTag_Mono) throws -> PHASEChannelMixerDefinition
    {
        PHASEChannelMixerDefinition(channelLayout: try TestFailure.unwrap(AVAudioChannelLayout(layoutTag: tag)))
    }

    func spatialMixer(
        _ flags: PHASESpatialPipeline.Flags = [.directPathTransmission], rolloff: Double? = nil
    ) throws -> PHASESpatialMixerDefinition {
        let mixer = PHASESpatialMixerDefinition(
            spatialPipeline: try TestFailure.unwrap(PHASESpatialPipeline(flags: flags)))
        if let rolloff {
            let distance = PHASEGeometricSpreadingDistanceModelParameters()
            distance.rolloffFactor = rolloff
            mixer.distanceModelParameters = distance
        }
        return mixer
    }

    /// A sampler of `sound` into `mixer`, registered as an event of the same name with “ event” behind it.
    @discardableResult
    func registerEvent(
        _ sound: String, into mixer: PHASEMixerDefinition, loops: Bool = false,
        _ configure: (PHASESamplerNodeDefinition) -> Void = { _ in }
    ) throws -> String {
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: sound, mixerDefinition: mixer)
        sampler.playbackMode = loops ? .looping : .oneShot
        configure(sampler)
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: sound + " event")
        return sound + " event"
    }

    /// A source at `position`, in the scene.
    func source(at position: SIMD3<Float>, shapes: [PHASEShape]? = nil) throws -> PHASESource {
        let source = shapes.map { PHASESource(engine: engine, shapes: $0) } ?? PHASESource(engine: engine)
        source.transform = .translation(position)
        try engine.rootObject.addChild(source)
        return source
    }

    func event(
        _ identifier: String, _ mixer: PHASESpatialMixerDefinition? = nil, _ source: PHASESource? = nil
    ) throws -> PHASESoundEvent {
        let parameters = PHASEMixerParameters()
        if let mixer, let source {
            parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        }
        return try PHASESoundEvent(engine: engine, assetIdentifier: identifier, mixerParameters: parameters)
    }

    // MARK: Rendering

    func start() throws { try engine.start() }

    /// The next `frames` frames, in render calls of `call`.
    func render(_ frames: Int, call: Int = 512) throws -> [[Float]] {
        var result = [[Float]](repeating: [], count: Int(format.channelCount))
        var done = 0
        while done < frames {
            let run = min(call, frames - done)
            let buffer = try TestFailure.unwrap(
                AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(run)))
            try engine.renderOffline(AVAudioFrameCount(run), to: buffer)
            for channel in result.indices {
                if let data = buffer.floatChannelData {
                    result[channel].append(contentsOf: UnsafeBufferPointer(start: data[channel], count: run))
                }
            }
            done += run
        }
        return result
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    static func unwrap<Value>(_ value: Value?, file: String = #fileID, line: Int = #line) throws -> Value {
        guard let value else { throw TestFailure(description: "nil at \(file):\(line)") }
        return value
    }
}

extension simd_float4x4 {
    static func translation(_ t: SIMD3<Float>) -> simd_float4x4 {
        var matrix = matrix_identity_float4x4
        matrix.columns.3 = simd_make_float4(t, 1)
        return matrix
    }
}

/// A sine with whole periods or not.
func sine(_ frequency: Double, _ frames: Int, rate: Double = 48_000, amplitude: Double = 0.25) -> [Float] {
    (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate)) }
}

func rms(_ samples: ArraySlice<Float>) -> Double {
    (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))).squareRoot()
}

func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }
