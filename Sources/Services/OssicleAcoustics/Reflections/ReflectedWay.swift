import OssicleCore

/// The way of sound from a source over its mirrors to a point, found backwards from the point.
struct ReflectedWay: Sendable {
    let image: MirroredSource
    let end: Vector
    /// Where it meets each mirror, the source's side first.
    let corners: [Corner]

    struct Corner: BitwiseCopyable {
        var place: Vector
        /// Of the angle between the way and the mirror's normal.
        var cosine: Double
        var surface: SurfacePoint
    }

    /// Cosine below which a way grazes its mirror and is left out: there it cancels against the straight one.
    private static let grazing = 1e-4
    /// Nil where the way misses a mirror. Whether anything stands between the corners is not asked here.
    init?(_ image: MirroredSource, to end: Vector, in set: ReflectorSet) {
        var corners: [Corner] = []
        var point = end
        for mirror in (0..<image.order).reversed() {
            guard let crossing = ReflectedWay.crossing(from: point, image, mirror, set),
                  let surface = set.surface(image.reflectors[mirror], at: crossing.place, inFront: image.isInFront(mirror)) else { return nil }
            corners.append(Corner(place: crossing.place, cosine: crossing.cosine, surface: surface))
            point = crossing.place
        }
        (self.image, self.end, self.corners) = (image, end, corners.reversed())
    }

    /// Where the way from a point to an image passes through that image's mirror.
    private static func crossing(from point: Vector, _ image: MirroredSource, _ mirror: Int,
                                 _ set: ReflectorSet) -> (place: Vector, cosine: Double)? {
        let plane = set.reflectors[Int(image.reflectors[mirror])]
        let height = plane.height(point)
        // A corner in the edge of two mirrors lies in both.
        guard (image.isInFront(mirror) ? height : -height) > -Reflector.closest else { return nil }
        let way = image.image(mirror + 1) - point
        let depth = height - plane.height(image.image(mirror + 1))
        let cosine = depth.magnitude / way.magnitude
        guard cosine > grazing else { return nil }
        let place = point + way * (height / depth)
        return plane.bounds.widened(by: ReflectorSet.reach).holds(place) ? (place, cosine) : nil
    }

    var order: Int { image.order }

    /// Unit, from the end to where the sound comes from; zero where it is at the image itself.
    var arrival: Vector { (image.position - end).direction ?? .zero }

    var length: Double { (image.position - end).magnitude }

    /// Metres from the source to a corner.
    func distance(toCorner mirror: Int) -> Double { (image.image(mirror + 1) - corners[mirror].place).magnitude }

    /// Whether nothing stands between source, corners and end.
    func isClear<Tracer: RayTracer>(_ tracer: Tracer) -> Bool {
        var point = end
        for corner in corners.reversed() {
            if tracer.isBlocked(from: point, to: corner.surface.position) { return false }
            point = corner.surface.position
        }
        return !tracer.isBlocked(from: point, to: image.source)
    }
}
