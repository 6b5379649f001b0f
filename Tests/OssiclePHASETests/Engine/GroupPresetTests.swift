import Foundation
import OssicleTestSupport
import PHASE
import Testing

@Suite struct GroupPresetTests {
    /// Two loops of ones, at 0.25 and 0.125, in groups of their own.
    private func stage() throws -> (stage: Stage, first: PHASEGroup, second: PHASEGroup) {
        let stage = try Stage()
        let groups = [PHASEGroup(identifier: "first"), PHASEGroup(identifier: "second")]
        for (group, value) in zip(groups, [Float(0.25), 0.125]) {
            group.register(engine: stage.engine)
            try stage.register(group.identifier, [[Float](repeating: value, count: 4800)])
            try stage.registerEvent(group.identifier, into: stage.channelMixer(), loops: true) { $0.group = group }
        }
        try stage.start()
        for group in groups { try stage.event(group.identifier + " event").start(completion: nil) }
        _ = try stage.render(1024)
        return (stage, groups[0], groups[1])
    }

    private func setting(_ gain: Double, rate: Double = 1, _ curve: PHASECurveType = .linear) -> PHASEGroupPresetSetting
    {
        PHASEGroupPresetSetting(gain: gain, rate: rate, gainCurveType: curve, rateCurveType: curve)
    }

    private func preset(
        _ stage: Stage, _ settings: [String: PHASEGroupPresetSetting], to target: Double, back reset: Double
    ) -> PHASEGroupPreset {
        PHASEGroupPreset(engine: stage.engine, settings: settings, timeToTarget: target, timeToReset: reset)
    }

    /// Greatest step between two frames: a ramp of 0.25 over half a second has steps of 1e-5.
    private func isSmooth(_ samples: [Float]) -> Bool {
        zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 5e-5 }
    }

    @Test func `a preset goes to its gain along its curve, multiplies the group's, and comes back`() throws {
        let (stage, first, second) = try stage()
        first.gain = 0.5
        second.mute()
        _ = try stage.render(1024)
        let preset = preset(stage, ["first": setting(0.2, .squared)], to: 0.5, back: 1)
        #expect(stage.engine.activeGroupPreset == nil)
        preset.activate()
        #expect(stage.engine.activeGroupPreset === preset)
        let down = try stage.render(30 * 1024)[0].map { Double($0) / 0.125 }
        for frame in stride(from: 512, to: 24_000, by: 2048) {
            let share = Double(frame) / 24_000
            #expect(abs(decibels(down[frame] / (1 - 0.8 * share * share))) < 0.01)
        }
        #expect(abs(down[30_000] - 0.2) < 1e-6)
        preset.deactivate()
        #expect(stage.engine.activeGroupPreset == nil)
        let up = try stage.render(60 * 1024)[0].map { Double($0) / 0.125 }
        for frame in stride(from: 512, to: 48_000, by: 4096) {
            let share = Double(frame) / 48_000
            #expect(abs(decibels(up[frame] / (0.2 + 0.8 * share * share))) < 0.01)
        }
        #expect(up[60_000] == 1 && first.gain == 0.5)
    }

    @Test func `one preset takes over from another without a jump`() throws {
        let (stage, _, _) = try stage()
        let loud = preset(stage, ["first": setting(0.5), "second": setting(0)], to: 0.5, back: 0.25)
        let quiet = preset(stage, ["first": setting(0.25)], to: 0.5, back: 0.5)
        loud.activate()
        let before = try stage.render(12_288)[0]
        quiet.activate()
        #expect(stage.engine.activeGroupPreset === quiet)
        let after = try stage.render(30 * 1024)[0]
        #expect(isSmooth(before + after))
        // At the turn first is at 1 − 0.5·0.512, second at 1 − 0.512. The latter goes back in the time of the preset
        // that named it.
        let (firstTurn, secondTurn) = (1 - 0.5 * 0.512, 1 - 0.512)
        let at = 6144
        let expected =
            0.25 * (firstTurn + (0.25 - firstTurn) * Double(at) / 24_000) + 0.125
            * (secondTurn + (1 - secondTurn) * Double(at) / 12_000)
        #expect(abs(Double(after[at]) - expected) < 1e-6)
        #expect(abs(Double(after[30_000]) - (0.25 * 0.25 + 0.125)) < 1e-6)
        loud.deactivate()
        #expect(stage.engine.activeGroupPreset === quiet)
    }

    @Test func `times can be overridden, and are in the engine's units`() throws {
        let (stage, _, second) = try stage()
        second.mute()
        stage.engine.unitsPerSecond = 1000
        _ = try stage.render(1024)
        let preset = preset(stage, ["first": setting(0)], to: 10, back: 20)
        preset.activate(timeToTargetOverride: 1000)
        let down = try stage.render(24_576 + 512)[0]
        #expect(abs(Double(down[24_576]) / 0.25 - (1 - 24_576.0 / 48_000)) < 1e-6)
        preset.deactivate(timeToResetOverride: 0)
        #expect(try stage.render(2048)[0][2047] == 0.25)
        preset.activate()
        _ = try stage.render(1024)
        #expect(try stage.render(512)[0][511] == 0)
        #expect(preset.timeToTarget == 10 && preset.timeToReset == 20)
        for wrong in [Double.nan, .infinity, -1] {
            preset.deactivate(timeToResetOverride: wrong); preset.activate(timeToTargetOverride: wrong)
        }
        _ = try stage.render(1024)
        #expect(try stage.render(512)[0][511] == 0)
    }

    @Test func `the rate is multiplied too, and stays within its range`() throws {
        let stage = try Stage()
        let group = PHASEGroup(identifier: "all")
        group.register(engine: stage.engine)
        try stage.register("tone", [sine(500, 48_000)])
        try stage.registerEvent("tone", into: stage.channelMixer(), loops: true) { $0.group = group }
        try stage.start()
        try stage.event("tone event").start(completion: nil)
        group.rate = 0.5
        let preset = preset(stage, ["all": setting(1, rate: 3)], to: 0.1, back: 0)
        preset.activate()
        _ = try stage.render(6000)
        func pitch(near frequency: Double) throws -> Double {
            Measure.pitch(near: frequency, in: Array(try stage.render(20_000)[0])).frequency
        }
        #expect(abs(1200 * log2(try pitch(near: 750) / 750)) < 0.1)
        group.rate = 4
        _ = try stage.render(2000)
        #expect(abs(1200 * log2(try pitch(near: 2000) / 2000)) < 0.1)
        preset.deactivate()
        group.rate = 1
        _ = try stage.render(2000)
        #expect(abs(1200 * log2(try pitch(near: 500) / 500)) < 0.1)
    }

    @Test func `an unknown group is recorded by name, and follows once it is there`() throws {
        let (stage, _, _) = try stage()
        let preset = preset(stage, ["first": setting(0), "second": setting(0), "third": setting(0)], to: 0, back: 0)
        #expect(stage.engine.lastError == nil)
        preset.activate()
        let error = stage.engine.lastError as? PHASEAssetError
        #expect(error?.code == .badParameters && error?.localizedDescription.contains("third") == true)
        _ = try stage.render(1024)
        #expect(try stage.render(512)[0][511] == 0)
    }

    @Test func `settings are clamped`() {
        let low = PHASEGroupPresetSetting(gain: -1, rate: 0, gainCurveType: .sine, rateCurveType: .cubed)
        #expect(low.gain == 0 && low.rate == 0.25 && low.gainCurveType == .sine && low.rateCurveType == .cubed)
        let high = PHASEGroupPresetSetting(gain: 7, rate: 9, gainCurveType: .linear, rateCurveType: .linear)
        #expect(high.gain == 1 && high.rate == 4)
        let none = PHASEGroupPresetSetting(gain: .nan, rate: .nan, gainCurveType: .linear, rateCurveType: .linear)
        #expect(none.gain == 0 && none.rate == 1)
    }

    @Test func `an active preset does not keep the engine, nor does using it later do harm`() throws {
        weak var gone: PHASEEngine?
        var kept: PHASEGroupPreset?
        try autoreleased {
            let (stage, _, _) = try stage()
            gone = stage.engine
            kept = preset(stage, ["first": setting(0)], to: 0, back: 0)
            kept?.activate()
            _ = try stage.render(512)
        }
        #expect(gone == nil)
        kept?.deactivate()
        kept?.activate()
        #expect(kept?.settings.count == 1)
    }

    private func autoreleased(_ body: () throws -> Void) rethrows { try body() }
}
