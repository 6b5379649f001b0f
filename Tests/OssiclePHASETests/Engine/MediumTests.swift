import Foundation
import OssicleTestSupport
import PHASE
import Testing

/// The medium: how fast sound travels in it, and what it takes on the way.
@Suite struct MediumTests {
    @Test func `sound travels as fast as the temperature has it`() throws {
        for row in try Table.load("speed-of-sound-check.csv").rows {
            let stage = try Stage(channels: 1)
            stage.engine.defaultMedium = PHASEMedium(
                engine: stage.engine, temperature: row.number("temp_c"), absorbs: false)
            #expect(abs(stage.engine.defaultMedium.speedOfSound - row.number("c_m_per_s")) < 0.001)
            let out = try Ride(stage, at: SIMD3(0, 0, -30)).go(8192) { _ in }[0]
            let late = 30 / row.number("c_m_per_s") * 48_000
            let expected = out.indices.map { Float(0.25 * sin(2 * Double.pi * (Double($0) - late) / 48)) }
            let error = zip(out, expected).map { $0 - $1 }
            #expect(decibels(rms(error[5000...]) / rms(expected[5000...])) < -60)
        }
    }

    /// Level in dB of a tone from `distance` metres, with nothing on the way but air.
    private func level(_ frequency: Double, _ distance: Float, _ medium: (PHASEEngine) -> PHASEMedium?) throws -> Double
    {
        let stage = try Stage(channels: 1)
        if let medium = medium(stage.engine) { stage.engine.defaultMedium = medium }
        let ride = try Ride(stage, frequency: frequency, at: SIMD3(0, 0, -distance))
        return decibels(rms(try ride.go(36_864) { _ in }[0][30_000...]))
    }

    @Test(arguments: [125, 500, 1000, 2000, 4000, 8000, 16_000] as [Double])
    func `air takes what ISO 9613-1 says`(frequency: Double) throws {
        for (temperature, humidity) in [(20.0, 50.0), (10.0, 70.0)] {
            let row = try TestFailure.unwrap(
                Table.load("air-absorption-check.csv").rows.first { row in
                    row.number("temp_c") == temperature && row.number("rel_humidity_pct") == humidity
                        && row.number("freq_hz") == frequency
                })
            let open = try level(frequency, 100) {
                PHASEMedium(engine: $0, temperature: temperature, humidity: humidity, absorbs: false)
            }
            let air = try level(frequency, 100) {
                PHASEMedium(engine: $0, temperature: temperature, humidity: humidity)
            }
            let expected = row.number("atten_db_per_km") / 10
            #expect(abs(open - air - expected) < max(0.1, 0.03 * expected), "\(open - air) dB in place of \(expected)")
        }
    }

    @Test func `the preset takes nothing, and is what there is by default`() throws {
        let open = try level(8000, 50) { PHASEMedium(engine: $0, temperature: 20, absorbs: false) }
        let preset = try level(8000, 50) { PHASEMedium(engine: $0, preset: .air) }
        let untouched = try level(8000, 50) { _ in nil }
        #expect(open == preset && preset == untouched)
        let medium = PHASEEngine(updateMode: .automatic).defaultMedium
        #expect(medium.temperature == 20 && medium.humidity == 50 && medium.pressure == 101.325 && !medium.absorbs)
    }

    @Test func `another medium while something plays is cross-faded to`() throws {
        let ride = try Ride(Stage(channels: 1), at: SIMD3(0, 0, -20))
        _ = try ride.go(12_288) { _ in }
        ride.stage.engine.defaultMedium = PHASEMedium(engine: ride.stage.engine, temperature: -20, absorbs: false)
        let out = try ride.go(12_288, from: 12_288) { _ in }[0]
        let tone = Measure.pitch(near: 1000, in: Array(out[128..<4096]))
        #expect(abs(1200 * log2(tone.frequency / 1000)) < 0.5 && tone.signalToNoise > 60)
        #expect(Measure.largestKink(out) < 0.25 * Float(1.0 / 64 + pow(2 * Double.pi / 48, 2)) * 1.5)
    }

    @Test func `values out of range are moved to the nearest end, and recorded`() throws {
        let engine = PHASEEngine(updateMode: .automatic)
        let medium = PHASEMedium(engine: engine, temperature: .infinity, humidity: -3, pressure: .nan)
        #expect(medium.temperature == 80 && medium.humidity == 0 && medium.pressure == 101.325)
        #expect(engine.recordedErrors.count == 3)
        let texts = engine.recordedErrors.map(\.localizedDescription)
        #expect(texts[0].contains("temperature") && texts[1].contains("humidity") && texts[2].contains("pressure"))
    }

    @Test func `without delays sound is heard as it leaves, and reflections as much later as they go further`() throws {
        func render(_ delays: Bool, _ flags: PHASESpatialPipeline.Flags, _ distance: Float) throws -> [Float] {
            let stage = try Stage(channels: 1)
            stage.engine.defaultMedium = PHASEMedium(
                engine: stage.engine, temperature: 20, absorbs: false, delays: delays)
            stage.engine.defaultReverbPreset = .mediumRoom
            try stage.register("click", [[0.5] + [Float](repeating: 0, count: 63)])
            let mixer = try stage.spatialMixer(flags)
            try stage.registerEvent("click", into: mixer)
            try stage.start()
            try stage.event("click event", mixer, stage.source(at: SIMD3(0, 0, -distance))).start(completion: nil)
            return try stage.render(4096)[0]
        }
        let near = try render(false, [.directPathTransmission], 3)
        let far = try render(false, [.directPathTransmission], 20)
        #expect(Measure.peak(near) > 0.4 && Measure.delay(of: far, after: near, range: 64).magnitude < 0.01)
        // The direct sound's time, 3 m, is all that reflections come earlier by.
        let (early, usual) = (try render(false, [.earlyReflections], 3), try render(true, [.earlyReflections], 3))
        #expect(abs(Measure.delay(of: usual, after: early, range: 1024) - 3 / 343.2 * 48_000) < 0.5)
    }
}
