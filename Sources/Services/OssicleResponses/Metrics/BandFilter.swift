import Foundation
import OssicleDSP

/// A section of second order by the bilinear transform, exact at its corner frequency.
package struct ButterworthSection {
    package enum Kind { case highPass, lowPass }

    fileprivate let coefficients: BiquadCoefficients

    /// - Parameters:
    ///   - frequency: the corner, of the sample rate: 0 to 0.5.
    ///   - quality: 1/√2 for a Butterworth filter of second order; those of higher orders are rows of sections.
    package init(_ kind: Kind, at frequency: Double, quality: Double = 0.5.squareRoot()) {
        let k = tan(.pi * frequency), norm = 1 / (1 + k / quality + k * k)
        let b = kind == .highPass ? norm : k * k * norm
        coefficients = BiquadCoefficients(
            b0: b, b1: kind == .highPass ? -2 * b : 2 * b, b2: b, a1: 2 * (k * k - 1) * norm,
            a2: (1 - k / quality + k * k) * norm)
    }
}

/// Up to eight sections one after the other, all at work at once: each on the sample that the one before it has just
/// left.
struct SectionCascade {
    private typealias Lanes = SIMD8<Double>

    private let b0, b1, b2, a1, a2: Lanes

    /// More than eight are left out.
    init(_ sections: [ButterworthSection]) {
        // Where there is no section, samples pass.
        var (b0, b1, b2) = (Lanes(repeating: 1), Lanes.zero, Lanes.zero)
        var (a1, a2) = (Lanes.zero, Lanes.zero)
        for (lane, section) in sections.prefix(Lanes.scalarCount).enumerated() {
            let c = section.coefficients
            (b0[lane], b1[lane], b2[lane], a1[lane], a2[lane]) = (c.b0, c.b1, c.b2, c.a1, c.a2)
        }
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    func process(_ samples: inout [Double]) {
        let lag = Lanes.scalarCount - 1
        var (y, s1, s2) = (Lanes.zero, Lanes.zero, Lanes.zero)
        samples.withUnsafeMutableBufferPointer { samples in
            let count = samples.count
            for step in 0..<count + lag {
                let x = Lanes(step < count ? samples[step] : 0, y[0], y[1], y[2], y[3], y[4], y[5], y[6])
                y = b0 * x + s1
                (s1, s2) = (b1 * x - a1 * y + s2, b2 * x - a2 * y)
                if step >= lag { samples[step - lag] = y[lag] }
            }
        }
    }
}

/// A band-pass without delay: Butterworth filters of eighth order, once forwards and once backwards.
///
/// Both passes together have the power response 1/(1 + x¹⁶)². Its corner is moved so that white noise has the power of
/// the ideal band: for a filter of order n the integral of 1/(1 + x²ⁿ)² is (1 − 1/2n)·(π/2n)/sin(π/2n). A tone at an
/// edge loses 3 dB, one in the middle of an octave 0.03 dB, one an octave outside 90 dB.
package struct BandFilter {
    /// Nil where no edge is left.
    private let sections: SectionCascade?

    private static let order = 8
    /// Of Butterworth's poles: 1/(2·cos φ).
    private static let qualities = (0..<order / 2).map { 1 / (2 * cos(.pi * Double(2 * $0 + 1) / Double(2 * order))) }

    /// - Parameters:
    ///   - band: Hz. An edge at or below 0 and one beyond 0.49 of the sample rate has no filter.
    ///   - sampleRate: Hz.
    package init(_ band: ClosedRange<Double>, sampleRate: Double) {
        let angle = .pi / Double(2 * Self.order), whole = angle / sin(angle), share = 1 - angle / .pi
        let (low, high) = (band.lowerBound / (whole * (2 - share)), band.upperBound / (whole * share))
        var sections: [ButterworthSection] = []
        for quality in Self.qualities {
            if low > 0, low < 0.49 * sampleRate {
                sections.append(ButterworthSection(.highPass, at: low / sampleRate, quality: quality))
            }
            if high < 0.49 * sampleRate {
                sections.append(ButterworthSection(.lowPass, at: high / sampleRate, quality: quality))
            }
        }
        self.sections = sections.isEmpty ? nil : SectionCascade(sections)
    }

    /// The part of the sound in the band, of the same length.
    package func filtered(_ samples: [Double]) -> [Double] {
        guard let sections else { return samples }
        var sound = samples
        sections.process(&sound)
        sound.reverse()
        sections.process(&sound)
        sound.reverse()
        return sound
    }
}
