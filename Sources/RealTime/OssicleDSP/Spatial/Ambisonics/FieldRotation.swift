import OssicleCore

/// The matrix that turns a sound field of order 7 and below.
///
/// A plane wave from d has the channels Y(d), and turned it has those of the turned direction: R·Y(d) = Y(Q·d). Turning
/// mixes only the channels of one order with each other. Those of order 1 are the axes themselves; each higher order's
/// square follows from the one below and from that of order 1, without angles and their singular places (Ivanic and
/// Ruedenberg, "Rotation matrices for real spherical harmonics", J. Phys. Chem. 100, 1996, with the corrections of
/// 1998). `write` is for the audio thread.
package struct FieldRotation: ~Copyable {
    private let order: Int
    /// Entries of a row: the matrix has as many rows.
    package let stride: Int
    /// u, v and w of each entry from order 2 on, in the order in which they are written.
    private let factors: OwnedMemory<SIMD4<Double>>
    /// The matrix as it grows, row by row.
    private let rows: OwnedMemory<Double>

    /// - Parameter order: 0…7.
    package init(order: Int) {
        self.order = order
        stride = HighOrderHarmonics.count(order: order)
        rows = OwnedMemory(count: stride * stride, 0)
        var made: [SIMD4<Double>] = []
        for l in Swift.stride(from: 2, through: order, by: 1) {
            for m in -l...l { for n in -l...l { made.append(Self.factors(l, m, n)) } }
        }
        factors = OwnedMemory(count: max(made.count, 1), .zero)
        for (index, factor) in made.enumerated() { factors.pointer[index] = factor }
    }

    private static func factors(_ l: Int, _ m: Int, _ n: Int) -> SIMD4<Double> {
        let a = abs(m)
        let below = Double(abs(n) < l ? (l + n) * (l - n) : 2 * l * (2 * l - 1))
        let u = (Double((l + m) * (l - m)) / below).squareRoot()
        let v = 0.5 * (Double((m == 0 ? 2 : 1) * (l + a - 1) * (l + a)) / below).squareRoot() * (m == 0 ? -1 : 1)
        let w = m == 0 ? 0 : -0.5 * (Double((l - a - 1) * (l - a)) / below).squareRoot()
        return SIMD4(u, v, w, 0)
    }

    /// The matrix of the turn that takes the axes to `right`, `up` and `back` (unit and orthogonal), row by row.
    /// - Parameter matrix: room for `stride`² values; those between channels of different orders are 0.
    package func write(right: Vector, up: Vector, back: Vector, to matrix: UnsafeMutablePointer<Float>) {
        let rows = rows.pointer
        rows[0] = 1
        if order > 0 {
            writeAxis(-right, column: 1)
            writeAxis(up, column: 2)
            writeAxis(-back, column: 3)
        }
        var factor = factors.pointer
        for l in Swift.stride(from: 2, through: order, by: 1) {
            let middle = l * l + l
            for m in -l...l {
                for n in -l...l {
                    rows[(middle + m) * stride + middle + n] = entry(l, m, n, factor.pointee)
                    factor += 1
                }
            }
        }
        for index in 0..<stride * stride { matrix[index] = Float(rows[index]) }
    }

    /// Where the axis of a channel of order 1 (to the left, up, ahead) has turned to.
    private func writeAxis(_ axis: Vector, column: Int) {
        let rows = rows.pointer
        rows[stride + column] = -axis.x
        rows[2 * stride + column] = axis.y
        rows[3 * stride + column] = -axis.z
    }

    private func entry(_ l: Int, _ m: Int, _ n: Int, _ factors: SIMD4<Double>) -> Double {
        var sum = 0.0
        if factors.x != 0 { sum += factors.x * product(0, l, m, n) }
        if factors.y != 0 { sum += factors.y * second(l, m, n) }
        if factors.z != 0 { sum += factors.z * third(l, m, n) }
        return sum
    }

    private func second(_ l: Int, _ m: Int, _ n: Int) -> Double {
        switch m {
        case 0: product(1, l, 1, n) + product(-1, l, -1, n)
        case 1: product(1, l, 0, n) * 2.0.squareRoot()
        case -1: product(-1, l, 0, n) * 2.0.squareRoot()
        case 2...: product(1, l, m - 1, n) - product(-1, l, -m + 1, n)
        default: product(1, l, m + 1, n) + product(-1, l, -m - 1, n)
        }
    }

    private func third(_ l: Int, _ m: Int, _ n: Int) -> Double {
        m > 0
            ? product(1, l, m + 1, n) + product(-1, l, -m - 1, n)
            : product(1, l, m - 1, n) - product(-1, l, -m + 1, n)
    }

    /// Of row i of order 1 with row `a` of the order below `l`.
    private func product(_ i: Int, _ l: Int, _ a: Int, _ n: Int) -> Double {
        let (rows, middle) = (rows.pointer, (l - 1) * (l - 1) + l - 1)
        let first = rows + (2 + i) * stride + 2
        let below = rows + (middle + a) * stride + middle
        switch n {
        case l: return first[1] * below[l - 1] - first[-1] * below[1 - l]
        case -l: return first[1] * below[1 - l] + first[-1] * below[l - 1]
        default: return first[0] * below[n]
        }
    }
}
