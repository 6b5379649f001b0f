import OssicleAcoustics
import OssicleChannels
import OssicleCore
import OssicleDSP
import OssicleRender

/// The output of an environment: its channels, and whether they are loudspeakers or two ears.
package struct EnvironmentOutput: Equatable {
    package let labels: [UInt32]
    package let speakers: SpeakerLayout
    /// Hz.
    package let sampleRate: Double

    package init(labels: [UInt32], speakers: SpeakerLayout, sampleRate: Double) {
        self.labels = labels
        self.speakers = speakers
        self.sampleRate = sampleRate
    }

    package var channelCount: Int { labels.count }

    /// The algorithms that such an output can render. One channel has no directions, two have them for ears or as a
    /// pan, more have them all around.
    package var applicableAlgorithms: [SourceMixing.Algorithm] {
        switch channelCount {
        case ...1: [.equalPowerPanning, .automatic]
        case 2: [.equalPowerPanning, .sphericalHead, .hrtf, .hrtfHighQuality, .stereoPassThrough, .automatic]
        default:
            [
                .equalPowerPanning, .sphericalHead, .hrtf, .soundField, .hrtfHighQuality, .stereoPassThrough,
                .automatic,
            ]
        }
    }
}

/// What all sources of an environment share: the listener, the distance law and the output.
package struct EnvironmentScene {
    /// Metres.
    package var listenerPosition = SIMD3<Float>.zero
    package var orientation = ListenerOrientation()
    package var distanceLaw = DistanceLaw.inverse(reference: 1, rolloff: 1)
    package var channelCount = 2
    /// Whether two channels are rendered for two ears.
    package var isForHeadphones = true

    package init() {}

    /// A world position in the head's axes (x right, y up, z back), metres.
    func relativeToHead(_ position: SIMD3<Float>) -> Vector {
        let offset = Vector(position) - Vector(listenerPosition)
        return Vector(offset.dot(orientation.right), offset.dot(orientation.up), -offset.dot(orientation.forward))
    }
}

extension EnvironmentInputRenderer.Parameters {
    /// Of a source with so many channels in a scene. Pure.
    init(for source: SourceMixing, channelCount: Int, in scene: EnvironmentScene) {
        self.init()
        gain = source.volume
        let mode: SourceMixing.Mode =
            source.mode == .spatializeIfMono ? (channelCount == 1 ? .pointSource : .bypass) : source.mode
        guard mode != .bypass else { return }
        localiser = Self.localiser(source.algorithm, scene)
        let blend = DeterministicMath.sincos(Double(source.reverbBlend) * DeterministicMath.pi / 2)
        // At a blend of 1 explicitly: the cosine of a rounded π/2 is not 0.
        (dry, wet) = (source.reverbBlend == 1 ? 0 : Float(blend.cos), Float(blend.sin))
        (occlusion, obstruction) = (source.occlusion, source.obstruction)
        if mode == .ambienceBed { setBed(scene) } else { setPoint(source, scene) }
    }

    /// Two channels at most, unless the algorithm is for all of them; a single one has no directions.
    private static func localiser(
        _ algorithm: SourceMixing.Algorithm, _ scene: EnvironmentScene
    ) -> EnvironmentInputRenderer.Localiser {
        if algorithm == .stereoPassThrough { return .passThrough }
        guard scene.channelCount > 1 else { return .speakers }
        return switch algorithm {
        case .equalPowerPanning: .equalPower
        case .sphericalHead: .sphere
        case .hrtf: .field
        case .hrtfHighQuality: .head
        case .automatic: scene.channelCount == 2 && scene.isForHeadphones ? .head : .speakers
        case .soundField, .stereoPassThrough: .speakers
        }
    }

    private mutating func setPoint(_ source: SourceMixing, _ scene: EnvironmentScene) {
        shape = .point
        let offset = scene.relativeToHead(source.position)
        let metres = offset.magnitude
        direction = SIMD3<Float>(offset)
        distance = Float(metres)
        gain *= Float(scene.distanceLaw.gain(at: metres))
        inside = Float(max(1 - metres / SphericalHead.radius, 0))
        splitsInside = source.algorithm == .automatic && source.mode == .pointSource && source.bypassesInsideHead
    }

    /// The bed's axes are the world's: its front lies towards −z.
    private mutating func setBed(_ scene: EnvironmentScene) {
        shape = .bed
        let (r, u, f) = (scene.orientation.right, scene.orientation.up, scene.orientation.forward)
        right = SIMD3<Float>(Vector(r.x, u.x, -f.x))
        up = SIMD3<Float>(Vector(r.y, u.y, -f.y))
        back = SIMD3<Float>(Vector(r.z, u.z, -f.z))
    }
}
