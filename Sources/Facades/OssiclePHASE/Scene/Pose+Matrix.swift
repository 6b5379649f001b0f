import OssicleCore
import OssicleSIMD

extension Pose {
    /// What is wrong with a matrix as the transform of an object, as the end of a sentence; nil if nothing is.
    static func fault(in matrix: simd_float4x4) -> String? {
        let columns = [matrix.columns.0, matrix.columns.1, matrix.columns.2, matrix.columns.3]
        guard columns.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite && $0.w.isFinite }) else {
            return "it holds a value that is not finite; every element has to be a number."
        }
        let axes = columns.prefix(3).map { Vector(Double($0.x), Double($0.y), Double($0.z)) }
        let lengths = axes.map(\.magnitude)
        guard let shortest = lengths.min(), let longest = lengths.max(), shortest > 1e-6 else {
            return "an axis has no length; each of the first three columns has to be an axis."
        }
        guard longest / shortest < 1.001 else { return "its axes are scaled by \(shortest) to \(longest); the scale has to be uniform." }
        let skew = max(abs(axes[0].dot(axes[1])), abs(axes[1].dot(axes[2])), abs(axes[2].dot(axes[0]))) / (longest * longest)
        guard axes[0].cross(axes[1]).dot(axes[2]) > 0 else { return "its axes are a mirror image; they have to be right-handed." }
        guard skew < 1e-3 else { return "its axes are not at right angles (cosine \(skew)); they have to be orthogonal." }
        return nil
    }

    /// From a matrix that has passed `fault(in:)`; lengths in the client's units become metres.
    init(checked matrix: simd_float4x4, unitsPerMeter: Double) {
        let (right, up, back) = (Vector(matrix.columns.0), Vector(matrix.columns.1), Vector(matrix.columns.2))
        self.init(position: Vector(matrix.columns.3) / unitsPerMeter,
                  right: right.direction ?? Vector(1, 0, 0), up: up.direction ?? Vector(0, 1, 0), back: back.direction ?? Vector(0, 0, 1),
                  scale: right.magnitude / unitsPerMeter)
    }
}

extension Vector {
    init(_ column: simd_float4) { self.init(Double(column.x), Double(column.y), Double(column.z)) }
}
