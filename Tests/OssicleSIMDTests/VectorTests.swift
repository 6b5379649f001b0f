import OssicleSIMD
import Testing

@Suite("Vectors")
struct VectorTests {
    let a = SIMD3<Float>(1, 2, 2), b = SIMD3<Float>(-2, 0, 4)

    @Test("Lengths, products and distances match the sums by hand")
    func geometry() {
        #expect(length(a) == 3)
        #expect(simd_length_squared(a) == 9)
        #expect(dot(a, b) == 6)
        #expect(cross(a, b) == SIMD3(8, -8, 4))
        #expect(simd_distance(a, b) == Float(17).squareRoot())
        #expect(abs(length(normalize(b)) - 1) < 1e-7)
        #expect(simd_dot(SIMD4<Double>(1, 2, 3, 4), SIMD4(4, 3, 2, 1)) == 20)
        #expect(length(SIMD2<Double>(3, 4)) == 5)
        #expect(reflect(SIMD3(1, -1, 0), n: SIMD3<Float>(0, 1, 0)) == SIMD3(1, 1, 0))
        #expect(project(a, SIMD3(0, 3, 0)) == SIMD3(0, 2, 0))
    }

    @Test("Normalising zero gives NaN, as the C function does")
    func zero() {
        #expect(normalize(SIMD3<Float>.zero).x.isNaN)
    }

    @Test("Short arguments are filled with zeros, long ones are cut")
    func makers() {
        #expect(simd_make_float3(7) == SIMD3(7, 0, 0))
        #expect(simd_make_float4(a) == SIMD4(1, 2, 2, 0))
        #expect(simd_make_float2(a) == SIMD2(1, 2))
        #expect(simd_make_float4(SIMD2(1, 2), SIMD2(3, 4)) == SIMD4(1, 2, 3, 4))
        #expect(simd_make_float3(1, SIMD2(2, 3)) == vector3(1, 2, 3))
        #expect(simd_make_double2(1, 2) == SIMD2(1, 2))
        #expect(vector3(1, 2, 3) == simd_make_uint3(1, 2, 3))
        #expect(vector4(vector3(SIMD2<Float>(1, 2), 3), 4) == SIMD4(1, 2, 3, 4))
    }

    @Test("Lanes are mixed, limited and reduced one by one")
    func lanes() {
        #expect(mix(a, b, t: 0.5) == SIMD3(-0.5, 1, 3))
        #expect(simd_mix(a, b, SIMD3(0, 1, 0.5)) == SIMD3(1, 0, 3))
        #expect(clamp(b, min: -1, max: 1) == SIMD3(-1, 0, 1))
        #expect(simd_clamp(b, SIMD3(-1, 1, 0), SIMD3(0, 2, 3)) == SIMD3(-1, 1, 3))
        #expect(simd_min(a, b) == SIMD3(-2, 0, 2))
        #expect(max(a, b) == SIMD3(1, 2, 4))
        #expect(abs(b) == SIMD3(2, 0, 4))
        #expect(sign(b) == SIMD3(-1, 0, 1))
        #expect(reduce_add(a) == 5)
        #expect(reduce_add(SIMD4<Int32>(1, 2, 3, .max)) == Int32.min + 5)
        #expect(reduce_min(b) == -2)
        #expect(step(b, edge: SIMD3(0, 0, 5)) == SIMD3(0, 1, 0))
        #expect(smoothstep(SIMD2<Float>(0.5, 3), edge0: SIMD2(0, 0), edge1: SIMD2(1, 1)) == SIMD2(0.5, 1))
        #expect(fract(SIMD2<Float>(-0.25, 1.5)) == SIMD2(0.75, 0.5))
        #expect(simd_clamp(Float(3), 0, 1) == 1)
    }
}
