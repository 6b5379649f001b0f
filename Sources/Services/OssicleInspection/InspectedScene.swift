/// What moves and sounds in the scene of a `PHASEEngine`. Metres, in the world's axes: +x right, +y up, −z forward.
public struct InspectedScene: Codable, Hashable, Sendable {
    /// Changes when `InspectedEngine.geometry()` does.
    public var geometryVersion: UInt64 = 0
    /// All in the scene.
    public var listeners: [InspectedObject] = []
    /// All in the scene.
    public var sources: [InspectedObject] = []
    /// Leaves of the sound events that play.
    public var voices: [InspectedVoice] = []
    /// All that are registered, in order of their identifiers.
    public var groups: [InspectedGroup] = []
    /// Late reverberation, one for each listener that has its own, or one for all.
    public var rooms: [InspectedRoom] = []
    /// Each path as kind, source, listener, level in dB at 1 kHz, number of points n, and n · (x, y, z) from the source
    /// to the listener. Kinds: 0 direct, 1 reflection, 2 diffraction, 3 both.
    public var paths = PackedNumbers([])
    /// Of `paths`.
    public var pathCount = 0
    /// Quieter paths that are left out.
    public var omittedPaths = 0
    /// Some of the rays of the last simulation of the late field, spread over all directions, at most 64: each as
    /// listener, number of points n, and n · (x, y, z, dB at 1 kHz that is left on the way there, 0 at the listener),
    /// from the listener to the surfaces that it meets first. Empty while the engine is not watched.
    public var rayCourses = PackedNumbers([])
    /// "geometry", with the quality in use, or "preset" with the room's name.
    public var acoustics = ""
    /// Rays of one simulation of the late field, the share of its budget that it took, and what is done less for want
    /// of time.
    public var rays: Int?
    /// Share of the simulation's budget; above 1 it takes more than it may.
    public var simulationLoad: Double?
    /// In words; empty while nothing is left out.
    public var sacrifices: [String] = []

    /// Empty.
    public init() {}
}

/// A source or a listener.
public struct InspectedObject: Codable, Hashable, Sendable {
    /// The engine's number of it.
    public var id: UInt64
    /// As the client named it.
    public var name: String
    /// Metres: x, y, z.
    public var position: SIMD3<Double>
    /// Unit vectors.
    public var forward: SIMD3<Double>
    /// Unit vector.
    public var up: SIMD3<Double>
    /// Linear.
    public var gain: Double
    /// Whether the view has silenced it.
    public var isMuted = false
    /// Whether the view has soloed it.
    public var isSoloed = false
    /// Metres: of a ball around a source that is a body; 0 for a point.
    public var radius = 0.0
    /// Metres, of the sound event that is culled farthest away; nil where none is culled.
    public var cullDistance: Double?
    /// Amplitude factors at 1 kHz from 0° to 180° off its forward axis, in equal steps; nil where all are alike.
    public var directivity: PackedNumbers?

    /// Without a body, directivity or culling.
    public init(
        id: UInt64, name: String, position: SIMD3<Double>, forward: SIMD3<Double>, up: SIMD3<Double>, gain: Double
    ) {
        self.id = id
        self.name = name
        self.position = position
        self.forward = forward
        self.up = up
        self.gain = gain
    }
}

/// A leaf of a sound event that plays.
public struct InspectedVoice: Codable, Hashable, Sendable {
    /// Number, for as long as it plays.
    public var id: UInt64
    /// Identifier of the sound event's asset.
    public var event: String
    /// Identifier of the node.
    public var node: String
    /// Name of the sound.
    public var sound: String
    /// Number of the source; nil where its mixer is not spatial.
    public var source: UInt64?
    /// Number of the listener; nil where its mixer has none.
    public var listener: UInt64?
    /// Identifier of the group; nil where it is in none.
    public var group: String?
    /// What it does, in a word or two.
    public var state: String
    /// Seconds into its sound.
    public var position: Double
    /// dB, what its gain chain makes of a sound of full scale, at 1 kHz: direct, and what is sent to reflections and
    /// reverb.
    public var direct: Double
    /// As `direct`: what is sent to reflections; nil where its mixer sends nothing.
    public var early: Double?
    /// As `direct`: what is sent to the late reverberation; nil where its mixer sends nothing.
    public var late: Double?
    /// dB re full scale: the largest sample that its player gave since the last snapshot, ahead of the mixer; nil while
    /// it is not metered.
    public var peak: Double?
    /// Metres.
    public var distance: Double?
    /// "HRTF", "bus", "virtual"; nil where its mixer is not spatial.
    public var tier: String?

    /// Without a source, sends and meters.
    public init(id: UInt64, event: String, node: String, sound: String, state: String, position: Double, direct: Double)
    {
        self.id = id
        self.event = event
        self.node = node
        self.sound = sound
        self.state = state
        self.position = position
        self.direct = direct
    }
}

/// A registered group.
public struct InspectedGroup: Codable, Hashable, Sendable {
    /// Identifier.
    public var id: String
    /// dB: gain, fades, preset, duckers, mutes and solos together.
    public var level: Double
    /// Linear, as set.
    public var gain: Double
    /// Factor of speed, as set.
    public var rate: Double
    /// Whether it is muted.
    public var isMuted: Bool
    /// Whether it is soloed.
    public var isSoloed: Bool
    /// Of a group that is silenced by others' solos, or ducked.
    public var note: String

    /// All values.
    public init(id: String, level: Double, gain: Double, rate: Double, isMuted: Bool, isSoloed: Bool, note: String) {
        self.id = id
        self.level = level
        self.gain = gain
        self.rate = rate
        self.isMuted = isMuted
        self.isSoloed = isSoloed
        self.note = note
    }
}

/// The late reverberation around a listener.
public struct InspectedRoom: Codable, Hashable, Sendable {
    /// nil for the one room of all.
    public var listener: UInt64?
    /// In the ten octave bands 31.5 Hz … 16 kHz: seconds of decay by 60 dB, and dB re the direct sound at 1 m.
    public var decay: [Double]
    /// dB re the direct sound at 1 m, in the same bands.
    public var level: [Double]

    /// All values.
    public init(listener: UInt64?, decay: [Double], level: [Double]) {
        self.listener = listener
        self.decay = decay
        self.level = level
    }
}

/// What stands in the scene: triangles, in the world's axes.
public struct InspectedGeometry: Codable, Hashable, Sendable {
    /// One wall or zone.
    public struct Body: Codable, Hashable, Sendable {
        /// The engine's number of it.
        public var id: UInt64
        /// As the client named it.
        public var name: String
        /// Nine numbers a triangle.
        public var triangles: PackedNumbers

        /// All values.
        public init(id: UInt64, name: String, triangles: PackedNumbers) {
            self.id = id
            self.name = name
            self.triangles = triangles
        }
    }

    /// The most triangles of walls and zones that are sent.
    public static let triangleLimit = 100_000

    /// Changes when anything else here does.
    public var version: UInt64 = 0
    /// What is in the way of sound.
    public var walls: [Body] = []
    /// Reverb zones.
    public var zones: [Body] = []
    /// Triangles beyond `triangleLimit`.
    public var omittedTriangles = 0

    /// Empty.
    public init() {}
}
