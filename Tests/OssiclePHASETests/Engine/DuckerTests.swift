import Foundation
import PHASE
import Testing

/// Music of ones at a quarter, under speech that is silent by itself: what is heard is the music, and how far it is
/// ducked.
@Suite struct DuckerTests {
    private struct Scene {
        let stage: Stage
        let music = PHASEGroup(identifier: "music")
        let speech = PHASEGroup(identifier: "speech")

        init(speechFrames: Int = 48_000, loops: Bool = false) throws {
            stage = try Stage()
            for (group, value, frames) in [(music, Float(0.25), 4800), (speech, 0, speechFrames)] {
                group.register(engine: stage.engine)
                try stage.register(group.identifier, [[Float](repeating: value, count: frames)])
                try stage.registerEvent(group.identifier, into: stage.channelMixer(), loops: group === music || loops) {
                    $0.group = group
                }
            }
            try stage.start()
            try stage.event("music event").start(completion: nil)
            _ = try stage.render(1024)
        }

        func ducker(
            _ gain: Double = 0.25, attack: Double = 0.5, release: Double = 0.25,
            _ attackCurve: PHASECurveType = .linear,
            _ releaseCurve: PHASECurveType = .linear
        ) -> PHASEDucker {
            PHASEDucker(
                engine: stage.engine, sourceGroups: [speech], targetGroups: [music], gain: gain, attackTime: attack,
                releaseTime: release,
                attackCurve: attackCurve, releaseCurve: releaseCurve)
        }

        @discardableResult
        func speak() throws -> PHASESoundEvent {
            let event = try stage.event("speech event")
            event.start(completion: nil)
            return event
        }

        /// The gain of the music, frame by frame.
        func gains(_ frames: Int) throws -> [Double] { try stage.render(frames)[0].map { Double($0) / 0.25 } }
    }

    @Test func `speech ducks the music along the attack, and lets it go along the release`() throws {
        let scene = try Scene()
        let ducker = scene.ducker(0.25, attack: 0.5, release: 0.25, .sine, .squared)
        #expect(!ducker.isActive)
        ducker.activate()
        #expect(ducker.isActive)
        #expect(try scene.gains(2048).allSatisfy { $0 == 1 })
        try scene.speak()
        let out = try scene.gains(80 * 1024)
        for frame in stride(from: 512, to: 24_000, by: 1024) {
            #expect(abs(decibels(out[frame] / (1 - 0.75 * sin(Double(frame) / 24_000 * .pi / 2)))) < 0.01)
        }
        #expect(abs(out[40_000] - 0.25) < 1e-6)
        // The first update after the last of 48,000 frames.
        let end = 94 * 512
        for frame in stride(from: 512, to: 12_000, by: 512) {
            let share = Double(frame) / 12_000
            #expect(abs(decibels(out[end + frame] / (0.25 + 0.75 * share * share))) < 0.01)
        }
        #expect(out[70_000...].allSatisfy { $0 == 1 })
    }

    @Test func `a ducker that is not active does nothing, and one that is deactivated releases from where it is`()
        throws
    {
        let scene = try Scene(loops: true)
        let ducker = scene.ducker(0, attack: 1, release: 1)
        try scene.speak()
        #expect(try scene.gains(4096).allSatisfy { $0 == 1 })
        ducker.activate()
        let down = try scene.gains(24_576)
        ducker.deactivate()
        #expect(!ducker.isActive)
        let up = try scene.gains(48_128 + 512)
        let turn = 1 - 24_576.0 / 48_000
        #expect(abs(up[0] - turn) < 1e-6 && abs(up[24_576] - (turn + (1 - turn) * 0.512)) < 1e-6 && up[48_128] == 1)
        #expect(zip(down + up, (down + up).dropFirst()).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    @Test func `speech that pauses releases, and ducks again when it goes on`() throws {
        let scene = try Scene(loops: true)
        let ducker = scene.ducker(0.5, attack: 0, release: 0)
        ducker.activate()
        let event = try scene.speak()
        #expect(try scene.gains(2048)[2047] == 0.5)
        event.pause()
        #expect(try scene.gains(2048)[2047] == 1)
        event.resume()
        #expect(try scene.gains(2048)[2047] == 0.5)
        event.stopAndInvalidate()
        #expect(try scene.gains(2048)[2047] == 1)
        #expect(ducker.isActive)
    }

    @Test func `several duckers multiply, on top of preset, fade and gain`() throws {
        let scene = try Scene(loops: true)
        let duckers = [scene.ducker(0.5, attack: 0), scene.ducker(0.25, attack: 0)]
        duckers.forEach { $0.activate() }
        let setting = PHASEGroupPresetSetting(gain: 0.5, rate: 1, gainCurveType: .linear, rateCurveType: .linear)
        PHASEGroupPreset(engine: scene.stage.engine, settings: ["music": setting], timeToTarget: 0, timeToReset: 0)
            .activate()
        scene.music.gain = 0.5
        scene.music.fadeGain(gain: 0.5, duration: 0, curveType: .linear)
        try scene.speak()
        _ = try scene.gains(1024)
        #expect(try scene.gains(512)[511] == 0.5 * 0.25 * 0.5 * 0.5 * 0.5)
        #expect(scene.stage.engine.duckers.map(\.identifier) == duckers.map(\.identifier))
    }

    @Test func `a ducker that is let go of while it ducks releases, and is gone`() throws {
        let scene = try Scene(loops: true)
        try scene.speak()
        var ducker: PHASEDucker? = scene.ducker(0, attack: 0, release: 0.25)
        ducker?.activate()
        #expect(try scene.gains(2048)[2047] == 0)
        ducker = nil
        #expect(scene.stage.engine.duckers.isEmpty)
        let up = try scene.gains(14_000)
        #expect(abs(up[6144] - 0.512) < 1e-6 && up[12_800] == 1)
    }

    @Test func `a ducker outlives its engine without harm`() throws {
        var scene: Scene? = try Scene(loops: true)
        let ducker = try #require(scene?.ducker())
        ducker.activate()
        try scene?.speak()
        _ = try scene?.gains(512)
        weak var gone = scene?.stage.engine
        scene = nil
        #expect(gone == nil)
        ducker.deactivate()
        ducker.activate()
    }

    @Test func `what is out of range is clamped, what is not registered recorded`() throws {
        let scene = try Scene()
        let stranger = PHASEGroup(identifier: "stranger")
        let engine = scene.stage.engine
        func odd(_ gain: Double, _ time: Double) -> PHASEDucker {
            PHASEDucker(
                engine: engine, sourceGroups: [stranger], targetGroups: [scene.music], gain: gain, attackTime: time,
                releaseTime: time,
                attackCurve: .cubed, releaseCurve: .sine)
        }
        #expect(odd(2, -1).gain == 1 && odd(-1, -1).gain == 0 && odd(.nan, .nan).gain == 0)
        #expect(odd(1, -1).attackTime == 0 && odd(1, .infinity).releaseTime == 0 && odd(1, 3).attackTime == 3)
        let ducker = odd(0.5, 0)
        #expect(
            ducker.attackCurve == .cubed && ducker.releaseCurve == .sine && ducker.sourceGroups == [stranger]
                && ducker.targetGroups == [scene.music])
        #expect(engine.lastError == nil)
        ducker.activate()
        #expect((engine.lastError as? PHASEAssetError)?.localizedDescription.contains("stranger") == true)
        #expect(Set([odd(1, 1), odd(1, 1)].map(\.identifier)).count == 2)
    }

    @Test func `times are in the engine's units`() throws {
        let scene = try Scene(loops: true)
        scene.stage.engine.unitsPerSecond = 1000
        let ducker = scene.ducker(0, attack: 1000)
        ducker.activate()
        try scene.speak()
        let out = try scene.gains(24_576 + 1)
        #expect(abs(out[24_576] - (1 - 0.512)) < 1e-6)
        #expect(ducker.attackTime == 1000)
    }
}
