import OssicleCore

/// A place on a face.
struct SurfacePoint: BitwiseCopyable {
    /// Index in the set's faces.
    var face: Int32
    /// Index in the occluder's materials.
    var element: Int32
    /// On the triangle itself, which may miss the reflector's plane by a little.
    var position: Vector
}

extension ReflectorSet {
    /// Metres by which a point may miss a triangle's edge: two that share the edge both hold it, and none is lost
    /// between them.
    private static let edgeWidth = 1e-6

    /// The face of a reflector that holds a point of its plane; the first where several do.
    func surface(_ reflector: Int32, at point: Vector) -> SurfacePoint? {
        let plane = reflectors[Int(reflector)]
        for index in Int(plane.first)..<Int(plane.first + plane.count) {
            let face = faces[index]
            guard face.bounds.widened(by: ReflectorSet.reach).holds(point) else { continue }
            let mesh = meshes[Int(face.occluder)]
            let pose = occluders[Int(face.occluder)].pose
            let width = ReflectorSet.edgeWidth / pose.scale.magnitude
            if let facet = mesh.facet(of: face.patch, at: pose.toLocal(point), edgeWidth: width) {
                return SurfacePoint(
                    face: Int32(clamping: index), element: facet.element,
                    position: pose.toWorld(facet.foot(of: pose.toLocal(point))))
            }
        }
        return nil
    }

    /// Metres by which coplanar faces may be apart.
    static let reach = 2e-4
}

extension ReflectorMesh {
    /// The first triangle of a patch that holds a point.
    fileprivate func facet(of patch: Int32, at point: Vector, edgeWidth: Double) -> Facet? {
        let listed = patches[Int(patch)].listed
        var found: Facet?
        func look(at place: Int) {
            let facet = geometry.facets[place]
            guard patchOfTriangle[Int(facet.triangle)] == patch, facet.triangle < found?.triangle ?? .max else {
                return
            }
            if facet.holds(point, facet.edge1.cross(facet.edge2), width: edgeWidth) { found = facet }
        }
        guard listed.isEmpty else {
            for place in listed { look(at: Int(place)) }
            return found
        }
        let near = Bounds(lower: point, upper: point).widened(
            by: 2 * tolerance + edgeWidth + ReflectorMesh.placeError * edgeWidth)
        _ = geometry.tree.view.search({ near.meets($0, $1) }) { place in
            look(at: place)
            return false
        }
        return found
    }

    /// Of a point in the plane of several faces, in edge widths.
    private static let placeError = 200.0
}

extension Facet {
    /// The point of the triangle's plane nearest to a point.
    fileprivate func foot(of point: Vector) -> Vector {
        let normal = edge1.cross(edge2) / size
        return point - normal * normal.dot(point - corner)
    }

    /// Whether a point, moved into the plane of the triangle, lies within it or no further than `width` from an edge.
    fileprivate func holds(_ point: Vector, _ across: Vector, width: Double) -> Bool {
        func isInside(_ edge: Vector, _ start: Vector) -> Bool {
            edge.cross(point - start).dot(across) >= -width * size * edge.magnitude
        }
        return isInside(edge1, corner) && isInside(edge2 - edge1, corner + edge1) && isInside(-edge2, corner + edge2)
    }
}
