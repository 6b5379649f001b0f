import OssicleCore

/// What an octave band leaves of the interference of two ways.
///
/// Two ways that differ by a detour δ go in and out of step within a band of width f/√2, so that of their interference sinc(πN/2√2) is left,
/// N = 2δ/λ; here the bell curve of the same top, e^(−(πN/2√2)²/6): 0.8 at N = 1, 0.04 at N = 4.
enum OctaveBlur {
    /// - Parameter n: N at the band's centre.
    @inline(__always) static func left(ofRings n: Double) -> Double {
        let turn = DeterministicMath.pi * n / 8.0.squareRoot()
        return turn < 6 ? DeterministicMath.exp(-turn * turn / 6) : 0
    }
}
