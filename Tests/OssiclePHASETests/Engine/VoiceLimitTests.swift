import Foundation
import PHASE
import Testing

/// Voices are constants of 0.25, 0.125, 0.0625 …: the sum tells which of them are heard.
@Suite struct VoiceLimitTests {
    private func stage(
        _ limit: Int?, voices: Int = 4, _ configure: (Int, PHASESamplerNodeDefinition) -> Void = { _, _ in }
    ) throws -> Stage {
        let stage = try Stage()
        stage.engine.maximumVoiceCount = limit
        for index in 0..<voices {
            try stage.register("\(index)", [[Float](repeating: exp2f(Float(-2 - index)), count: 4800)])
            try stage.registerEvent("\(index)", into: stage.channelMixer(), loops: true) { configure(index, $0) }
        }
        try stage.start()
        return stage
    }

    private func play(_ stage: Stage, _ index: Int) throws -> PHASESoundEvent {
        let event = try stage.event("\(index) event")
        event.start(completion: nil)
        return event
    }

    /// The voices that are heard once everything has settled.
    private func heard(_ stage: Stage) throws -> [Int] {
        _ = try stage.render(1024)
        let level = try stage.render(512)[0]
        #expect(level.first == level.last)
        return (0..<8).filter { Int(level[511] * 512) & (1 << (7 - $0)) != 0 }
    }

    @Test func `without a limit all are heard, with one the newest, and each comes back when there is room`() throws {
        let stage = try stage(nil)
        #expect(stage.engine.maximumVoiceCount == nil)
        let events = try (0..<4).map { try play(stage, $0) }
        #expect(try heard(stage) == [0, 1, 2, 3])
        stage.engine.maximumVoiceCount = 2
        #expect(try heard(stage) == [2, 3])
        events[3].stopAndInvalidate()
        #expect(try heard(stage) == [1, 2])
        stage.engine.maximumVoiceCount = 0
        #expect(try heard(stage) == [])
        stage.engine.maximumVoiceCount = -5
        #expect(stage.engine.maximumVoiceCount == 0)
        stage.engine.maximumVoiceCount = .max
        #expect(try heard(stage) == [0, 1, 2])
        stage.engine.maximumVoiceCount = 1
        #expect(try heard(stage) == [2])
        stage.engine.maximumVoiceCount = nil
        #expect(try heard(stage) == [0, 1, 2])
    }

    @Test func `priority comes first, then the level`() throws {
        let stage = try stage(2) { index, sampler in
            sampler.priority = [0, .max, 0, .min][index]
            sampler.setCalibrationMode(calibrationMode: .relativeSpl, level: [-12, -60, -20, 0][index])
        }
        #expect(
            PHASESamplerNodeDefinition(soundAssetIdentifier: "0", mixerDefinition: try stage.channelMixer()).priority
                == 0)
        let parameters = try (0..<4).map { try play(stage, $0) }
        _ = try stage.render(1024)
        let level = Double(try stage.render(512)[0][511])
        #expect(abs(level - (0.25 * pow(10, -12.0 / 20) + 0.125 * pow(10, -60.0 / 20))) < 1e-6)
        parameters[1].pause()
        parameters[0].pause()
        _ = try stage.render(1024)
        let rest = Double(try stage.render(512)[0][511])
        #expect(abs(rest - (0.0625 * pow(10, -20.0 / 20) + 0.03125)) < 1e-6)
    }

    @Test func `what cannot be heard takes nobody's place, whatever its priority`() throws {
        let group = PHASEGroup(identifier: "mute")
        let stage = try stage(1, voices: 2) { index, sampler in
            if index == 0 { (sampler.priority, sampler.group) = (10, group) }
        }
        group.register(engine: stage.engine)
        let events = try (0..<2).map { try play(stage, $0) }
        #expect(try heard(stage) == [0])
        group.mute()
        #expect(try heard(stage) == [1])
        group.unmute()
        #expect(try heard(stage) == [0])
        #expect(events.count == 2)
    }

    @Test func `a voice further away gives way, and two about as loud do not take turns`() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        stage.engine.maximumVoiceCount = 1
        let mixer = try stage.spatialMixer(rolloff: 1)
        var sources: [PHASESource] = []
        for (index, value) in [Float(0.5), 0.25].enumerated() {
            try stage.register("\(index)", [[Float](repeating: value, count: 4800)])
            try stage.registerEvent("\(index)", into: mixer, loops: true)
            sources.append(try stage.source(at: SIMD3(0, 0, -4)))
        }
        try stage.start()
        let events = try (0..<2).map { try stage.event("\($0) event", mixer, sources[$0]) }
        events.forEach { $0.start(completion: nil) }
        // Content times loudspeaker times distance; travel takes some hundred frames.
        func place(_ distances: [Float]) {
            for (source, distance) in zip(sources, distances) {
                source.transform = .translation(SIMD3(0, 0, -distance))
            }
        }
        func content(at distance: Double) throws -> Double {
            _ = try stage.render(4096)
            return Double(try stage.render(512)[0][511]) * 2.0.squareRoot() * distance
        }
        #expect(abs(try content(at: 4) - 0.25) < 0.01)
        place([2, 5])
        #expect(abs(try content(at: 2) - 0.5) < 0.02)
        // A decibel back and forth, for either.
        for step in 0..<20 {
            place([2 + 0.2 * Float(step % 2), 2.2 - 0.2 * Float(step % 2)])
            _ = try stage.render(512)
        }
        place([2, 2])
        let before = try content(at: 2)
        for step in 0..<40 {
            place([2 + 0.1 * Float(step % 2), 2.1 - 0.1 * Float(step % 2)])
            let now = Double(try stage.render(512)[0][511]) * 2.0.squareRoot() * 2
            #expect(abs(now / before - 1) < 0.1)
        }
    }

    @Test func `unheard voices go on in real time and fade in where they would be`() throws {
        let stage = try Stage()
        try stage.register("ramp", [(0..<48_000).map { 0.25 + 0.5 * Float($0) / 48_000 }])
        try stage.registerEvent("ramp", into: stage.channelMixer())
        try stage.start()
        let event = try stage.event("ramp event")
        event.start(completion: nil)
        let first = try stage.render(2048)[0]
        stage.engine.maximumVoiceCount = 0
        let out = try stage.render(8192)[0]
        stage.engine.maximumVoiceCount = nil
        let back = try stage.render(4096)[0]
        #expect(out[128...].allSatisfy { $0 == 0 })
        #expect(back[2000] == 0.25 + 0.5 * Float(2048 + 8192 + 2000) / 48_000)
        // A quantum is the fastest that anything fades.
        let all = first + out + back
        #expect(zip(all, all.dropFirst()).allSatisfy { abs($0 - $1) <= 0.5 / 128 })
    }

    @Test func `a one-shot that is not heard ends in time`() throws {
        let stage = try Stage()
        stage.engine.maximumVoiceCount = 0
        try stage.register("tone", [sine(500, 9600)])
        try stage.registerEvent("tone", into: stage.channelMixer())
        try stage.start()
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        let event = try stage.event("tone event")
        event.start { heard.note($0) }
        // Not even its beginning is heard.
        #expect(try stage.render(9599)[0].allSatisfy { $0 == 0 })
        #expect(event.renderingState == .started)
        _ = try stage.render(1)
        heard.wait()
        #expect(heard.values == [.finishedPlaying])
    }

    @Test func `paused and sleeping voices leave room, and take it back`() throws {
        let stage = try stage(1)
        let (old, new) = (try play(stage, 0), try play(stage, 1))
        #expect(try heard(stage) == [1])
        new.pause()
        #expect(try heard(stage) == [0])
        old.pause()
        #expect(try heard(stage) == [])
        new.resume()
        old.resume()
        #expect(try heard(stage) == [1])
        new.stopAndInvalidate()
        #expect(try heard(stage) == [0])
    }

    @Test func `a voice that waits for its time takes nobody's place before, and its own then`() throws {
        let stage = try stage(1, voices: 2)
        _ = try play(stage, 0)
        let next = try stage.event("1 event")
        next.start(at: AVAudioTime(sampleTime: 9600, atRate: 48_000), completion: nil)
        #expect(try heard(stage) == [0])
        _ = try stage.render(9600)
        #expect(try heard(stage) == [1])
    }

    @Test func `pausing and resuming at once does not let an unheard voice be heard`() throws {
        let stage = try stage(1, voices: 2)
        let events = try (0..<2).map { try play(stage, $0) }
        #expect(try heard(stage) == [1])
        events[0].pause()
        events[0].resume()
        #expect(try heard(stage) == [1])
    }

    @Test(arguments: [PHASECullOption.sleepWakeAtZero, .sleepWakeAtRealtimeOffset])
    func `an unheard voice is culled and woken like any other`(option: PHASECullOption) throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        let mixer = try stage.spatialMixer(rolloff: 0)
        mixer.distanceModelParameters?.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 10)
        try stage.register("ramp", [(0..<9600).map { 0.1 + 0.4 * Float($0) / 9600 }])
        try stage.registerEvent("ramp", into: mixer) { $0.cullOption = option }
        let source = try stage.source(at: SIMD3(0, 0, -1))
        try stage.start()
        let event = try stage.event("ramp event", mixer, source)
        event.start(completion: nil)
        _ = try stage.render(1024)
        stage.engine.maximumVoiceCount = 0
        _ = try stage.render(1024)
        source.transform = .translation(SIMD3(0, 0, -20))
        _ = try stage.render(4608)
        // Back in range there is room; a sleeper that begins anew has not used up its frames.
        stage.engine.maximumVoiceCount = nil
        source.transform = .translation(SIMD3(0, 0, -1))
        let back = try stage.render(2048)[0]
        let place = Int(((Double(back[2047]) * 2.0.squareRoot() - 0.1) / 0.4 * 9600).rounded())
        let expected = option == .sleepWakeAtZero ? 2048 : 1024 + 1024 + 4608 + 2048
        #expect((expected - 200...expected).contains(place))
    }

    @Test func `the same bytes however render calls are cut`() throws {
        let runs = try [512, 97].map { call in
            let stage = try stage(2)
            _ = try (0..<4).map { try play(stage, $0) }
            let first = try stage.render(3000, call: call)[0]
            stage.engine.maximumVoiceCount = 3
            return first + (try stage.render(3000, call: call)[0])
        }
        #expect(runs[0] == runs[1])
    }
}
