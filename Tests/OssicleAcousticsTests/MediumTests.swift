@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct MediumTests {
    @Test("Air absorption agrees with ISO 9613-1 within 1 % (or the table's last digit)")
    func airAbsorption() throws {
        for row in try Table.load("air-absorption-check.csv").rows {
            let air = AirAbsorption(
                temperature: row.number("temp_c"), humidity: row.number("rel_humidity_pct"),
                pressure: row.number("pressure_kpa"))
            let expected = row.number("atten_db_per_km")
            #expect(
                abs(air.attenuation(frequency: row.number("freq_hz")) * 1000 - expected) <= max(0.01 * expected, 0.0001)
            )
        }
    }

    @Test("The speed of sound agrees with its table within 1 mm/s")
    func speedOfSound() throws {
        for row in try Table.load("speed-of-sound-check.csv").rows {
            #expect(abs(Medium(temperature: row.number("temp_c")).speedOfSound - row.number("c_m_per_s")) < 0.001)
        }
    }

    @Test("A hundred metres of ordinary air take 0.47, 2.97 and 10.5 dB at 1, 4 and 8 kHz")
    func bandGains() {
        let gains = AirAbsorption.bands(distance: 100)
        for (band, loss) in [(5, 0.4665), (7, 2.9666), (8, 10.529)] {
            #expect(abs(-Decibels.of(amplitude: Double(gains[band])) - loss) < 0.01)
        }
        #expect(AirAbsorption.bands(distance: 0) == .ones)
        #expect(AirAbsorption.bands(distance: .nan) == .ones)
    }

    @Test("Impossible weather is moved to the nearest possible")
    func clamping() {
        let odd = Medium(temperature: -1000, humidity: 400, pressure: .nan)
        #expect(odd.temperature == -80 && odd.humidity == 100 && odd.pressure == 101.325)
        #expect(odd.attenuation.values.allSatisfy { $0.isFinite && $0 >= 0 })
        #expect(Medium(humidity: 0).attenuation.values.allSatisfy { $0.isFinite && $0 > 0 })
    }
}
