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
        var bands = OctaveBands.zeros
        let air = AirAbsorption(temperature: self.temperature, humidity: self.humidity, pressure: self.pressure)
        for band in 0..<OctaveBands.count { bands[band] = Float(air.attenuation(frequency: OctaveBands.centre(band))) }
        attenuation = bands
    }

    /// The loss at every frequency.
    package var absorption: AirAbsorption {
        AirAbsorption(temperature: temperature, humidity: humidity, pressure: pressure)
    }

    /// m/s: 343.2 √(T/293.15 K) (ISO 9613-1).
    package var speedOfSound: Double { 343.2 * ((temperature + 273.15) / 293.15).squareRoot() }

    /// kg/m³, of dry air: p/(287.05 T).
    package var density: Double { pressure * 1000 / (287.05 * (temperature + 273.15)) }

    /// Amplitude factor of each band after `distance` metres: 10^(−αd/20).
    package func gains(distance: Double) -> OctaveBands {
        guard distance.isFinite, distance > 0 else { return .ones }
        return attenuation.map { Float(Decibels.amplitude(-Double($0) * distance)) }
    }

    private static func usable(_ value: Double, _ range: ClosedRange<Double>, else fallback: Double) -> Double {
        value.isNaN ? fallback : min(max(value, range.lowerBound), range.upperBound)
    }
}

/// What air takes from a pure tone (ISO 9613-1): classical and rotational losses, and the relaxation of oxygen and
/// nitrogen.
///
/// With T in kelvin, T₀ = 293.15, T₀₁ = 273.16, p in units of 101.325 kPa and h the molar concentration of water in %:
///
///     h   = humidity · 10^(−6.8346 (T₀₁/T)^1.261 + 4.6151) / p
///     frO = p (24 + 4.04e4 h (0.02 + h)/(0.391 + h))
///     frN = p (T/T₀)^(−1/2) (9 + 280 h exp(−4.170 ((T/T₀)^(−1/3) − 1)))
///     α   = 8.686 f² { 1.84e-11 √(T/T₀)/p + (T/T₀)^(−5/2) [ 0.01275 e^(−2239.1/T)/(frO + f²/frO) + 0.1068 e^(−3352/T)/(frN + f²/frN) ] }
package struct AirAbsorption: Sendable {
    private let classical: Double
    private let oxygen: (strength: Double, frequency: Double)
    private let nitrogen: (strength: Double, frequency: Double)

    /// - Parameters: temperature in °C, relative humidity in %, pressure in kPa.
    package init(temperature: Double = 20, humidity: Double = 50, pressure: Double = 101.325) {
        let kelvin = temperature + 273.15
        let warmth = kelvin / 293.15
        let p = pressure / 101.325
        let saturation = DeterministicMath.pow(10, -6.8346 * DeterministicMath.pow(273.16 / kelvin, 1.261) + 4.6151)
        let h = humidity * saturation / p
        let cold = DeterministicMath.pow(warmth, -2.5)
        let nitrogenGrowth = DeterministicMath.exp(-4.170 * (DeterministicMath.pow(warmth, -1.0 / 3) - 1))
        classical = 1.84e-11 * warmth.squareRoot() / p
        oxygen = (
            cold * 0.01275 * DeterministicMath.exp(-2239.1 / kelvin), p * (24 + 4.04e4 * h * (0.02 + h) / (0.391 + h))
        )
        nitrogen = (
            cold * 0.1068 * DeterministicMath.exp(-3352 / kelvin),
            p / warmth.squareRoot() * (9 + 280 * h * nitrogenGrowth)
        )
    }

    /// dB per metre at `frequency` Hz.
    package func attenuation(frequency: Double) -> Double {
        let f2 = frequency * frequency
        let relaxation =
            oxygen.strength / (oxygen.frequency + f2 / oxygen.frequency)
            + nitrogen.strength / (nitrogen.frequency + f2 / nitrogen.frequency)
        return 8.686 * f2 * (classical + relaxation)
    }

    /// Amplitude factors of the octave bands after `distance` metres. For many distances in one air, keep a `Medium`.
    package static func bands(distance: Double, temperature: Double = 20, humidity: Double = 50) -> OctaveBands {
        Medium(temperature: temperature, humidity: humidity).gains(distance: distance)
    }
}
