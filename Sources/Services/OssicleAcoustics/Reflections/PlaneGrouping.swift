import OssicleCore

/// Finds which flat pieces lie in one plane, whichever side they face.
///
/// The largest piece of a plane speaks for it, and the others are measured against it alone, so that a chain of small
/// turns does not make a plane of a curved surface. A hash grid over normal and offset keeps the work at n log n.
struct PlaneGrouping {
    struct Item: BitwiseCopyable {
        /// Unit.
        var normal: Vector
        var centre: Vector
        /// Reach from the centre.
        var radius: Double
        var area: Double
    }

    struct Plane: BitwiseCopyable {
        /// Unit; the plane is normal · p = offset.
        var normal: Vector
        var offset: Double
    }

    /// By size of their largest piece.
    private(set) var planes: [Plane] = []
    private(set) var planeOfItem: [Int32]

    /// Sine of the largest angle between the normals of one plane's pieces.
    private static let widestAngle = 1e-3
    private static let normalCell = 4e-3
    /// Planes a cell may hold; where there are more (a gently rolling terrain), small pieces stay by themselves.
    private static let fullest = 32

    private let items: [Item]
    private let origin: Vector
    private let tolerance: Double
    private let offsetCell: Double
    private var seeds: [Int32] = []
    /// The first seed of each cell, and after each seed the next of its cell.
    private var cells: [UInt64: Int32] = [:]
    private var following: [Int32] = []

    /// - Parameter tolerance: how far from the plane a piece may reach, metres.
    init(_ items: [Item], tolerance: Double) {
        var bounds = Bounds.empty
        for item in items { bounds.include(item.centre) }
        let extent = bounds.isEmpty ? Vector.zero : bounds.extent
        self.items = items
        self.tolerance = tolerance
        origin = bounds.isEmpty ? .zero : bounds.centre
        // A small piece's normal is blurred by its corners' rounding, and its offset by that times its distance from
        // the origin.
        offsetCell = max(4 * tolerance, PlaneGrouping.normalCell * extent.magnitude)
        planeOfItem = [Int32](repeating: -1, count: items.count)
        cells.reserveCapacity(items.count)
        let largestFirst = items.indices.sorted { (items[$1].area, $0) < (items[$0].area, $1) }
        for item in largestFirst { planeOfItem[item] = plane(of: items[item]) ?? open(item) }
        fit()
    }

    private func cell(_ item: Item, _ normal: Vector) -> SIMD4<Double> {
        SIMD4(normal.x, normal.y, normal.z, 0) / PlaneGrouping.normalCell
            + SIMD4(0, 0, 0, normal.dot(item.centre - origin) / offsetCell)
    }

    /// Within 2¹⁵ cells on either side of the origin; further out they share keys.
    private func key(_ cell: SIMD4<Double>) -> UInt64 {
        func part(_ x: Double) -> UInt64 {
            x.magnitude < 2e9 ? UInt64(truncatingIfNeeded: Int64(x.rounded(.down))) & 0xFFFF : 0
        }
        return part(cell.x) | part(cell.y) << 16 | part(cell.z) << 32 | part(cell.w) << 48
    }

    /// A plane has two normals; those of all pieces are turned to one side of an odd direction first.
    private static let leaning = Vector(0.5377, 0.7331, 0.4164)

    private static func upright(_ normal: Vector) -> Vector { normal.dot(leaning) < 0 ? -normal : normal }

    /// The plane an item lies in. Across the odd direction, either normal may have been the one turned.
    private func plane(of item: Item) -> Int32? {
        let normal = PlaneGrouping.upright(item.normal)
        return plane(of: item, normal)
            ?? (normal.dot(PlaneGrouping.leaning) < 2 * PlaneGrouping.widestAngle ? plane(of: item, -normal) : nil)
    }

    /// The plane in this cell or those it is nearest to.
    private func plane(of item: Item, _ normal: Vector) -> Int32? {
        let place = cell(item, normal)
        let inside = place - place.rounded(.down)
        let side = SIMD4(repeating: -1.0).replacing(
            with: SIMD4(repeating: 1.0), where: inside .>= SIMD4(repeating: 0.5))
        for corner in 0..<16 {
            let step = SIMD4(
                corner & 1 != 0 ? side.x : 0, corner & 2 != 0 ? side.y : 0, corner & 4 != 0 ? side.z : 0,
                corner & 8 != 0 ? side.w : 0)
            var plane = cells[key(place + step)] ?? -1
            while plane >= 0 {
                if holds(items[Int(seeds[Int(plane)])], item) { return plane }
                plane = following[Int(plane)]
            }
        }
        return nil
    }

    private func holds(_ seed: Item, _ item: Item) -> Bool {
        let angle = seed.normal.cross(item.normal).magnitude
        return angle <= PlaneGrouping.widestAngle
            && seed.normal.dot(item.centre - seed.centre).magnitude + angle * item.radius <= tolerance
    }

    /// A new plane, spoken for by this item; entered behind the larger ones of its cell.
    private mutating func open(_ item: Int) -> Int32 {
        let plane = Int32(clamping: seeds.count)
        seeds.append(Int32(clamping: item))
        following.append(-1)
        let home = key(cell(items[item], PlaneGrouping.upright(items[item].normal)))
        guard var last = cells[home] else {
            cells[home] = plane
            return plane
        }
        var count = 1
        while following[Int(last)] >= 0 {
            last = following[Int(last)]
            count += 1
        }
        if count < PlaneGrouping.fullest { following[Int(last)] = plane }
        return plane
    }

    /// Planes through the middle of their pieces.
    private mutating func fit() {
        var normals = [Vector](repeating: .zero, count: seeds.count)
        var moments = normals
        var areas = [Double](repeating: 0, count: seeds.count)
        for (index, item) in items.enumerated() {
            let plane = Int(planeOfItem[index])
            let isTurned = items[Int(seeds[plane])].normal.dot(item.normal) < 0
            normals[plane] += (isTurned ? -item.normal : item.normal) * item.area
            moments[plane] += (item.centre - origin) * item.area
            areas[plane] += item.area
        }
        planes = seeds.indices.map { plane in
            let seed = items[Int(seeds[plane])]
            let normal = normals[plane].direction ?? seed.normal
            return Plane(
                normal: normal,
                offset: areas[plane] > 0 ? normal.dot(moments[plane] / areas[plane] + origin) : normal.dot(seed.centre))
        }
    }
}
