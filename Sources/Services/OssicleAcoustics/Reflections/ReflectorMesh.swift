import OssicleCore

/// The flat parts of a geometry that can act as reflectors. Made once, shared by all who place the geometry.
///
/// Every surface reflects on both sides, open or closed, whichever way it is wound. The inner side of a closed surface
/// whose normals look out is reached from within only (`ReflectorPatch.Side.isWithin`). A sheet with a triangle on each
/// side is one reflector.
package final class ReflectorMesh: Sendable {
    let geometry: MeshGeometry
    /// The largest first, at most `mostPatches`.
    let patches: [ReflectorPatch]
    /// −1 for triangles that belong to none.
    let patchOfTriangle: [Int32]
    /// How far, in the geometry's units, a triangle may reach out of its patch's plane.
    let tolerance: Double

    /// What lies beyond this number is small: a curved surface in facets, of which none is a reflector by itself.
    package static let mostPatches = 4096

    package init(_ geometry: MeshGeometry) {
        let places = (0..<geometry.tree.order.count).sorted {
            geometry.facets[$0].triangle < geometry.facets[$1].triangle
        }
        let facets = places.map { geometry.facets[$0] }
        let tolerance = geometry.bounds.isEmpty ? 0 : 1e-5 * geometry.bounds.extent.magnitude
        let grouping = PlaneGrouping(facets.map(\.flatItem), tolerance: tolerance)
        let groups = ReflectorMesh.groups(facets, grouping, gap: tolerance)
        var patchOfTriangle = [Int32](repeating: -1, count: geometry.mesh.triangles.count)
        for (number, group) in groups.enumerated() {
            for facet in group { patchOfTriangle[Int(facets[facet].triangle)] = Int32(clamping: number) }
        }
        let rims = PatchRims(
            geometry.mesh, patchOfTriangle, planes: groups.map { grouping.planes[Int(grouping.planeOfItem[$0[0]])] },
            tolerance: tolerance)
        let patches = groups.enumerated().map { number, group in
            let listed = group.count <= ReflectorPatch.mostListed ? group.map { Int32(clamping: places[$0]) } : []
            return ReflectorMesh.patch(
                group.map { facets[$0] }, grouping.planes[Int(grouping.planeOfItem[group[0]])],
                freeFront: rims.front[number], freeBack: rims.back[number], listed: listed)
        }
        let largestFirst = patches.indices.sorted { (patches[$1].area, $0) < (patches[$0].area, $1) }
        let kept = largestFirst.prefix(ReflectorMesh.mostPatches).filter { patches[$0].area > 0 }
        var numbers = [Int32](repeating: -1, count: patches.count)
        for (rank, number) in kept.enumerated() { numbers[number] = Int32(clamping: rank) }
        self.geometry = geometry
        self.tolerance = tolerance
        self.patches = kept.map { patches[$0] }
        self.patchOfTriangle = patchOfTriangle.map { $0 < 0 ? -1 : numbers[Int($0)] }
    }

    /// Facets of one plane that hang together, in the order of their first triangles.
    private static func groups(_ facets: [Facet], _ grouping: PlaneGrouping, gap: Double) -> [[Int]] {
        let byPlane = facets.indices.sorted { (grouping.planeOfItem[$0], $0) < (grouping.planeOfItem[$1], $1) }
        var groups: [[Int]] = []
        var start = 0
        while start < byPlane.count {
            var end = start + 1
            while end < byPlane.count, grouping.planeOfItem[byPlane[end]] == grouping.planeOfItem[byPlane[start]] {
                end += 1
            }
            let members = byPlane[start..<end]
            var groupOfRoot: [Int32: Int] = [:]
            for (member, root) in zip(members, TouchingBoxes.groups(members.map { facets[$0].bounds }, gap: gap)) {
                if let group = groupOfRoot[root] {
                    groups[group].append(member)
                } else {
                    groupOfRoot[root] = groups.count
                    groups.append([member])
                }
            }
            start = end
        }
        return groups.sorted { $0[0] < $1[0] }
    }

    private static func patch(
        _ facets: [Facet], _ plane: PlaneGrouping.Plane, freeFront: Double, freeBack: Double,
        listed: [Int32]
    ) -> ReflectorPatch {
        var bounds = Bounds.empty
        var (front, back) = (0.0, 0.0)
        var spread = AreaSpread()
        // Of a doubled sheet each side is there twice, once with either winding.
        var (along, against) = (0.0, 0.0)
        // Whether all that is on a side is inner sides of solids.
        var (isFrontWithin, isBackWithin) = (true, true)
        for facet in facets {
            bounds.include(facet.bounds)
            let isAlong = facet.edge1.cross(facet.edge2).dot(plane.normal) > 0
            let area = facet.size / 2
            spread =
                spread
                + AreaSpread(facet.corner, facet.corner + facet.edge1, facet.corner + facet.edge2, area: area)
            if facet.isClosed, facet.outward == 0 {
                if isAlong { along += area } else { against += area }
                (isFrontWithin, isBackWithin) = (false, false)
            } else {
                front += area
                back += area
                if !facet.isWithin(alongWinding: isAlong) { isFrontWithin = false }
                if !facet.isWithin(alongWinding: !isAlong) { isBackWithin = false }
            }
        }
        let doubled = max(along, against)
        let element = facets.allSatisfy { $0.element == facets[0].element } ? facets[0].element : nil
        return ReflectorPatch(
            plane: plane, bounds: bounds,
            front: .init(area: front + doubled, freeRim: freeFront, spread: spread, isWithin: isFrontWithin),
            back: .init(area: back + doubled, freeRim: freeBack, spread: spread, isWithin: isBackWithin),
            element: element, listed: listed)
    }
}

extension Facet {
    /// Whether the side its winding's normal looks to, or the other, is the inner side of a solid.
    func isWithin(alongWinding: Bool) -> Bool { isClosed && outward == 1 && !alongWinding }

    fileprivate var flatItem: PlaneGrouping.Item {
        let centre = corner + (edge1 + edge2) / 3
        let radius = max(
            (corner - centre).magnitude, (corner + edge1 - centre).magnitude, (corner + edge2 - centre).magnitude)
        return PlaneGrouping.Item(normal: edge1.cross(edge2) / size, centre: centre, radius: radius, area: size / 2)
    }
}
