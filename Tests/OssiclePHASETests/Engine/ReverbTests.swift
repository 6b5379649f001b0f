import OssicleTestSupport
import PHASE
import Testing

/// The late reverb through the whole engine.
@Suite struct ReverbTests {
    /// The room's answer to a click that is sent to the reverb only.
    private func tail(
        _ preset: PHASEReverbPreset, seconds: Double, send: Double = 1, height: Float = 0.5,
        whileRinging change: (Stage) throws -> Void = { _ in }
    ) throws -> [[Float]] {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        stage.engine.defaultReverbPreset = preset
        try stage.register("click", [Signal.impulse(count: 64, height: height)])
        let mixer = try stage.spatialMixer([.lateReverb])
        mixer.spatialPipeline.entries[.lateReverb]?.sendLevel = send
        try stage.registerEvent("click", into: mixer)
        try stage.start()
        try stage.event("click event", mixer, stage.source(at: SIMD3(0, 0, -2))).start(completion: nil)
        let start = try stage.render(4800)
        try change(stage)
        let rest = try stage.render(Int(seconds * 48_000) - 4800)
        return zip(start, rest).map { $0 + $1 }
    }

    @Test(arguments: [
        ("smallRoom", PHASEReverbPreset.smallRoom), ("mediumChamber", .mediumChamber), ("largeHall2", .largeHall2),
    ])
    func `decay times are the table's`(name: String, preset: PHASEReverbPreset) throws {
        let row = try TestFailure.unwrap(try Table.load("reverb-presets.csv").rows.first { $0["preset"] == name })
        let out = try tail(preset, seconds: row.number("t60_500") * 1.2 + 0.3)
        let measured = Measure.reverberationTimes(out, bands: [4, 5, 6])
        for (time, column) in zip(measured, ["t60_500", "t60_1000", "t60_2000"]) {
            #expect(abs(time / row.number(column) - 1) < 0.1, "\(column): \(time) s for \(row[column]) s")
        }
    }

    @Test func `the send level scales it, and nothing else does`() throws {
        let (full, tenth) = (try tail(.mediumRoom, seconds: 0.5), try tail(.mediumRoom, seconds: 0.5, send: 0.1))
        let scaled = full.map { $0.map { $0 * 0.1 } }
        #expect(rms(full[0][...]) > 1e-4)
        #expect(zip(scaled, tenth).allSatisfy { Measure.largestDifference($0, $1) < 1e-7 })
    }

    @Test func `without a preset there is no reverb`() throws {
        #expect(try tail(.none, seconds: 0.5).joined().allSatisfy { $0 == 0 })
    }

    @Test func `another preset leaves the old room ringing`() throws {
        let kept = try tail(.largeHall, seconds: 1)
        for next in [PHASEReverbPreset.smallRoom, .none] {
            let changed = try tail(.largeHall, seconds: 1) { $0.engine.defaultReverbPreset = next }
            #expect(changed == kept)
        }
    }
}
