import OssicleCore

/// The shape of a geometry that is one closed convex piece: what its silhouettes are drawn from, see `Silhouette`.
struct ConvexBody: Sendable {
    /// Each place once, in the order of the mesh.
    let vertices: [Vector]
    /// Share of the smallest box around it that it fills: 1 for a box, π/4 for a round column.
    let fill: Double
    /// The middle one of that box's three sizes: a column's width, a wall's length.
    let width: Double
    /// That box's axes, unit: of its smallest size first.
    let axes: [Vector]
    /// Whether it is round: cut so finely that no edge of it matters by itself.
    let isRound: Bool
    /// Those of its faces that are rectangles; of a round body none.
    let sides: [Side]
    /// Nil where it is no column.
    let prism: Prism?

    /// A rectangular face.
    struct Side: Sendable {
        let centre: Vector
        /// Unit: out of the body, along the shorter edges, and along the longer ones.
        let normal: Vector
        let across: Vector
        let along: Vector
        /// Half the lengths of those edges.
        let halfWidth: Double
        let halfLength: Double
    }

    /// Faces from which on a body is round, and directions of faces tried for the smallest box.
    private static let mostFaces = 10
    private static let mostAxes = 12

    /// A finely cut body beyond this has no silhouette, and its edges count one by one.
    private static let mostVertices = 256

    /// Nil for any other shape.
    init?(_ geometry: MeshGeometry) {
        guard geometry.pieces.count == 1, geometry.pieces[0].isClosed, geometry.pieces[0].outward != 0 else {
            return nil
        }
        var isUsed = [Bool](repeating: false, count: geometry.mesh.vertices.count)
        var count = 0
        for triangle in VertexWelding.weld(geometry.mesh) {
            for corner in 0..<3 where !isUsed[Int(triangle[corner])] {
                isUsed[Int(triangle[corner])] = true
                count += 1
            }
            guard count <= Self.mostVertices else { return nil }
        }
        let vertices = isUsed.indices.filter { isUsed[$0] }.map { geometry.mesh.vertices[$0] }
        let outward = Double(geometry.pieces[0].outward)
        let tolerance = 1e-5 * geometry.bounds.extent.magnitude
        var volume = 0.0
        var normals: [Vector] = []
        for place in geometry.tree.order.indices {
            let facet = geometry.facets[place]
            let normal = facet.normal * outward
            guard vertices.allSatisfy({ normal.dot($0 - facet.corner) < tolerance }) else { return nil }
            volume += normal.dot(facet.corner - vertices[0]) * facet.size / 6
            if !normals.contains(where: { $0.dot(normal) > 0.999 }) { normals.append(normal) }
        }
        self.vertices = vertices
        isRound = normals.count > Self.mostFaces
        let box = ConvexBody.smallestBox(vertices, Array(normals.prefix(Self.mostAxes)))
        fill = min(volume / (box[0].size * box[1].size * box[2].size), 1)
        width = box[1].size
        axes = box.map(\.axis)
        sides = isRound ? [] : normals.compactMap { Side(vertices, normal: $0, tolerance: tolerance) }
        prism = Prism(vertices, sides)
    }

    /// The smallest box around the vertices with two of its faces along given ones: its smallest size first.
    private static func smallestBox(_ vertices: [Vector], _ normals: [Vector]) -> [(size: Double, axis: Vector)] {
        func extent(_ axis: Vector) -> Double {
            let places = vertices.map { $0.dot(axis) }
            return (places.max() ?? 0) - (places.min() ?? 0)
        }
        var box = [(size: Double, axis: Vector)](repeating: (.infinity, .zero), count: 3)
        for first in normals {
            let height = extent(first)
            for other in normals {
                guard let second = (other - first * first.dot(other)).direction else { continue }
                let third = first.cross(second)
                let sizes = [height, extent(second), extent(third)]
                if sizes[0] * sizes[1] * sizes[2] < box[0].size * box[1].size * box[2].size {
                    box = [(sizes[0], first), (sizes[1], second), (sizes[2], third)]
                }
            }
        }
        return box.enumerated().sorted { ($0.element.size, $0.offset) < ($1.element.size, $1.offset) }.map(\.element)
    }
}

extension ConvexBody.Side {
    /// The face of a body in the direction of `normal`; nil where it is no rectangle.
    fileprivate init?(_ vertices: [Vector], normal: Vector, tolerance: Double) {
        let top = vertices.reduce(-.infinity) { max($0, $1.dot(normal)) }
        let corners = vertices.filter { $0.dot(normal) > top - tolerance }
        guard corners.count == 4 else { return nil }
        let centre = corners.reduce(Vector.zero, +) / 4
        // Four corners at one distance from their middle: edges from one of them, and the diagonal.
        let radius = (corners[0] - centre).magnitude
        let spokes = corners[1...].map { $0 - corners[0] }.sorted { $0.magnitude < $1.magnitude }
        guard corners.allSatisfy({ ((($0 - centre).magnitude) - radius).magnitude < 1e-3 * radius }),
            let across = spokes[0].direction, let along = spokes[1].direction
        else { return nil }
        (self.centre, self.normal, self.across, self.along) = (centre, normal, across, along)
        (halfWidth, halfLength) = (spokes[0].magnitude / 2, spokes[1].magnitude / 2)
    }

    func placed(_ pose: Pose) -> ConvexBody.Side {
        func direction(_ v: Vector) -> Vector {
            (pose.right * v.x + pose.up * v.y + pose.back * v.z) * (pose.scale < 0 ? -1 : 1)
        }
        let scale = pose.scale.magnitude
        return ConvexBody.Side(
            centre: pose.toWorld(centre), normal: direction(normal), across: direction(across),
            along: direction(along), halfWidth: halfWidth * scale, halfLength: halfLength * scale)
    }
}

/// A convex body in its place. Alone: no other occluder continues its edges, as the boxes of a wall do each other's.
struct SceneBody: Sendable {
    /// Index in the scene's occluders, and in the scene's sets of edges.
    let occluder: Int32
    let set: Int
    /// In the world.
    let vertices: [Vector]
    let bounds: Bounds
    /// Metres, of `ConvexBody`.
    let width: Double
    /// Of `ConvexBody`.
    let fill: Double
    let isRound: Bool
    let sides: [ConvexBody.Side]
    let prism: Prism?

    /// How much of it is left to its silhouette, the rest to its edges.
    let weight: Double

    /// Metres of width to which a body is left to its silhouette, and from which on to its edges: walls, and houses.
    private static let widths = (silhouette: 1.5, edges: 2.5)

    /// How much of a body of a width is left to its silhouette.
    static func weight(ofWidth width: Double) -> Double {
        Silhouette.fade((widths.edges - width) / (widths.edges - widths.silhouette))
    }

    init?(_ placed: SceneEdges.Placed, set: Int) {
        guard placed.joined.isEmpty, let body = placed.edges.body else { return nil }
        (occluder, self.set, bounds) = (placed.occluder, set, placed.bounds)
        vertices = body.vertices.map { placed.pose.toWorld($0) }
        let scale = placed.pose.scale.magnitude
        width = body.width * scale
        (fill, isRound) = (body.fill, body.isRound)
        sides = body.sides.map { $0.placed(placed.pose) }
        prism = body.prism?.placed(placed.pose)
        weight = Self.weight(ofWidth: width)
        guard weight > 0 else { return nil }
    }
}

extension SceneEdges {
    /// The bodies that detours of less than `limit` metres pass, by number, at most `count`: the nearest.
    func bodies(from start: Vector, to end: Vector, within limit: Double, count: Int) -> [Int] {
        guard !bodies.isEmpty else { return [] }
        let longest = (end - start).magnitude + limit
        var found: [(length: Double, body: Int)] = []
        _ = bodyTree.view.search({ Self.distances(start, end, lower: $0, upper: $1) <= longest }) { leaf in
            let body = Int(bodyTree.order[leaf])
            let box = bodies[body].bounds
            let length = Self.distances(start, end, lower: box.lower, upper: box.upper)
            if length <= longest { found.append((length, body)) }
            return false
        }
        return found.sorted { ($0.length, $0.body) < ($1.length, $1.body) }.prefix(count).map(\.body)
    }

    /// Metres from two points to a box, added.
    @inline(__always) private static func distances(_ a: Vector, _ b: Vector, lower: Vector, upper: Vector) -> Double {
        distance(a, lower, upper: upper) + distance(b, lower, upper: upper)
    }

    @inline(__always) private static func distance(_ p: Vector, _ lower: Vector, upper: Vector) -> Double {
        let x = max(max(lower.x - p.x, p.x - upper.x), 0)
        let y = max(max(lower.y - p.y, p.y - upper.y), 0)
        let z = max(max(lower.z - p.z, p.z - upper.z), 0)
        return (x * x + y * y + z * z).squareRoot()
    }
}
