import PHASE
import Testing

@Suite struct UpdateModeTests {
    /// Every sample tells its number.
    private func steps(_ count: Int, times factor: Float = 1) -> [Float] {
        (0..<count).map { frame in factor * Float(frame + 1) / Float(16_384) }
    }

    private func stage(_ mode: PHASEEngine.UpdateMode) throws -> Stage {
        let stage = try Stage(updateMode: mode)
        try stage.register("steps", [steps(9600)])
        try stage.registerEvent("steps", into: stage.channelMixer())
        try stage.start()
        return stage
    }

    @Test(arguments: [100, 1, 127, 512, 513, 3000])
    func `in automatic mode a sound starts with the first frame of the next render call`(frames: Int) throws {
        let stage = try stage(.automatic)
        let before = try stage.render(frames, call: 4096)[0]
        try stage.event("steps event").start(completion: nil)
        let after = try stage.render(1000, call: 77)[0]
        #expect(before.allSatisfy { $0 == 0 })
        #expect(after == steps(1000))
    }

    @Test func `in manual mode nothing changes before update`() throws {
        let stage = try stage(.manual)
        let parameter = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "level")
        try stage.register("flat", [[Float](repeating: 0.5, count: 90_000)])
        try stage.registerEvent("flat", into: stage.channelMixer()) { $0.gainMetaParameterDefinition = parameter }
        let event = try stage.event("flat event")
        event.start(completion: nil)
        let unstarted = try stage.render(700)[0]
        #expect(unstarted.allSatisfy { $0 == 0 })
        stage.engine.update()
        let started = try stage.render(700)[0]
        #expect(started.allSatisfy { $0 == 0.5 })

        event.metaParameters["level"]?.value = 0.0
        let unchanged = try stage.render(700)[0]
        #expect(unchanged.allSatisfy { $0 == 0.5 })
        event.metaParameters["level"]?.value = 1.0

        event.pause()
        let unpaused = try stage.render(700)[0]
        #expect(unpaused.allSatisfy { $0 == 0.5 })
        stage.engine.update()
        let paused = try stage.render(700)[0]
        #expect(paused[0] > 0.4 && paused[128...].allSatisfy { $0 == 0 })

        event.resume()
        #expect(try stage.render(700)[0].allSatisfy { $0 == 0 })
        stage.engine.update()
        #expect(try stage.render(700)[0].last == 0.5)

        event.stopAndInvalidate()
        let unstopped = try stage.render(700)[0]
        #expect(unstopped.allSatisfy { $0 == 0.5 })
        stage.engine.update()
        let stopped = try stage.render(700)[0]
        #expect(stopped[128...].allSatisfy { $0 == 0 })
    }

    @Test func `in manual mode everything between two updates lands on the same frame`() throws {
        let stage = try stage(.manual)
        _ = try stage.render(333)
        let events = try (0..<3).map { _ in try stage.event("steps event") }
        for event in events {
            event.start(completion: nil)
            _ = try stage.render(50)
        }
        stage.engine.update()
        let out = try stage.render(500)[0]
        #expect(out == steps(500, times: 3))
    }

    @Test func `update is without effect in automatic mode`() throws {
        let (plain, updated) = (try stage(.automatic), try stage(.automatic))
        try plain.event("steps event").start(completion: nil)
        try updated.event("steps event").start(completion: nil)
        var (a, b): ([Float], [Float]) = ([], [])
        for _ in 0..<20 {
            a += try plain.render(100)[0]
            b += try updated.render(100)[0]
            updated.engine.update()
        }
        #expect(a == b)
    }
}
