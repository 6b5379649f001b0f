import OssicleAcoustics
import OssicleCore

/// The scene as one update sees it: values by the objects' numbers. Lengths in metres.
package struct SceneSnapshot {
    package struct Source {
        package let number: UInt64
        package let pose: Pose
        /// Linear.
        package let gain: Double
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
        package let head: Pose
        /// Linear.
        package let gain: Double
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
        /// Late field of the zone's preset; nil for a zone whose field rays find.
        private let preset: LateField?

        package init(
            number: UInt64, bodies: [ZoneBody], borderWidth: Double, priority: Int, level: Double, preset: LateField?
        ) {
            self.number = number
            self.bodies = bodies
            self.borderWidth = borderWidth
            self.priority = priority
            self.level = level
            self.preset = preset
        }

        package var isComputed: Bool { preset == nil }

        /// - Parameter traced: what rays found from the zone's inner point; nil before they have. Used by computed zones
        ///   only.
        package func reverbZone(traced: LateField?) -> ReverbZone {
            ReverbZone(
                id: number, bodies: bodies, borderWidth: borderWidth, priority: priority, level: level,
                field: preset ?? traced)
        }
    }

    /// Those that sound events are bound to.
    package var sources: [UInt64: Source] = [:]
    package var listeners: [UInt64: Listener] = [:]
    package var medium = Medium()
    /// Whether direct sound loses anything in the medium, and whether it takes its time.
    package var absorbs = false
    package var delays = true
    /// What the client's lengths and times are divided by.
    package var unitsPerMeter = 1.0
    package var unitsPerSecond = 1.0

    package init() {}
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
