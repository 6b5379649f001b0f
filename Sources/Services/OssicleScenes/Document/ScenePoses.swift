import OssicleCore

/// Where the nodes of a scene are, as objects that are moved, turned and scaled alike along all axes.
///
/// glTF lets a node stretch and mirror what hangs below it. Such a node's object has its place and its turn, and the
/// rest of its matrix is put into the vertices of its mesh.
package struct ScenePoses {
    package struct Placement: Sendable, Hashable {
        package let node: Int
        /// Its place in the list, nil for a root.
        package let parent: Int?
        /// Relative to the parent's object; what the document says, bit by bit, where nothing is stretched.
        package let transform: SceneTransform
        /// What is left for the mesh; nil for nothing.
        package let stretch: Stretch?
        /// Of the object in the world.
        package let pose: Pose
    }

    /// A linear map of the vertices: its columns.
    package struct Stretch: Sendable, Hashable {
        package let columns: [Vector]

        package func applied(to vertex: Vector) -> Vector {
            columns[0] * vertex.x + columns[1] * vertex.y + columns[2] * vertex.z
        }

        /// Whether it turns the inside of a mesh out.
        package var isMirror: Bool { columns[0].cross(columns[1]).dot(columns[2]) < 0 }
    }

    /// The nodes of the scene, parents first, in the order of a walk through the tree.
    package let placements: [Placement]

    package init(_ scene: SceneDocument) {
        var placements: [Placement] = []
        var frames: [Frame] = []
        var open = scene.roots.reversed().map { (node: $0, parent: Int?.none) }
        while let (node, parent) = open.popLast() {
            let local = scene.nodes[node].transform, above = parent.map { frames[$0] } ?? Frame()
            let frame = Frame(local, below: above)
            placements.append(
                Placement(
                    node: node, parent: parent,
                    transform: above.isPlain && frame.isPlain ? local : frame.pose(relativeTo: above),
                    stretch: frame.isPlain ? nil : frame.stretch, pose: frame.pose))
            frames.append(frame)
            for child in scene.nodes[node].children.reversed() { open.append((child, placements.count - 1)) }
        }
        self.placements = placements
    }
}

extension SceneTransform {
    /// The node's matrix, from that of its object: with what the meshes of the node and of its parent are stretched by.
    package func stretched(by own: ScenePoses.Stretch?, below above: ScenePoses.Stretch?) -> SceneTransform {
        guard own != nil || above != nil else { return self }
        func vector(_ column: SIMD4<Float>) -> Vector { Vector(Double(column.x), Double(column.y), Double(column.z)) }
        let object = ScenePoses.Stretch(columns: columns.prefix(3).map(vector))
        let axes = own?.columns.map(object.applied) ?? object.columns
        let all = (axes + [vector(columns[3])]).map { above?.undone(on: $0) ?? $0 }
        return SceneTransform(
            columns: all.enumerated().map { SIMD4(SIMD3<Float>($1), $0 == 3 ? 1 : 0) })
    }
}

extension ScenePoses.Stretch {
    /// The vector that becomes `vector`, by Cramer's rule; of a map that flattens, the vector itself.
    fileprivate func undone(on vector: Vector) -> Vector {
        let volume = columns[0].cross(columns[1]).dot(columns[2])
        guard abs(volume) > 1e-12 else { return vector }
        return Vector(
            vector.cross(columns[1]).dot(columns[2]), columns[0].cross(vector).dot(columns[2]),
            columns[0].cross(columns[1]).dot(vector)) / volume
    }
}

/// A node's matrix in the world, and the rigid part of it that an object can have.
private struct Frame {
    private(set) var axes = [Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)]
    private var place = Vector.zero
    /// The object's axes: those of the matrix where it is plain, unit and at right angles otherwise.
    private var object = [Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1)]
    private(set) var isPlain = true

    init() {}

    init(_ local: SceneTransform, below above: Frame) {
        func turned(_ column: SIMD4<Float>) -> Vector {
            above.axes[0] * Double(column.x) + above.axes[1] * Double(column.y) + above.axes[2] * Double(column.z)
        }
        axes = local.columns.prefix(3).map(turned)
        place = above.place + turned(local.columns[3])
        isPlain = Frame.isPlain(axes)
        object = isPlain ? axes : Frame.rightAngled(axes)
    }

    /// Right-handed, at right angles and scaled alike, as objects have to be: so nearly that the matrix between two
    /// such frames is an object's, too.
    private static func isPlain(_ axes: [Vector]) -> Bool {
        let lengths = axes.map(\.magnitude), longest = lengths.max() ?? 0, shortest = lengths.min() ?? 0
        guard shortest > 1e-5, longest < shortest * 1.0002, axes[0].cross(axes[1]).dot(axes[2]) > 0 else {
            return false
        }
        let skew = max(abs(axes[0].dot(axes[1])), abs(axes[1].dot(axes[2])), abs(axes[2].dot(axes[0])))
        return skew < 2e-4 * longest * longest
    }

    /// Gram and Schmidt's: the first axis keeps its direction, the second its plane.
    private static func rightAngled(_ axes: [Vector]) -> [Vector] {
        let x = axes[0].direction ?? axes[1].cross(axes[2]).direction ?? Vector(1, 0, 0)
        let spare = abs(x.x) < 0.7 ? Vector(1, 0, 0) : Vector(0, 1, 0)
        let y =
            (axes[1] - x * x.dot(axes[1])).direction ?? axes[2].cross(x).direction ?? x.cross(spare).direction ?? spare
        return [x, y, x.cross(y)]
    }

    var pose: Pose {
        let scale = object[0].magnitude
        return Pose(
            position: place, right: object[0] / scale, up: object[1] / scale, back: object[2] / scale, scale: scale)
    }

    var stretch: ScenePoses.Stretch {
        ScenePoses.Stretch(
            columns: axes.map { axis in Vector(object[0].dot(axis), object[1].dot(axis), object[2].dot(axis)) })
    }

    /// The object's matrix as seen from another one's.
    func pose(relativeTo above: Frame) -> SceneTransform {
        func local(_ v: Vector) -> SIMD4<Float> {
            let parts = above.object.map { $0.dot(v) / max($0.lengthSquared, .leastNormalMagnitude) }
            return SIMD4(Float(parts[0]), Float(parts[1]), Float(parts[2]), 0)
        }
        var columns = object.map(local) + [local(place - above.place)]
        columns[3].w = 1
        return SceneTransform(columns: columns)
    }
}
