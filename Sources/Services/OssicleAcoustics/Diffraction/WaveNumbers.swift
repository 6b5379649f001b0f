import OssicleCore

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
