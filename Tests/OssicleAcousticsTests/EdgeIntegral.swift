@testable import OssicleAcoustics
import Foundation
import OssicleCore

/// One edge of finite length of a rigid wedge, as an oracle: Biot, Tolstoy and Medwin's sound by way of it as the
/// integral over secondary sources of Svensson, Fred and Vanderkooy, JASA 106, 2331 (1999),
///
///     H = −(ν/4π) ∫ β e^(−jk(m+l)) / (m l) dz        β = Σ sin νφ / (cosh νη − cos νφ),  φ = π ± θ_S ± θ_R,
///     cosh η = (m l + (z − z_S)(z − z_R)) / (r_S r_R),  ν = 1/n,  m and l the distances of the place z from source and listener
struct EdgeIntegral {
    let start: Vector
    let end: Vector
    /// Unit, from the edge into the first face, and from there into the open.
    let inward: Vector
    let across: Vector
    var openness = 2.0

    /// What the places of the edge send from one point to another: by the way's length, fine where β has its peak.
    struct Contributions {
        var lengths: [Double] = []
        var sizes: [Double] = []

        /// A phasor for a source of amplitude 1 at 1 m.
        func field(_ number: Double) -> Complex {
            var (re, im) = (0.0, 0.0)
            for (length, size) in zip(lengths, sizes) {
                re += size * cos(number * length)
                im -= size * sin(number * length)
            }
            return Complex(re: re, im: im)
        }
    }

    /// - Parameter steps: places.
    func contributions(_ source: Vector, _ listener: Vector, steps: Int) -> Contributions {
        let length = (end - start).magnitude
        let axis = (end - start) / length
        func seen(_ p: Vector) -> (r: Double, theta: Double, z: Double) {
            let (x, y) = ((p - start).dot(inward), (p - start).dot(across))
            let theta = atan2(y, x)
            return (hypot(x, y), theta < -1e-12 ? theta + 2 * .pi : max(theta, 0), (p - start).dot(axis))
        }
        let (s, r) = (seen(source), seen(listener))
        let nu = 1 / openness
        // z = apex + w sinh t puts the places close together where both ends' angles to the edge are equal.
        let apex = (s.z * r.r + r.z * s.r) / (s.r + r.r)
        let w = 0.001 * s.r * r.r / (s.r + r.r)
        let (low, high) = (asinh(-apex / w), asinh((length - apex) / w))
        let step = (high - low) / Double(steps)
        var result = Contributions()
        for index in 0..<steps {
            let t = low + (Double(index) + 0.5) * step
            let z = apex + w * sinh(t)
            let (m, l) = (hypot(s.r, z - s.z), hypot(r.r, z - r.z))
            let eta = acosh(max((m * l + (z - s.z) * (z - r.z)) / (s.r * r.r), 1))
            let spread = 2 * sinh(nu * eta / 2) * sinh(nu * eta / 2)
            let beta = [s.theta + r.theta, s.theta - r.theta, r.theta - s.theta, -s.theta - r.theta].reduce(0.0) {
                sum, aside in
                let phi = nu * (.pi + aside)
                return sum + sin(phi) / (spread + 2 * sin(phi / 2) * sin(phi / 2))
            }
            result.lengths.append(m + l)
            result.sizes.append(-nu / (4 * .pi) * beta / (m * l) * w * cosh(t) * step)
        }
        return result
    }
}

/// A rigid sheet in z = 0: a rectangle around the origin, or an endless wall with a hole of that shape.
struct FiniteSheet {
    let width: Double
    let height: Double
    var isHole = false

    var edges: [EdgeIntegral] {
        let corners = [
            Vector(-width, -height, 0), Vector(width, -height, 0), Vector(width, height, 0), Vector(-width, height, 0),
        ].map { $0 * 0.5 }
        let inward = [Vector(0, 1, 0), Vector(-1, 0, 0), Vector(0, -1, 0), Vector(1, 0, 0)]
        return (0..<4).map {
            EdgeIntegral(
                start: corners[$0], end: corners[($0 + 1) % 4], inward: inward[$0] * (isHole ? -1 : 1),
                across: Vector(0, 0, 1))
        }
    }

    var mesh: TriangleMesh {
        guard isHole else { return Meshes.screen(width: width, height: height) }
        let (x, y, far) = (width / 2, height / 2, 200.0)
        return Meshes.sheet([
            (-far ... -x, -far ... -y), (-x...x, -far ... -y), (x...far, -far ... -y), (-far ... -x, -y...y),
            (x...far, -y...y),
            (-far ... -x, y...far), (-x...x, y...far), (x...far, y...far),
        ])
    }

    /// Of two places on either side.
    func isVisible(_ source: Vector, _ listener: Vector) -> Bool {
        let place = source + (listener - source) * (source.z / (source.z - listener.z))
        return (abs(place.x) < width / 2 && abs(place.y) < height / 2) == isHole
    }

    /// The exact field of first order, direct and by all four edges, in dB re 1 m: the mean energy of nine tones in
    /// each octave.
    func levels(_ source: Vector, _ listener: Vector) -> [Double] {
        (0..<OctaveBands.count).map { band in
            let steps = min(max(Int(60 * OctaveBands.centre(band) / 343), 3000), 24_000)
            let contributions = edges.map { $0.contributions(source, listener, steps: steps) }
            let distance = (listener - source).magnitude
            return OctaveTones.level(band) { number in
                let edges = contributions.reduce(Complex(re: 0, im: 0)) { $0 + $1.field(number) }
                guard isVisible(source, listener) else { return edges }
                return edges + Complex(re: cos(number * distance), im: -sin(number * distance)) * (1 / distance)
            }
        }
    }
}

/// The octave around a band's centre as nine tones.
enum OctaveTones {
    /// dB of the mean energy.
    static func level(_ band: Int, _ field: (_ number: Double) -> Complex) -> Double {
        let energy = (0..<9).reduce(0.0) { sum, tone in
            let frequency = OctaveBands.centre(band) * pow(2, (Double(tone) - 4) / 9)
            let size = field(2 * .pi * frequency / 343.2).magnitude
            return sum + size * size / 9
        }
        return Decibels.of(energy: energy)
    }

    /// What paths sound like together, each after its own delay, in dB re 1 m.
    static func levels(_ paths: [SoundPath]) -> [Double] {
        (0..<OctaveBands.count).map { band in
            level(band) { number in
                paths.reduce(Complex(re: 0, im: 0)) { sum, path in
                    let size = Double(path.bandGains[band]) / path.length
                    return sum + Complex(re: size * cos(number * path.length), im: -size * sin(number * path.length))
                }
            }
        }
    }
}
