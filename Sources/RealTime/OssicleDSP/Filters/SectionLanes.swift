/// Twelve lanes as three vectors of four: the ten sections of a `BandEqualizer` without the idle work of a sixteen-lane vector.
struct SectionLanes: BitwiseCopyable {
    private var a, b, c: SIMD4<Float>

    @inline(__always)
    private init(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>) { (self.a, self.b, self.c) = (a, b, c) }

    /// The first twelve of sixteen.
    @inline(__always)
    init(_ v: SIMD16<Float>) { self.init(v.lowHalf.lowHalf, v.lowHalf.highHalf, v.highHalf.lowHalf) }

    @inline(__always)
    static var zero: Self { Self(.zero, .zero, .zero) }

    /// 0, 1, 2 … 11.
    @inline(__always)
    static var numbers: Self { Self(SIMD4(0, 1, 2, 3), SIMD4(4, 5, 6, 7), SIMD4(8, 9, 10, 11)) }

    @inline(__always)
    static func + (l: Self, r: Self) -> Self { Self(l.a + r.a, l.b + r.b, l.c + r.c) }

    @inline(__always)
    static func - (l: Self, r: Self) -> Self { Self(l.a - r.a, l.b - r.b, l.c - r.c) }

    @inline(__always)
    static func * (l: Self, r: Self) -> Self { Self(l.a * r.a, l.b * r.b, l.c * r.c) }

    /// (offset − lane number) · scale.
    @inline(__always)
    static func countdown(from offset: Float, times scale: Float) -> Self {
        let n = numbers
        return Self((offset - n.a) * scale, (offset - n.b) * scale, (offset - n.c) * scale)
    }

    /// Lane 9, where the last section's output is.
    @inline(__always)
    var tenth: Float { c.y }

    @inline(__always)
    var isFinite: Bool { (a + b + c).sum().isFinite }

    /// Every lane moves up by one; lane 0 gets `scalar`.
    @inline(__always)
    func shiftedUp(inserting scalar: Float) -> Self {
        Self(SIMD4(scalar, a.x, a.y, a.z), SIMD4(a.w, b.x, b.y, b.z), SIMD4(b.w, c.x, c.y, c.z))
    }

    /// The lanes numbered above `low` and up to `high` replaced.
    @inline(__always)
    func replacing(with other: Self, above low: Float, upTo high: Float) -> Self {
        let n = Self.numbers
        return Self(a.replacing(with: other.a, where: (n.a .> low) .& (n.a .<= high)),
                    b.replacing(with: other.b, where: (n.b .> low) .& (n.b .<= high)),
                    c.replacing(with: other.c, where: (n.c .> low) .& (n.c .<= high)))
    }
}
