#if SystemLibraries
import CEmbree
import OssicleCore

/// A segment as a ray in the units of an `EmbreeMesh`.
///
/// It starts a little early and ends a little late, by more than single precision moves a crossing along it. Where a
/// segment starts far outside, only its part near the mesh is asked for, so that all numbers stay small.
struct EmbreeRay {
    private static let margin = 2e-5
    /// As much for two crossings, each of which may be moved.
    static let blur: Float = 4e-5
    /// Units; twice what single precision moves a crossing that is not grazed.
    static let clearance = 4e-5
    /// From its own start: what a segment leaves may be met again within this, and nothing else.
    private static let departure = 4e-5
    /// Units from the centre within which a segment may start.
    private static let near = 2.0

    private let start: Vector
    private let direction: Vector
    private let length: Double
    private let skipped: Double

    /// Nil where the segment misses the mesh, and where it is so long that its part near the mesh is lost in rounding:
    /// Embree would stop the process for a ray that is none.
    @inline(__always)
    init?(_ segment: Segment, _ embree: UnsafePointer<EmbreeMesh.View>, leaves: Bool, before reach: Double) {
        let unitsPerMetre = embree.pointee.unitsPerMetre
        let start = (segment.start - embree.pointee.centre) * unitsPerMetre
        if EmbreeRay.isNear(start) {
            self.init(
                start, segment, length: min(reach * segment.length * unitsPerMetre, 8 * EmbreeRay.near),
                skipped: leaves ? EmbreeRay.departure : 0)
        } else {
            guard let far = EmbreeRay(far: segment, embree, before: reach) else { return nil }
            self = far
        }
    }

    @inline(__always)
    private init(_ start: Vector, _ segment: Segment, length: Double, skipped: Double) {
        direction = segment.delta * (1 / segment.length)
        self.start = start - direction * EmbreeRay.margin
        (self.length, self.skipped) = (length, skipped)
    }

    /// The part of a segment that is near the mesh.
    @inline(never)
    private init?(far segment: Segment, _ embree: UnsafePointer<EmbreeMesh.View>, before reach: Double) {
        let span = Slabs(segment).span(embree.pointee.lower, embree.pointee.upper, before: reach)
        guard span.entry <= span.exit else { return nil }
        let unitsPerMetre = embree.pointee.unitsPerMetre
        self.init(
            (segment.start + segment.delta * span.entry - embree.pointee.centre) * unitsPerMetre, segment,
            length: (span.exit - span.entry) * segment.length * unitsPerMetre, skipped: 0)
        guard EmbreeRay.isNear(start), length < 8 * EmbreeRay.near else { return nil }
    }

    @inline(__always)
    private static func isNear(_ v: Vector) -> Bool {
        v.x.magnitude < near && v.y.magnitude < near && v.z.magnitude < near
    }

    /// Put together of vectors, because Embree reads vectors: a processor holds up what is read at once and was written
    /// in pieces.
    @inline(__always)
    var asEmbree: RTCRay {
        let reach = Float(length + 2 * EmbreeRay.margin)
        return unsafeBitCast(
            (
                SIMD4<Float>(SIMD3<Float>(start), Float(skipped)), SIMD4<Float>(SIMD3<Float>(direction), 0),
                SIMD4<UInt32>(reach.bitPattern, .max, 0, 0)
            ), to: RTCRay.self)
    }

    @inline(__always)
    var asHit: RTCRayHit {
        var hit = RTCRayHit()
        hit.ray = asEmbree
        hit.hit.geomID = .max
        return hit
    }

    /// False where nothing in any of the boxes is met.
    @inline(__always)
    func mayMeet(_ boxes: FourBoxes) -> Bool {
        boxes.meet(
            SIMD3<Float>(start), towards: SIMD3<Float>(direction), before: Float(length + 2 * EmbreeRay.margin))
    }
}
#endif
