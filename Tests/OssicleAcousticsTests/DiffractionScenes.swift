@testable import OssicleAcoustics
import Foundation
import OssicleCore

extension Meshes {
    /// A sheet in the plane z = 0 from flat rectangles that share their corners' places, but no vertices.
    static func sheet(_ rectangles: [(x: ClosedRange<Double>, y: ClosedRange<Double>)]) -> TriangleMesh {
        joined(
            rectangles.map { r in
                TriangleMesh(
                    vertices: [
                        Vector(r.x.lowerBound, r.y.lowerBound, 0), Vector(r.x.upperBound, r.y.lowerBound, 0),
                        Vector(r.x.upperBound, r.y.upperBound, 0), Vector(r.x.lowerBound, r.y.upperBound, 0),
                    ],
                    triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
            })
    }

    /// A wall 8 m by 3 m in z = 0 with a door 0.9 m by 2.1 m in its middle, cut so that all triangles meet corner to
    /// corner.
    static let doorSheet = sheet([
        (-4 ... -0.45, 0...2.1), (-4 ... -0.45, 2.1...3), (-0.45...0.45, 2.1...3), (0.45...4, 2.1...3),
        (0.45...4, 0...2.1),
    ])

    /// The same of three boxes, 0.2 m thick.
    static let doorBoxes = [
        box(Vector(3.55, 3, 0.2), at: Vector(-2.225, 1.5, 0)), box(Vector(3.55, 3, 0.2), at: Vector(2.225, 1.5, 0)),
        box(Vector(0.9, 0.9, 0.2), at: Vector(0, 2.55, 0)),
    ]

    /// Above and below the walls with the door, so that nothing passes there.
    static let floorAndCeiling = [
        Occluder(box(Vector(12, 0.2, 20), at: Vector(0, -0.1, 0)), id: 98),
        Occluder(box(Vector(12, 0.2, 20), at: Vector(0, 3.1, 0)), id: 99),
    ]

    static func box(from lower: Vector, to upper: Vector) -> TriangleMesh {
        box(upper - lower, at: (lower + upper) * 0.5)
    }
}

extension DiffractionSolver where Tracer == PortableTracer {
    init(_ occluders: Occluder...) { self.init(tracer: PortableTracer(AcousticScene(occluders: occluders))) }
}

extension SoundPath {
    /// dB re the open field over `distance` metres.
    func levels(over distance: Double) -> [Double] {
        bandGains.values.map { Decibels.of(amplitude: Double($0) * distance / length) }
    }
}

/// A complex number for the oracles.
struct Complex {
    var re: Double
    var im: Double

    static func + (a: Complex, b: Complex) -> Complex { Complex(re: a.re + b.re, im: a.im + b.im) }
    static func - (a: Complex, b: Complex) -> Complex { Complex(re: a.re - b.re, im: a.im - b.im) }
    static func * (a: Complex, b: Complex) -> Complex {
        Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
    }
    static func * (a: Complex, b: Double) -> Complex { Complex(re: a.re * b, im: a.im * b) }
    static func / (a: Complex, b: Complex) -> Complex {
        let d = b.re * b.re + b.im * b.im
        return Complex(re: (a.re * b.re + a.im * b.im) / d, im: (a.im * b.re - a.re * b.im) / d)
    }

    var magnitude: Double { (re * re + im * im).squareRoot() }
    var cosh: Complex {
        Complex(re: Foundation.cosh(re) * Foundation.cos(im), im: Foundation.sinh(re) * Foundation.sin(im))
    }
    var exp: Complex {
        Complex(re: Foundation.exp(re) * Foundation.cos(im), im: Foundation.exp(re) * Foundation.sin(im))
    }
    var root: Complex {
        let size = magnitude.squareRoot()
        let angle = Foundation.atan2(im, re) / 2
        return Complex(re: size * Foundation.cos(angle), im: size * Foundation.sin(angle))
    }
}

extension EdgeOracle {
    /// Two endless parallel right-angled edges with a face between them, source and listener in one plane across:
    /// second order of Svensson, Fred and Vanderkooy (1999), ½ (ν/4π)² ∫∫ β β e^(−jk(l₀+l₁+l₂)) / (l₀ l₁ l₂) dz₁ dz₂,
    /// the ends faded out. Re the open field at the shortest length.
    /// - Parameters: thetaS, thetaR: from the face between.
    static func pair(
        _ rS: Double, _ thetaS: Double, _ thetaR: Double, _ rR: Double, apart e: Double, number k: Double
    ) -> Double {
        let nu = 2.0 / 3
        let (reach, step) = (14.0, min(2 * Double.pi / k / 9, 0.1))
        let count = Int(reach / step)
        func beta(_ eta: Double, _ theta: Double) -> Double {
            let spread = cosh(nu * acosh(max(eta, 1)))
            return [Double.pi + theta, .pi - theta].reduce(0) { $0 + 2 * sin(nu * $1) / (spread - cos(nu * $1)) }
        }
        func taper(_ z: Double) -> Double {
            abs(z) < reach / 2 ? 1 : 0.5 + 0.5 * cos(.pi * (abs(z) - reach / 2) / (reach / 2))
        }
        var (re, im) = (0.0, 0.0)
        for i in -count...count {
            let z1 = Double(i) * step
            let l0 = (rS * rS + z1 * z1).squareRoot()
            for j in -count...count {
                let z2 = Double(j) * step
                let (l1, l2) = ((e * e + (z1 - z2) * (z1 - z2)).squareRoot(), (rR * rR + z2 * z2).squareRoot())
                let first = beta((l0 * l1 + z1 * (z1 - z2)) / (rS * e), thetaS)
                let second = beta((l1 * l2 + (z2 - z1) * z2) / (e * rR), thetaR)
                let size = first * second * taper(z1) * taper(z2) / (l0 * l1 * l2)
                re += size * cos(k * (l0 + l1 + l2))
                im -= size * sin(k * (l0 + l1 + l2))
            }
        }
        let scale = 0.5 * (nu / (4 * .pi)) * (nu / (4 * .pi)) * step * step * (rS + e + rR)
        return scale * (re * re + im * im).squareRoot()
    }
}

/// Biot, Tolstoy, Medwin and Svensson: the exact field of an endless rigid wedge, by numerical integration.
enum EdgeOracle {
    /// −(ν/2π) ∫₀^∞ β e^(−jkL)/L dη. The way of integration leaves the real axis downwards, where the integrand dies
    /// away instead of turning ever faster; no pole lies between.
    static func field(
        openness n: Double, from thetaS: Double, to thetaR: Double, _ rS: Double, _ rR: Double, along z: Double,
        number k: Double
    ) -> Complex {
        let nu = 1 / n
        var sum = Complex(re: 0, im: 0)
        let steps = 8000
        for step in 0..<steps {
            let u = (Double(step) + 0.5) / Double(steps)
            let t = 14 * u * u * u
            let dt = 42 * u * u / Double(steps)
            let eta = Complex(re: t, im: -0.8 * tanh(t))
            let slope = Complex(re: 1, im: -0.8 / (cosh(t) * cosh(t)))
            let length = (eta.cosh * (2 * rS * rR) + Complex(re: rS * rS + rR * rR + z * z, im: 0)).root
            var beta = Complex(re: 0, im: 0)
            for (a, b) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
                let phi = Double.pi + a * thetaS + b * thetaR
                beta = beta + Complex(re: sin(nu * phi), im: 0) / ((eta * nu).cosh - Complex(re: cos(nu * phi), im: 0))
            }
            let spin = (Complex(re: 0, im: -k) * length).exp
            sum = sum + beta * spin * slope / length * dt
        }
        return sum * (-nu / (2 * Double.pi))
    }
}
