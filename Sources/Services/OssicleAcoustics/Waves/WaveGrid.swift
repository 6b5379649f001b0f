import OssicleCore

/// The air of a scene in cells, and the walls between them.
///
/// Cells fill the box around the scene evenly, so that walls along its sides lie where they are; one layer more on each
/// side is never air. A wall cuts every link between two cells' middles that crosses it, however thin it is.
struct WaveGrid: Sendable {
    /// Lowest corner of the inner cells, and metres from cell to cell along each axis.
    let corner: Vector
    let spacing: Vector
    /// With the outer layer.
    let counts: SIMD3<Int>
    /// What links end at, by the numbers in `links` less 1. The first is the border of the grid.
    private(set) var walls: [WallAdmittance] = [.open]
    /// By axis and cell, what is on the link to the next higher cell: 0 for nothing.
    private(set) var links: [[UInt16]] = []
    /// Whether sound of the source gets into a cell.
    private(set) var isAir: [Bool] = []
    /// Whether it reaches the border of the grid.
    private(set) var isOpen = false
    private var numbers: [WallAdmittance: UInt16] = [:]

    /// - Parameters: box: what the cells fill. - finest: metres, at most from cell to cell.
    init(_ box: Bounds, finest: Double) {
        corner = box.lower
        let extent = pointwiseMax(box.extent, Vector(repeating: 1e-3))
        let inner = (extent / finest - 1e-6).rounded(.up)
        counts = SIMD3(
            Int(min(max(inner.x, 1), 1e6)) + 2, Int(min(max(inner.y, 1), 1e6)) + 2, Int(min(max(inner.z, 1), 1e6)) + 2)
        spacing = extent / Vector(Double(counts.x - 2), Double(counts.y - 2), Double(counts.z - 2))
    }

    var cellCount: Int { counts.x * counts.y * counts.z }
    /// From a cell to the next along each axis.
    var strides: SIMD3<Int> { SIMD3(1, counts.x, counts.x * counts.y) }

    /// Puts the walls of a scene between the cells.
    /// - Parameter wall: what all of them are, in place of their materials.
    mutating func cut(by scene: AcousticScene, wall: WallAdmittance? = nil) {
        links = (0..<3).map { axis in
            var links = [UInt16](repeating: 0, count: cellCount)
            let last = counts[axis] - 2
            for cell in 0..<cellCount {
                let place = place(cell)[axis]
                if place == 0 || place == last { links[cell] = 1 }
            }
            return links
        }
        for occluder in scene.occluders where !occluder.bounds.isEmpty { cut(by: occluder, wall) }
    }

    /// Finds what sound reaches from a cell.
    mutating func flood(from source: Int) {
        isAir = [Bool](repeating: false, count: cellCount)
        isOpen = false
        isAir[source] = true
        var edge = [source]
        while let cell = edge.popLast() {
            for axis in 0..<3 {
                for (next, link) in [
                    (cell + strides[axis], links[axis][cell]),
                    (cell - strides[axis], links[axis][cell - strides[axis]]),
                ] {
                    if link == 1 { isOpen = true }
                    guard link == 0, !isAir[next] else { continue }
                    isAir[next] = true
                    edge.append(next)
                }
            }
        }
    }

    func place(_ cell: Int) -> SIMD3<Int> {
        SIMD3(cell % counts.x, cell / counts.x % counts.y, cell / (counts.x * counts.y))
    }

    func middle(_ cell: Int) -> Vector {
        let place = place(cell)
        return corner + spacing * (Vector(Double(place.x), Double(place.y), Double(place.z)) - 0.5)
    }

    /// The eight inner cells around a point and their shares in it, which fall evenly from middle to middle; cells that
    /// `isUsable` refuses leave theirs to the others.
    func shares(of point: Vector, _ isUsable: (Int) -> Bool) -> [(cell: Int, share: Double)] {
        let place = (point - corner) / spacing + 0.5
        var shares: [(cell: Int, share: Double)] = []
        for corner in 0..<8 {
            var (cell, share) = (0, 1.0)
            for axis in 0..<3 {
                let low = min(max(place[axis].rounded(.down), 0), Double(counts[axis] - 2))
                let rest = min(max(place[axis] - low, 0), 1)
                let isHigh = corner >> axis & 1 == 1
                let index = min(max(Int(low) + (isHigh ? 1 : 0), 1), counts[axis] - 2)
                cell += strides[axis] * index
                share *= isHigh ? rest : 1 - rest
            }
            guard share > 1e-9, isUsable(cell) else { continue }
            if let known = shares.firstIndex(where: { $0.cell == cell }) {
                shares[known].share += share
            } else {
                shares.append((cell, share))
            }
        }
        let whole = shares.reduce(0) { $0 + $1.share }
        return whole > 0 ? shares.map { ($0.cell, $0.share / whole) } : []
    }
}

extension WaveGrid {
    private mutating func number(of wall: WallAdmittance) -> UInt16 {
        if let known = numbers[wall] { return known }
        // More walls than there are numbers share the last.
        guard walls.count < Int(UInt16.max) else { return UInt16.max }
        walls.append(wall)
        numbers[wall] = UInt16(walls.count)
        return UInt16(walls.count)
    }

    private mutating func cut(by occluder: Occluder, _ given: WallAdmittance?) {
        let admittances = occluder.materials.map { given ?? WallAdmittance(absorption: $0.absorption) }
        let mesh = occluder.geometry.mesh
        for triangle in mesh.triangles.indices where occluder.geometry.pieceOfTriangle[triangle] >= 0 {
            let corners = mesh.corners(triangle)
            let placed = [corners.0, corners.1, corners.2].map { occluder.pose.toWorld($0) }
            guard let normal = (placed[1] - placed[0]).cross(placed[2] - placed[0]).direction else { continue }
            // Steps have more surface than the slope they stand for.
            let steps = abs(normal.x) + abs(normal.y) + abs(normal.z)
            let area = (100 / steps).rounded() / 100
            let wall = number(of: admittances[Int(mesh.elements[triangle])].scaled(by: area))
            let inCells = placed.map { ($0 - corner) / spacing + 0.5 }
            for axis in 0..<3 where abs(normal[axis]) > 1e-9 { cut(axis, inCells, wall) }
        }
    }

    /// Cuts the links along an axis that a triangle crosses, edges included.
    private mutating func cut(_ axis: Int, _ corners: [Vector], _ wall: UInt16) {
        let (second, third) = ((axis + 1) % 3, (axis + 2) % 3)
        func flat(_ v: Vector) -> (Double, Double) { (v[second], v[third]) }
        let (a, b, c) = (flat(corners[0]), flat(corners[1]), flat(corners[2]))
        let size = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
        guard abs(size) > 1e-12 else { return }
        func rows(_ values: [Double], _ axis: Int) -> ClosedRange<Int>? {
            let low = max(Int(min(max((values.min() ?? 0) - 1e-9, 0), 1e9).rounded(.up)), 1)
            let high = min(Int(min(max((values.max() ?? 0) + 1e-9, 0), 1e9).rounded(.down)), counts[axis] - 2)
            return low <= high ? low...high : nil
        }
        guard let seconds = rows([a.0, b.0, c.0], second), let thirds = rows([a.1, b.1, c.1], third) else { return }
        for i in seconds {
            for j in thirds {
                let (x, y) = (Double(i) - a.0, Double(j) - a.1)
                let u = (x * (c.1 - a.1) - y * (c.0 - a.0)) / size
                let v = (y * (b.0 - a.0) - x * (b.1 - a.1)) / size
                guard u >= -1e-9, v >= -1e-9, u + v <= 1 + 1e-9 else { continue }
                let height =
                    corners[0][axis] + u * (corners[1][axis] - corners[0][axis])
                    + v * (corners[2][axis] - corners[0][axis])
                // A wall in a cell's middle stands below it, whichever way its height is rounded.
                let place = Int((height - 1e-6).rounded(.down))
                guard (0...(counts[axis] - 2)).contains(place) else { continue }
                links[axis][place * strides[axis] + i * strides[second] + j * strides[third]] = wall
            }
        }
    }
}
