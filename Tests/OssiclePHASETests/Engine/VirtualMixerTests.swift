import PHASE
import Testing
@testable import OssiclePHASE
@testable import OssicleSpatial

/// Spatial events beyond the voice limit have no renderers, and sound as if they had when there is room.
@Suite struct VirtualMixerTests {
    private func stage(limit: Int?) throws -> (stage: Stage, play: (Float) throws -> PHASESoundEvent) {
        let stage = try Stage()
        stage.engine.maximumVoiceCount = limit
        try stage.register("tone", [sine(500, 4800)])
        let mixer = try stage.spatialMixer(rolloff: 1)
        try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        return (
            stage,
            { distance in
                let event = try stage.event("tone event", mixer, try stage.source(at: SIMD3(0, 0, -distance)))
                event.start(completion: nil)
                return event
            }
        )
    }

    private func isVirtual(_ event: PHASESoundEvent) -> [Bool] {
        event.control.locked { event.instance.channels.all.map(\.channel).map(\.isVirtual) }
    }

    @Test func `with room for all nothing is virtual`() throws {
        let (stage, play) = try stage(limit: nil)
        let events = try (1...4).map { try play(Float($0)) }
        _ = try stage.render(1024)
        #expect(events.allSatisfy { isVirtual($0) == [false] } && stage.engine.recordedErrors.isEmpty)
    }

    @Test func `a voice without room begins without a renderer, and gets one where there is room`() throws {
        let (stage, play) = try stage(limit: 1)
        let near = try play(1)
        _ = try stage.render(4800)
        let far = try play(8)
        _ = try stage.render(4800)
        #expect(isVirtual(near) == [false] && isVirtual(far) == [true])
        #expect(far.renderingState == .started && "\(stage.engine.explain(far))".contains("maximumVoiceCount is 1"))
        near.stopAndInvalidate()
        _ = try stage.render(9600)
        #expect(isVirtual(far) == [false])
        let level = rms(try stage.render(4800)[0][...])
        let (alone, playAlone) = try self.stage(limit: nil)
        _ = try playAlone(8)
        _ = try alone.render(9600)
        #expect(abs(decibels(level / rms(try alone.render(4800)[0][...]))) < 0.01)
    }

    @Test func `a renderer is given back once its voices have been unheard for as long as it rings`() throws {
        let (stage, play) = try stage(limit: 1)
        let far = try play(8)
        _ = try stage.render(4800)
        weak let body = try #require(
            far.control.locked { far.instance.channels.all.first?.channel.body(nil, nil)?.owner })
        let near = try play(1)
        _ = try stage.render(512)
        #expect(isVirtual(far) == [false] && isVirtual(near) == [false])
        // A second for the sound that is on its way, and the tail of the filters.
        _ = try stage.render(72_000, call: 4096)
        #expect(isVirtual(far) == [true] && body == nil)
        near.stopAndInvalidate()
        _ = try stage.render(4800)
        #expect(isVirtual(far) == [false])
        #expect(rms(try stage.render(4800)[0][...]) > 0.001)
    }

    /// Idle, it is looked at every eighth update; then it waits for one more, and its renderer and plan come with the
    /// next.
    @Test func `an idle voice that comes near is heard ten updates later at the latest`() throws {
        let stage = try Stage()
        stage.engine.maximumVoiceCount = 1
        try stage.register("tone", [sine(500, 4800)])
        let mixer = try stage.spatialMixer(rolloff: 1)
        try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.start()
        try stage.event("tone event", mixer, try stage.source(at: SIMD3(0, 0, -2))).start(completion: nil)
        _ = try stage.render(4800)
        let source = try stage.source(at: SIMD3(0, 0, -8))
        let far = try stage.event("tone event", mixer, source)
        far.start(completion: nil)
        _ = try stage.render(9600)
        func isIdle() -> Bool { far.control.locked { far.instance.idle != nil } }
        #expect(isIdle() && isVirtual(far) == [true])
        // 0.1 m an update of 512 frames, 9 m/s, to half a metre: 12 dB louder than the other.
        for number in 1...75 {
            source.transform.columns.3.z = -8 + 0.1 * Float(number)
            _ = try stage.render(512)
        }
        _ = try stage.render(10 * 512)
        #expect(!isIdle() && isVirtual(far) == [false])
        #expect(stage.engine.explain(far).silentBecause.isEmpty)
    }

    @Test func `an idle event is stopped, paused and moved in time at once`() throws {
        let (stage, play) = try stage(limit: 1)
        _ = try play(1)
        _ = try stage.render(4800)
        let events = [try play(8), try play(9)]
        _ = try stage.render(9600)
        #expect(events.allSatisfy { event in event.control.locked { event.instance.idle != nil } })
        events[0].pause()
        events[1].stopAndInvalidate()
        _ = try stage.render(512)
        #expect(events[0].renderingState == .paused && events[1].renderingState == .stopped)
        events[0].resume()
        _ = try stage.render(4800)
        #expect(events[0].renderingState == .started)
    }

    @Test func `a mixer that a client taps keeps its renderer`() throws {
        let (stage, play) = try stage(limit: 1)
        let far = try play(8)
        try #require(far.mixers.values.first).installTap(bufferSize: 512) { _, _ in }
        _ = try play(1)
        _ = try stage.render(72_000, call: 4096)
        #expect(isVirtual(far) == [false])
    }

    @Test func `the default limit is told of once, and explained`() throws {
        let (stage, play) = try stage(limit: nil)
        // The two that come last are farther away.
        let events = try (0..<LevelWriter.defaultVoiceLimit + 2).map {
            try play($0 < LevelWriter.defaultVoiceLimit ? 1 : 8)
        }
        try stage.engine.control.locked {
            stage.engine.control.update()
            stage.engine.control.update()
        }
        #expect(stage.engine.recordedErrors.count == 1)
        #expect("\(try #require(stage.engine.lastError))".contains("514 voices"))
        #expect(events.filter { isVirtual($0) == [true] }.count == 2)
        #expect(try #require(events.last.map(stage.engine.explain)).silentBecause == [.voiceLimit(maximum: 512)])
    }
}
