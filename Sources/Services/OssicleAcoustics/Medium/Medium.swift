import OssicleCore

/// The air between source and listener.
package struct Medium: Sendable, Hashable {
    /// °C, −80…80.
    package let temperature: Double
    /// Relative humidity in %, 0…100.
    package let humidity: Double
    /// kPa, 10…200.
    package let pressure: Double
    /// dB per metre at the octave centres.
    package let attenuation: OctaveBands

    /// Values out of range are moved to the nearest end; a value that is no number takes its default.
    package init(temperature: Double = 20, humidity: Double = 50, pressure: Double = 101.325) {
        self.temperature = Medium.usable(temperature, -80...80, else: 20)
        self.humidity = Medium.usable(humidity, 0...100, else: 50)
        self.pressure = Medium.usable(pressure, 10...200, else: 101.325)
        let air = AirAbsorption(temperature: self.temperature, humidity: self.humidity, pressure: self.pressure)
        var bands = OctaveBands.zeros
        for band in 0..<OctaveBands.count { bands[band] = Float(air.attenuation(frequency: OctaveBands.centre(band))) }
        attenuation = bands
    }

    /// m/s: 343.2 √(T/293.15 K) (ISO 9613-1).
    package var speedOfSound: Double { 343.2 * ((temperature + 273.15) / 293.15).squareRoot() }

    /// Amplitude factor of each band after `distance` metres: 10^(−αd/20).
    package func gains(distance: Double) -> OctaveBands {
        guard distance.isFinite, distance > 0 else { return .ones }
        return attenuation.map { Float(Decibels.amplitude(-Double($0) * distance)) }
    }

    private static func usable(_ value: Double, _ range: ClosedRange<Double>, else fallback: Double) -> Double {
        value.isNaN ? fallback : min(max(value, range.lowerBound), range.upperBound)
    }
}
