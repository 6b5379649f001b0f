/// A symmetric positive definite matrix whose element depends on the distance from the diagonal only, as that of a
/// least-squares filter does, in Cholesky's factors. Control side.
package struct ToeplitzFactor: Sendable {
    private let count: Int
    /// The lower factor, row by row, with the reciprocals of its diagonal.
    private var factor: [Double]

    /// - Parameter row: the first row.
    package init(_ row: [Double]) {
        count = row.count
        factor = [Double](repeating: 0, count: count * count)
        for i in 0..<count {
            for j in 0...i {
                var sum = row[i - j]
                for k in 0..<j { sum -= factor[i * count + k] * factor[j * count + k] }
                factor[i * count + j] = i == j ? 1 / max(sum, 1e-30).squareRoot() : sum * factor[j * count + j]
            }
        }
    }

    /// x of matrix · x = `wanted`, as long as the row.
    package func solved(_ wanted: [Double]) -> [Double] {
        var values = wanted
        factor.withUnsafeBufferPointer { factor in
            for i in 0..<count {
                var sum = values[i]
                for k in 0..<i { sum -= factor[i * count + k] * values[k] }
                values[i] = sum * factor[i * count + i]
            }
            for i in (0..<count).reversed() {
                let value = values[i] * factor[i * count + i]
                values[i] = value
                for k in 0..<i { values[k] -= factor[i * count + k] * value }
            }
        }
        return values
    }
}
