import OssicleChannels
import OssicleCore

/// Three or more loudspeakers and the virtual ones that close the sphere around the listener. A handle, see
/// `VBAPPanner`.
struct SpeakerSphere: BitwiseCopyable, @unchecked Sendable {
    /// Where the gain of a corner of the mesh goes: `count` channels from `first` on, each with `share` of it.
    private struct Route: BitwiseCopyable {
        var first, count: Int
        var share: Float
    }

    private let mesh: SphereMesh
    private let routes: UnsafeMutablePointer<Route>
    private let channels: UnsafeMutablePointer<Int>
    /// Channel of the mirror image of each channel; nil for a layout that is not symmetric.
    private let mirrored: UnsafeMutablePointer<Int>?

    /// - Parameter fed: channels of `layout` that are panned to.
    init(_ layout: SpeakerLayout, _ fed: [Int]) {
        let real = fed.map { layout.speakers[$0].direction }
        let (points, corners) = SpeakerSphere.closed(real)
        mesh = SphereMesh(directions: points, corners: corners)
        let targets = SpeakerSphere.targets(corners, pointCount: points.count, channels: fed)
        routes = .allocate(capacity: points.count)
        channels = .allocate(capacity: targets.reduce(0) { $0 + $1.count })
        var used = 0
        for (point, target) in targets.enumerated() {
            (routes + point).initialize(
                to: Route(first: used, count: target.count, share: 1 / Float(target.count).squareRoot()))
            (channels + used).initialize(from: target, count: target.count)
            used += target.count
        }
        mirrored = SpeakerSphere.mirror(layout, fed).map { images in
            let memory = UnsafeMutablePointer<Int>.allocate(capacity: images.count)
            memory.initialize(from: images, count: images.count)
            return memory
        }
    }

    func deallocate() {
        mesh.deallocate()
        routes.deallocate()
        channels.deallocate()
        mirrored?.deallocate()
    }

    /// Adds the gains of a unit vector, not yet normalised.
    func add(_ p: Vector, to gains: UnsafeMutablePointer<Float>) {
        add(mesh.locate(p), to: gains, through: nil)
        if let mirrored { add(mesh.locate(Vector(-p.x, p.y, p.z)), to: gains, through: mirrored) }
    }

    private func add(
        _ place: SphereMesh.Place, to gains: UnsafeMutablePointer<Float>, through map: UnsafeMutablePointer<Int>?
    ) {
        for corner in 0..<3 where place.weights[corner] > 0 {
            let route = routes[Int(place.corners[corner])]
            let gain = Float(place.weights[corner]) * route.share
            for index in route.first..<(route.first + route.count) {
                let channel = channels[index]
                gains[map?[channel] ?? channel] += gain
            }
        }
    }
}

extension SpeakerSphere {
    /// Real directions followed by as many virtual ones as it takes to have the listener inside the hull.
    private static func closed(_ real: [Vector]) -> (points: [Vector], corners: [SIMD3<Int32>]) {
        let points = real + poles(real) + ring(real)
        let hull = SphericalTriangulation(points)
        if hull.insideRadius > 0.05 { return (points, hull.triangles) }
        // An unusual layout: six virtual loudspeakers enclose any listener.
        let axes = [
            Vector(1, 0, 0), Vector(-1, 0, 0), Vector(0, 1, 0), Vector(0, -1, 0), Vector(0, 0, 1), Vector(0, 0, -1),
        ]
        let enclosed = real + axes.filter { axis in real.allSatisfy { $0.dot(axis) < 0.999 } }
        return (enclosed, SphericalTriangulation(enclosed).triangles)
    }

    /// Straight above and below, where no loudspeaker is within 30°.
    private static func poles(_ real: [Vector]) -> [Vector] {
        [Vector(0, 1, 0), Vector(0, -1, 0)].filter { pole in real.allSatisfy { $0.dot(pole) < 0.866 } }
    }

    /// Evenly into each gap of the horizontal ring that is wider than 160°.
    private static func ring(_ real: [Vector]) -> [Vector] {
        let near = real.filter { $0.y.magnitude < 0.71 }
        let azimuths = near.map { DeterministicMath.atan2(-$0.x, -$0.z) * (180 / DeterministicMath.pi) }.sorted()
        guard let first = azimuths.first else {
            return [0, 120, 240].map { HeadDirection.vector(azimuth: $0, elevation: 0) }
        }
        return zip(azimuths, azimuths.dropFirst() + [first + 360]).flatMap { start, end in
            let parts = Int(((end - start) / 160).rounded(.up))
            return stride(from: 1, to: max(parts, 1), by: 1).map { part in
                HeadDirection.vector(azimuth: start + (end - start) * Double(part) / Double(parts), elevation: 0)
            }
        }
    }

    /// A real point feeds its channel, a virtual one those of its real neighbours; one without any feeds all.
    private static func targets(_ corners: [SIMD3<Int32>], pointCount: Int, channels: [Int]) -> [[Int]] {
        (0..<pointCount).map { point in
            if point < channels.count { return [channels[point]] }
            let around = corners.filter { $0.x == point || $0.y == point || $0.z == point }.flatMap {
                [Int($0.x), Int($0.y), Int($0.z)]
            }
            let neighbours = Set(around).filter { $0 < channels.count }.sorted().map { channels[$0] }
            return neighbours.isEmpty ? channels : neighbours
        }
    }

    private static func mirror(_ layout: SpeakerLayout, _ fed: [Int]) -> [Int]? {
        var images = Array(layout.speakers.indices)
        for channel in fed {
            let d = layout.speakers[channel].direction
            let image = Vector(-d.x, d.y, d.z)
            guard let other = fed.first(where: { layout.speakers[$0].direction.dot(image) > 0.999999 }) else {
                return nil
            }
            images[channel] = other
        }
        return images
    }
}
