import OssicleCore

/// Sixteen directions from which mutually incoherent signals make a diffuse field of order 3.
///
/// As many signals as the field has channels, because in an isotropic field all of these (in N3D weights) are
/// incoherent and equally strong: E = 4 U with U orthogonal. Sixteen directions whose harmonics are orthogonal do not
/// exist. Those here were found by minimising |YYᵀ/16 − 1|², and U is the orthogonal matrix nearest to Y/4: as many
/// equal signals are an isotropic field exactly, and a single one comes from its direction as nearly as that allows.
package enum DiffuseDirections {
    package static let count = 16

    /// Unit vectors, in the head's axes (x right, y up, z back).
    package static let all: [Vector] = [
        Vector(-0.3560, -0.6968, 0.6227), Vector(0.1626, 0.2547, -0.9533), Vector(0.4550, -0.8291, 0.3250),
        Vector(-0.6484, 0.3870, -0.6556), Vector(0.0506, 0.9565, -0.2872), Vector(0.5667, -0.5599, -0.6044),
        Vector(-0.7677, 0.6282, 0.1267), Vector(0.9611, -0.1861, 0.2039), Vector(-0.0827, 0.7507, 0.6554),
        Vector(-0.3722, -0.4246, -0.8253), Vector(0.8109, 0.3707, -0.4528), Vector(-0.2300, -0.9516, -0.2038),
        Vector(0.3313, -0.0838, 0.9398), Vector(-0.6174, 0.0714, 0.7834), Vector(-0.9486, -0.3127, -0.0482),
        Vector(0.6849, 0.6255, 0.3737),
    ].map { $0 / $0.magnitude }

    /// Channels in ACN order and SN3D weights of a signal from each direction. Signals of a sixteenth of a power make a
    /// field of that power. Control side.
    package static let encoders: [SIMD16<Float>] = patterns.map { 4 * $0 / SIMD16<Float>(scales) }

    private static let scales =
        SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder).squareRoot()

    /// The orthogonal matrix U, in N3D weights: a row for each direction.
    package static let patterns: [SIMD16<Float>] = {
        var rows = all.map { SphericalHarmonics.values($0) * scales / 4 }
        // The nearest orthogonal matrix: X ← (3 X − X Xᵀ X) / 2 (Björck and Bowie 1971).
        for _ in 0..<20 {
            let products = rows.map { row in rows.map { (row * $0).sum() } }
            rows = rows.indices.map { index in
                zip(products[index], rows).reduce(1.5 * rows[index]) { $0 - 0.5 * $1.0 * $1.1 }
            }
        }
        return rows.map { SIMD16<Float>($0) }
    }()
}
