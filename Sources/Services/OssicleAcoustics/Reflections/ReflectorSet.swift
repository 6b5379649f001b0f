import OssicleCore

/// The flat reflecting surfaces of a scene, coplanar ones joined into one reflector each.
///
/// What belongs to the geometries is kept from set to set; placing them costs n log n of their patches. At most
/// `mostFaces` patches of a scene take part, the largest first.
package struct ReflectorSet: Sendable {
    /// The largest first.
    package let reflectors: [Reflector]
    /// By reflector.
    let faces: [ReflectorFace]
    /// In the order of the scene's occluders.
    let meshes: [ReflectorMesh]
    let occluders: [Occluder]
    /// By identity of a face.
    private let numbers: [UInt64: Int32]

    package static let mostFaces = 4096
    /// Metres by which faces in one plane may miss it, or each other.
    private static let tolerance = 1e-4

    /// - Parameter earlier: a set whose geometries may occur again.
    package init(_ scene: AcousticScene, reusing earlier: ReflectorSet? = nil) {
        occluders = scene.occluders
        meshes = ReflectorSet.meshes(scene.occluders, earlier)
        let placed = ReflectorSet.faces(scene.occluders, meshes)
        let grouping = PlaneGrouping(placed.map(\.flatItem), tolerance: ReflectorSet.tolerance)
        var members = [[Int]](repeating: [], count: grouping.planes.count)
        for (face, plane) in grouping.planeOfItem.enumerated() { members[Int(plane)].append(face) }
        let areas = members.map { $0.reduce(0.0) { $0 + max(placed[$1].front.area, placed[$1].back.area) } }
        var reflectors: [Reflector] = []
        var faces: [ReflectorFace] = []
        var numbers: [UInt64: Int32] = [:]
        for plane in members.indices.sorted(by: { (areas[$1], members[$0][0]) < (areas[$0], members[$1][0]) }) {
            let own = ReflectorSet.joined(members[plane].map { placed[$0] }, grouping.planes[plane])
            for face in own { numbers[face.identity] = Int32(clamping: reflectors.count) }
            reflectors.append(Reflector(grouping.planes[plane], own, first: faces.count, occluders))
            faces += own
        }
        (self.reflectors, self.faces, self.numbers) = (reflectors, faces, numbers)
    }

    /// The reflector a face belongs to at the moment; nil where it is gone.
    func reflector(of identity: UInt64) -> Int32? { numbers[identity] }

    /// The face a triangle belongs to; nil where it is too small to be one.
    func face(ofOccluder occluder: Int32, triangle: Int32) -> UInt64? {
        guard meshes.indices.contains(Int(occluder)),
            meshes[Int(occluder)].patchOfTriangle.indices.contains(Int(triangle))
        else { return nil }
        let patch = meshes[Int(occluder)].patchOfTriangle[Int(triangle)]
        return patch < 0 ? nil : ReflectorFace.identity(of: occluders[Int(occluder)], patch: Int(patch))
    }

    private static func meshes(_ occluders: [Occluder], _ earlier: ReflectorSet?) -> [ReflectorMesh] {
        var known: [ObjectIdentifier: ReflectorMesh] = [:]
        for mesh in earlier?.meshes ?? [] { known[ObjectIdentifier(mesh.geometry)] = mesh }
        return occluders.map { occluder in
            let geometry = ObjectIdentifier(occluder.geometry)
            if let mesh = known[geometry] { return mesh }
            let mesh = ReflectorMesh(occluder.geometry)
            known[geometry] = mesh
            return mesh
        }
    }

    private static func faces(_ occluders: [Occluder], _ meshes: [ReflectorMesh]) -> [ReflectorFace] {
        var faces: [ReflectorFace] = []
        for (index, occluder) in occluders.enumerated() where !occluder.bounds.isEmpty {
            for patch in meshes[index].patches.indices {
                faces.append(ReflectorFace(occluder, index, patch: meshes[index].patches[patch], number: patch))
            }
        }
        guard faces.count > mostFaces else { return faces }
        let kept = faces.indices.sorted { (faces[$1].flatItem.area, $0) < (faces[$0].flatItem.area, $1) }.prefix(
            mostFaces
        ).sorted()
        return kept.map { faces[$0] }
    }

    /// Faces of one plane, turned to its front, with the areas of those that touch put together.
    private static func joined(_ given: [ReflectorFace], _ plane: PlaneGrouping.Plane) -> [ReflectorFace] {
        var faces = given.map { $0.facing(plane.normal) }
        var whole: [Int32: (front: ReflectorPatch.Side, back: ReflectorPatch.Side)] = [:]
        let groups = TouchingBoxes.groups(faces.map(\.bounds), gap: tolerance)
        // What lies on a floor leaves the floor's size alone: its inner side is another room.
        for (face, group) in zip(faces, groups) {
            whole[group, default: (.none, .none)].front.join(face.front)
            whole[group, default: (.none, .none)].back.join(face.back)
        }
        for (index, group) in groups.enumerated() {
            guard let sides = whole[group] else { continue }
            faces[index].front.take(sides.front)
            faces[index].back.take(sides.back)
        }
        return faces
    }
}

extension ReflectorPatch.Side {
    fileprivate static var none: Self { Self(area: 0, freeRim: 0) }

    fileprivate mutating func join(_ other: Self) {
        guard !other.isWithin else { return }
        (area, spread) = (area + other.area, spread + other.spread)
    }

    fileprivate mutating func take(_ whole: Self) {
        if !isWithin { (area, spread) = (whole.area, whole.spread) }
    }
}

extension Reflector {
    fileprivate init(
        _ plane: PlaneGrouping.Plane, _ faces: [ReflectorFace], first: Int, _ occluders: [Occluder]
    ) {
        var (bounds, solids) = (Bounds.empty, Bounds.empty)
        for face in faces {
            bounds.include(face.bounds)
            if face.front.isWithin || face.back.isWithin { solids.include(occluders[Int(face.occluder)].bounds) }
        }
        self.init(
            normal: plane.normal, offset: plane.offset, bounds: bounds,
            reflectsInFront: faces.contains { !$0.front.isWithin },
            reflectsBehind: faces.contains { !$0.back.isWithin },
            solids: solids,
            first: Int32(clamping: first), count: Int32(clamping: faces.count))
    }
}

extension ReflectorFace {
    fileprivate init(_ occluder: Occluder, _ index: Int, patch: ReflectorPatch, number: Int) {
        let pose = occluder.pose
        let local = patch.plane.normal
        let turned = pose.vector(local)
        // Mirrored geometries (a negative scale) keep what lies in front of them in front.
        let normal = pose.scale < 0 ? -turned : turned
        let plane = PlaneGrouping.Plane(normal: normal, offset: normal.dot(pose.toWorld(local * patch.plane.offset)))
        self.init(
            occluder: Int32(clamping: index), patch: Int32(clamping: number),
            identity: ReflectorFace.identity(of: occluder, patch: number),
            bounds: patch.bounds.placed(by: pose), plane: plane, front: patch.front.placed(by: pose),
            back: patch.back.placed(by: pose))
    }

    fileprivate var flatItem: PlaneGrouping.Item {
        let centre = bounds.centre
        return PlaneGrouping.Item(
            normal: plane.normal, centre: centre - plane.normal * (plane.normal.dot(centre) - plane.offset),
            radius: bounds.extent.magnitude / 2, area: max(front.area, back.area))
    }

    fileprivate func facing(_ normal: Vector) -> ReflectorFace {
        guard plane.normal.dot(normal) < 0 else { return self }
        var face = self
        (face.front, face.back) = (back, front)
        return face
    }
}

extension ReflectorSet {
    /// Metres by which a point is kept off surfaces: less than a microsecond of sound.
    private static let clearance = 5e-5

    /// Metres to which a point in the plane of a solid's face is moved out of it.
    private static let settled = 1e-4

    /// A point in the plane of a solid's face, on the face or beside it, moved 0.1 mm out, to the side of the air:
    /// there it is neither in sight along the face nor behind it, and 1 mm further out it sounds the same. Level
    /// editors snap to grids. Where the other end is within the solid, that is a room, and the air is inside.
    func settled(_ point: Vector, other: Vector) -> Vector {
        var result = point
        for plane in reflectors where plane.reflectsInFront != plane.reflectsBehind {
            let height = plane.height(result)
            guard height.magnitude < ReflectorSet.clearance else { continue }
            let isRoom =
                plane.solids.holds(other)
                && (plane.first..<plane.first + plane.count).contains { isWithin(faces[Int($0)].occluder, other) }
            let side = plane.reflectsInFront != isRoom ? ReflectorSet.settled : -ReflectorSet.settled
            result += plane.normal * (side - height)
        }
        return result
    }

    /// A point that stands on a surface, or in its edge, moved off it: to the side of the other end where the surface
    /// is a sheet or a room's, and out of a solid unless the other end is within the same one.
    func lifted(_ point: Vector, towards other: Vector) -> Vector {
        var result = point
        for index in reflectors.indices {
            let plane = reflectors[index]
            let height = plane.height(result)
            guard height.magnitude < ReflectorSet.clearance,
                plane.bounds.widened(by: ReflectorSet.clearance).holds(result)
            else { continue }
            let foot = result - plane.normal * height
            guard let face = surface(Int32(clamping: index), at: foot).map({ faces[Int($0.face)] })
            else { continue }
            let isSolid = face.front.isWithin != face.back.isWithin && !isWithin(face.occluder, other)
            let isInFront = isSolid ? face.back.isWithin : plane.height(other) >= 0
            result = foot + plane.normal * (isInFront ? ReflectorSet.clearance : -ReflectorSet.clearance)
        }
        return result
    }
}

extension ReflectorSet {
    /// Whether an occluder encloses a point.
    private func isWithin(_ occluder: Int32, _ point: Vector) -> Bool {
        let occluder = occluders[Int(occluder)]
        return occluder.bounds.holds(point) && occluder.geometry.encloses(occluder.pose.toLocal(point))
    }
}
