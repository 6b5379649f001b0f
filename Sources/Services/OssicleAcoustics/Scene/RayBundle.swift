import OssicleCore

/// Up to 128 segments from one place, such as those from an ear to the points of a source, that search a tree together.
///
/// Seen from their start along an axis, segments are points (u, v) of a plane and a box is a rectangle at most. The
/// plane is cut into columns and rows. For each border between them a mask tells which segments lie before it, so that
/// four masks tell which of all segments may meet a box (frustum culling, as Wald et al. 2006 do it for grids, and the
/// segments one by one in the same step). A box that none may meet is left out with all that is in it.
///
/// All is in single precision and errs to the safe side: every segment that `TreeSearch` would test against a leaf's
/// facets is among those named for that leaf.
struct RayBundle: BitwiseCopyable {
    /// Segments at most.
    static let most = 128
    /// Columns, and rows.
    fileprivate static let steps = 64
    /// Masks in the working space: those of columns, then those of rows.
    static let spaceSize = 2 * (steps + 1)

    /// Segments before column 0, 1 … 64 begins; of rows likewise.
    private let columns: UnsafePointer<RayMask>
    private let rows: UnsafePointer<RayMask>
    /// Where a node keeps a corner, in bytes: lower and upper u and v, and the near and far end along the axis.
    private let lowerU, upperU, lowerV, upperV, near, far: Int
    /// +1 where the segments go up along the axis, −1 where they go down.
    private let sign: Float
    /// The start, moved by the margin so that boxes become larger.
    private let startLowerU, startUpperU, startLowerV, startUpperV, startNear, startFar: Float
    /// How far the segments reach along the axis.
    private let reach: Float
    private let scaleU, scaleV: Scale

    /// From u or v to columns or rows.
    fileprivate struct Scale: BitwiseCopyable {
        let first, stepsPerUnit: Float
        /// What is added for the step before and the step after, with half a step that turns rounding into cutting off.
        let before, after: Float

        /// The outermost steps but one are where the outermost segments are.
        init(_ range: (lower: Double, upper: Double)) {
            let inner = Double(RayBundle.steps - 2)
            let extent = max(range.upper - range.lower, RayBundle.leastExtent)
            first = Float(range.lower - extent / inner)
            stepsPerUnit = Float(inner / extent)
            let margin = RayBundle.margin * stepsPerUnit + 1e-3
            (before, after) = (-margin - 0.5, margin + 0.5)
        }

        /// 0…64 and what lies between, cut off beyond.
        @inline(__always)
        func step(_ place: Double) -> Double {
            min(max((place - Double(first)) * Double(stepsPerUnit), 0), Double(RayBundle.steps))
        }
    }

    /// By what u and v (−2…2) may be off, where single precision is off by some 4 · 10⁻⁷; and coordinates as a share of
    /// the largest.
    fileprivate static let margin: Float = 2e-6
    /// Of u or v.
    fileprivate static let leastExtent = 1e-5
    /// What is nearer along the axis counts as beside the start. Less than the least margin of a coordinate.
    private static let nearest: Float = 1e-30
    /// Starts that are further from the middle of a mesh than this, in its largest coordinates, see it as too small a
    /// spot to tell its boxes apart.
    private static let farthest = 1e4

    /// Whether a bundle from here is any good.
    @inline(__always)
    static func reaches(from start: Vector, _ tree: WideTree.View) -> Bool {
        (start - tree.centre).largestMagnitude <= farthest * tree.extent
    }

    /// Takes the first of the segments that are left, and all others within some 60° of the same axis.
    /// - Parameters:
    ///   - segments: from one place, in the coordinates of the mesh; all of them can be traced. - left: not empty;
    ///     those taken are removed. - space: `spaceSize` masks to keep until the bundle is done.
    init(
        _ segments: UnsafePointer<Segment>, left: inout RayMask, in tree: WideTree.View,
        space: UnsafeMutablePointer<RayMask>
    ) {
        let leading = left.firstBit
        let leader = segments + leading
        let delta = leader.pointee.delta
        let (x, y, z) = (delta.x.magnitude, delta.y.magnitude, delta.z.magnitude)
        let axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2)
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3)
        let isRising = delta[axis] > 0
        let (columns, rows) = (space, space + (RayBundle.steps + 1))
        var reach = 0.0
        (scaleU, scaleV) = withUnsafeTemporaryAllocation(of: (ray: Int, u: Double, v: Double).self, capacity: Self.most)
        { places in
            var count = 0
            var rangeU = (lower: Double.infinity, upper: -Double.infinity)
            var rangeV = rangeU
            left.forEachBit { ray in
                let delta = segments[ray].delta
                let along = isRising ? delta[axis] : -delta[axis]
                guard along > 0, along < .infinity, max(delta[u].magnitude, delta[v].magnitude) <= 2 * along
                else { return }
                let place = (ray: ray, u: delta[u] / along, v: delta[v] / along)
                places[count] = place
                count += 1
                reach = max(reach, along)
                rangeU = (min(rangeU.lower, place.u), max(rangeU.upper, place.u))
                rangeV = (min(rangeV.lower, place.v), max(rangeV.upper, place.v))
            }
            let (scaleU, scaleV) = (Scale(rangeU), Scale(rangeV))
            UnsafeMutableBufferPointer(start: space, count: RayBundle.spaceSize).update(repeating: .zero)
            for place in places[..<count] {
                var bit = RayMask.zero
                bit.set(place.ray)
                columns[Int(scaleU.step(place.u)) + 1] |= bit
                rows[Int(scaleV.step(place.v)) + 1] |= bit
                left &= ~bit
            }
            // It is not among them where it is so long or short that nothing is on it.
            left.remove(leading)
            for step in 1...RayBundle.steps {
                columns[step] |= columns[step - 1]
                rows[step] |= rows[step - 1]
            }
            return (scaleU, scaleV)
        }
        (self.columns, self.rows) = (UnsafePointer(columns), UnsafePointer(rows))
        let size = MemoryLayout<SIMD4<Float>>.stride
        (lowerU, upperU) = (u * size, (u + 3) * size)
        (lowerV, upperV) = (v * size, (v + 3) * size)
        (near, far) = isRising ? (axis * size, (axis + 3) * size) : ((axis + 3) * size, axis * size)
        sign = isRising ? 1 : -1
        let start = leader.pointee.start - tree.centre
        let margin =
            RayBundle.margin * Float(start.largestMagnitude + tree.extent)
            + Float(1e-14 * tree.centre.largestMagnitude) + 1e-25
        (startLowerU, startUpperU) = (Float(start[u]) + margin, Float(start[u]) - margin)
        (startLowerV, startUpperV) = (Float(start[v]) + margin, Float(start[v]) - margin)
        (startNear, startFar) = (sign * Float(start[axis]) + margin, sign * Float(start[axis]) - margin)
        self.reach = Float(reach) * (1 + RayBundle.margin)
    }
}

extension RayBundle {
    /// Calls `visit` with each leaf whose box segments may meet, and with these.
    /// - Parameter wanted: the segments that are still of interest.
    @inline(__always)
    func search(
        _ tree: WideTree.View, wanted: () -> RayMask, _ visit: (UnsafePointer<WideTree.Leaf>, RayMask) -> Void
    ) {
        guard tree.nodeCount > 0 else { return }
        typealias Entry = (mask: RayMask, node: Int32)
        withUnsafeTemporaryAllocation(of: Entry.self, capacity: WideTree.View.stackSize) { stack in
            var depth = 1
            stack[0] = (RayMask(repeating: .max), 0)
            while depth > 0 {
                depth -= 1
                guard !(stack[depth].mask & wanted()).isEmpty else { continue }
                let node = tree.nodes + Int(stack[depth].node)
                let steps = steps(UnsafeRawPointer(node))
                for lane in 0..<4 {
                    let mask =
                        columns[Int(steps.afterU[lane])] & ~columns[Int(steps.beforeU[lane])]
                        & rows[Int(steps.afterV[lane])] & ~rows[Int(steps.beforeV[lane])] & wanted()
                    guard !mask.isEmpty else { continue }
                    let child = node.pointee.children[lane]
                    if child < 0 {
                        visit(tree.leaves + Int(~child), mask)
                    } else {
                        stack[depth] = (mask, child)
                        depth += 1
                    }
                }
            }
        }
    }

    private typealias Lanes = SIMD4<Float>
    private typealias Steps = SIMD4<UInt32>

    /// The columns and rows of four boxes: where the first begins, and the one after the last.
    @inline(__always)
    private func steps(
        _ node: UnsafeRawPointer
    ) -> (beforeU: Steps, afterU: Steps, beforeV: Steps, afterV: Steps) {
        let near = node.load(fromByteOffset: near, as: Lanes.self) * sign - startNear
        let far = node.load(fromByteOffset: far, as: Lanes.self) * sign - startFar
        // What begins beside or behind the start may be seen at any angle.
        let nearInverse = 1 / near.larger(Lanes(repeating: RayBundle.nearest))
        let farInverse = 1 / far
        let isOut = far .<= RayBundle.nearest .| near .> reach
        let lowerU = node.load(fromByteOffset: lowerU, as: Lanes.self) - startLowerU
        let upperU = node.load(fromByteOffset: upperU, as: Lanes.self) - startUpperU
        let lowerV = node.load(fromByteOffset: lowerV, as: Lanes.self) - startLowerV
        let upperV = node.load(fromByteOffset: upperV, as: Lanes.self) - startUpperV
        let (fromU, toU) = (
            (lowerU * nearInverse).smaller(lowerU * farInverse), (upperU * nearInverse).larger(upperU * farInverse)
        )
        let (fromV, toV) = (
            (lowerV * nearInverse).smaller(lowerV * farInverse), (upperV * nearInverse).larger(upperV * farInverse)
        )
        return (
            scaleU.cut(fromU, scaleU.before).replacing(with: Steps(repeating: UInt32(RayBundle.steps)), where: isOut),
            scaleU.cut(toU, scaleU.after), scaleV.cut(fromV, scaleV.before), scaleV.cut(toV, scaleV.after)
        )
    }
}

extension RayBundle.Scale {
    /// Steps, 0…64; 0 for what is no number.
    @inline(__always)
    func cut(_ places: SIMD4<Float>, _ offset: Float) -> SIMD4<UInt32> {
        let steps = (places - first) * stepsPerUnit + offset
        let limited = SIMD4<Float>.zero.larger(steps).smaller(SIMD4(repeating: Float(RayBundle.steps)))
        // 1.5 · 2²³: the number then stands in the last bits.
        return unsafeBitCast(limited + 12_582_912, to: SIMD4<UInt32>.self) & 0x7F
    }
}

// By mask: the library's pointwise minimum and maximum go lane by lane through memory.
extension SIMD4<Float> {
    /// The smaller value in each lane.
    @inline(__always)
    func smaller(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// The larger value in each lane; this one where the other is no number.
    @inline(__always)
    func larger(_ other: Self) -> Self { replacing(with: other, where: other .> self) }
}
