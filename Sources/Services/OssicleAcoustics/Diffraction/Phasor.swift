import OssicleCore

/// A complex amplitude.
struct Phasor: BitwiseCopyable {
    var real: Double
    var imaginary: Double

    static let zero = Phasor(real: 0, imaginary: 0)
    static let one = Phasor(real: 1, imaginary: 0)

    var energy: Double { real * real + imaginary * imaginary }
    var magnitude: Double { energy.squareRoot() }

    static func + (a: Phasor, b: Phasor) -> Phasor { Phasor(real: a.real + b.real, imaginary: a.imaginary + b.imaginary) }
    static func - (a: Phasor, b: Phasor) -> Phasor { Phasor(real: a.real - b.real, imaginary: a.imaginary - b.imaginary) }
    static func * (a: Phasor, b: Phasor) -> Phasor {
        Phasor(real: a.real * b.real - a.imaginary * b.imaginary, imaginary: a.real * b.imaginary + a.imaginary * b.real)
    }
    static func * (a: Phasor, b: Double) -> Phasor { Phasor(real: a.real * b, imaginary: a.imaginary * b) }

    /// Later by `angle` radians.
    func delayed(by angle: Double) -> Phasor {
        let (s, c) = DeterministicMath.sincos(angle)
        return Phasor(real: real * c + imaginary * s, imaginary: imaginary * c - real * s)
    }
}
