import PHASE

/// An engine that renders offline in stereo, and the listener in it.
public final class Studio {
    public let engine: PHASEEngine
    public let listener: PHASEListener
    /// All that was rendered so far.
    public private(set) var heard = Sound([[], []])
    private let block: AVAudioPCMBuffer

    /// - Parameter blockFrames: what one render call gives; the scene stands still meanwhile.
    public init(updateMode: PHASEEngine.UpdateMode = .automatic, blockFrames: AVAudioFrameCount = 480) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: Sound.sampleRate, channels: 2),
            let block = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: blockFrames)
        else { throw Failure("no stereo format") }
        self.block = block
        engine = PHASEEngine(updateMode: updateMode)
        listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockFrames)
    }

    /// Seconds rendered so far.
    public var time: Double { heard.seconds }

    /// A source at a place in metres; the child of `parent`, or of the scene.
    public func source(at place: simd_float3, in parent: PHASEObject? = nil) throws -> PHASESource {
        let source = PHASESource(engine: engine)
        source.transform = simd_float4x4(place)
        try (parent ?? engine.rootObject).addChild(source)
        return source
    }

    /// A spatial mixer for direct sound that gets quieter as 1/distance, and is culled beyond `cullDistance`.
    public static func mixer(cullDistance: Double? = nil) throws -> PHASESpatialMixerDefinition {
        guard let pipeline = PHASESpatialPipeline(flags: .directPathTransmission) else { throw Failure("no pipeline") }
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline)
        let distance = PHASEGeometricSpreadingDistanceModelParameters()
        distance.fadeOutParameters = cullDistance.map { PHASEDistanceModelFadeOutParameters(cullDistance: $0) }
        mixer.distanceModelParameters = distance
        return mixer
    }

    /// An event whose spatial mixer places it at `source`.
    public func event(_ asset: String, _ mixer: PHASEMixerDefinition, at source: PHASESource) throws -> PHASESoundEvent
    {
        let parameters = PHASEMixerParameters()
        parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
        return try PHASESoundEvent(engine: engine, assetIdentifier: asset, mixerParameters: parameters)
    }

    /// Renders the next block.
    public func render() throws {
        let status = try engine.renderOffline(block.frameCapacity, to: block)
        guard status == .success, let data = block.floatChannelData else {
            throw Failure("renderOffline returned \(status)")
        }
        for channel in 0..<2 {
            heard.channels[channel] += UnsafeBufferPointer(start: data[channel], count: Int(block.frameLength))
        }
    }

    /// Ends the performance; what the engine could not throw is thrown here.
    public func finish() throws {
        engine.stop()
        if let error = engine.lastError { throw error }
    }
}

extension simd_float4x4 {
    /// At a place, turned to the left about the vertical by `yaw` radians.
    public init(_ place: simd_float3, yaw: Float = 0) {
        self = simd_float4x4(simd_quatf(angle: yaw, axis: PHASEObject.up))
        columns.3 = simd_make_float4(place, 1)
    }
}
