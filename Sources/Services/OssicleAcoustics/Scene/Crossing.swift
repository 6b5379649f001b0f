import OssicleCore

/// One surface on the segment.
package struct Crossing: BitwiseCopyable, Sendable, Hashable {
    /// Where, as a share 0…1 of the segment.
    package var share: Double
    /// Index in the scene's occluders.
    package var occluder: Int32
    /// Index in the occluder's mesh.
    package var triangle: Int32
    /// Index in the occluder's materials.
    package var element: Int32
    /// Index in the geometry's pieces.
    package var piece: Int32
    /// Whether that piece closes around a volume.
    package var isClosed: Bool
    /// +1 into the solid, −1 out of it, 0 where the surface is open or its winding tells nothing.
    package var turn: Int8
}

extension Crossing {
    @inline(__always) init(_ passage: Facet.Passage, _ occluder: Int32, facet: UnsafePointer<Facet>) {
        let outward = facet.pointee.outward
        self.init(
            share: passage.share, occluder: occluder, triangle: facet.pointee.triangle,
            element: facet.pointee.element, piece: facet.pointee.piece, isClosed: facet.pointee.isClosed,
            turn: passage.againstNormal ? outward : -outward)
    }
}

extension [Crossing] {
    /// In order along the segment, each surface once.
    /// - Parameter slack: share of the segment that counts as one place.
    @inline(__always)
    mutating func settle(within slack: Double) {
        guard count > 1 else { return }
        let kept = withUnsafeMutableBufferPointer { $0.settle(within: slack) }
        if kept < count { removeLast(count - kept) }
    }
}

extension UnsafeMutableBufferPointer<Crossing> {
    /// In order along the segment, each surface once: the first of them, as many as the result says.
    /// - Parameter slack: share of the segment that counts as one place.
    @inline(__always)
    func settle(within slack: Double) -> Int {
        sortFew {
            $0.share != $1.share
                ? $0.share < $1.share : ($0.occluder, $0.triangle) < ($1.occluder, $1.triangle)
        }
        var isApart = true
        for index in indices.dropFirst() where self[index].share - self[index &- 1].share <= slack { isApart = false }
        return isApart ? count : mergeSharedEdges(within: slack)
    }

    /// By occluder, and along the segment within each.
    func sortByOccluder() {
        sortFew {
            $0.occluder != $1.occluder
                ? $0.occluder < $1.occluder : ($0.share, $0.triangle) < ($1.share, $1.triangle)
        }
    }

    /// Most rays cross two or four surfaces; the library's sort allocates for any number.
    @inline(__always)
    private func sortFew(_ isBefore: (Crossing, Crossing) -> Bool) {
        guard count <= 24, let crossings = baseAddress else {
            var all = self
            return all.sort(by: isBefore)
        }
        var index = 1
        while index < count {
            let crossing = crossings[index]
            var place = index
            while place > 0, isBefore(crossing, crossings[place &- 1]) {
                crossings[place] = crossings[place &- 1]
                place &-= 1
            }
            if place < index { crossings[place] = crossing }
            index &+= 1
        }
    }

    /// Several triangles of one surface at one place are one crossing; into a solid and out of it at one place is a
    /// touch, and none. The result says how many are kept, at the beginning.
    /// - Parameter slack: share of the segment that counts as one place. The crossings are sorted along it.
    private func mergeSharedEdges(within slack: Double) -> Int {
        var kept = 0
        for index in indices {
            let crossing = self[index]
            var earlier = kept - 1
            while earlier >= 0, crossing.share - self[earlier].share <= slack,
                !self[earlier].isSameSurface(as: crossing)
            { earlier -= 1 }
            if earlier < 0 || crossing.share - self[earlier].share > slack {
                self[kept] = crossing
                kept += 1
            } else if self[earlier].turn != crossing.turn {
                for place in earlier..<(kept - 1) { self[place] = self[place + 1] }
                kept -= 1
            }
        }
        return kept
    }
}

extension Crossing {
    /// Open pieces of one occluder count as one surface, because walls are often made of parts that only touch.
    fileprivate func isSameSurface(as other: Crossing) -> Bool {
        occluder == other.occluder && (piece == other.piece || !(isClosed || other.isClosed))
    }
}

/// The nearest surface found so far on one segment.
package struct NearestCrossing: BitwiseCopyable {
    /// Where; the end of the segment while nothing is found.
    private(set) var share: Double
    private var mesh: UnsafePointer<PlacedMesh>?
    private var facet: UnsafePointer<Facet>?
    private var againstNormal = false
    private var isClear = false

    init(within limit: Double) { share = limit }

    /// True where this surface is nearer than the one known. Of surfaces at one place the first in the scene counts,
    /// whichever is tried first.
    @inline(__always)
    mutating func take(
        _ passage: Facet.Passage, _ mesh: UnsafePointer<PlacedMesh>, facet: UnsafePointer<Facet>
    ) -> Bool {
        guard passage.share < share || passage.share == share && isBefore(mesh, facet) else { return false }
        (share, againstNormal, isClear) = (passage.share, passage.againstNormal, passage.isClear)
        (self.mesh, self.facet) = (mesh, facet)
        return true
    }

    private func isBefore(_ otherMesh: UnsafePointer<PlacedMesh>, _ otherFacet: UnsafePointer<Facet>) -> Bool {
        guard let mesh, let facet else { return false }
        return (otherMesh.pointee.occluder, otherFacet.pointee.triangle) < (
            mesh.pointee.occluder, facet.pointee.triangle
        )
    }

    /// - Parameter segment: in the world, its shares metres.
    @inline(__always)
    func hit(on segment: Segment) -> Hit? {
        guard let mesh, let facet else { return nil }
        let normal = mesh.pointee.normal(of: facet)
        return Hit(
            distance: share, position: segment.start + segment.delta * share,
            normal: againstNormal == mesh.pointee.keepsSides ? normal : -normal,
            occluder: mesh.pointee.occluder, triangle: facet.pointee.triangle, element: facet.pointee.element,
            isClear: isClear)
    }
}
