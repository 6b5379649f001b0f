import OssicleSoundEvents
import Testing
@testable import OssicleSpatial

@Suite struct GroupMixTests {
    private func mix(_ names: String...) -> GroupMix {
        let mix = GroupMix()
        for name in names { mix.groups[name] = GroupControls() }
        return mix
    }

    @Test func `a soloed group silences the others`() {
        let mix = mix("a", "b")
        mix.groups["a"]?.isSoloed = true
        let levels = mix.levels(gainAt: 0, rateAt: 0)
        #expect(levels["a"]?.gain == 1 && levels["b"]?.gain == 0)
        #expect(levels["b"]?.silencedBy == ["a"])
    }

    @Test func `presets glide, and what only the old one names goes back`() {
        let mix = mix("a", "b")
        func preset(_ owner: AnyObject, _ name: String) -> GroupPreset {
            let target = GroupPreset.Target(gain: 0.5, rate: 2, gainCurve: .linear, rateCurve: .linear)
            return GroupPreset(owner: owner, targets: [name: target], timeToReset: 2)
        }
        mix.activate(preset(mix, "a"), at: 0, duration: 1, unitsPerSecond: 1)
        #expect(mix.levels(gainAt: 0.5, rateAt: 0.5)["a"]?.gain == 0.75)
        #expect(mix.levels(gainAt: 1, rateAt: 1)["a"]?.rate == 2)
        mix.activate(preset(self.mix() as AnyObject, "b"), at: 10, duration: 1, unitsPerSecond: 1)
        let levels = mix.levels(gainAt: 11, rateAt: 11)
        #expect(levels["a"]?.gain == 0.75 && levels["b"]?.gain == 0.5)
    }

    @Test func `a ducker attacks while a source group sounds, and is forgotten once it is up again`() {
        let mix = mix("speech", "music")
        let owner = Owner()
        let ducker = Ducking(
            identifier: "Ducker 1", sources: ["speech"], targets: ["music"],
            settings: Ducking.Settings(
                gain: 0.25, attackTime: 1, releaseTime: 1, attackCurve: .linear, releaseCurve: .linear))
        ducker.owner = owner
        ducker.isActive = true
        mix.add(ducker)
        mix.update(sounding: ["speech"], at: 0, ahead: 0, unitsPerSecond: 1)
        #expect(mix.levels(gainAt: 1, rateAt: 1)["music"]?.gain == 0.25)
        mix.update(sounding: [], at: 2, ahead: 0, unitsPerSecond: 1)
        #expect(mix.levels(gainAt: 2.5, rateAt: 2.5)["music"]?.gain == 0.625)
        #expect(mix.duckers.count == 1)
        ducker.owner = nil
        ducker.isActive = false
        mix.update(sounding: [], at: 4, ahead: 0, unitsPerSecond: 1)
        #expect(mix.duckers.isEmpty)
    }

    private final class Owner {}

    @Test func `where time begins anew fades are at their end`() {
        let mix = mix("a")
        #expect(!mix.followTime(5))
        mix.groups["a"]?.gainFade = CurvedFade(settledAt: 1).heading(for: 0, at: 5, duration: 100, .linear)
        #expect(mix.followTime(0) && mix.levels(gainAt: 0, rateAt: 0)["a"]?.gain == 0)
    }
}
