import OssicleCore
import Testing
@testable import OssicleMIDI

@Suite("Tempo map")
struct TempoMapTests {
    @Test("Without changes a beat takes half a second")
    func usual() {
        let map = TempoMap()
        #expect(map.seconds(at: 7) == 3.5)
        #expect(map.beat(at: 3.5) == 7)
        #expect(map.seconds(at: -2) == -1)
        #expect(map.tempo(at: 100) == 120)
    }

    @Test("Seconds are the sum of the stretches before, in closed form")
    func stretches() {
        let map = TempoMap([
            .init(beat: 0, tempo: 60), .init(beat: 4, tempo: 120), .init(beat: 6, tempo: 240),
            .init(beat: 10, tempo: 30),
        ])
        // 4 beats of 1 s, 2 of 0.5 s, 4 of 0.25 s, then 2 s each.
        #expect(map.seconds(at: 4) == 4)
        #expect(map.seconds(at: 6) == 5)
        #expect(map.seconds(at: 10) == 6)
        #expect(map.seconds(at: 11.5) == 9)
        #expect(map.seconds(at: 5) == 4.5)
        #expect(map.seconds(at: -3) == -3)
        #expect(map.beat(at: 5.5) == 8)
        #expect(map.tempo(at: 3.999) == 60)
        #expect(map.tempo(at: 4) == 120)
    }

    @Test("Beat 0 is at 0 seconds wherever the first change lies")
    func firstChange() {
        let late = TempoMap([.init(beat: 8, tempo: 60), .init(beat: 9, tempo: 240)])
        #expect(late.seconds(at: 8) == 4)
        #expect(late.seconds(at: 11) == 5.5)
        let early = TempoMap([.init(beat: -4, tempo: 60), .init(beat: 2, tempo: 120)])
        #expect(early.seconds(at: 0) == 0)
        #expect(early.seconds(at: -1) == -1)
        #expect(early.seconds(at: 4) == 3)
        #expect(early.beat(at: 3) == 4)
    }

    @Test("There and back is exact to 10⁻¹² of the time, over a thousand tempi")
    func roundTrip() {
        let random = CounterRandom(seed: 5, object: 1)
        let changes = (0..<1000).map { index -> TempoMap.Change in
            let draw = UInt64(2 * index)
            return TempoMap.Change(
                beat: 3 * Double(index) + random.unit(draw), tempo: 20 + 280 * random.unit(draw + 1))
        }
        let map = TempoMap(changes)
        for index in 0..<5000 {
            let beat = 3100 * random.unit(UInt64(10_000 + index))
            #expect(abs(map.beat(at: map.seconds(at: beat)) - beat) < 1e-12 * max(1, beat) * 4)
        }
    }

    @Test("Tempi that cannot be are left out or clamped, and the last of one beat counts")
    func guarded() {
        let odd = TempoMap([
            .init(beat: 0, tempo: 0), .init(beat: 0, tempo: -60), .init(beat: 0, tempo: .nan),
            .init(beat: .infinity, tempo: 60),
        ])
        #expect(odd.changes == [.init(beat: 0, tempo: 120)])
        #expect(TempoMap([.init(beat: 0, tempo: 1e-300)]).tempo(at: 0) == TempoMap.range.lowerBound)
        #expect(TempoMap([.init(beat: 0, tempo: 1e300)]).tempo(at: 0) == TempoMap.range.upperBound)
        #expect(TempoMap([.init(beat: 2, tempo: 60), .init(beat: 2, tempo: 90)]).tempo(at: 5) == 90)
        #expect(TempoMap([.init(beat: 5, tempo: 60), .init(beat: 2, tempo: 90)]).tempo(at: 9) == 60)
    }
}
