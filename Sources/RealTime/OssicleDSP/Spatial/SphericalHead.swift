import OssicleCore

/// The head as a rigid sphere with ears at ±90°: closed forms for delay and shadow. Control side (double precision, no state).
///
/// Sources: Woodworth (1938) for the delays; Kuhn (1977) for the low-frequency limit; Brown and Duda (1998) for the shadow.
package enum SphericalHead {
    /// Metres; the value Brown and Duda use for an average adult.
    package static let radius = 0.0875

    /// Interaural delay in seconds for a far source, positive where the ear on the side of the angle leads:
    /// (a/c)(θ + sin θ), θ in −π/2…π/2 (beyond it is clamped). Holds above about 2 kHz.
    package static func interauralDelay(lateralAngle: Double, radius: Double = radius, speedOfSound: Double = 343) -> Double {
        let angle = min(max(lateralAngle, -.pi / 2), .pi / 2)
        return radius / speedOfSound * (angle + DeterministicMath.sin(angle))
    }

    /// The same below about 500 Hz: 3(a/c) sin θ, the phase delay of a rigid sphere.
    package static func lowFrequencyInterauralDelay(lateralAngle: Double, radius: Double = radius, speedOfSound: Double = 343) -> Double {
        3 * radius / speedOfSound * DeterministicMath.sin(lateralAngle)
    }

    /// Length in metres of the shortest way from a source to an ear: straight where the ear is in view, else along the
    /// tangent and around the sphere.
    ///
    /// - Parameters:
    ///   - distance: of the source from the centre of the head, metres; nearer than `radius` counts as `radius`.
    ///   - angle: between the directions of source and ear, 0…π.
    package static func pathToEar(distance: Double, angle: Double, radius: Double = radius) -> Double {
        let r = max(distance, radius)
        let cosine = DeterministicMath.cos(angle)
        guard cosine < radius / r else { return max(r * r + radius * radius - 2 * r * radius * cosine, 0).squareRoot() }
        return max(r * r - radius * radius, 0).squareRoot() + radius * (angle - DeterministicMath.acos(radius / r))
    }

    /// Difference of the two ears' paths in seconds for a source at a distance, same sign as `interauralDelay`.
    package static func interauralDelay(lateralAngle: Double, distance: Double, radius: Double = radius,
                                        speedOfSound: Double = 343) -> Double {
        let near = pathToEar(distance: distance, angle: .pi / 2 - lateralAngle, radius: radius)
        let far = pathToEar(distance: distance, angle: .pi / 2 + lateralAngle, radius: radius)
        return (far - near) / speedOfSound
    }

    /// Gain of an ear at high frequencies re low ones: α(γ) = 1.05 + 0.95 cos(γ·180°/150°), 2 at the ear down to 0.1 behind.
    package static func shadow(angle: Double) -> Double { 1.05 + 0.95 * DeterministicMath.cos(angle * 1.2) }

    /// H = (1 + jαω/2ω₀)/(1 + jω/2ω₀), ω₀ = c/a, as a first-order section y = b0·x + b1·x₋₁ − a1·y₋₁ (bilinear transform).
    package static func shadowFilter(angle: Double, sampleRate: Double, radius: Double = radius,
                                     speedOfSound: Double = 343) -> (b0: Float, b1: Float, a1: Float) {
        let slope = sampleRate * radius / speedOfSound
        let alpha = shadow(angle: angle)
        let scale = 1 / (1 + slope)
        return (Float((1 + alpha * slope) * scale), Float((1 - alpha * slope) * scale), Float((1 - slope) * scale))
    }
}
