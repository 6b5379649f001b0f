import OssicleCore

/// A complex amplitude at four frequencies, as a rule the tones of a band (`OctaveTone`).
struct Tones: BitwiseCopyable {
    var real: SIMD4<Double>
    var imaginary: SIMD4<Double>

    static let zero = Tones(real: .zero, imaginary: .zero)
    static let one = Tones(real: SIMD4(repeating: 1), imaginary: .zero)

    /// The mean of |a|².
    @inline(__always) var energy: Double {
        let energy = real * real + imaginary * imaginary
        return (energy.x + energy.y + energy.z + energy.w) / 4
    }

    @inline(__always) static func + (a: Tones, b: Tones) -> Tones {
        Tones(real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
    }
    @inline(__always) static func * (a: Tones, b: Tones) -> Tones {
        Tones(
            real: a.real * b.real - a.imaginary * b.imaginary, imaginary: a.real * b.imaginary + a.imaginary * b.real)
    }
    @inline(__always) static func * (a: Tones, b: Phasor) -> Tones {
        Tones(
            real: a.real * b.real - a.imaginary * b.imaginary, imaginary: a.real * b.imaginary + a.imaginary * b.real)
    }
    @inline(__always) static func * (a: Tones, b: Double) -> Tones {
        Tones(real: a.real * b, imaginary: a.imaginary * b)
    }
    @inline(__always) static func += (a: inout Tones, b: Tones) { a = a + b }
    @inline(__always) static func - (a: Tones, b: Tones) -> Tones {
        Tones(real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
    }

    /// a*/(|a|² + least), 1/a where a is not small.
    @inline(__always) func inverse(least: Double) -> Tones {
        let energy = real * real + imaginary * imaginary + least
        return Tones(real: real / energy, imaginary: imaginary / -energy)
    }
}

extension [Tones] {
    /// - Parameter body: gets four real and then four imaginary parts of each, if there are any.
    @inline(__always) mutating func withValues(_ body: (UnsafeMutablePointer<Double>) -> Void) {
        withUnsafeMutableBytes { values in
            if let values = values.bindMemory(to: Double.self).baseAddress { body(values) }
        }
    }
}

/// e^(−jφ) at the tones of one band after another: φ is in proportion to the frequency, so that each band turns twice as
/// far as the one below it, and the sines are those of twice the angle. Ten octaves lose some 1e-13.
struct ToneTurn: BitwiseCopyable {
    private(set) var sine: SIMD4<Double>
    private(set) var cosine: SIMD4<Double>

    /// - Parameter angle: φ at the centre of the lowest band, radians.
    init(_ angle: Double) {
        (sine, cosine) = DeterministicMath.sincos(OctaveTone.factors * OctaveTone.factors * angle)
    }

    /// To the next band.
    @inline(__always) mutating func rise() {
        (sine, cosine) = (2 * sine * cosine, cosine * cosine - sine * sine)
    }

    /// - Parameter body: gets the sines and then the cosines.
    @inline(__always) func withValues(_ body: (UnsafePointer<Double>) -> Void) {
        withUnsafeBytes(of: self) { body($0.bindMemory(to: Double.self).baseAddress!) }
    }

    /// a e^(−jφ).
    @inline(__always) func turned(_ real: SIMD4<Double>, _ imaginary: SIMD4<Double>) -> Tones {
        Tones(real: real * cosine + imaginary * sine, imaginary: imaginary * cosine - real * sine)
    }
}

extension FresnelTail {
    /// (1 + j)/2 (g − jf) e^(−jφ) of four u.
    @inline(__always) static func beyond(_ u: SIMD4<Double>, _ turn: ToneTurn) -> Tones {
        let (f, g) = (f(u), g(u))
        return turn.turned((g + f) * 0.5, (g - f) * 0.5)
    }
}

/// F(ν) of an edge, what goes by beyond it, one band after another.
struct EdgeTail: BitwiseCopyable {
    /// ν√(wavelength), below 0 where the path itself goes by beyond it.
    let place: Double
    private var turn: ToneTurn

    /// - Parameter wavelength: at the centre of the lowest band.
    init(_ place: Double, _ wavelength: Double) {
        self.place = place
        turn = ToneTurn(place * place / wavelength * (DeterministicMath.pi / 2))
    }

    /// Of the next band.
    /// - Parameter root: 1/√(wavelength).
    mutating func beyond(_ root: Double) -> Tones {
        let tail = FresnelTail.beyond(OctaveTone.factors * (place.magnitude * root), turn)
        turn.rise()
        return place < 0 ? Tones.one - tail : tail
    }
}
