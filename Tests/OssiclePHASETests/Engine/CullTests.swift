import PHASE
import Testing

/// What becomes of a sound beyond its cull distance of 10 m.
@Suite struct CullTests {
    private let frames = 9600

    /// A loop whose samples tell their place, from a source that can be moved out of earshot. Panned, so that the place
    /// can be read off.
    private struct Scene {
        let stage: Stage
        let source: PHASESource
        let event: PHASESoundEvent
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()

        func move(_ distance: Float) { source.transform = .translation(SIMD3(0, 0, -distance)) }
    }

    private func scene(
        _ option: PHASECullOption, at distance: Float = 1, loops: Bool = true, seed: UInt64 = 0
    ) throws -> Scene {
        let stage = try Stage(mode: .alwaysUseChannelBased, seed: seed)
        try stage.register("ramp", [(0..<frames).map { frame in 0.1 + 0.4 * Float(frame) / Float(frames) }])
        let mixer = try stage.spatialMixer(rolloff: 0)
        mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        try stage.registerEvent("ramp", into: mixer, loops: loops) { $0.cullOption = option }
        let source = try stage.source(at: SIMD3(0, 0, -distance))
        try stage.start()
        let scene = Scene(stage: stage, source: source, event: try stage.event("ramp event", mixer, source))
        scene.event.start { [heard = scene.heard] in heard.note($0) }
        return scene
    }

    /// The place in the loop that an output sample comes from: gains are 1 to each of two loudspeakers at equal power.
    private func place(_ sample: Float) -> Int {
        let value = Double(sample) * 2.0.squareRoot()
        return Int(((value - 0.1) / 0.4 * Double(frames)).rounded())
    }

    /// Away for 4,800 frames, back again; the places heard 1,024 frames after the start and after the return.
    /// What is under way over 20 m arrives within 2,800 frames.
    private func trip(_ scene: Scene) throws -> (before: Int, silence: [Float], after: Int) {
        let before = try scene.stage.render(1024)[0]
        scene.move(20)
        let silence = try scene.stage.render(4800)[0]
        scene.move(1)
        let after = try scene.stage.render(1024)[0]
        return (place(before[1023]), silence, place(after[1023]))
    }

    @Test func `terminate ends the event when it is out of earshot`() throws {
        let scene = try scene(.terminate)
        let (_, _, after) = try trip(scene)
        scene.heard.wait()
        #expect(scene.heard.values == [.terminated])
        #expect(after == place(0))
    }

    @Test func `terminate ends an event that starts out of earshot before it plays`() throws {
        let scene = try scene(.terminate, at: 20)
        let far = try scene.stage.render(1024)[0]
        scene.move(1)
        let near = try scene.stage.render(1024)[0]
        scene.heard.wait()
        #expect((far + near).allSatisfy { $0 == 0 })
        #expect(scene.heard.values == [.terminated])
    }

    @Test func `sleepWakeAtZero begins anew`() throws {
        let (before, silence, after) = try trip(scene(.sleepWakeAtZero))
        #expect(silence[3600...].allSatisfy { $0 == 0 })
        // Both are 1,024 frames behind a beginning, less the 9 m and 1 m of travel.
        #expect(abs(before - after) <= 2)
    }

    @Test func `sleepWakeAtRealtimeOffset is where it would have been`() throws {
        let (before, silence, after) = try trip(scene(.sleepWakeAtRealtimeOffset))
        #expect(silence[3600...].allSatisfy { $0 == 0 })
        #expect(abs(after - (before + 4800 + 1024)) <= 2)
    }

    @Test func `doNotCull goes on unheard`() throws {
        let (before, silence, after) = try trip(scene(.doNotCull))
        #expect(silence[3600...].allSatisfy { $0 == 0 })
        #expect(abs(after - (before + 4800 + 1024)) <= 2)
    }

    @Test func `sleepWakeAtRandomOffset is random, and the seed's choice`() throws {
        let places = try (0..<6).map { seed in try trip(scene(.sleepWakeAtRandomOffset, seed: UInt64(seed))).after }
        let again = try (0..<6).map { seed in try trip(scene(.sleepWakeAtRandomOffset, seed: UInt64(seed))).after }
        #expect(places == again && Set(places).count > 3)
    }

    @Test func `a sleeping one-shot ends when it would have ended`() throws {
        let scene = try scene(.sleepWakeAtRealtimeOffset, loops: false)
        _ = try scene.stage.render(1024)
        scene.move(20)
        _ = try scene.stage.render(frames - 1024 - 1)
        #expect(scene.event.renderingState == .started)
        _ = try scene.stage.render(1)
        scene.heard.wait()
        #expect(scene.heard.values == [.finishedPlaying])
    }

    @Test func `an event that starts asleep wakes when it comes near`() throws {
        for (option, expected) in [(PHASECullOption.sleepWakeAtZero, 0), (.sleepWakeAtRealtimeOffset, 2048)] {
            let scene = try scene(option, at: 20)
            let far = try scene.stage.render(2048)[0]
            scene.move(1)
            let near = try scene.stage.render(1024)[0]
            #expect(far.allSatisfy { $0 == 0 })
            // 1 m of travel and the delay line are some 150 frames.
            #expect((expected + 800...expected + 1024).contains(place(near[1023])))
        }
    }

    @Test func `a paused sound does not wake by coming near`() throws {
        let scene = try scene(.sleepWakeAtRealtimeOffset)
        _ = try scene.stage.render(1024)
        scene.event.pause()
        scene.move(20)
        _ = try scene.stage.render(1024)
        scene.move(1)
        let near = try scene.stage.render(2048)[0]
        #expect(near[1024...].allSatisfy { $0 == 0 })
        scene.event.resume()
        let resumed = try scene.stage.render(1024)[0]
        #expect((1800...2304).contains(place(resumed[1023])))
    }
}
