/// Three columns of three `Float`: column-major, for column vectors.
public struct simd_float3x3: Sendable {
    /// The columns; the basis vectors of a linear map.
    public var columns: (simd_float3, simd_float3, simd_float3)

    /// All zero.
    @inlinable
    public init() { columns = (.zero, .zero, .zero) }

    /// From its columns.
    @inlinable
    public init(columns: (simd_float3, simd_float3, simd_float3)) { self.columns = columns }

    /// From its columns.
    @inlinable
    public init(_ col0: SIMD3<Float>, _ col1: SIMD3<Float>, _ col2: SIMD3<Float>) { columns = (col0, col1, col2) }

    /// `scalar` on the diagonal, zero elsewhere.
    @inlinable
    public init(_ scalar: Float) { self.init(diagonal: SIMD3(repeating: scalar)) }

    /// `diagonal` on the diagonal, zero elsewhere.
    @inlinable
    public init(diagonal: SIMD3<Float>) {
        self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
    }

    /// From a list of columns. Missing columns are zero, further ones are ignored.
    public init(_ columns: [SIMD3<Float>]) {
        self.init()
        for (index, column) in columns.prefix(3).enumerated() { self[index] = column }
    }

    /// From a list of rows. Missing rows are zero, further ones are ignored.
    public init(rows: [SIMD3<Float>]) { self = simd_float3x3(rows).transpose }

    /// The rotation of a unit quaternion.
    public init(_ quaternion: simd_quatf) { self.init(columns: QuaternionMath.axes(of: quaternion.vector)) }

    /// The column with an index in 0...2. Outside of it, zero is read and nothing is written.
    @inlinable
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            default: .zero
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            default: break
            }
        }
    }

    /// The element at `column` and `row`, both in 0...2. Outside of them, zero is read and nothing is written.
    @inlinable
    public subscript(column: Int, row: Int) -> Float {
        get { (0..<3).contains(row) ? self[column][row] : 0 }
        set { if (0..<3).contains(row) { self[column][row] = newValue } }
    }
}

extension simd_float3x3: Hashable {
    /// Whether all elements are equal.
    @inlinable
    public static func == (lhs: simd_float3x3, rhs: simd_float3x3) -> Bool { lhs.columns == rhs.columns }

    /// Adds the elements, column by column.
    public func hash(into hasher: inout Hasher) {
        for column in 0..<3 { hasher.combine(self[column]) }
    }
}

extension simd_float3x3: Codable {
    /// Reads a list of three columns.
    public init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        for column in 0..<3 { self[column] = try container.decode(SIMD3<Float>.self) }
    }

    /// Writes a list of three columns.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for column in 0..<3 { try container.encode(self[column]) }
    }
}

extension simd_float3x3: CustomDebugStringConvertible {
    /// The columns as nested lists.
    public var debugDescription: String {
        let lists = (0..<3).map { column in "[" + (0..<3).map { "\(self[column, $0])" }.joined(separator: ", ") + "]" }
        return "simd_float3x3([" + lists.joined(separator: ", ") + "])"
    }
}

extension simd_float3x3 {
    /// Columns and rows exchanged.
    @inlinable
    public var transpose: simd_float3x3 {
        let (a, b, c) = columns
        return simd_float3x3(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }

    /// The inverse; infinities and NaN if the determinant is zero.
    public var inverse: simd_float3x3 { simd_float3x3(columns: MatrixMath.inverseRows(columns)).transpose }

    /// The signed volume that the unit cube is mapped to.
    public var determinant: Float { MatrixMath.determinant(columns) }

    /// The sum, element by element.
    @inlinable
    public static func + (lhs: simd_float3x3, rhs: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(lhs.columns.0 + rhs.columns.0, lhs.columns.1 + rhs.columns.1, lhs.columns.2 + rhs.columns.2)
    }

    /// The difference, element by element.
    @inlinable
    public static func - (lhs: simd_float3x3, rhs: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(lhs.columns.0 - rhs.columns.0, lhs.columns.1 - rhs.columns.1, lhs.columns.2 - rhs.columns.2)
    }

    /// Every element negated.
    @inlinable
    public static prefix func - (rhs: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(-rhs.columns.0, -rhs.columns.1, -rhs.columns.2)
    }

    /// The matrix that first does `rhs`, then `lhs`.
    @inlinable
    public static func * (lhs: simd_float3x3, rhs: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(lhs * rhs.columns.0, lhs * rhs.columns.1, lhs * rhs.columns.2)
    }

    /// `rhs` as a column vector, mapped.
    @inlinable
    public static func * (lhs: simd_float3x3, rhs: SIMD3<Float>) -> SIMD3<Float> {
        lhs.columns.0 * rhs.x + lhs.columns.1 * rhs.y + lhs.columns.2 * rhs.z
    }

    /// `lhs` as a row vector, mapped.
    @inlinable
    public static func * (lhs: SIMD3<Float>, rhs: simd_float3x3) -> SIMD3<Float> { rhs.transpose * lhs }

    /// Every element times the number.
    @inlinable
    public static func * (lhs: Float, rhs: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(rhs.columns.0 * lhs, rhs.columns.1 * lhs, rhs.columns.2 * lhs)
    }

    /// Every element times the number.
    @inlinable
    public static func * (lhs: simd_float3x3, rhs: Float) -> simd_float3x3 { rhs * lhs }

    /// Adds element by element.
    @inlinable
    public static func += (lhs: inout simd_float3x3, rhs: simd_float3x3) { lhs = lhs + rhs }

    /// Subtracts element by element.
    @inlinable
    public static func -= (lhs: inout simd_float3x3, rhs: simd_float3x3) { lhs = lhs - rhs }

    /// The product takes the place of the left factor.
    @inlinable
    public static func *= (lhs: inout simd_float3x3, rhs: simd_float3x3) { lhs = lhs * rhs }

    /// Multiplies every element.
    @inlinable
    public static func *= (lhs: inout simd_float3x3, rhs: Float) { lhs = rhs * lhs }
}
