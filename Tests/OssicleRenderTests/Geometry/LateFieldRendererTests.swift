import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleTestSupport
import Testing

@Suite struct LateFieldRendererTests {
    /// The directions' answer to a click, and the click.
    private func response(
        _ room: DiffuseRoom, _ parameters: LateFieldRenderer.Parameters? = nil,
        seconds: Double
    ) throws -> (directions: [[Float]], click: [Float]) {
        let count = Int(seconds * 48_000)
        let click = Signal.impulse(count: count)
        let bench = try LateFieldBench(click, meanFreeTime: room.meanFreeTime)
        bench.set(parameters ?? room.parameters())
        bench.start()
        return (bench.render(count), click)
    }

    private func energies(_ channels: [[Float]], re click: [Float]) -> [Double] {
        let direct = Measure.octaveEnergies(of: click)
        let each = channels.map { Measure.octaveEnergies(of: $0) }
        return (0..<10).map { band in each.reduce(0) { $0 + Decibels.energy($1[band] - direct[band]) } }
    }

    @Test(
        "In every octave from 63 Hz to 8 kHz the energy after the start is the diffuse field's, within 0.7 dB",
        arguments: DiffuseRoom.all)
    func level(room: DiffuseRoom) throws {
        let (directions, click) = try response(room, seconds: Double(room.t60[1]) * 1.1 + 0.2)
        let (measured, wanted) = (energies(directions, re: click), room.energy(after: room.mixingTime))
        for band in 1...8 {
            let error = Decibels.of(energy: measured[band] / Double(wanted[band]))
            #expect(abs(error) < 0.7, "band \(band): \(error) dB")
        }
    }

    @Test("A band's level is its own, whatever its decay")
    func ownLevels() throws {
        let room = DiffuseRoom.all[0]
        var parameters = room.parameters()
        parameters.energy = OctaveBands([1, 1, 0.5, 0.8, 0.4, 0.2, 0.1, 0.05, 0.03, 0.01])
        let (directions, click) = try response(room, parameters, seconds: 2)
        let measured = energies(directions, re: click)
        for band in 2...8 {
            let error = Decibels.of(energy: measured[band] / Double(parameters.energy[band]))
            #expect(abs(error) < 1, "band \(band): \(error) dB")
        }
    }

    @Test("Every octave decays in its time, within 5 % from 125 Hz", arguments: DiffuseRoom.all)
    func decay(room: DiffuseRoom) throws {
        let (directions, _) = try response(room, seconds: Double(room.t60[1]) + 0.3)
        let measured = Measure.reverberationTimes(directions, bands: 2...8)
        for (index, time) in measured.enumerated() {
            let error = time / Double(room.t60[index + 2]) - 1
            #expect(abs(error) < 0.05, "band \(index + 2): \(time) s")
        }
    }

    @Test("Echoes are nearly as dense as noise within 10 ms of the mixing time", arguments: DiffuseRoom.all)
    func echoDensity(room: DiffuseRoom) throws {
        let (directions, _) = try response(room, seconds: 0.2)
        let from = Int((room.mixingTime + 0.01) * 48_000)
        let density = directions.reduce(0) { $0 + Measure.echoDensity($1[from..<(from + 960)]) / 16 }
        #expect(density > 0.85, "\(density)")
    }

    @Test("Each direction has its share of the energy, and all together have it all")
    func shares() throws {
        let room = DiffuseRoom.all[0]
        var parameters = room.parameters()
        parameters.directions = SIMD16(
            0.15, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.04, 0.03, 0.03, 0)
        let even = try response(room, seconds: 1.5).directions.map { Measure.energy($0) }
        let uneven = try response(room, parameters, seconds: 1.5).directions.map { Measure.energy($0) }
        for index in 0..<16 {
            let wanted = even[index] * 16 * Double(parameters.directions[index])
            #expect(abs(uneven[index] - wanted) < 1e-5 * even[index])
        }
        #expect(abs(Decibels.of(energy: uneven.reduce(0, +) / even.reduce(0, +))) < 0.5)
    }
}
