import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// What all sources of an environment share: the listener, the law of distance, and what is played to.
struct EnvironmentScene {
    var listenerPosition = AVAudio3DPoint()
    var orientation = ListenerOrientation()
    var distanceLaw = DistanceLaw.inverse(reference: 1, rolloff: 1)
    var channelCount = 2
    /// Whether two channels go to two ears.
    var isForHeadphones = true

    /// A world position in the head's axes (x right, y up, z back), metres.
    func seenFromHead(_ position: AVAudio3DPoint) -> Vector {
        let way = Vector(position) - Vector(listenerPosition)
        return Vector(way.dot(orientation.right), way.dot(orientation.up), -way.dot(orientation.forward))
    }
}

extension EnvironmentStripRenderer.Parameters {
    /// How a source of so many channels is heard in a scene. Pure.
    init(for source: MixingProperties, channelCount: Int, in scene: EnvironmentScene) {
        self.init()
        gain = source.volume
        let mode: AVAudio3DMixingSourceMode = source.sourceMode == .spatializeIfMono ? (channelCount == 1 ? .pointSource : .bypass) : source.sourceMode
        guard mode != .bypass else { return }
        localiser = Self.localiser(source.renderingAlgorithm, scene)
        let blend = DeterministicMath.sincos(Double(source.reverbBlend) * DeterministicMath.pi / 2)
        // Said outright: the cosine of a rounded π/2 is not quite 0.
        (dry, wet) = (source.reverbBlend == 1 ? 0 : Float(blend.cos), Float(blend.sin))
        (occlusion, obstruction) = (source.occlusion, source.obstruction)
        if mode == .ambienceBed { lay(as: scene) } else { place(source, scene) }
    }

    /// Two channels at most, unless the algorithm is for all of them; a single one has no directions.
    private static func localiser(_ algorithm: AVAudio3DMixingRenderingAlgorithm, _ scene: EnvironmentScene) -> EnvironmentStripRenderer.Localiser {
        if algorithm == .stereoPassThrough { return .passThrough }
        guard scene.channelCount > 1 else { return .speakers }
        return switch algorithm {
        case .equalPowerPanning: .equalPower
        case .sphericalHead: .sphere
        case .HRTF, .HRTFHQ: .head
        case .auto: scene.channelCount == 2 && scene.isForHeadphones ? .head : .speakers
        case .soundField, .stereoPassThrough: .speakers
        }
    }

    private mutating func place(_ source: MixingProperties, _ scene: EnvironmentScene) {
        shape = .point
        let way = scene.seenFromHead(source.position)
        let metres = way.magnitude
        direction = SIMD3<Float>(way)
        distance = Float(metres)
        gain *= Float(scene.distanceLaw.gain(at: metres))
        inside = Float(max(1 - metres / SphericalHead.radius, 0))
        splitsInside = source.renderingAlgorithm == .auto && source.sourceMode == .pointSource && source.pointSourceInHeadMode == .bypass
    }

    /// The bed's axes are the world's: what is ahead of it lies towards −z.
    private mutating func lay(as scene: EnvironmentScene) {
        shape = .bed
        let (r, u, f) = (scene.orientation.right, scene.orientation.up, scene.orientation.forward)
        right = SIMD3<Float>(Vector(r.x, u.x, -f.x))
        up = SIMD3<Float>(Vector(r.y, u.y, -f.y))
        back = SIMD3<Float>(Vector(r.z, u.z, -f.z))
    }
}
