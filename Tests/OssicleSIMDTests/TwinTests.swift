import Foundation
import Testing

@Suite("Twins")
struct TwinTests {
    static let pairs = [
        ("Vectors/Makers+Float", "Vectors/Makers+Double"), ("Vectors/Geometry+Float", "Vectors/Geometry+Double"),
        ("Matrices/simd_float4x4", "Matrices/simd_double4x4"), ("Matrices/simd_float4x4+Algebra", "Matrices/simd_double4x4+Algebra"),
        ("Matrices/simd_float3x3", "Matrices/simd_double3x3"), ("Matrices/simd_float3x3+Algebra", "Matrices/simd_double3x3+Algebra"),
        ("Matrices/MatrixFunctions+Float", "Matrices/MatrixFunctions+Double"), ("Quaternions/simd_quatf", "Quaternions/simd_quatd"),
        ("Quaternions/simd_quatf+Algebra", "Quaternions/simd_quatd+Algebra"),
        ("Quaternions/QuaternionFunctions+Float", "Quaternions/QuaternionFunctions+Double"),
    ]

    @Test("The Double sources are the Float sources under other names, so that a correction reaches both", arguments: pairs)
    func same(float: String, double: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Sources/Facades/OssicleSIMD")
        let text = { try String(contentsOf: folder.appendingPathComponent($0 + ".swift").standardizedFileURL, encoding: .utf8) }
        let renamed = try text(float)
            .replacingOccurrences(of: "simd_float", with: "simd_double")
            .replacingOccurrences(of: "simd_make_float", with: "simd_make_double")
            .replacingOccurrences(of: "quatf", with: "quatd")
            .replacingOccurrences(of: "Float", with: "Double")
        // Where a literal would fit both, Float is meant.
        #expect(try renamed == text(double).replacingOccurrences(of: "@_disfavoredOverload ", with: ""))
    }
}
