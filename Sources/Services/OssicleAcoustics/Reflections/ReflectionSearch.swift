import OssicleCore

/// Tries all rows of reflectors, the largest reflectors first.
struct ReflectionSearch {
    let set: ReflectorSet
    let source: Vector
    let listener: Vector

    /// How many of the largest reflectors are combined for images of an order: some 260 000 rows at most.
    static func breadth(order: Int) -> Int {
        switch order {
        case 1: ReflectorSet.mostFaces
        case 2: 512
        default: 64
        }
    }

    /// Whether `paths` misses nothing for lack of breadth.
    static func isComplete(order: Int, _ set: ReflectorSet) -> Bool { set.reflectors.count <= breadth(order: order) }

    /// All paths over exactly `order` reflectors that no one has checked for obstacles.
    func paths(order: Int) -> [ReflectionPath] {
        var paths: [ReflectionPath] = []
        set.reflectors.withUnsafeBufferPointer { planes in
            let planes = UnsafeBufferPointer(rebasing: planes.prefix(ReflectionSearch.breadth(order: order)))
            let found = planes.indices.lazy.compactMap { LastPlane(planes[$0], $0, from: source, to: listener) }
            // Single reflectors are thousands, and each is asked once.
            guard order > 1 else { return found.forEach { end(ImageSource(source), on: $0, planes, &paths) } }
            var lasts: [LastPlane] = []
            lasts.reserveCapacity(planes.count)
            lasts.append(contentsOf: found)
            lasts.withUnsafeBufferPointer { extend(ImageSource(source), to: order, planes, lasts: $0, &paths) }
        }
        return paths
    }

    private func extend(
        _ image: ImageSource, to order: Int, _ planes: UnsafeBufferPointer<Reflector>,
        lasts: UnsafeBufferPointer<LastPlane>, _ paths: inout [ReflectionPath]
    ) {
        guard image.order + 1 == order else {
            for reflector in planes.indices {
                guard let next = image.reflected(in: Int32(reflector), of: planes) else { continue }
                extend(next, to: order, planes, lasts: lasts, &paths)
            }
            return
        }
        for last in lasts { end(image, on: last, planes, &paths) }
    }

    /// Adds the path from an image over the last plane, where there is one.
    @inline(__always)
    private func end(
        _ image: ImageSource, on last: LastPlane, _ planes: UnsafeBufferPointer<Reflector>,
        _ paths: inout [ReflectionPath]
    ) {
        guard last.mayShow(image.position, to: listener), let next = image.reflected(in: last.reflector, of: planes),
            let path = ReflectionPath(next, to: listener, in: set)
        else { return }
        paths.append(path)
    }
}

/// A plane as the last of a row: what does not change from image to image.
private struct LastPlane {
    let reflector: Int32
    private let normal: Vector
    private let offset: Double
    /// The listener's height above it, metres.
    private let height: Double
    /// Around its patches, and what may be missed of them.
    private let bounds: Bounds

    /// Nil where it shows the listener nothing of a source, whatever the row before it.
    init?(_ plane: Reflector, _ index: Int, from source: Vector, to listener: Vector) {
        height = plane.height(listener)
        guard height != 0, plane.reflects(inFront: height > 0, for: source) else { return nil }
        reflector = Int32(clamping: index)
        (normal, offset, bounds) = (plane.normal, plane.offset, plane.bounds.widened(by: ReflectorSet.reach))
    }

    /// Whether the path from a source over this plane to the listener on the same side may meet one of the patches: the
    /// one test most rows of reflectors fail.
    @inline(__always)
    func mayShow(_ source: Vector, to listener: Vector) -> Bool {
        let above = normal.dot(source) - offset
        guard above * height > 0 else { return false }
        return bounds.holds(listener + (source - normal * (2 * above) - listener) * (height / (height + above)))
    }
}

/// Sequences of surfaces that may carry a reflection, to be kept from update to update.
///
/// They name surfaces, not places: while source, listener and occluders move, each is tried again for the price of a
/// few dot products, and the rays that found it need not be cast.
package struct ReflectionCandidates: Sendable, Hashable {
    /// Identities of faces, the source's side first, 0 behind the last.
    private(set) var sequences: [SIMD4<UInt64>]
    private var known: Set<SIMD4<UInt64>>

    /// What is kept; beyond it the oldest go first.
    package static let most = 16_384

    package init() { (sequences, known) = ([], []) }

    package var count: Int { sequences.count }

    mutating func insert(_ sequence: SIMD4<UInt64>) {
        if known.insert(sequence).inserted { sequences.append(sequence) }
    }

    /// Adds those of an earlier update that are not here, as far as there is room.
    mutating func keep(_ earlier: ReflectionCandidates) {
        for sequence in earlier.sequences where sequences.count < ReflectionCandidates.most { insert(sequence) }
    }

    /// The images of a source in all sequences whose surfaces are still there, each once.
    func images(of source: Vector, order: Int, in set: ReflectorSet) -> [ImageSource] {
        var tried: Set<SIMD4<Int32>> = []
        return set.reflectors.withUnsafeBufferPointer { planes in
            sequences.compactMap { sequence in
                var image: ImageSource? = ImageSource(source)
                for place in 0..<ImageSource.highestOrder where sequence[place] != 0 {
                    guard place < order, let reflector = set.reflector(of: sequence[place]) else { return nil }
                    image = image?.reflected(in: reflector, of: planes)
                }
                guard let image, tried.insert(image.reflectors).inserted else { return nil }
                return image
            }
        }
    }
}

/// Finds sequences of surfaces by following rays from reflector to reflector.
enum ReflectionRays {
    /// Spread evenly: a beam of a few degrees is not missed.
    static let count = 4096

    /// Fibonacci's sphere: steps of the golden angle around an axis at even heights.
    static let directions: [Vector] = (0..<count).map { index in
        let height = 1 - (2 * Double(index) + 1) / Double(count)
        let radius = max(1 - height * height, 0).squareRoot()
        let (s, c) = DeterministicMath.sincos(2.399963229728653 * Double(index))
        return Vector(radius * c, height, radius * s)
    }

    /// Enters the surfaces each ray meets, up to `order` in a row, and the shorter rows it begins with.
    /// - Parameter isSource: whether the rays start at the source, whose side comes first in a sequence.
    static func find<Tracer: RayTracer>(
        from start: Vector, isSource: Bool, order: Int, tracer: Tracer, set: ReflectorSet,
        into candidates: inout ReflectionCandidates
    ) {
        guard start.isFinite else { return }
        for ray in directions {
            var (place, direction) = (start, ray)
            var sequence = SIMD4<UInt64>.zero
            for bounce in 0..<min(order, ImageSource.highestOrder) {
                guard
                    let hit = tracer.nearestHit(
                        from: place, towards: direction, within: ImageSourceSolver<Tracer>.reach),
                    let face = set.face(ofOccluder: hit.occluder, triangle: hit.triangle)
                else { break }
                if isSource {
                    sequence[bounce] = face
                } else {
                    sequence = SIMD4(face, sequence.x, sequence.y, 0)
                }
                if candidates.count < ReflectionCandidates.most { candidates.insert(sequence) }
                place = hit.position
                direction -= hit.normal * (2 * hit.normal.dot(direction))
            }
        }
    }
}
