/// What moves and sounds in the scene of a `PHASEEngine`. Metres, in the world's axes: +x right, +y up, −z forward.
public struct InspectedScene: Codable, Hashable, Sendable {
    /// Changes when `InspectedEngine.geometry()` does.
    public var geometryVersion: UInt64 = 0
    public var listeners: [InspectedObject] = []
    public var sources: [InspectedObject] = []
    public var voices: [InspectedVoice] = []
    public var groups: [InspectedGroup] = []
    public var rooms: [InspectedRoom] = []
    /// Each path as kind, source, listener, level in dB at 1 kHz, number of points n, and n · (x, y, z) from the source to the
    /// listener. Kinds: 0 direct, 1 reflection, 2 diffraction, 3 both.
    public var paths = PackedNumbers([])
    public var pathCount = 0
    /// Quieter paths that are left out.
    public var omittedPaths = 0
    /// "geometry", with the quality in use, or "preset" with the room's name.
    public var acoustics = ""
    /// Rays of one simulation of the late field, the share of its budget that it took, and what is done less for want of time.
    public var rays: Int?
    public var simulationLoad: Double?
    public var sacrifices: [String] = []

    public init() {}
}

/// A source or a listener.
public struct InspectedObject: Codable, Hashable, Sendable {
    public var id: UInt64
    public var name: String
    public var position: [Double]
    /// Unit vectors.
    public var forward: [Double]
    public var up: [Double]
    /// Linear.
    public var gain: Double
    public var isMuted = false
    public var isSoloed = false
    /// Metres: of a ball around a source that is a body; 0 for a point.
    public var radius = 0.0
    /// Metres, of the sound event that is culled farthest away; nil where none is culled.
    public var cullDistance: Double?
    /// Amplitude factors at 1 kHz from 0° to 180° off its forward axis, in equal steps; nil where all are alike.
    public var directivity: PackedNumbers?

    public init(id: UInt64, name: String, position: [Double], forward: [Double], up: [Double], gain: Double) {
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
    public var id: UInt64
    public var event: String
    public var node: String
    public var sound: String
    public var source: UInt64?
    public var listener: UInt64?
    public var group: String?
    public var state: String
    /// Seconds into its sound.
    public var position: Double
    /// dB, what its gain chain makes of a sound of full scale, at 1 kHz: direct, and what is sent to reflections and reverb.
    public var direct: Double
    public var early: Double?
    public var late: Double?
    /// dB re full scale: the largest sample that its player gave since the last snapshot, ahead of the mixer; nil while it is not
    /// metered.
    public var peak: Double?
    /// Metres.
    public var distance: Double?
    /// "HRTF", "bus", "virtual"; nil where its mixer is not spatial.
    public var tier: String?

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
    public var id: String
    /// dB: gain, fades, preset, duckers, mutes and solos together.
    public var level: Double
    /// Linear, as set.
    public var gain: Double
    public var rate: Double
    public var isMuted: Bool
    public var isSoloed: Bool
    /// Of a group that is silenced by others' solos, or ducked.
    public var note: String

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
    public var level: [Double]

    public init(listener: UInt64?, decay: [Double], level: [Double]) {
        self.listener = listener
        self.decay = decay
        self.level = level
    }
}

/// What stands in the scene: triangles, in the world's axes.
public struct InspectedGeometry: Codable, Hashable, Sendable {
    public struct Body: Codable, Hashable, Sendable {
        public var id: UInt64
        public var name: String
        /// Nine numbers a triangle.
        public var triangles: PackedNumbers

        public init(id: UInt64, name: String, triangles: PackedNumbers) {
            self.id = id
            self.name = name
            self.triangles = triangles
        }
    }

    /// The most triangles of walls and zones that are sent.
    public static let triangleLimit = 100_000

    public var version: UInt64 = 0
    public var walls: [Body] = []
    public var zones: [Body] = []
    public var omittedTriangles = 0

    public init() {}
}
