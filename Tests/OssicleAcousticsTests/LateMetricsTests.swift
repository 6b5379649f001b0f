@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport
import Testing

@Suite struct LateMetricsTests {
    /// An exponential decay of 60 dB in `time` seconds, exact bin by bin, that ends after `length` seconds.
    private func decay(_ time: Double, length: Double, binWidth: Double = 0.004) -> EnergyResponse {
        let rate = 6 * DeterministicMath.ln10 / time
        var response = EnergyResponse(binWidth: binWidth, binCount: Int(length / binWidth))
        for bin in response.bins.indices {
            let energy =
                DeterministicMath.exp(-rate * Double(bin) * binWidth) * (1 - DeterministicMath.exp(-rate * binWidth))
            response.bins[bin] = OctaveBands(repeating: Float(energy))
            response.octants[bin] = SIMD8(repeating: Float(energy) * 10 / 8)
        }
        return response
    }

    @Test("An exponential decay gives its closed forms", arguments: [0.3, 0.8, 1.5, 4])
    func exponential(time: Double) {
        let metrics = RoomMetrics(SquaredResponse(arrivals: [], late: decay(time, length: 1.2 * time)))
        let rate = 6 * DeterministicMath.ln10 / time
        for value in [metrics.t20, metrics.t30, metrics.edt] { #expect(abs(Double(value[5]) / time - 1) < 0.01) }
        let (left80, left50) = (DeterministicMath.exp(-rate * 0.08), DeterministicMath.exp(-rate * 0.05))
        #expect(abs(Double(metrics.c80[5]) - Decibels.of(energy: (1 - left80) / left80)) < 0.1)
        #expect(abs(Double(metrics.c50[5]) - Decibels.of(energy: (1 - left50) / left50)) < 0.1)
        #expect(abs(Double(metrics.d50[5]) - (1 - left50)) < 0.005)
        #expect(abs(Double(metrics.centreTime[5]) - 1 / rate) < 0.001)
        #expect(abs(Double(metrics.strength[5]) - 20) < 0.05)
        let expected = SpeechTransmission.index { _, frequency in
            let turns = 2 * DeterministicMath.pi * frequency / rate
            return 1 / (1 + turns * turns).squareRoot()
        }
        #expect(abs(metrics.speechTransmission - expected) < 0.005)
    }

    @Test("A response that ends before −25 dB has its tail added", arguments: [0.15, 0.25, 0.4])
    func truncated(share: Double) {
        let metrics = RoomMetrics(SquaredResponse(arrivals: [], late: decay(1.5, length: share * 1.5)))
        #expect(abs(Double(metrics.t20[5]) / 1.5 - 1) < 0.02)
        #expect(abs(Double(metrics.strength[5]) - 20) < 0.1)
    }

    @Test("A source's part in the field is all its energy, what the response has lost included")
    func partOfField() {
        let survey = RaySurvey(meanFreePath: 4, escapedShare: 0)
        for length in [0.4, 1.5] {
            let field = LateField(decay(1.5, length: length), survey: survey, speedOfSound: 343)
            var louder = decay(1.5, length: length)
            for bin in louder.bins.indices { louder.bins[bin] = louder.bins[bin] * 3 }
            let part = LateField(of: louder, in: field)
            #expect(abs(Decibels.of(energy: Double(part.energy[5]) / 3)) < 0.1, "\(length)")
            #expect(part.t60 == field.t60 && part.mixingTime == field.mixingTime)
        }
        let silent = LateField(
            of: EnergyResponse(binWidth: 0.004, binCount: 0),
            in: LateField(decay(1, length: 1), survey: survey, speedOfSound: 343))
        #expect(silent.energy == .zeros)
    }

    @Test("Image sources of a shoebox give the table's decay, clarity and level", arguments: ["R1", "R2", "R3", "R6"])
    func imageSources(name: String) throws {
        let row = try #require(try Table.load("room-decay-check.csv").rows.first { $0["room"] == name })
        let (size, source, listener) = (
            LateRooms.vector(row["dims_m"]), LateRooms.vector(row["source"]), LateRooms.vector(row["receiver"])
        )
        let room = BoxRoom(corner: .zero, size: size, walls: [])
        var late = EnergyResponse(binWidth: 0.001, binCount: Int(row.number("ism_t30_s") * 0.75 / 0.001))
        let reach = Double(late.bins.count) * 0.001 * 343.2
        let kept = 1 - row.number("alpha_all")
        let onset = (source - listener).magnitude / 343.2
        let count = Vector(reach, reach, reach) / size
        let powers = (0...2000).reduce(into: [1.0]) { list, _ in list.append((list.last ?? 0) * kept) }
        for x in -Int(count.x) - 1...Int(count.x) + 1 {
            for y in -Int(count.y) - 1...Int(count.y) + 1 {
                for z in -Int(count.z) - 1...Int(count.z) + 1 {
                    let square = (room.image(of: source, SIMD3(x, y, z)).position - listener).lengthSquared
                    let bin = (square.squareRoot() / 343.2 - onset) * 1000
                    guard bin < Double(late.bins.count) else { continue }
                    late.bins[Int(max(bin, 0))][5] += Float(powers[abs(x) + abs(y) + abs(z)] / square)
                }
            }
        }
        let metrics = RoomMetrics(SquaredResponse(arrivals: [], late: late))
        #expect(abs(Double(metrics.edt[5]) / row.number("ism_edt_s") - 1) < 0.05)
        #expect(abs(Double(metrics.t20[5]) / row.number("ism_t20_s") - 1) < 0.02)
        #expect(abs(Double(metrics.t30[5]) / row.number("ism_t30_s") - 1) < 0.02)
        #expect(abs(Double(metrics.c80[5]) - row.number("ism_c80_db")) < 0.15)
        #expect(abs(Double(metrics.d50[5]) - row.number("ism_d50")) < 0.01)
        #expect(abs(Double(metrics.strength[5]) - 20 - row.number("ism_total_db_re_direct_1m")) < 0.1)
    }

    @Test("Direct sound and early paths count at their time and level, the time of motion not")
    func paths() {
        var direct = DirectPath.silent
        (direct.bandGains, direct.effectiveDistance, direct.centreDistance) = (.ones, 10, 10)
        let path = SoundPath(
            kind: .reflection(order: 1), identity: 1, length: 10 + 0.1 * 343.2, bandGains: OctaveBands(repeating: 0.5),
            arrival: .zero, departure: .zero, corners: [])
        let response = SquaredResponse(
            direct: direct, paths: [path], late: EnergyResponse(binWidth: 0.004, binCount: 0), medium: Medium(),
            includesAir: false)
        let metrics = RoomMetrics(response)
        #expect(abs(response.onset - 10 / Medium().speedOfSound) < 1e-9)
        let second = 0.25 * 100 / (path.length * path.length)
        #expect(abs(Double(metrics.c80[5]) + Decibels.of(energy: second)) < 0.01)
        #expect(abs(Double(metrics.strength[5]) - Decibels.of(energy: 1 + second)) < 0.01)
        #expect(abs(Double(metrics.centreTime[5]) - 0.1 * second / (1 + second)) < 0.001)
    }

    @Test("Speech is understood in silence, not at all in noise, and half way at a signal as loud as the noise")
    func speech() {
        #expect(abs(SpeechTransmission.index { _, _ in 1 } - 1) < 1e-9)
        #expect(SpeechTransmission.index { _, _ in 0 } == 0)
        #expect(abs(SpeechTransmission.index { _, _ in 0.5 } - 0.5) < 1e-9)
        let click = SquaredResponse(arrivals: [(0.01, .ones)], late: EnergyResponse(binWidth: 0.004, binCount: 0))
        #expect(abs(RoomMetrics(click).speechTransmission - 1) < 1e-3)
        #expect(abs(RoomMetrics(click, signalToNoise: .zeros).speechTransmission - 0.5) < 1e-3)
        #expect(RoomMetrics(click, signalToNoise: OctaveBands(repeating: -20)).speechTransmission == 0)
    }

    @Test("A late field takes its decay per band from the response, and from the next band where one is silent")
    func field() {
        var response = decay(1.2, length: 1)
        let slow = decay(2, length: 1)
        for bin in response.bins.indices {
            response.bins[bin][0] = 0
            response.bins[bin][9] = slow.bins[bin][9]
        }
        let field = LateField(response, survey: RaySurvey(meanFreePath: 3.6, escapedShare: 0), speedOfSound: 343.2)
        #expect(abs(field.t60[5] / 1.2 - 1) < 0.01 && abs(field.t60[9] / 2 - 1) < 0.01 && field.t60[0] == field.t60[1])
        #expect(abs(field.mixingTime - 0.03) < 1e-6 && abs(field.meanFreeTime - 3.6 / 343.2) < 1e-9)
        #expect(abs(Double(field.energy[5]) - 1) < 0.005)
        #expect(field.energy[0] == 0 && field.octants == SIMD8(repeating: 0.125))
    }

    @Test("What other tests hold rays against, Sabine, Eyring, mean free path and level, is the table's")
    func statistics() throws {
        let rows = try Table.load("reverb-time-check.csv").rows
        #expect(rows.count == 24)
        for row in rows {
            let (volume, surface, air) = (
                row.number("volume_m3"), row.number("surface_m2"), row.number("m_energy_per_m")
            )
            let d = LateRooms.vector(row["dims_m"])
            let areas = [d.y * d.z, d.y * d.z, d.x * d.z, d.x * d.z, d.x * d.y, d.x * d.y]
            let absorption = zip(areas, LateRooms.numbers(row["alpha_x0_x1_y0_y1_z0_z1"])).reduce(0) {
                $0 + $1.0 * $1.1
            }
            let room = RoomStatistics(volume: volume, surface: surface, absorption: absorption, air: air)
            let (sabine, eyring, path) = (
                row.number("sabine_s"), row.number("eyring_s"), row.number("mean_free_path_m")
            )
            #expect(
                abs(room.sabine - sabine) < 2e-4 && abs(room.eyring - eyring) < 2e-4
                    && abs(room.meanFreePath - path) < 1e-3)
        }
        let room = RoomStatistics(volume: 240, surface: 268, absorption: 26.8)
        #expect(abs(Decibels.of(energy: room.energy(after: 0, decayTime: 1.369)) - 2.5) < 0.1)
        #expect(abs(LateField.mixingTime(meanFreePath: room.meanFreePath) * 1000 - (20 * 240.0 / 268 + 12)) < 1e-9)
    }
}
