import Foundation
import PHASE
import Testing

/// Scenes large enough for several threads.
@Suite struct RenderThreadTests {
    /// Moving sources, of which one ends and another begins while the scene is rendered.
    private func sound(threads: Int?) throws -> [[Float]] {
        let stage = try Stage()
        stage.engine.renderThreadCount = threads
        stage.engine.defaultReverbPreset = .smallRoom
        try stage.register("tone", [sine(500, 4800)])
        let mixer = try stage.spatialMixer(rolloff: 1)
        try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        let sources = try (0..<90).map { try stage.source(at: SIMD3(Float($0 % 9) - 4, 0, -1 - Float($0 / 9))) }
        var events = try sources.map { try stage.event("tone event", mixer, $0) }
        for event in events { event.start(completion: nil) }
        var sound = try stage.render(2048)
        for turn in 0..<4 {
            for source in sources { source.transform.columns.3.x += 0.1 }
            events.removeFirst().stopAndInvalidate()
            let event = try stage.event("tone event", mixer, sources[turn])
            event.start(completion: nil)
            events.append(event)
            if turn == 2 { stage.engine.renderThreadCount = threads.map { $0 + 1 } }
            for (channel, more) in try stage.render(1000).enumerated() { sound[channel] += more }
        }
        return sound
    }

    @Test func `a scene has the same bytes on every number of threads, also while it is edited`() throws {
        let expected = try sound(threads: 1)
        #expect(expected.allSatisfy { $0.contains { $0 != 0 } })
        for threads in [2, 3, 7, nil] { #expect(try sound(threads: threads) == expected) }
    }

    @Test func `a number of threads that there cannot be is the nearest that there can`() throws {
        let engine = try Stage().engine
        #expect(engine.renderThreadCount == nil)
        for (given, taken) in [(-1, 1), (0, 1), (3, 3), (1000, 64)] {
            engine.renderThreadCount = given
            #expect(engine.renderThreadCount == taken)
        }
    }
}
