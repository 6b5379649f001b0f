import Foundation
import OssicleTestSupport
import PHASE
import Testing

@Suite struct EnduranceTests {
    /// Renders `seconds` in calls of 512 frames into one buffer.
    private func render(
        _ stage: Stage, seconds: Double, _ buffer: AVAudioPCMBuffer, each step: (Int) throws -> Void
    ) throws {
        for call in 0..<Int(seconds * 48_000 / 512) {
            try step(call)
            try stage.engine.renderOffline(512, to: buffer)
        }
    }

    private func buffer(_ stage: Stage) throws -> AVAudioPCMBuffer {
        try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 512))
    }

    @Test func `events that have ended are forgotten, all of them`() throws {
        let stage = try Stage()
        try stage.register("tick", [sine(1000, 480)])
        let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb])
        stage.engine.defaultReverbPreset = .smallRoom
        try stage.registerEvent("tick", into: mixer)
        let source = try stage.source(at: SIMD3(0, 0, -1))
        try stage.start()
        let buffer = try buffer(stage)
        let ended = Heard<PHASESoundEvent.StartHandlerReason>()
        weak var first: Witness?
        // Five events in each call of 512 frames are some 470 a second.
        try render(stage, seconds: 2, buffer) { call in
            for _ in 0..<5 {
                let witness = Witness()
                if call == 0 { first = witness }
                try stage.event("tick event", mixer, source).start { [witness] reason in
                    withExtendedLifetime(witness) { ended.note(reason) }
                }
            }
        }
        try render(stage, seconds: 2, buffer) { _ in }
        ended.wait(for: 187 * 5)
        #expect(ended.values.count == 187 * 5 && ended.values.allSatisfy { $0 == .finishedPlaying })
        #expect(first == nil)
        #expect(stage.engine.soundEvents.isEmpty)
    }

    private final class Witness: Sendable {}

    @Test func `many threads edit while one renders`() throws {
        let stage = try Stage()
        let engine = stage.engine
        try stage.register("tone", [sine(1000, 4800)])
        let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
        let level = PHASENumberMetaParameterDefinition(value: 1, minimum: 0, maximum: 1, identifier: "level")
        let group = PHASEGroup(identifier: "group")
        group.register(engine: engine)
        try stage.registerEvent("tone", into: mixer) {
            $0.gainMetaParameterDefinition = level
            $0.group = group
        }
        let sources = try (0..<4).map { try stage.source(at: SIMD3(Float($0), 0, -1)) }
        let listener = stage.listener
        let handled = Heard<Void>()
        // The handler takes a lock that other threads hold while they call the engine: it must not run under the
        // engine's.
        let clientLock = NSLock()
        engine.errorHandler = { _ in clientLock.withLock { handled.note(()) } }
        try stage.start()
        let stopped = Heard<Void>()
        let threads = DispatchGroup()
        let parameters = sources.map { source in
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: mixer.identifier, source: source, listener: listener)
            return parameters
        }
        for (number, source) in sources.enumerated() {
            let given = Unshared(parameters[number])
            threads.enter()
            Thread.detachNewThread {
                defer { threads.leave() }
                var turn = 0
                while stopped.values.isEmpty {
                    turn += 1
                    clientLock.withLock {
                        source.transform = .translation(SIMD3(Float(turn % 7) - 3, Float(number), -1))
                    }
                    // A matrix that is no transform: goes to the error handler.
                    if turn % 5 == 0 { source.transform = simd_float4x4() }
                    source.gain = Double(turn % 10) / 10
                    group.gain = Double(turn % 4) / 4
                    if turn % 3 == 0 { group.fadeRate(rate: 1.5, duration: 0.01, curveType: .sine) }
                    guard
                        let event = try? PHASESoundEvent(
                            engine: engine, assetIdentifier: "tone event", mixerParameters: given.value)
                    else { continue }
                    event.start { _ in handled.note(()) }
                    (event.metaParameters["level"] as? PHASENumberMetaParameter)?.fade(value: 0.5, duration: 0.02)
                    if turn % 2 == 0 { event.pause() }
                    if turn % 4 == 0 { event.resume() }
                    event.stopAndInvalidate()
                    engine.defaultReverbPreset = turn % 50 == 0 ? .smallRoom : .mediumRoom
                    if turn % 20 == 0 {
                        engine.rootObject.removeChild(source)
                        try? engine.rootObject.addChild(source)
                    }
                    _ = engine.soundEvents.count
                    Thread.sleep(forTimeInterval: 0.0005)
                }
            }
        }
        var isFinite = true
        var calls = 0
        // Rendering may be over before the threads have got going: it waits for their first error, but not for ever.
        while calls < 200 || (handled.values.isEmpty && calls < 20_000) {
            isFinite = try stage.render(512).joined().allSatisfy(\.isFinite) && isFinite
            calls += 1
            // Locks are not fair: without a pause the thread that renders may keep it from the others.
            Thread.sleep(forTimeInterval: 0.0002)
        }
        stopped.note(())
        #expect(threads.wait(timeout: .now() + 30) == .success)
        #expect(isFinite)
        #expect(!handled.values.isEmpty)
        engine.stop()
    }

    private struct Unshared<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
