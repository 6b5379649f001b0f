import OssicleSIMD
import Testing

/// A file that imports nothing but simd, as clients' files do.
@Suite struct ExportTests {
    @Test func `the mathematics of C comes with simd, beside the functions of vectors of the same names`() {
        #expect(
            sinf(0) == 0 && cosf(0) == 1 && powf(2, 10) == 1024 && sqrtf(9) == 3 && fabsf(-2) == 2 && atan2f(0, 1) == 0)
        #expect(
            floor(1.5) == 1 && ceil(Float(1.5)) == 2 && sqrt(4.0) == 2 && abs(-3) == 3 && min(1, 2) == 1
                && max(1.0, 2) == 2)
        #expect(fmod(7, 4) == 3 && exp(0.0) == 1 && log2(8.0) == 3 && M_PI == Double.pi)
        let vector = SIMD3<Float>(1.5, -2.5, 4)
        #expect(
            floor(vector) == SIMD3(1, -3, 4) && abs(vector) == SIMD3(1.5, 2.5, 4)
                && sqrt(SIMD2<Double>(4, 9)) == SIMD2(2, 3))
        #expect(min(vector, SIMD3(repeating: 0)) == SIMD3(0, -2.5, 0) && sign(vector) == SIMD3(1, -1, 1))
        #expect(length(SIMD2<Float>(3, 4)) == 5 && simd_length(SIMD2<Float>(3, 4)) == hypotf(3, 4))
    }
}
