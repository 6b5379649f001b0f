import Foundation
import OssicleSIMD
import Testing

@Suite("Matrices")
struct MatrixTests {
    let some = simd_float4x4(rows: [SIMD4(2, 0, 1, 3), SIMD4(-1, 4, 0, 2), SIMD4(0.5, 1, 3, -2), SIMD4(1, 0, -1, 5)])
    let small = simd_float3x3(rows: [SIMD3(2, 0, 1), SIMD3(-1, 4, 0), SIMD3(0.5, 1, 3)])

    @Test("Columns are stored, rows are read across them")
    func layout() {
        #expect(some.columns.3 == SIMD4(3, 2, -2, 5))
        #expect(some[3, 1] == 2)
        #expect(some[1] == SIMD4(0, 4, 1, 0))
        #expect(
            simd_matrix_from_rows(some.transpose[0], some.transpose[1], some.transpose[2], some.transpose[3]) == some)
        #expect(simd_float3x3(rows: [SIMD3(1, 2, 3)]).columns.1 == SIMD3(2, 0, 0))
    }

    @Test("A translation moves points and leaves directions alone")
    func translation() {
        var move = matrix_identity_float4x4
        move.columns.3 = SIMD4(1, 2, 3, 1)
        #expect(move * SIMD4(5, 5, 5, 1) == SIMD4(6, 7, 8, 1))
        #expect(matrix_multiply(move, SIMD4(5, 5, 5, 0)) == SIMD4(5, 5, 5, 0))
        #expect(move.inverse.columns.3 == SIMD4(-1, -2, -3, 1))
    }

    @Test("The product does the right factor first, and a row vector goes through the transpose")
    func product() {
        let turn = simd_float4x4(simd_quatf(angle: .pi / 2, axis: SIMD3(0, 0, 1)))
        let scale = simd_float4x4(diagonal: SIMD4(2, 1, 1, 1))
        let once = turn * scale * SIMD4(1, 0, 0, 1)
        #expect(simd_distance(once, SIMD4(0, 2, 0, 1)) < 1e-6)
        #expect(SIMD4(1, 2, 3, 4) * some == some.transpose * SIMD4(1, 2, 3, 4))
        #expect(simd_mul(small, SIMD3(1, 1, 1)) == SIMD3(3, 3, 4.5))
    }

    @Test("Determinants match the expansion by hand")
    func determinant() {
        #expect(abs(some.determinant - 30) < 1e-4)
        #expect(abs(small.determinant - 21) < 1e-5)
        #expect(simd_determinant(simd_double4x4(diagonal: SIMD4(1, 2, 3, 4))) == 24)
    }

    @Test("A matrix times its inverse is the identity to 1e-6 (Float) and 1e-15 (Double)")
    func inverse() {
        #expect(simd_almost_equal_elements(some * some.inverse, matrix_identity_float4x4, 1e-6))
        #expect(simd_almost_equal_elements(small.inverse * small, matrix_identity_float3x3, 1e-6))
        let fine = simd_double4x4(rows: [
            SIMD4(2, 0, 1, 3), SIMD4(-1, 4, 0, 2), SIMD4(0.5, 1, 3, -2), SIMD4(1, 0, -1, 5),
        ])
        #expect(simd_almost_equal_elements(fine * fine.inverse, matrix_identity_double4x4, 1e-15))
    }

    @Test("The inverse of a singular matrix is not finite, and nothing traps")
    func singular() {
        #expect(!simd_float4x4().inverse[0, 0].isFinite)
        #expect(!simd_float3x3().inverse[0, 0].isFinite)
    }

    @Test("Sums, differences and multiples go element by element")
    func linear() {
        #expect(some + some == 2 * some)
        #expect(some - some == simd_float4x4())
        #expect(-some + some == simd_float4x4())
        var sum = some
        sum += some
        sum -= some
        sum *= 3
        #expect(sum == simd_linear_combination(1, some, 2, some))
        sum *= matrix_identity_float4x4
        #expect(sum == matrix_scale(3, some))
    }

    @Test("Almost equal means every element, and NaN never is")
    func almostEqual() {
        var other = some
        other[2, 3] += 0.25
        #expect(simd_almost_equal_elements(some, other, 0.25))
        #expect(!simd_almost_equal_elements(some, other, 0.2))
        #expect(simd_almost_equal_elements_relative(some, other, 0.25))
        other[0, 0] = .nan
        #expect(!simd_almost_equal_elements(some, other, .infinity))
    }

    @Test("Indices outside read zero and write nothing")
    func outside() {
        var matrix = some
        matrix[4] = SIMD4(repeating: 9)
        matrix[0, -1] = 9
        #expect(matrix == some)
        #expect(matrix[7] == .zero)
        #expect(matrix[0, 4] == 0)
        #expect(simd_float4x4(Array(repeating: SIMD4(repeating: 1), count: 9))[3, 3] == 1)
    }

    @Test("Coding keeps every element, and too few columns are an error")
    func coding() throws {
        let data = try JSONEncoder().encode(some)
        #expect(try JSONDecoder().decode(simd_float4x4.self, from: data) == some)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(simd_float3x3.self, from: Data("[[1,2,3]]".utf8))
        }
    }

    @Test("Equal matrices hash alike and print their columns")
    func hashing() {
        #expect(Set([some, some, some.transpose]).count == 2)
        #expect(
            matrix_identity_float3x3.debugDescription
                == "simd_float3x3([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])")
    }
}
