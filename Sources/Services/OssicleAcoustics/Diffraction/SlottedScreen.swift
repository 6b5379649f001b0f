import OssicleCore

/// Thin walls that stand in one plane with slots between them: one rigid screen, see `SlotField`.
struct SlottedScreen: Sendable {
    /// Of the walls, indices in the scene's occluders and in its sets of edges.
    let occluders: Set<Int32>
    let sets: Set<Int>
    /// In the middle plane; unit, along the row, along the edges of the slots, and across the screen.
    let origin: Vector
    let along: Vector
    let up: Vector
    let across: Vector
    /// Half the walls' thickness, metres.
    let depth: Double
    /// From where to where each wall stands along the row, metres from the origin, in order.
    let walls: [(from: Double, to: Double)]
    /// From where to where the walls reach along the edges of the slots.
    let height: (from: Double, to: Double)
    /// How much counts: walls that are narrow are left to their silhouettes.
    let weight: Double

    /// Metres of thickness up to which a wall is thin, and its share of the wall's other sizes.
    private static let thin = (most: 0.3, share: 0.2)
    /// Metres: the width of a slot; how far walls may miss one plane, and each other's height.
    private static let slot = (least: 0.02, most: 3.0)
    private static let miss = (plane: 0.05, height: 0.2)
    /// A longer row counts by its edges one by one.
    private static let mostWalls = 6

    /// - Parameter tree: over the boxes of `placed`.
    static func all(in placed: [SceneEdges.Placed], _ tree: BoxTree) -> [SlottedScreen] {
        let sheets = placed.indices.compactMap { Sheet(placed[$0], set: $0) }
        guard sheets.count > 1 else { return [] }
        let numbers = Dictionary(uniqueKeysWithValues: sheets.enumerated().map { ($1.set, $0) })
        // A row runs along the second or the third axis of a sheet.
        var rows = DisjointSets(count: 2 * sheets.count)
        for (one, sheet) in sheets.enumerated() {
            let box = placed[sheet.set].bounds.widened(by: slot.most)
            _ = tree.view.search({ box.meets($0, $1) }) { leaf in
                guard let other = numbers[Int(tree.order[leaf])], other > one else { return false }
                for (axis, second) in [(1, 1), (1, 2), (2, 1), (2, 2)]
                where sheet.isBeside(sheets[other], along: axis, second: second) {
                    rows.join(2 * one + axis - 1, 2 * other + second - 1)
                }
                return false
            }
        }
        var members: [Int: [(sheet: Int, axis: Int)]] = [:]
        for number in 0..<(2 * sheets.count) {
            members[rows.root(number), default: []].append((number / 2, 1 + number % 2))
        }
        var isTaken = [Bool](repeating: false, count: sheets.count)
        return members.sorted { $0.key < $1.key }.compactMap { _, row in
            guard (2...mostWalls).contains(row.count), !row.contains(where: { isTaken[$0.sheet] }) else { return nil }
            for member in row { isTaken[member.sheet] = true }
            return SlottedScreen(row.map { sheets[$0.sheet] }, axis: row[0].axis)
        }
    }

    private init(_ sheets: [Sheet], axis: Int) {
        let first = sheets[0]
        (origin, along, up, across) = (first.centre, first.axes[axis], first.axes[3 - axis], first.axes[0])
        occluders = Set(sheets.map(\.occluder))
        sets = Set(sheets.map(\.set))
        depth = sheets.reduce(0) { max($0, $1.halves[0]) }
        let (along, up, origin) = (along, up, origin)
        func span(_ sheet: Sheet, _ axis: Vector) -> (from: Double, to: Double) {
            let middle = (sheet.centre - origin).dot(axis)
            let own = sheet.axes[1].dot(axis).magnitude > 0.5 ? 1 : 2
            return (middle - sheet.halves[own], middle + sheet.halves[own])
        }
        walls = sheets.map { span($0, along) }.sorted { $0.from < $1.from }
        height = sheets.map { span($0, up) }.reduce((-.infinity, .infinity)) { (max($0.0, $1.from), min($0.1, $1.to)) }
        weight = sheets.reduce(1) { min($0, 1 - $1.bodyWeight) }
    }

    /// A thin wall in the world.
    private struct Sheet {
        let set: Int
        let occluder: Int32
        let centre: Vector
        /// Unit, of its thickness first, and half the sizes along them.
        let axes: [Vector]
        let halves: [Double]
        /// Of `SceneBody`.
        let bodyWeight: Double

        init?(_ placed: SceneEdges.Placed, set: Int) {
            guard placed.joined.isEmpty, let body = placed.edges.body, body.fill > 0.97 else { return nil }
            let pose = placed.pose
            bodyWeight = SceneBody.weight(ofWidth: body.width * pose.scale.magnitude)
            guard bodyWeight < 1 else { return nil }
            let axes = body.axes.map { pose.right * $0.x + pose.up * $0.y + pose.back * $0.z }
            let vertices = body.vertices.map { pose.toWorld($0) }
            var (centre, halves) = (Vector.zero, [Double]())
            for axis in axes {
                let places = vertices.map { $0.dot(axis) }
                let (low, high) = (places.min() ?? 0, places.max() ?? 0)
                centre += axis * ((low + high) / 2)
                halves.append((high - low) / 2)
            }
            guard 2 * halves[0] <= thin.most, halves[0] <= thin.share * halves[1] else { return nil }
            (self.set, occluder, self.centre, self.axes, self.halves) = (set, placed.occluder, centre, axes, halves)
        }

        /// Whether a slot is between the two, along an axis of the first that is one of the second.
        func isBeside(_ other: Sheet, along axis: Int, second: Int) -> Bool {
            func isParallel(_ a: Vector, _ b: Vector) -> Bool { a.dot(b).magnitude > 1 - 1e-6 }
            guard isParallel(axes[0], other.axes[0]), isParallel(axes[axis], other.axes[second]) else { return false }
            let offset = other.centre - centre
            let gap = offset.dot(axes[axis]).magnitude - halves[axis] - other.halves[second]
            let tops = offset.dot(axes[3 - axis]).magnitude + (halves[3 - axis] - other.halves[3 - second]).magnitude
            return gap > slot.least && gap < slot.most && offset.dot(axes[0]).magnitude < miss.plane
                && (halves[0] - other.halves[0]).magnitude < miss.plane && tops < miss.height
        }
    }
}
