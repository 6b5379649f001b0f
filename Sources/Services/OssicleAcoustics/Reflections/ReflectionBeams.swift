import OssicleCore

/// The images of a source in rows of reflectors of any length, where few planes reflect: two walls, a corner, a street.
///
/// What a row of reflectors shows of a source is a beam: the cone from the last image through what is left of the last
/// reflector (Heckbert and Hanrahan 1984; Funkhouser et al. 1998). A reflector outside of it ends the row. So of the
/// images that grow with a power of the number of planes those are left that are seen from somewhere: one for each
/// order and first wall between two parallel walls, some n² of order n in a street.
struct ReflectionBeams {
    let set: ReflectorSet

    /// Planes up to which rows are followed, and beams in all.
    static let mostReflectors = 12
    static let mostBeams = 50_000
    /// Square metres below which a beam is none.
    private static let leastArea = 1e-10

    /// A row of reflectors, as its last one and the row before it.
    private struct Link {
        let previous: Int
        let reflector: Int32
        let isInFront: Bool
        let image: Vector
    }

    private struct Cone {
        let link: Int
        /// Convex, in the plane of the link's reflector.
        let aperture: [Vector]
    }

    private let outlines: [[Vector]]

    /// Nil where more planes reflect.
    init?(_ set: ReflectorSet) {
        guard set.reflectors.count <= Self.mostReflectors else { return nil }
        self.set = set
        outlines = set.reflectors.map { $0.outline }
    }

    /// The paths over rows of some lengths, whatever stands in between.
    /// - Returns: the paths, in the order of their rows, and the length up to which no row is missing: less than wanted
    ///   where there are too many.
    func paths(
        of source: Vector, to listener: Vector, orders: ClosedRange<Int>, within reach: Double
    ) -> (paths: [ReflectedPath<ImageChain>], complete: Int) {
        var links = [Link(previous: -1, reflector: -1, isInFront: false, image: source)]
        var cones = [Cone(link: 0, aperture: [])]
        var paths: [ReflectedPath<ImageChain>] = []
        for order in 1...orders.upperBound {
            var next: [Cone] = []
            for cone in cones {
                let sides = sides(of: cone, links)
                for reflector in set.reflectors.indices {
                    guard let link = reflected(links[cone.link], cone.link, in: reflector, source: source),
                        let aperture = sides.reduce(outlines[reflector], { $1.clipped($0) }).orNil,
                        aperture.area > Self.leastArea,
                        set.reflectors[reflector].height(link.image).magnitude <= reach
                    else { continue }
                    guard links.count < Self.mostBeams else { return (paths, order - 1) }
                    links.append(link)
                    next.append(Cone(link: links.count - 1, aperture: aperture))
                }
            }
            cones = next
            guard orders.contains(order) else { continue }
            for cone in cones where self.sides(of: cone, links).allSatisfy({ $0.holds(listener) }) {
                if let path = ReflectedPath(chain(cone.link, links), to: listener, in: set) { paths.append(path) }
            }
        }
        return (paths, orders.upperBound)
    }

    private func reflected(_ link: Link, _ number: Int, in reflector: Int, source: Vector) -> Link? {
        guard Int32(reflector) != link.reflector else { return nil }
        let plane = set.reflectors[reflector]
        let height = plane.height(link.image)
        guard height.magnitude > Reflector.closest, plane.reflects(inFront: height > 0, for: source) else { return nil }
        return Link(
            previous: number, reflector: Int32(reflector), isInFront: height > 0,
            image: plane.mirrored(link.image))
    }

    /// The half-spaces that the sound of a cone is in: before its reflector, and within the rim.
    private func sides(of cone: Cone, _ links: [Link]) -> [HalfSpace] {
        let link = links[cone.link]
        guard link.reflector >= 0 else { return [] }
        let plane = set.reflectors[Int(link.reflector)]
        let sign: Double = link.isInFront ? 1 : -1
        let centre = cone.aperture.reduce(.zero, +) / Double(max(cone.aperture.count, 1))
        let rim = zip(cone.aperture, cone.aperture.dropFirst() + cone.aperture.prefix(1)).compactMap {
            (a, b) -> HalfSpace? in
            guard let normal = (a - link.image).cross(b - link.image).direction else { return nil }
            let isInside = normal.dot(centre - link.image) >= 0
            return HalfSpace(normal: isInside ? normal : -normal, offset: (isInside ? 1 : -1) * normal.dot(link.image))
        }
        return [HalfSpace(normal: plane.normal * sign, offset: plane.offset * sign)] + rim
    }

    private func chain(_ last: Int, _ links: [Link]) -> ImageChain {
        var row: [Link] = []
        var link = last
        while link > 0 {
            row.append(links[link])
            link = links[link].previous
        }
        row.reverse()
        return ImageChain(
            images: [links[0].image] + row.map(\.image), reflectors: row.map(\.reflector), sides: row.map(\.isInFront))
    }
}

/// A source reflected in any number of planes, see `ImageSource`.
struct ImageChain: ImageRow {
    fileprivate let images: [Vector]
    fileprivate let reflectors: [Int32]
    fileprivate let sides: [Bool]

    var order: Int { reflectors.count }
    func image(_ count: Int) -> Vector { images[count] }
    func reflector(_ number: Int) -> Int32 { reflectors[number] }
    func isInFront(_ number: Int) -> Bool { sides[number] }
}

/// normal · p ≥ offset.
private struct HalfSpace {
    let normal: Vector
    let offset: Double

    func height(_ point: Vector) -> Double { normal.dot(point) - offset }

    /// With a hair for what is on the rim.
    func holds(_ point: Vector) -> Bool { height(point) > -1e-6 }

    /// What of a convex polygon is within (Sutherland and Hodgman 1974).
    func clipped(_ polygon: [Vector]) -> [Vector] {
        var result: [Vector] = []
        for (index, point) in polygon.enumerated() {
            let next = polygon[index + 1 < polygon.count ? index + 1 : 0]
            let (from, to) = (height(point), height(next))
            if from >= 0 { result.append(point) }
            if (from > 0 && to < 0) || (from < 0 && to > 0) {
                result.append(point + (next - point) * (from / (from - to)))
            }
        }
        return result
    }
}

extension [Vector] {
    fileprivate var orNil: [Vector]? { count > 2 ? self : nil }

    /// Of a flat convex polygon.
    fileprivate var area: Double {
        guard let first else { return 0 }
        return zip(dropFirst(), dropFirst(2)).reduce(Vector.zero) { $0 + ($1.0 - first).cross($1.1 - first) }.magnitude
            / 2
    }
}

extension Reflector {
    /// A convex polygon in its plane around all its patches: where the plane cuts their box.
    fileprivate var outline: [Vector] {
        let box = bounds.widened(by: ReflectorSet.reach)
        let middle = box.centre - normal * height(box.centre)
        let least = [Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)].min {
            $0.dot(normal).magnitude < $1.dot(normal).magnitude
        }
        guard let right = normal.cross(least ?? Vector(1, 0, 0)).direction else { return [] }
        let size = box.extent.magnitude
        let up = normal.cross(right)
        let sheet = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { middle + (right * $0.0 + up * $0.1) * size }
        return [Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)].reduce(sheet) { polygon, axis in
            let low = HalfSpace(normal: axis, offset: axis.dot(box.lower))
            let high = HalfSpace(normal: -axis, offset: -axis.dot(box.upper))
            return high.clipped(low.clipped(polygon))
        }
    }
}
