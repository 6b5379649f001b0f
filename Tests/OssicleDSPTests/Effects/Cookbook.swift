import Foundation
import OssicleDSP

/// The magnitude responses of Bristow-Johnson's cookbook, written down once more from its biquad coefficients, to test
/// against.
struct Cookbook {
    private let b, a: (Double, Double, Double)

    init(_ band: EqualizerBand, sampleRate: Double) {
        let w = 2 * .pi * Double(band.frequency) / sampleRate
        let (c, s) = (cos(w), sin(w))
        let root = pow(10, Double(band.gain) / 40)
        let octaves = Double(band.bandwidth)
        let wide = s * sinh(log(2) / 2 * octaves * w / s) // alpha of a band between two edges
        let resonant = s * sinh(log(2) / 2 * octaves) // alpha of a resonance
        let plain = s / 2.0.squareRoot()
        switch band.kind {
        case .parametric:
            (b, a) = ((1 + wide * root, -2 * c, 1 - wide * root), (1 + wide / root, -2 * c, 1 - wide / root))
        case .lowPass: (b, a) = Cookbook.pass(-1, c, plain)
        case .highPass: (b, a) = Cookbook.pass(1, c, plain)
        case .resonantLowPass: (b, a) = Cookbook.pass(-1, c, resonant)
        case .resonantHighPass: (b, a) = Cookbook.pass(1, c, resonant)
        case .bandPass: (b, a) = ((wide, 0, -wide), (1 + wide, -2 * c, 1 - wide))
        case .bandStop: (b, a) = ((1, -2 * c, 1), (1 + wide, -2 * c, 1 - wide))
        case .lowShelf: (b, a) = Cookbook.shelf(1, c, plain, root)
        case .highShelf: (b, a) = Cookbook.shelf(-1, c, plain, root)
        case .resonantLowShelf: (b, a) = Cookbook.shelf(1, c, resonant, root)
        case .resonantHighShelf: (b, a) = Cookbook.shelf(-1, c, resonant, root)
        }
    }

    /// dB at a frequency in Hz.
    func decibels(at frequency: Double, sampleRate: Double) -> Double {
        let w = 2 * .pi * frequency / sampleRate
        func square(_ k: (Double, Double, Double)) -> Double {
            let (re, im) = (k.0 + k.1 * cos(w) + k.2 * cos(2 * w), k.1 * sin(w) + k.2 * sin(2 * w))
            return re * re + im * im
        }
        return 10 * log10(square(b) / square(a))
    }

    private typealias Pair = (b: (Double, Double, Double), a: (Double, Double, Double))

    private static func pass(_ sign: Double, _ c: Double, _ alpha: Double) -> Pair {
        (((1 + sign * c) / 2, -sign * (1 + sign * c), (1 + sign * c) / 2), (1 + alpha, -2 * c, 1 - alpha))
    }

    private static func shelf(_ sign: Double, _ cosine: Double, _ alpha: Double, _ root: Double) -> Pair {
        let (c, slope) = (sign * cosine, 2 * root.squareRoot() * alpha)
        return (
            (
                root * (root + 1 - (root - 1) * c + slope), sign * 2 * root * (root - 1 - (root + 1) * c),
                root * (root + 1 - (root - 1) * c - slope)
            ),
            (
                root + 1 + (root - 1) * c + slope, sign * -2 * (root - 1 + (root + 1) * c),
                root + 1 + (root - 1) * c - slope
            )
        )
    }
}
