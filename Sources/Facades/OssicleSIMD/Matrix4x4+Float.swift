/// Four columns of four `Float`: column-major, for column vectors. A transform keeps its translation in `columns.3`.
public struct simd_float4x4: Sendable {
    /// The columns; the basis vectors and the origin of a transform.
    public var columns: (simd_float4, simd_float4, simd_float4, simd_float4)

    /// All zero.
    @inlinable
    public init() { columns = (.zero, .zero, .zero, .zero) }

    /// From its columns.
    @inlinable
    public init(columns: (simd_float4, simd_float4, simd_float4, simd_float4)) { self.columns = columns }

    /// From its columns.
    @inlinable
    public init(_ col0: SIMD4<Float>, _ col1: SIMD4<Float>, _ col2: SIMD4<Float>, _ col3: SIMD4<Float>) {
        columns = (col0, col1, col2, col3)
    }

    /// `scalar` on the diagonal, zero elsewhere.
    @inlinable
    public init(_ scalar: Float) { self.init(diagonal: SIMD4(repeating: scalar)) }

    /// `diagonal` on the diagonal, zero elsewhere.
    @inlinable
    public init(diagonal: SIMD4<Float>) {
        self.init(
            SIMD4(diagonal.x, 0, 0, 0), SIMD4(0, diagonal.y, 0, 0), SIMD4(0, 0, diagonal.z, 0),
            SIMD4(0, 0, 0, diagonal.w))
    }

    /// From a list of columns. Missing columns are zero, further ones are ignored.
    public init(_ columns: [SIMD4<Float>]) {
        self.init()
        for (index, column) in columns.prefix(4).enumerated() { self[index] = column }
    }

    /// From a list of rows. Missing rows are zero, further ones are ignored.
    public init(rows: [SIMD4<Float>]) { self = simd_float4x4(rows).transpose }

    /// The rotation of a unit quaternion, without translation.
    public init(_ quaternion: simd_quatf) {
        let (x, y, z) = QuaternionMath.axes(of: quaternion.vector)
        self.init(SIMD4(x, 0), SIMD4(y, 0), SIMD4(z, 0), SIMD4(0, 0, 0, 1))
    }

    /// The column with an index in 0...3. Outside of it, zero is read and nothing is written.
    @inlinable
    public subscript(column: Int) -> SIMD4<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            case 3: columns.3
            default: .zero
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            case 3: columns.3 = newValue
            default: break
            }
        }
    }

    /// The element at `column` and `row`, both in 0...3. Outside of them, zero is read and nothing is written.
    @inlinable
    public subscript(column: Int, row: Int) -> Float {
        get { (0..<4).contains(row) ? self[column][row] : 0 }
        set { if (0..<4).contains(row) { self[column][row] = newValue } }
    }
}

extension simd_float4x4: Hashable {
    /// Whether all elements are equal.
    @inlinable
    public static func == (lhs: simd_float4x4, rhs: simd_float4x4) -> Bool { lhs.columns == rhs.columns }

    /// Adds the elements, column by column.
    public func hash(into hasher: inout Hasher) {
        for column in 0..<4 { hasher.combine(self[column]) }
    }
}

extension simd_float4x4: Codable {
    /// Reads a list of four columns.
    public init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        for column in 0..<4 { self[column] = try container.decode(SIMD4<Float>.self) }
    }

    /// Writes a list of four columns.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for column in 0..<4 { try container.encode(self[column]) }
    }
}

extension simd_float4x4: CustomDebugStringConvertible {
    /// The columns as nested lists.
    public var debugDescription: String {
        let lists = (0..<4).map { column in "[" + (0..<4).map { "\(self[column, $0])" }.joined(separator: ", ") + "]" }
        return "simd_float4x4([" + lists.joined(separator: ", ") + "])"
    }
}

extension simd_float4x4 {
    /// Columns and rows exchanged.
    @inlinable
    public var transpose: simd_float4x4 {
        let (a, b, c, d) = columns
        return simd_float4x4(
            SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y),
            SIMD4(a.z, b.z, c.z, d.z), SIMD4(a.w, b.w, c.w, d.w))
    }

    /// The inverse; infinities and NaN if the determinant is zero.
    public var inverse: simd_float4x4 { simd_float4x4(columns: MatrixMath.inverseRows(columns)).transpose }

    /// The signed volume that the unit cube is mapped to.
    public var determinant: Float { MatrixMath.determinant(columns) }

    /// The sum, element by element.
    @inlinable
    public static func + (lhs: simd_float4x4, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(
            lhs.columns.0 + rhs.columns.0, lhs.columns.1 + rhs.columns.1,
            lhs.columns.2 + rhs.columns.2, lhs.columns.3 + rhs.columns.3)
    }

    /// The difference, element by element.
    @inlinable
    public static func - (lhs: simd_float4x4, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(
            lhs.columns.0 - rhs.columns.0, lhs.columns.1 - rhs.columns.1,
            lhs.columns.2 - rhs.columns.2, lhs.columns.3 - rhs.columns.3)
    }

    /// Every element negated.
    @inlinable
    public static prefix func - (rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(-rhs.columns.0, -rhs.columns.1, -rhs.columns.2, -rhs.columns.3)
    }

    /// The matrix that first does `rhs`, then `lhs`.
    @inlinable
    public static func * (lhs: simd_float4x4, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(lhs * rhs.columns.0, lhs * rhs.columns.1, lhs * rhs.columns.2, lhs * rhs.columns.3)
    }

    /// `rhs` as a column vector, mapped.
    @inlinable
    public static func * (lhs: simd_float4x4, rhs: SIMD4<Float>) -> SIMD4<Float> {
        lhs.columns.0 * rhs.x + lhs.columns.1 * rhs.y + lhs.columns.2 * rhs.z + lhs.columns.3 * rhs.w
    }

    /// `lhs` as a row vector, mapped.
    @inlinable
    public static func * (lhs: SIMD4<Float>, rhs: simd_float4x4) -> SIMD4<Float> { rhs.transpose * lhs }

    /// Every element times the number.
    @inlinable
    public static func * (lhs: Float, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(rhs.columns.0 * lhs, rhs.columns.1 * lhs, rhs.columns.2 * lhs, rhs.columns.3 * lhs)
    }

    /// Every element times the number.
    @inlinable
    public static func * (lhs: simd_float4x4, rhs: Float) -> simd_float4x4 { rhs * lhs }

    /// Adds element by element.
    @inlinable
    public static func += (lhs: inout simd_float4x4, rhs: simd_float4x4) { lhs = lhs + rhs }

    /// Subtracts element by element.
    @inlinable
    public static func -= (lhs: inout simd_float4x4, rhs: simd_float4x4) { lhs = lhs - rhs }

    /// The product takes the place of the left factor.
    @inlinable
    public static func *= (lhs: inout simd_float4x4, rhs: simd_float4x4) { lhs = lhs * rhs }

    /// Multiplies every element.
    @inlinable
    public static func *= (lhs: inout simd_float4x4, rhs: Float) { lhs = rhs * lhs }
}
