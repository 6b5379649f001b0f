@testable import OssicleAcoustics
@testable import OssicleCore

/// Writes down what it is asked for, in order. For one thread.
struct RecordingTracer: RayTracer {
    /// A single ray: to the nearest surface, or whether anything is on the way.
    struct Ray {
        let start, direction: Vector
        let length: Double
        let wantsNearest: Bool
    }

    final class Record: @unchecked Sendable {
        var rays: [Ray] = []
    }

    let tracer: SceneTracer
    let record = Record()
    var scene: AcousticScene { tracer.scene }

    func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing]) {
        tracer.findCrossings(from: start, to: end, into: &crossings)
    }

    func isBlocked(from start: Vector, to end: Vector, leaving ground: Ground) -> Bool {
        note(from: start, to: end)
        return tracer.isBlocked(from: start, to: end, leaving: ground)
    }

    func isBlocked(from start: Vector, to end: Vector, leavingOut isLeftOut: [Bool]) -> Bool {
        note(from: start, to: end)
        return tracer.isBlocked(from: start, to: end, leavingOut: isLeftOut)
    }

    private func note(from start: Vector, to end: Vector) {
        let offset = end - start
        guard let direction = offset.direction else { return }
        record.rays.append(Ray(start: start, direction: direction, length: offset.magnitude, wantsNearest: false))
    }

    func nearestHit(from start: Vector, towards direction: Vector, within reach: Double, leaving ground: Ground) -> Hit?
    {
        record.rays.append(Ray(start: start, direction: direction, length: reach, wantsNearest: true))
        return tracer.nearestHit(from: start, towards: direction, within: reach, leaving: ground)
    }
}
