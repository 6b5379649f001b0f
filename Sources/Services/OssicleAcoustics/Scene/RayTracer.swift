import OssicleCore

/// Answers what lies between two points of a scene. Any implementation gives the same crossings in the same order.
package protocol RayTracer: Sendable {
    var scene: AcousticScene { get }

    /// Replaces `crossings` by everything on the way, by place on it, then occluder, then triangle.
    ///
    /// What touches an end of the way does not count: it is what the end stands on. Triangles that meet in an edge are crossed
    /// once there. An end that is no place, or no way at all, crosses nothing.
    func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing])

    /// Whether anything lies on the way.
    /// - Parameter ground: what it leaves. The answer is the same whether that is told or not; a tracer that knows it may be faster.
    func isBlocked(from start: Vector, to end: Vector, leaving ground: Ground) -> Bool

    /// What a ray meets first within `reach` metres, and of surfaces at one place the first in the scene. What it starts on does not count.
    /// Nothing where the start is no place, the direction is not unit or the reach no number.
    /// - Parameters: direction: unit. - ground: as above.
    func nearestHit(from start: Vector, towards direction: Vector, within reach: Double, leaving ground: Ground) -> Hit?
}

extension RayTracer {
    @inline(__always)
    package func isBlocked(from start: Vector, to end: Vector) -> Bool { isBlocked(from: start, to: end, leaving: .unknown) }

    @inline(__always)
    package func nearestHit(from start: Vector, towards direction: Vector, within reach: Double) -> Hit? {
        nearestHit(from: start, towards: direction, within: reach, leaving: .unknown)
    }
}
