import OssicleCore

/// A source reflected in plane after plane.
protocol ImageRow: Sendable {
    /// Number of reflectors.
    var order: Int { get }
    /// The source after the first `count` reflectors.
    func image(_ count: Int) -> Vector
    /// Index of a reflector in its set, the source's side first.
    func reflector(_ number: Int) -> Int32
    /// The side of a reflector that the sound comes from.
    func isInFront(_ number: Int) -> Bool
}

typealias ReflectionPath = ReflectedPath<ImageSource>

/// The path of sound from a source over its reflectors to a point, found backwards from the point.
struct ReflectedPath<Row: ImageRow>: Sendable {
    let image: Row
    let end: Vector
    /// Where it meets each reflector, the source's side first.
    let corners: [Corner]

    struct Corner: BitwiseCopyable {
        var place: Vector
        /// Of the angle between the path and the reflector's normal.
        var cosine: Double
        var surface: SurfacePoint
    }

    /// Cosine below which a path grazes its reflector and is left out: there it cancels against the straight one.
    private static var grazing: Double { 1e-4 }

    /// Nil where the path misses a reflector. Whether anything stands between the corners is not asked here.
    init?(_ image: Row, to end: Vector, in set: ReflectorSet) {
        // Most images are out of sight of their reflectors, which planes and boxes show, without a triangle.
        var point = end
        for number in (0..<image.order).reversed() where image.order > 1 {
            guard let crossing = Self.crossing(from: point, image, number: number, set: set) else { return nil }
            point = crossing.place
        }
        var corners: [Corner] = []
        point = end
        for number in (0..<image.order).reversed() {
            guard let (place, cosine) = Self.crossing(from: point, image, number: number, set: set),
                let surface = set.surface(image.reflector(number), at: place)
            else { return nil }
            if corners.isEmpty { corners.reserveCapacity(image.order) }
            corners.append(Corner(place: place, cosine: cosine, surface: surface))
            point = place
        }
        corners.reverse()
        (self.image, self.end, self.corners) = (image, end, corners)
    }

    /// Where the path from a point to an image passes through that image's reflector.
    private static func crossing(
        from point: Vector, _ image: Row, number: Int, set: ReflectorSet
    ) -> (place: Vector, cosine: Double)? {
        let plane = set.reflectors[Int(image.reflector(number))]
        let height = plane.height(point)
        // A corner in the edge of two reflectors lies in both.
        guard (image.isInFront(number) ? height : -height) > -Reflector.closest else { return nil }
        let ray = image.image(number + 1) - point
        let depth = height - plane.height(image.image(number + 1))
        let cosine = depth.magnitude / ray.magnitude
        guard cosine > grazing else { return nil }
        let place = point + ray * (height / depth)
        return plane.bounds.widened(by: ReflectorSet.reach).holds(place) ? (place, cosine) : nil
    }

    var order: Int { image.order }

    /// Unit, from the end to where the sound comes from; zero where it is at the image itself.
    var arrival: Vector { (image.image(order) - end).direction ?? .zero }

    var length: Double { (image.image(order) - end).magnitude }

    /// Metres from the source to a corner.
    func distance(toCorner number: Int) -> Double { (image.image(number + 1) - corners[number].place).magnitude }

    /// Whether nothing stands between source, corners and end.
    func isClear<Tracer: RayTracer>(_ tracer: Tracer) -> Bool {
        var point = end
        for corner in corners.reversed() {
            if tracer.isBlocked(from: point, to: corner.surface.position) { return false }
            point = corner.surface.position
        }
        return !tracer.isBlocked(from: point, to: image.image(0))
            && corners.indices.allSatisfy { turnsFreely(at: $0, tracer) }
    }

    /// Whether nothing stands on a corner: what touches the end of a ray is not in its way, so a sheet whose foot is at
    /// the corner needs a ray of its own, over the corner from the path before it to the path after it.
    private func turnsFreely<Tracer: RayTracer>(at number: Int, _ tracer: Tracer) -> Bool {
        let corner = corners[number].surface.position
        let before = (number > 0 ? corners[number - 1].surface.position : image.image(0)) - corner
        let after = (number + 1 < order ? corners[number + 1].surface.position : end) - corner
        guard let back = before.direction, let ahead = after.direction else { return true }
        let step = min(
            EdgeProbe<Tracer>.margin(corner) / corners[number].cosine, before.magnitude / 2, after.magnitude / 2)
        return !tracer.isBlocked(from: corner + back * step, to: corner + ahead * step)
    }
}

extension Array {
    /// Two reflectors that share an edge may both have found the path that meets it.
    func withoutDoubles<Row>() -> [ReflectedPath<Row>] where Element == ReflectedPath<Row> {
        let lengths = map(\.length)
        let ranked = indices.sorted { a, b in
            lengths[a] == lengths[b] ? self[a].rank < self[b].rank : lengths[a] < lengths[b]
        }
        var kept: [Int] = []
        for candidate in ranked {
            let near = kept.reversed().prefix { lengths[candidate] - lengths[$0] <= 1e-6 }
            if !near.contains(where: { self[$0].isDouble(of: self[candidate]) }) { kept.append(candidate) }
        }
        return kept.map { self[$0] }
    }
}

extension ReflectedPath {
    /// Of paths of one length. Between other planes as far from each other as these, sound may come from the same
    /// direction, by other corners.
    fileprivate func isDouble(of other: ReflectedPath) -> Bool {
        (arrival - other.arrival).magnitude <= 1e-6 && order == other.order
            && zip(corners, other.corners).allSatisfy { ($0.place - $1.place).magnitude < 1e-4 }
    }

    /// A fixed order among paths of one length, the same for the way back.
    fileprivate var rank: UInt64 {
        func number(_ row: some Sequence<Int>) -> UInt64 {
            row.reduce(UInt64(order)) { $0 << 16 | UInt64(UInt16(truncatingIfNeeded: image.reflector($1))) }
        }
        return min(number(0..<order), number((0..<order).reversed()))
    }
}

extension ReflectedPath where Row == ImageSource {
    /// The surfaces it meets, the source's side first, 0 behind the last.
    func identities(in set: ReflectorSet) -> SIMD4<UInt64> {
        var result = SIMD4<UInt64>.zero
        for (number, corner) in corners.enumerated() { result[number] = set.faces[Int(corner.surface.face)].identity }
        return result
    }
}

extension ReflectedPath {
    /// What the path does to the sound: Π √(ρ(1 − s)) over the surfaces, ρ the share of the energy that comes back and
    /// s the part of it that is scattered and belongs to the late sound, times what finite reflectors leave.
    /// - Parameter carriedAfter: metres the sound travels on from the end, by edges.
    func path(_ scene: AcousticScene, _ set: ReflectorSet, speedOfSound: Double, carriedAfter: Double = 0) -> SoundPath
    {
        var gains = OctaveBands.ones
        var identity: UInt64 = 0
        var departure = -arrival
        for number in (0..<order).reversed() {
            let normal = set.reflectors[Int(image.reflector(number))].normal
            departure -= normal * (2 * normal.dot(departure))
        }
        for (number, corner) in corners.enumerated() {
            let face = set.faces[Int(corner.surface.face)]
            let solid = scene.placed.solids[Int(face.occluder)]
            let before = distance(toCorner: number)
            let element = Int(corner.surface.element)
            if let reaction = solid.reactions[element] {
                gains = gains * OctaveBands(lanes: reaction.factor(cosine: Float(corner.cosine)).squareRoot())
            }
            gains =
                gains * OctaveBands.reflector(reflected: solid.reflected[element], scattered: solid.scattered[element])
                * FresnelZone.gains(
                    face.side(inFront: image.isInFront(number)),
                    normal: set.reflectors[Int(image.reflector(number))].normal,
                    direction: image.image(number + 1) - corner.place, before: before,
                    after: length - before + carriedAfter, cosine: corner.cosine, speedOfSound: speedOfSound)
            identity = SoundPath.identity(identity, then: face.identity)
        }
        return SoundPath(
            kind: .reflection(order: order), identity: identity, length: length, bandGains: gains, arrival: arrival,
            departure: departure, corners: corners.map(\.place))
    }
}

extension OctaveBands {
    /// Amplitude factor of a specular reflection: √(reflected (1 − scattered)), both shares of energy.
    static func reflector(reflected: OctaveBands, scattered: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: (reflected.lanes * (1 - scattered.lanes)).squareRoot())
    }
}
