import COssicle
import OssicleCore

/// What a rigid wedge sends around its edge: the uniform theory of diffraction of Kouyoumjian and Pathak (1974).
///
/// With n the openness, φ′ and φ the angles of source and receiver about the edge, ψ = φ ∓ φ′, k the wave number and
/// L = s s′/(s + s′) sin²β, the sound by way of the edge re the open field at the same length s + s′ is
///
///     −e^(−jπ/4) / (2n √(2πkL)) · Σ cot((π ± ψ)/2n) F(kL a±(ψ))       a± = 2 cos²((2πnN± − ψ)/2),  N± the integer nearest to (ψ ± π)/2πn
///
/// F(x) = √(2πx) (f(u) + j g(u)) with u = √(2x/π) and the functions of `FresnelTail`. The roots cancel, and what is
/// left,
///
///     −e^(−jπ/4) Σ c (f(u) + j g(u))       c = cot((π ± ψ)/2n) |cos((2πnN± − ψ)/2)| / (√2 n),  u = 2 √(kL/π) |cos((2πnN± − ψ)/2)|,
///
/// is finite everywhere: at a boundary of shadow or reflection c is ±1/√2 and the term ±½, which makes up for the half
/// that is lost.
struct UTD: BitwiseCopyable {
    /// c: two terms of the direct sound, two of what the faces reflect.
    let weights: SIMD4<Double>
    /// u/√(kL).
    let arguments: SIMD4<Double>

    /// - Parameters: openness: n. - from, to: φ′ and φ, 0…nπ.
    init(openness n: Double, from: Double, to: Double) { self.init(openness: n, to - from, to + from) }

    /// - Parameters: one, two: ψ of the first two terms and of the others.
    fileprivate init(openness n: Double, _ one: Double, _ two: Double) {
        var (weights, arguments) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        weights.withScalars { weights in
            arguments.withScalars { ossicle_wedge(n, one, two, weights, $0) }
        }
        (self.weights, self.arguments) = (weights, arguments)
    }

    /// The sound by way of the edge, the travelled length's phase left out.
    /// - Parameter kL: above 0.
    @inline(__always) func amplitude(_ kL: Double) -> Phasor { sum(arguments * kL.squareRoot(), weights) }

    /// The same with less of what the faces reflect, and none of it where a face's reflection begins: there these terms
    /// make up for a path that others compute, and would jump without it.
    /// - Parameter shares: what counts of the first face's reflection and of the second's.
    func amplitude(_ kL: Double, reflecting shares: SIMD2<Double>) -> Phasor {
        let u = arguments * kL.squareRoot()
        // x = πu²/2 from 0 to ½ fades in.
        var share = (u * u * DeterministicMath.pi).clamped(lowerBound: .zero, upperBound: .one)
        share = share * share * (3 - 2 * share)
        return sum(u, weights * SIMD4(1, 1, share.z * shares.y, share.w * shares.x))
    }

    @inline(__always) private func sum(_ u: SIMD4<Double>, _ weights: SIMD4<Double>) -> Phasor {
        let (f, g) = (FresnelTail.f(u) * weights, FresnelTail.g(u) * weights)
        let (re, im) = (f.x + f.y + f.z + f.w, g.x + g.y + g.z + g.w)
        // Times −e^(−jπ/4).
        let half = 0.5.squareRoot()
        return Phasor(real: -(re + im) * half, imaginary: (re - im) * half)
    }
}

/// `UTD` where the sound comes or leaves along a face: the reflected terms are the direct ones once more.
struct GrazingUTD: BitwiseCopyable {
    /// c, of both terms of either kind together.
    let weights: SIMD2<Double>
    /// u/√(kL).
    let arguments: SIMD2<Double>

    /// Along either face of a wedge.
    /// - Parameters: openness: n. - angle: from the first face to the other direction, 0…nπ.
    static func alongFaces(openness n: Double, angle: Double) -> (first: GrazingUTD, second: GrazingUTD) {
        let both = UTD(openness: n, angle, n * DeterministicMath.pi - angle)
        let weights = 2 * both.weights
        return (
            GrazingUTD(weights: weights.lowHalf, arguments: both.arguments.lowHalf),
            GrazingUTD(weights: weights.highHalf, arguments: both.arguments.highHalf)
        )
    }
}

/// A complex amplitude.
struct Phasor: BitwiseCopyable {
    var real: Double
    var imaginary: Double

    static let zero = Phasor(real: 0, imaginary: 0)
    static let one = Phasor(real: 1, imaginary: 0)

    var energy: Double { real * real + imaginary * imaginary }
    var magnitude: Double { energy.squareRoot() }

    static func + (a: Phasor, b: Phasor) -> Phasor {
        Phasor(real: a.real + b.real, imaginary: a.imaginary + b.imaginary)
    }
    static func - (a: Phasor, b: Phasor) -> Phasor {
        Phasor(real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
    }
    static func * (a: Phasor, b: Phasor) -> Phasor {
        Phasor(
            real: a.real * b.real - a.imaginary * b.imaginary, imaginary: a.real * b.imaginary + a.imaginary * b.real)
    }
    static func * (a: Phasor, b: Double) -> Phasor { Phasor(real: a.real * b, imaginary: a.imaginary * b) }

    /// Later by `angle` radians.
    func delayed(by angle: Double) -> Phasor {
        let (s, c) = DeterministicMath.sincos(angle)
        return Phasor(real: real * c + imaginary * s, imaginary: imaginary * c - real * s)
    }
}

/// The octave centres in one medium.
struct WaveNumbers: Sendable {
    /// Metres.
    let wavelengths: [Double]
    /// Radians per metre.
    let numbers: [Double]

    init(_ medium: Medium) {
        wavelengths = (0..<OctaveBands.count).map { medium.speedOfSound / OctaveBands.centre($0) }
        numbers = wavelengths.map { 2 * DeterministicMath.pi / $0 }
    }

    /// One value for each band.
    @inline(__always) func bands(_ value: (_ wavelength: Double, _ number: Double) -> Double) -> OctaveBands {
        var result = OctaveBands.zeros
        for band in 0..<OctaveBands.count { result[band] = Float(value(wavelengths[band], numbers[band])) }
        return result
    }
}

/// What is left of a Fresnel integral from u on, without its spin: ∫_u^∞ e^(−jπt²/2) dt = (g − jf) e^(−jπu²/2).
///
/// f and g are the auxiliary functions of Abramowitz and Stegun, section 7.3, here as quotients of polynomials fitted
/// to the Faddeeva function so that they are exact at 0 and run out as 1/(πu) and 1/(π²u³): within 6e-5 and 7e-4 of
/// their own size for every u ≥ 0.
enum FresnelTail {
    @inline(__always) static func f(_ u: SIMD4<Double>) -> SIMD4<Double> {
        var above = u * 0.6616249581941006 + 0.45234048798453097
        above = above * u + 1.2352812776910107
        above = above * u + 1
        var below = u * 2.0785561080942405 + 1.4144504120131647
        below = below * u + 4.001629942418697
        below = below * u + 2.4712484840304922
        below = below * u + 2
        return above / below
    }

    @inline(__always) static func g(_ u: SIMD4<Double>) -> SIMD4<Double> {
        let above = (u * 0.5665711522891401 - 0.05610352556037999) * u + 1
        var low = u * 8.306299473872873 + 5.0277451819049
        low = low * u + 3.9451284509549827
        low = low * u + 2
        let u2 = u * u
        let high = u * 5.5918331381631665 - 0.4198906209098701
        return above / (low + high * (u2 * u2))
    }

    /// f² + g²: half where the integral begins in its middle.
    @inline(__always) static func energy(_ u: SIMD4<Double>) -> SIMD4<Double> {
        let (f, g) = (f(u), g(u))
        return f * f + g * g
    }
}

/// What an octave band leaves of the interference of two paths.
///
/// Two paths that differ by a detour δ go in and out of step within a band of width f/√2, so that of their interference
/// sinc(πN/2√2) is left, N = 2δ/λ; here the bell curve of the same top, e^(−(πN/2√2)²/6): 0.8 at N = 1, 0.04 at N = 4.
enum OctaveBlur {
    /// - Parameter n: N at the band's centre.
    @inline(__always) static func left(ofRings n: Double) -> Double {
        let turn = DeterministicMath.pi * n / 8.0.squareRoot()
        return turn < 6 ? DeterministicMath.exp(-turn * turn / 6) : 0
    }
}
