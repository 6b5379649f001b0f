import OssicleCore
import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct FeedbackDelayNetworkTests {
    /// Eight channels of a network's answer to a signal.
    static func render(_ network: inout FeedbackDelayNetwork, _ input: [Float], blocks: [Int] = [128]) -> [[Float]] {
        var channels = [[Float]](repeating: [], count: FeedbackDelayNetwork.outputCount)
        let longest = blocks.max() ?? 128
        let memory = SampleMemory(count: longest * FeedbackDelayNetwork.outputCount)
        var list = (0..<FeedbackDelayNetwork.outputCount).map { memory.pointer + $0 * longest }
        _ = OssicleDSPTests.render(input, blocks: blocks) { from, _, n in
            network.process(from, outputs: &list, n)
            for channel in list.indices {
                channels[channel].append(contentsOf: UnsafeBufferPointer(start: list[channel], count: n))
            }
        }
        return channels
    }

    static func impulseResponse(_ preset: ReverbPreset, seconds: Double, seed: UInt64 = 1) -> [[Float]] {
        var network = FeedbackDelayNetwork(preset.settings(sampleRate: 48000, seed: seed), preset.parameters())
        return render(&network, Signal.impulse(count: Int(seconds * 48000)))
    }

    @Test(
        "Every preset decays as its table says, within 6 % from 125 Hz and 10 % at 63 Hz",
        arguments: ReverbPreset.allCases)
    func decay(preset: ReverbPreset) throws {
        let table = try Table.load("reverb-presets.csv")
        let row = try #require(table.rows.first { $0["preset"] == preset.rawValue })
        let columns = ["t60_63", "t60_125", "t60_250", "t60_500", "t60_1000", "t60_2000", "t60_4000", "t60_8000"]
        let response = Self.impulseResponse(preset, seconds: row.number("t60_63") * 0.9 + 0.2)
        let measured = Measure.reverberationTimes(Array(response.prefix(4)), bands: 1...8, span: 30)
        for (band, column) in columns.enumerated() {
            let error = measured[band] / row.number(column) - 1
            #expect(
                abs(error) < (band == 0 ? 0.10 : 0.06), "\(column): \(measured[band]) s for \(row.number(column)) s")
        }
    }

    @Test("The presets' Swift table is the check table")
    func presetTable() throws {
        for row in try Table.load("reverb-presets.csv").rows {
            let room = try #require(ReverbPreset(rawValue: row["preset"])).room
            #expect(
                room.t60.values.dropFirst().prefix(8).map(Double.init).elementsEqual(
                    [63, 125, 250, 500, 1000, 2000, 4000, 8000].map { row.number("t60_\($0)") }
                ) { abs($0 - $1) < 1e-6 })
            guard row["preset"] != "plate" else { continue }
            #expect(
                row["dims_m"].split(separator: "x").compactMap { Double($0) } == [room.length, room.width, room.height])
            #expect(
                row.number("volume_m3") == room.volume && row.number("critical_distance_m") == room.criticalDistance)
            #expect(row.number("late_level_db_re_direct_1m") == room.lateLevel)
            #expect(
                abs(row.number("mean_free_path_ms") / 1000 - room.meanFreeTime) < 1e-9
                    && abs(row.number("mixing_time_ms") / 1000 - room.mixingTime) < 1e-9)
        }
    }

    @Test(
        "The late energy at mid frequencies is the table's within 1 dB",
        arguments: ReverbPreset.allCases.filter { $0 != .plate })
    func level(preset: ReverbPreset) {
        let response = Self.impulseResponse(preset, seconds: Double(preset.room.t60[1]))
        let direct = Measure.octaveEnergies(of: Signal.impulse(count: response[0].count))
        var energy = 0.0
        for band in 4...5 {
            energy +=
                response.reduce(0) { $0 + Decibels.energy(Measure.octaveEnergies(of: $1)[band] - direct[band]) } / 2
        }
        #expect(
            abs(Decibels.of(energy: energy) - preset.room.lateLevel) < 1,
            "\(Decibels.of(energy: energy)) dB for \(preset.room.lateLevel) dB")
    }

    @Test("From a volume follows the diffuse field's energy density in every octave")
    func physicalLevel() {
        let t60 = OctaveBands([1.6, 1.6, 1.5, 1.4, 1.369, 1.369, 1.2, 1.0, 0.75, 0.6])
        let parameters = FeedbackDelayNetwork.Parameters(t60: t60, volume: 240, start: 0.04)
        var network = FeedbackDelayNetwork(.init(sampleRate: 48000, meanFreeTime: 0.0147), parameters)
        let response = Self.render(&network, Signal.impulse(count: 72000))
        let direct = Measure.octaveEnergies(of: Signal.impulse(count: 72000))
        for band in 2...8 {
            let time = Double(t60[band])
            let expected =
                4 * DeterministicMath.pi * 343.2 / 240 * time / 13.8155 * DeterministicMath.exp(-13.8155 * 0.04 / time)
            let energy = response.reduce(0) {
                $0 + Decibels.energy(Measure.octaveEnergies(of: $1)[band] - direct[band])
            }
            #expect(abs(Decibels.of(energy: energy / expected)) < 1, "band \(band)")
        }
    }

    @Test(
        "Longer rooms of the table ring longer",
        arguments: [
            [ReverbPreset.smallRoom, .mediumRoom, .largeRoom, .largeRoom2],
            [.mediumHall, .mediumHall2, .mediumHall3, .largeHall, .largeHall2, .cathedral],
        ])
    func ordering(presets: [ReverbPreset]) {
        let times = presets.map {
            Measure.reverberationTimes(
                Array(Self.impulseResponse($0, seconds: Double($0.room.t60[5])).prefix(2)), bands: [5])[0]
        }
        #expect(times == times.sorted() && !times.contains { $0.isNaN })
    }

    @Test("Outputs are pairwise decorrelated, below 0.1")
    func decorrelation() {
        let response = Self.impulseResponse(.largeHall, seconds: 2)
        for a in 0..<8 {
            for b in 0..<a { #expect(abs(Measure.correlation(response[a], response[b])) < 0.1, "\(a) \(b)") }
        }
    }

    @Test(
        "Echo density reaches Gaussian noise's soon after the mixing time",
        arguments: [ReverbPreset.smallRoom, .largeRoom, .mediumHall, .cathedral])
    func echoDensity(preset: ReverbPreset) {
        let response = Self.impulseResponse(preset, seconds: 1)[0]
        let from = Int((preset.room.mixingTime * 2 + 0.02) * 48000)
        #expect(Measure.echoDensity(response[from..<(from + 1440)]) > 0.85)
    }

    @Test("Silence stays silence, and absurd input neither stays nor spreads")
    func robustness() {
        var network = FeedbackDelayNetwork(
            ReverbPreset.mediumHall.settings(sampleRate: 48000), ReverbPreset.mediumHall.parameters())
        for channel in Self.render(&network, Signal.silence(count: 4800)) { #expect(Measure.peak(channel) == 0) }
        var input = Signal.noise(count: 9600)
        (input[10], input[20], input[30]) = (.nan, .infinity, 3e38)
        for channel in Self.render(&network, input) { #expect(Measure.isFinite(channel) && Measure.peak(channel) < 10) }
        let faults = network.faults
        #expect(faults == 3)
        network.setTarget(
            .init(t60: OctaveBands([.nan, .infinity, -1, 0, 1e9]), energyDensity: .nan, start: .infinity), frames: 100)
        for channel in Self.render(&network, input) { #expect(Measure.isFinite(channel)) }
    }

    @Test("The longest and the most crooked decays stay stable over a minute")
    func stability() {
        for t60 in [
            OctaveBands(repeating: 60), OctaveBands([60, 0.1, 60, 0.1, 60, 0.1, 60, 0.1, 60, 0.1]),
            OctaveBands([0.05, 0.05, 0.05, 0.05, 60, 60, 0.05, 0.05, 60]),
        ] {
            var network = FeedbackDelayNetwork(
                .init(sampleRate: 48000, meanFreeTime: 0.01), .init(t60: t60, volume: 100, start: 0.03))
            let burst = Self.render(&network, Signal.noise(count: 24000))
            _ = Self.render(&network, Signal.silence(count: 48000 * 59), blocks: [4096])
            let rest = Self.render(&network, Signal.silence(count: 24000))
            for channel in 0..<8 { #expect(Measure.rms(rest[channel]) < Measure.rms(burst[channel]) * 0.01) }
        }
    }

    @Test("Changing parameters while sound runs makes no click and gives the same bytes however calls are cut")
    func changes() {
        let input = Signal.sine(300, count: 24000, amplitude: 0.5)
        let results = [[128], [37, 1, 64, 26], [1]].map { blocks in
            var network = FeedbackDelayNetwork(
                ReverbPreset.mediumRoom.settings(sampleRate: 48000), ReverbPreset.mediumRoom.parameters())
            let before = Self.render(&network, Array(input.prefix(12800)), blocks: blocks)
            network.setTarget(ReverbPreset.largeHall.parameters(), frames: 4800)
            let after = Self.render(&network, Array(input.dropFirst(12800)), blocks: blocks)
            return zip(before, after).map { $0 + $1 }
        }
        for channel in 0..<8 {
            #expect(
                Measure.sameBytes(results[0][channel], results[1][channel])
                    && Measure.sameBytes(results[0][channel], results[2][channel]))
            // A sine of 300 Hz bends by 1.5e-3 of its amplitude.
            #expect(
                Measure.largestKink(Array(results[0][channel].dropFirst(9600))) < 4e-3
                    * Measure.peak(results[0][channel]))
        }
    }

    @Test("The same seed gives the same network, another seed another")
    func seeds() {
        let (a, b, c) = (
            Self.impulseResponse(.smallRoom, seconds: 0.2), Self.impulseResponse(.smallRoom, seconds: 0.2),
            Self.impulseResponse(.smallRoom, seconds: 0.2, seed: 2)
        )
        #expect(Measure.sameBytes(a[0], b[0]) && !Measure.sameBytes(a[0], c[0]))
    }
}
