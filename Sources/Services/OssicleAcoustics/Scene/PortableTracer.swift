import OssicleCore

/// The ray tracer in plain Swift, the same bits on every machine.
package struct PortableTracer: RayTracer {
    package let scene: AcousticScene

    package init(_ scene: AcousticScene) { self.scene = scene }

    package func isBlocked(from start: Vector, to end: Vector) -> Bool {
        let way = Segment(from: start, to: end)
        return way.isTraceable && scene.placed.search(way) { _, _, _, _ in true }
    }

    package func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing]) {
        crossings.removeAll(keepingCapacity: true)
        let way = Segment(from: start, to: end)
        guard way.isTraceable else { return }
        _ = scene.placed.search(way) { mesh, facet, share, againstNormal in
            crossings.append(Crossing(share: share, occluder: mesh.occluder, triangle: facet.triangle, element: facet.element,
                                      piece: facet.piece, isClosed: facet.isClosed, turn: againstNormal ? facet.outward : -facet.outward))
            return false
        }
        guard crossings.count > 1 else { return }
        crossings.sortAlongWay()
        mergeSharedEdges(way.slack, &crossings)
    }

    /// Several triangles of one surface at one place are one crossing; into a solid and out of it at one place is a touch, and none.
    private func mergeSharedEdges(_ slack: Double, _ crossings: inout [Crossing]) {
        var kept = 0
        for index in crossings.indices {
            let crossing = crossings[index]
            var earlier = kept - 1
            while earlier >= 0, crossing.share - crossings[earlier].share <= slack, !isSameSurface(crossings[earlier], crossing) { earlier -= 1 }
            if earlier < 0 || crossing.share - crossings[earlier].share > slack {
                crossings[kept] = crossing
                kept += 1
            } else if crossings[earlier].turn != crossing.turn {
                for place in earlier..<(kept - 1) { crossings[place] = crossings[place + 1] }
                kept -= 1
            }
        }
        crossings.removeLast(crossings.count - kept)
    }

    /// Open pieces of one occluder count as one surface, because walls are often made of parts that only touch.
    private func isSameSurface(_ a: Crossing, _ b: Crossing) -> Bool {
        a.occluder == b.occluder && (a.piece == b.piece || !(a.isClosed || b.isClosed))
    }
}
