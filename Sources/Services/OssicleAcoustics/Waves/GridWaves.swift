import OssicleCore

/// The field in the air of a grid, step by step in time: finite differences of second order in a finite-volume form,
/// with walls of any passive admittance (Bilbao, Hamilton, Botts and Savioja, IEEE/ACM Trans. Audio Speech Lang.
/// Process. 24, 161 (2016)).
///
///     u⁺ = 2u − u⁻ + Σ λ²(u_next − u) − Σ λ v,     λ = cΔt/h of the axis,   Σ λ² = 1 at the limit of stability
///     at a wall, for each branch:  2m/Δt (v − v⁻) + r v + kΔt (g⁻ + v/2) = (u⁺ − u⁻)/2,   g = Σ v
///
/// Each step reads the two before and writes each cell once, so that the bytes do not depend on how the cells are
/// shared out.
final class GridWaves {
    private let grid: WaveGrid
    /// Seconds of a step.
    let step: Double
    private var now: UnsafeMutablePointer<Float>
    private var before: UnsafeMutablePointer<Float>
    /// λ² and λ by axis.
    private let squares: SIMD3<Float>
    private let ratios: SIMD3<Float>
    /// Stretches of cells along x that have air all around, layer by layer of z.
    private let runs: [[Range<Int>]]
    private let bordering: [[BorderCell]]
    private let faces: [Face]
    private let states: UnsafeMutablePointer<State>
    private let stateCount: Int

    /// A cell beside a wall.
    private struct BorderCell {
        let cell: Int32
        /// Links that are open: bits 0, 2, 4 down and 1, 3, 5 up x, y and z.
        let open: UInt8
        /// Σ λ² of those.
        let square: Float
        /// ½ Σ λb of its faces.
        let loss: Float
        let faces: Range<Int32>
    }

    /// One branch of the wall at one side of a cell.
    private struct Face {
        /// λ of the axis.
        let ratio: Float
        /// 1/(2m/Δt + r + kΔt/2), 2m/Δt and kΔt.
        let share, inertia, spring: Float
    }

    private struct State {
        var velocity: Float = 0
        var travel: Float = 0
    }

    init(_ grid: WaveGrid, speedOfSound: Double) {
        self.grid = grid
        let h = grid.spacing
        let inverse = 1 / (h.x * h.x) + 1 / (h.y * h.y) + 1 / (h.z * h.z)
        // A hair below the limit, so that rounding cannot cross it.
        step = 0.9999 / (speedOfSound * inverse.squareRoot())
        let lambda = Vector(repeating: speedOfSound * step) / h
        ratios = SIMD3(Float(lambda.x), Float(lambda.y), Float(lambda.z))
        squares = ratios * ratios
        now = .allocate(capacity: grid.cellCount)
        before = .allocate(capacity: grid.cellCount)
        now.initialize(repeating: 0, count: grid.cellCount)
        before.initialize(repeating: 0, count: grid.cellCount)
        var walls = Layout(grid, ratios, squares, step: Float(step))
        walls.sort()
        (runs, bordering, faces) = (walls.runs, walls.bordering, walls.faces)
        stateCount = max(faces.count, 1)
        states = .allocate(capacity: stateCount)
        states.initialize(repeating: State(), count: stateCount)
    }

    deinit {
        now.deallocate()
        before.deallocate()
        states.deallocate()
    }

    /// Cells beside walls and those that are not, layer by layer.
    private struct Layout {
        private let grid: WaveGrid
        private let ratios, squares: SIMD3<Float>
        private let step: Float
        var runs: [[Range<Int>]] = []
        var bordering: [[BorderCell]] = []
        var faces: [Face] = []

        init(_ grid: WaveGrid, _ ratios: SIMD3<Float>, _ squares: SIMD3<Float>, step: Float) {
            (self.grid, self.ratios, self.squares, self.step) = (grid, ratios, squares, step)
        }

        mutating func sort() {
            let strides = grid.strides
            for layer in 1..<(grid.counts.z - 1) {
                var (stretches, beside): ([Range<Int>], [BorderCell]) = ([], [])
                for row in 1..<(grid.counts.y - 1) {
                    let first = layer * strides.z + row * strides.y + 1
                    for cell in first..<(first + grid.counts.x - 2) where grid.isAir[cell] {
                        let ends = (0..<6).map { side in
                            let axis = side / 2
                            return grid.links[axis][side & 1 == 1 ? cell : cell - strides[axis]]
                        }
                        if ends.allSatisfy({ $0 == 0 }) {
                            if let last = stretches.last, last.upperBound == cell {
                                stretches[stretches.count - 1] = last.lowerBound..<(cell + 1)
                            } else {
                                stretches.append(cell..<(cell + 1))
                            }
                        } else {
                            beside.append(border(cell, ends))
                        }
                    }
                }
                runs.append(stretches)
                bordering.append(beside)
            }
        }

        private mutating func border(_ cell: Int, _ ends: [UInt16]) -> BorderCell {
            var (open, square, loss): (UInt8, Float, Float) = (0, 0, 0)
            let first = Int32(faces.count)
            for side in 0..<6 {
                let axis = side / 2
                guard ends[side] > 0 else {
                    open |= 1 << UInt8(side)
                    square += squares[axis]
                    continue
                }
                for branch in grid.walls[Int(ends[side]) - 1].branches {
                    let (inertia, spring) = (2 * Float(branch.mass) / step, Float(branch.stiffness) * step)
                    let share = 1 / (inertia + Float(branch.resistance) + spring / 2)
                    faces.append(Face(ratio: ratios[axis], share: share, inertia: inertia, spring: spring))
                    loss += ratios[axis] * share / 2
                }
            }
            return BorderCell(
                cell: Int32(cell), open: open, square: square, loss: loss, faces: first..<Int32(faces.count))
        }
    }

    /// What arrives at points, one sample for each step, for a source whose sound is a step up at 0 and down one step
    /// later.
    ///
    /// u of a click that has a pressure of 1/r at 1 m in the open, times the step: spectra are sums over it.
    func responses(
        from source: [(cell: Int, share: Double)], to points: [[(cell: Int, share: Double)]], count: Int,
        speedOfSound: Double, workers: WorkerPool
    ) -> [[Float]] {
        let volume = grid.spacing.x * grid.spacing.y * grid.spacing.z
        let strength = 4 * DeterministicMath.pi * speedOfSound * speedOfSound * step / volume
        var records = points.map { _ in [Float]() }
        for index in points.indices { records[index].reserveCapacity(count) }
        for index in 0..<count {
            for point in points.indices {
                records[point].append(points[point].reduce(0) { $0 + now[$1.cell] * Float($1.share) })
            }
            advance(workers)
            if index < 2 {
                let sign = index == 0 ? strength : -strength
                for (cell, share) in source { now[cell] += Float(sign * share) }
            }
        }
        return records
    }

    private func advance(_ workers: WorkerPool) {
        let layers = runs.count
        // Layers in a share of their own are worth waking a thread for from some 30 µs on.
        let shares = min(max(grid.cellCount / 40_000, 1), min(layers, 4 * workers.workers))
        nonisolated(unsafe) let this = self
        _ = workers.map(count: shares) { share in
            for layer in (layers * share / shares)..<(layers * (share + 1) / shares) { this.advance(layer) }
        }
        swap(&now, &before)
    }

    private func advance(_ layer: Int) {
        let (now, before, strides) = (now, before, grid.strides)
        let (x, y, z) = (squares.x, squares.y, squares.z)
        let own = 2 - 2 * (x + y + z)
        for run in runs[layer] {
            for cell in run {
                let sum =
                    x * (now[cell - 1] + now[cell + 1]) + y * (now[cell - strides.y] + now[cell + strides.y])
                    + z * (now[cell - strides.z] + now[cell + strides.z])
                before[cell] = own * now[cell] + sum - before[cell]
            }
        }
        bordering[layer].withUnsafeBufferPointer { cells in
            for border in cells { advance(border, now, before, strides) }
        }
    }

    @inline(__always)
    private func advance(
        _ border: BorderCell, _ now: UnsafeMutablePointer<Float>, _ before: UnsafeMutablePointer<Float>,
        _ strides: SIMD3<Int>
    ) {
        let cell = Int(border.cell)
        var sum = (2 - border.square) * now[cell]
        for axis in 0..<3 {
            if border.open >> UInt8(2 * axis) & 1 == 1 { sum += squares[axis] * now[cell - strides[axis]] }
            if border.open >> UInt8(2 * axis + 1) & 1 == 1 { sum += squares[axis] * now[cell + strides[axis]] }
        }
        faces.withUnsafeBufferPointer { faces in
            for index in Int(border.faces.lowerBound)..<Int(border.faces.upperBound) {
                let (face, state) = (faces[index], states[index])
                sum -= face.ratio * face.share * (face.inertia * state.velocity - face.spring * state.travel)
            }
            let next = (sum - before[cell] * (1 - border.loss)) / (1 + border.loss)
            let pressure = (next - before[cell]) / 2
            before[cell] = next
            for index in Int(border.faces.lowerBound)..<Int(border.faces.upperBound) {
                let (face, state) = (faces[index], states[index])
                let mean =
                    face.share * (pressure + face.inertia * state.velocity - face.spring * state.travel)
                states[index].velocity = 2 * mean - state.velocity
                states[index].travel += mean
            }
        }
    }
}
