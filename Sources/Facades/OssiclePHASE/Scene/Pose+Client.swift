// Poses from the matrices and quaternions of clients.

import OssicleCore
import OssicleSIMD

extension Pose {
    /// What is wrong with a matrix as the transform of an object, as the end of a sentence; nil if nothing is.
    static func fault(in matrix: simd_float4x4) -> String? {
        let columns = (matrix.columns.0, matrix.columns.1, matrix.columns.2, matrix.columns.3)
        guard columns.0.isFinite, columns.1.isFinite, columns.2.isFinite, columns.3.isFinite else {
            return "it holds a value that is not finite; every element has to be a number."
        }
        let (right, up, back) = (Vector(columns.0), Vector(columns.1), Vector(columns.2))
        let lengths = (right.magnitude, up.magnitude, back.magnitude)
        let (shortest, longest) = (min(lengths.0, lengths.1, lengths.2), max(lengths.0, lengths.1, lengths.2))
        guard shortest > 1e-6 else {
            return "an axis has no length; each of the first three columns has to be an axis."
        }
        guard longest / shortest < 1.001 else {
            return "its axes are scaled by \(shortest) to \(longest); the scale has to be uniform."
        }
        let skew = max(abs(right.dot(up)), abs(up.dot(back)), abs(back.dot(right))) / (longest * longest)
        guard right.cross(up).dot(back) > 0 else {
            return "its axes are a mirror image; they have to be right-handed."
        }
        guard skew < 1e-3 else {
            return "its axes are not at right angles (cosine \(skew)); they have to be orthogonal."
        }
        return nil
    }

    /// From a matrix that has passed `fault(in:)`; lengths in the client's units become metres.
    init(checked matrix: simd_float4x4, unitsPerMeter: Double) {
        let (right, up, back) = (Vector(matrix.columns.0), Vector(matrix.columns.1), Vector(matrix.columns.2))
        self.init(
            position: Vector(matrix.columns.3) / unitsPerMeter,
            right: right.direction ?? Vector(1, 0, 0), up: up.direction ?? Vector(0, 1, 0),
            back: back.direction ?? Vector(0, 0, 1),
            scale: right.magnitude / unitsPerMeter)
    }

    /// Axes of a bed turned by `orientation`. A quaternion without a direction (zero or not finite) turns nothing.
    init(orientation: simd_quatf) {
        let vector = SIMD4<Double>(orientation.vector)
        let length = (vector * vector).sum().squareRoot()
        guard length.isFinite, length > 1e-12 else {
            self.init()
            return
        }
        let (axis, real) = (Vector(vector.x, vector.y, vector.z) / length, vector.w / length)
        func turned(_ v: Vector) -> Vector { v + axis.cross(axis.cross(v) + v * real) * 2 }
        self.init(right: turned(Vector(1, 0, 0)), up: turned(Vector(0, 1, 0)), back: turned(Vector(0, 0, 1)))
    }
}

extension simd_float4 {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}

extension Vector {
    init(_ column: simd_float4) { self.init(Double(column.x), Double(column.y), Double(column.z)) }
}
