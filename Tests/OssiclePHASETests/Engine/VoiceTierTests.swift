import Foundation
import PHASE
import Testing

/// Spatial mixers beyond `maximumFullVoiceCount` play into the ambisonic bus.
@Suite struct VoiceTierTests {
    private func tiers(_ stage: Stage, _ events: [PHASESoundEvent]) -> [PHASEExplanation.Tier?] {
        events.map { stage.engine.explain($0).voices.first?.tier }
    }

    /// Looped tones at 1 m, 2 m and so on, in front.
    private func stage(
        _ limit: Int?, count: Int = 4
    ) throws -> (stage: Stage, events: [PHASESoundEvent], sources: [PHASESource]) {
        let stage = try Stage()
        stage.engine.maximumFullVoiceCount = limit
        try stage.register("tone", [sine(500, 4800)])
        let mixer = try stage.spatialMixer(rolloff: 1)
        try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        var events: [PHASESoundEvent] = []
        var sources: [PHASESource] = []
        for index in 0..<count {
            let source = try stage.source(at: SIMD3(0, 0, -Float(index + 1)))
            let event = try stage.event("tone event", mixer, source)
            event.start(completion: nil)
            events.append(event)
            sources.append(source)
        }
        _ = try stage.render(9600)
        return (stage, events, sources)
    }

    @Test func `with room for all they are full, and sound as without a limit`() throws {
        let (stage, events, _) = try stage(nil)
        #expect(stage.engine.maximumFullVoiceCount == nil)
        let all = [PHASEExplanation.Tier?](repeating: .full(limit: nil), count: 4)
        #expect(tiers(stage, events) == all)
        let (same, _, _) = try self.stage(4)
        let (other, _, _) = try self.stage(3)
        let (a, b, c) = (try stage.render(4800), try same.render(4800), try other.render(4800))
        #expect(a == b)
        #expect(a != c)
    }

    @Test func `the louder are full, the others in the bus, and explain says so`() throws {
        let (stage, events, _) = try stage(2)
        let chosen: [PHASEExplanation.Tier?] = [.full(limit: 2), .full(limit: 2), .bus(limit: 2), .bus(limit: 2)]
        #expect(tiers(stage, events) == chosen)
        #expect("\(stage.engine.explain(events[3]))".contains("in the ambisonic bus: 2 others come first"))
        stage.engine.maximumVoiceCount = 3
        _ = try stage.render(4800)
        let last = tiers(stage, events)[3]
        #expect(last == .virtual(limit: 3))
        stage.engine.maximumVoiceCount = nil
        stage.engine.maximumFullVoiceCount = -1
        #expect(stage.engine.maximumFullVoiceCount == 0)
        _ = try stage.render(4800)
        let none = tiers(stage, events).allSatisfy { $0 == .bus(limit: 0) }
        #expect(none)
    }

    @Test func `one that is full stays so until another is louder by 6 dB`() throws {
        let (stage, events, sources) = try stage(1, count: 2)
        let before: [PHASEExplanation.Tier?] = [.full(limit: 1), .bus(limit: 1)]
        #expect(tiers(stage, events) == before)
        // 0.7 m: 3 dB louder than the one at 1 m.
        sources[1].transform.columns.3.z = -0.7
        _ = try stage.render(9600)
        #expect(tiers(stage, events) == before)
        sources[0].transform.columns.3.z = -2
        _ = try stage.render(9600)
        let after: [PHASEExplanation.Tier?] = [.bus(limit: 1), .full(limit: 1)]
        #expect(tiers(stage, events) == after)
    }

    @Test func `all in the bus are as loud as all full, within 0.5 dB`() throws {
        let (full, bus) = (try stage(nil).stage, try stage(0).stage)
        let (a, b) = (try full.render(9600), try bus.render(9600))
        for ear in 0..<2 { #expect(abs(decibels(rms(b[ear][...]) / rms(a[ear][...]))) < 0.5) }
    }
}
