import OssicleAcoustics
import OssicleCore

/// The last simulation of the late field around a listener, some of whose rays can be drawn. Any thread.
package struct RaySample: Sendable {
    /// Tells one simulation from another.
    package struct Identity: Hashable, Sendable {
        package let listener: UInt64
        let head: Vector
        let round, rays: Int
        let sceneVersion: UInt32
    }

    private let task: LateFields.Task

    init(_ task: LateFields.Task) { self.task = task }

    package var identity: Identity {
        Identity(
            listener: task.receiver.listener, head: task.receiver.head, round: task.round,
            rays: task.solver.quality.rays, sceneVersion: task.sceneVersion)
    }

    /// Traces them once more: some microseconds each.
    package func courses(count: Int, most: Int) -> [RayCourse] {
        let receiver = task.receiver
        let places = receiver.sources.keys.sorted().flatMap { receiver.places(of: $0) }
        return task.solver.rayCourses(count: count, most: most, of: places, at: receiver.head, round: task.round)
    }
}

extension RoomFields {
    /// One for each listener whose field rays have found.
    package var raySamples: [RaySample] { fields.compactMap { traced.task(at: $0.listener).map { RaySample($0) } } }
}
