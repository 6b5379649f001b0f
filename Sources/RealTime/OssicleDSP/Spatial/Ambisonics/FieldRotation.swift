import OssicleCore

/// The matrix that turns a sound field of order 3 and below.
///
/// A plane wave from d has the channels Y(d), and turned it has those of the turned direction: R·Y(d) = Y(Q·d). Turning mixes only the
/// channels of one order with each other, and because products of two harmonics are averaged exactly by the 26 points of `SphereGrid`,
///
///     R(n, k) = (2l + 1) Σᵢ wᵢ Yₙ(Q·dᵢ) Yₖ(dᵢ)        n and k of the same order l, else 0
///
/// is exact but for rounding, for any turn, without angles and their singular places. `write` is for the audio thread.
package struct FieldRotation: ~Copyable {
    /// Entries of a row: the matrix is always 16 × 16.
    package static let stride = SphericalHarmonics.greatestCount

    private let directions: OwnedMemory<Vector>
    /// (2l + 1)·wᵢ·Yₖ(dᵢ), a vector per point.
    private let weighted: OwnedMemory<SIMD16<Double>>
    private let rows: OwnedMemory<SIMD16<Double>>

    package init() {
        let points = SphereGrid.lebedev26()
        directions = OwnedMemory(count: points.count, .zero)
        weighted = OwnedMemory(count: points.count, .zero)
        rows = OwnedMemory(count: Self.stride, .zero)
        let weights = SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder)
        for (index, point) in points.enumerated() {
            directions.pointer[index] = point.direction
            weighted.pointer[index] = weights * SphericalHarmonics.values(point.direction) * point.weight
        }
    }

    /// The matrix of the turn that takes the axes to `right`, `up` and `back` (unit and orthogonal), row by row.
    /// - Parameters:
    ///   - order: rows and columns above it are left as they are. - matrix: room for 16 × 16 values.
    package func write(right: Vector, up: Vector, back: Vector, order: Int, to matrix: UnsafeMutablePointer<Float>) {
        rows.fill(.zero)
        for point in 0..<directions.count {
            let d = directions.pointer[point]
            let turned = SphericalHarmonics.values(right * d.x + up * d.y + back * d.z)
            let share = weighted.pointer[point]
            for row in 0..<SphericalHarmonics.count(order: order) { rows.pointer[row] += share * turned[row] }
        }
        for row in 0..<SphericalHarmonics.count(order: order) {
            let sum = rows.pointer[row]
            let l = SphericalHarmonics.order(of: row)
            for column in 0..<Self.stride {
                matrix[row * Self.stride + column] = SphericalHarmonics.order(of: column) == l ? Float(sum[column]) : 0
            }
        }
    }
}
