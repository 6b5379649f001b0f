import OssicleAcoustics
import OssicleCore

/// The scene as one update sees it: values by the objects' numbers. Lengths in metres.
package struct SceneSnapshot {
    package struct Source {
        package let number: UInt64
        package fileprivate(set) var pose: Pose
        /// Linear.
        package fileprivate(set) var gain: Double
        /// In their own axes; none for a point.
        package let meshes: [TriangleMesh]
        /// Whether the object is part of the scene: only then is it heard.
        package let isInScene: Bool

        package init(number: UInt64, pose: Pose, gain: Double, meshes: [TriangleMesh], isInScene: Bool) {
            self.number = number
            self.pose = pose
            self.gain = gain
            self.meshes = meshes
            self.isInScene = isInScene
        }
    }

    package struct Listener {
        package let number: UInt64
        /// The head: the object's pose, and on top of it what a head tracker says.
        package fileprivate(set) var head: Pose
        /// Linear.
        package fileprivate(set) var gain: Double
        package let isInScene: Bool

        package init(number: UInt64, head: Pose, gain: Double, isInScene: Bool) {
            self.number = number
            self.head = head
            self.gain = gain
            self.isInScene = isInScene
        }
    }

    /// A reverb zone, before it is known what rays find in it.
    package struct Zone {
        package let number: UInt64
        private let bodies: [ZoneBody]
        /// Metres.
        private let borderWidth: Double
        private let priority: Int
        /// dB.
        private let level: Double
        /// Late field of the zone's preset or of its response; nil for a zone whose field rays find.
        private let preset: LateField?
        let response: MeasuredRoom?

        package init(
            number: UInt64, bodies: [ZoneBody], borderWidth: Double, priority: Int, level: Double, preset: LateField?,
            response: MeasuredRoom? = nil
        ) {
            self.number = number
            self.bodies = bodies
            self.borderWidth = borderWidth
            self.priority = priority
            self.level = level
            self.preset = response?.field ?? preset
            self.response = response
        }

        /// Of what the zone's response makes, as `level` is of its field's energy.
        var gain: Double { Decibels.amplitude(level.isNaN ? 0 : min(max(level, -60), 20)) }

        package var isComputed: Bool { preset == nil }

        /// - Parameter traced: what rays found from the zone's inner point; nil before they have. Used by computed
        ///   zones only.
        package func reverbZone(traced: LateField?) -> ReverbZone {
            ReverbZone(
                id: number, bodies: bodies, borderWidth: borderWidth, priority: priority, level: level,
                field: preset ?? traced)
        }
    }

    /// Those that sound events are bound to, each at a place of its own.
    package private(set) var sources: [Source] = []
    package private(set) var listeners: [Listener] = []
    private var places = Places()
    /// Places of what has moved, or got another gain, since the last update.
    private(set) var moved = (sources: [Int](), listeners: [Int]())
    package var medium = Medium()
    /// Whether direct sound loses anything in the medium, and whether it takes its time.
    package var absorbs = false
    package var delays = true
    /// What the client's lengths and times are divided by.
    package var unitsPerMeter = 1.0
    package var unitsPerSecond = 1.0

    package init() {}

    private struct Places {
        var sources: [UInt64: Int] = [:]
        var listeners: [UInt64: Int] = [:]
    }
}

extension SceneSnapshot {
    package func place(ofSource number: UInt64) -> Int? { places.sources[number] }
    package func place(ofListener number: UInt64) -> Int? { places.listeners[number] }
    package func source(_ number: UInt64) -> Source? { place(ofSource: number).map { sources[$0] } }
    package func listener(_ number: UInt64) -> Listener? { place(ofListener: number).map { listeners[$0] } }

    /// - Returns: its place.
    package mutating func add(_ source: Source) -> Int {
        places.sources[source.number] = sources.count
        sources.append(source)
        return sources.count - 1
    }

    /// - Returns: its place.
    package mutating func add(_ listener: Listener) -> Int {
        places.listeners[listener.number] = listeners.count
        listeners.append(listener)
        return listeners.count - 1
    }

    /// Another update begins: nothing has moved yet.
    package mutating func settle() {
        moved.sources.removeAll(keepingCapacity: true)
        moved.listeners.removeAll(keepingCapacity: true)
    }

    package mutating func moveSource(at place: Int, to pose: Pose, gain: Double) {
        sources[place].pose = pose
        sources[place].gain = gain
        moved.sources.append(place)
    }

    package mutating func moveListener(at place: Int, to head: Pose, gain: Double) {
        listeners[place].head = head
        listeners[place].gain = gain
        moved.listeners.append(place)
    }
}

extension SceneSnapshot.Source {
    /// What rays meet of the source at `pose`.
    /// - Parameter cache: sampled surfaces by source, because sampling one takes far longer than moving it.
    package func geometry(at pose: Pose, cache: inout [UInt64: SourceShape]) -> SourceGeometry {
        if meshes.isEmpty { return .point(pose.position) }
        let shape = cache[number] ?? SourceShape(meshes: meshes, seed: number)
        cache[number] = shape
        return .shape(shape, pose)
    }
}
