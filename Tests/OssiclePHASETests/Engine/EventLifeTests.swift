import Foundation
import PHASE
import Testing

/// What handlers have heard, from any thread.
final class Heard<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var heard: [(value: Value, onMain: Bool, thread: ObjectIdentifier)] = []

    func note(_ value: Value) {
        lock.withLock { heard.append((value, Thread.isMainThread, ObjectIdentifier(Thread.current))) }
    }
    var values: [Value] { lock.withLock { heard.map(\.value) } }
    var threads: [ObjectIdentifier] { lock.withLock { heard.map(\.thread) } }

    /// Waits for a handler that runs on another thread; a second is an eternity for it.
    func wait(for count: Int = 1) {
        let end = Date().addingTimeInterval(10)
        while values.count < count && Date() < end { Thread.sleep(forTimeInterval: 0.001) }
    }
}

@Suite struct EventLifeTests {
    private func stage(
        _ mode: PHASEEngine.UpdateMode = .automatic, frames: Int = 48_000, loops: Bool = false
    ) throws -> Stage {
        let stage = try Stage(updateMode: mode)
        try stage.register("ramp", [(0..<frames).map { frame in 0.5 * Float(frame + 1) / Float(frames) }])
        try stage.registerEvent("ramp", into: stage.channelMixer(), loops: loops)
        try stage.start()
        return stage
    }

    @Test func `a one-shot of 48,000 frames finishes by itself, with its last frame`() throws {
        let stage = try stage()
        let event = try stage.event("ramp event")
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        event.start { heard.note($0) }
        let out = try stage.render(47_999)[0]
        #expect(out.last == 0.5 * Float(47_999) / 48_000 && event.renderingState == .started)
        _ = try stage.render(1)
        heard.wait()
        #expect(heard.values == [.finishedPlaying])
        #expect(event.renderingState == .stopped)
    }

    @Test func `in automatic mode handlers run on another thread than the one that renders`() throws {
        let stage = try stage(frames: 100)
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        try stage.event("ramp event").start { heard.note($0) }
        _ = try stage.render(4096, call: 4096)
        heard.wait()
        #expect(heard.threads.count == 1 && heard.threads.first != ObjectIdentifier(Thread.current))
    }

    @Test func `in manual mode handlers run inside update on its thread`() throws {
        let stage = try stage(.manual, frames: 100)
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        try stage.event("ramp event").start { heard.note($0) }
        stage.engine.update()
        _ = try stage.render(4096)
        Thread.sleep(forTimeInterval: 0.02)
        #expect(heard.values.isEmpty)
        stage.engine.update()
        #expect(heard.values == [.finishedPlaying] && heard.threads == [ObjectIdentifier(Thread.current)])
    }

    @Test(arguments: [PHASEEngine.UpdateMode.automatic, .manual])
    func `stopAndInvalidate is heard as terminated, once`(mode: PHASEEngine.UpdateMode) throws {
        let stage = try stage(mode)
        let event = try stage.event("ramp event")
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        event.start { heard.note($0) }
        stage.engine.update()
        _ = try stage.render(512)
        event.stopAndInvalidate()
        event.stopAndInvalidate()
        stage.engine.update()
        heard.wait()
        let out = try stage.render(1024)[0]
        stage.engine.stop()
        #expect(heard.values == [.terminated])
        #expect(out[200...].allSatisfy { $0 == 0 })
        #expect(stage.engine.soundEvents.isEmpty)
    }

    @Test func `stopping the engine terminates all, started and waiting`() throws {
        let stage = try stage(loops: true)
        let heard = Heard<PHASESoundEvent.StartHandlerReason>()
        let events = try (0..<5).map { _ in try stage.event("ramp event") }
        for event in events[..<3] { event.start { heard.note($0) } }
        _ = try stage.render(512)
        events[3].start { heard.note($0) }
        stage.engine.stop()
        // A stopped engine may be stopped again: what was started meanwhile never will play.
        events[4].start { heard.note($0) }
        stage.engine.stop()
        heard.wait(for: 5)
        #expect(heard.values == Array(repeating: .terminated, count: 5))
        #expect(events.allSatisfy { $0.renderingState == .stopped })
    }

    @Test func `an event plays once: a second start is ignored, and so is its handler`() throws {
        let stage = try stage(.manual, frames: 300)
        let event = try stage.event("ramp event")
        let (first, second) = (Heard<PHASESoundEvent.StartHandlerReason>(), Heard<PHASESoundEvent.StartHandlerReason>())
        event.start { first.note($0) }
        event.start { second.note($0) }
        stage.engine.update()
        _ = try stage.render(1024)
        stage.engine.update()
        event.start { second.note($0) }
        stage.engine.update()
        let after = try stage.render(1024)[0]
        stage.engine.update()
        #expect(first.values == [.finishedPlaying] && second.values.isEmpty)
        #expect(after.allSatisfy { $0 == 0 })
    }

    @Test func `prepare says prepared, or terminated once the event is over`() throws {
        let stage = try stage(.manual)
        let event = try stage.event("ramp event")
        let heard = Heard<PHASESoundEvent.PrepareHandlerReason>()
        #expect(event.prepareState == .prepareNotStarted)
        event.prepare { heard.note($0) }
        stage.engine.update()
        #expect(event.prepareState == .prepared && event.renderingState == .stopped)
        event.stopAndInvalidate()
        event.prepare { heard.note($0) }
        stage.engine.update()
        #expect(heard.values == [.prepared, .terminated])
    }

    @Test func `pause and resume keep the place to the sample`() throws {
        let stage = try stage()
        let event = try stage.event("ramp event")
        event.start(completion: nil)
        let before = try stage.render(1000)[0]
        event.pause()
        #expect(event.renderingState == .paused)
        let pausing = try stage.render(4096)[0]
        event.resume()
        let after = try stage.render(1000)[0]
        // The last frame of the fade-out is the 128th; the fade-in starts with the frame behind it.
        let place = 1000 + 128
        #expect(before.last == 0.5 * Float(1000) / 48_000)
        #expect(pausing[128...].allSatisfy { $0 == 0 })
        #expect(after[128] == 0.5 * Float(place + 129) / 48_000)
    }

    @Test(arguments: [64, 100, 512, 1024])
    func `where a pause falls does not depend on how render calls are cut`(call: Int) throws {
        func out(_ call: Int) throws -> [Float] {
            let stage = try stage()
            let event = try stage.event("ramp event")
            event.start(completion: nil)
            _ = try stage.render(1000, call: call)
            event.pause()
            _ = try stage.render(2000, call: call)
            event.resume()
            return try stage.render(1000, call: call)[0]
        }
        #expect(try out(call) == out(333))
    }

    @Test func `an event paused before its first frame starts at its first frame`() throws {
        let stage = try stage()
        let event = try stage.event("ramp event")
        event.start(completion: nil)
        event.pause()
        let silence = try stage.render(600)[0]
        event.resume()
        let out = try stage.render(10)[0]
        #expect(silence.allSatisfy { $0 == 0 } && out[0] == 0.5 * Float(1) / 48_000)
    }

    @Test func `resume plays an event that was prepared and never started, from its beginning`() throws {
        let stage = try stage()
        let event = try stage.event("ramp event")
        event.prepare(completion: nil)
        let before = try stage.render(600)[0]
        event.resume()
        #expect(event.renderingState == .started && stage.engine.soundEvents == [event])
        let out = try stage.render(47_999)[0]
        #expect(
            before.allSatisfy { $0 == 0 } && out.first == 0.5 * Float(1) / 48_000
                && out.last == 0.5 * Float(47_999) / 48_000)
        _ = try stage.render(1)
        #expect(event.renderingState == .stopped)
        #expect(stage.engine.lastError == nil)
    }

    @Test func `a prepared event that is resumed when its seek has succeeded plays from there`() throws {
        let stage = try stage(.manual)
        let event = try stage.event("ramp event")
        event.prepare(completion: nil)
        event.seek(to: 0.5) { reason in if reason == .seekSuccessful { event.resume() } }
        stage.engine.update()
        stage.engine.update()
        // What begins within a sound fades in over 128 frames.
        #expect(try stage.render(300)[0].last == 0.5 * Float(24_300) / 48_000)
    }

    @Test
    func
        `a prepared event can be resumed, sought and paused before it sounds, and goes on later where it was sought to last`()
        throws
    {
        let stage = try stage()
        let event = try stage.event("ramp event")
        let heard = Heard<PHASESoundEvent.SeekHandlerReason>()
        event.prepare(completion: nil)
        event.resume()
        event.seek(to: 0.25) { heard.note($0) }
        event.pause()
        #expect(event.renderingState == .paused)
        #expect(try stage.render(2000)[0].allSatisfy { $0 == 0 })
        event.seek(to: 0.5) { heard.note($0) }
        event.resume()
        // What begins within a sound fades in over 128 frames.
        #expect(try stage.render(300)[0].last == 0.5 * Float(24_300) / 48_000)
        heard.wait(for: 2)
        #expect(heard.values == [.seekSuccessful, .seekSuccessful])
    }

    @Test func `resume at a time plays a prepared event from that frame on`() throws {
        let stage = try stage()
        let event = try stage.event("ramp event")
        event.prepare(completion: nil)
        event.resume(at: AVAudioTime(sampleTime: 700, atRate: 48_000))
        let out = try stage.render(1000)[0]
        #expect(out[..<700].allSatisfy { $0 == 0 } && out[700] == 0.5 * Float(1) / 48_000)
    }

    @Test func `resume of an event that was neither prepared nor started is recorded, with the cure`() throws {
        let stage = try stage()
        let event = try stage.event("ramp event")
        event.resume()
        #expect(try stage.render(600)[0].allSatisfy { $0 == 0 })
        #expect(event.renderingState == .stopped)
        #expect("\(try #require(stage.engine.lastError))".contains("“ramp event”: resume() did nothing"))
    }

    @Test func `start and prepare can be awaited`() async throws {
        let stage = try stage(frames: 480)
        let event = try stage.event("ramp event")
        #expect(await event.prepare() == .prepared)
        async let reason = event.start()
        while event.renderingState != .started { await Task.yield() }
        _ = try stage.render(1024)
        #expect(await reason == .finishedPlaying)
        #expect(await event.start() == .failure)
        let other = try stage.event("ramp event")
        async let ended = other.start()
        while other.renderingState != .started { await Task.yield() }
        stage.engine.stop()
        #expect(await ended == .terminated)
    }

    @Test func `an event that is started and forgotten plays, is listed, and goes`() throws {
        let stage = try stage(frames: 2000)
        weak var forgotten: PHASESoundEvent?
        do {
            let event = try stage.event("ramp event")
            #expect(stage.engine.soundEvents.isEmpty)
            event.start(completion: nil)
            forgotten = event
        }
        #expect(stage.engine.soundEvents.count == 1 && stage.engine.soundEvents.first === forgotten)
        let out = try stage.render(1999)[0]
        #expect(out.last == 0.5 * Float(1999) / 2000)
        _ = try stage.render(600)
        #expect(forgotten == nil && stage.engine.soundEvents.isEmpty)
    }

    @Test func `an event is indefinite if anything in it loops`() throws {
        let (looping, single) = (try stage(loops: true), try stage())
        #expect(try looping.event("ramp event").isIndefinite)
        #expect(try !single.event("ramp event").isIndefinite)
    }

    @Test func `an event outlives its engine without playing or waiting`() async throws {
        var stage: Stage? = try stage()
        let event = try TestFailure.unwrap(stage).event("ramp event")
        stage = nil
        #expect(await event.start() == .failure)
        #expect(event.renderingState == .stopped)
    }

    @Test func `pausing the engine keeps everything in its place`() throws {
        let stage = try stage()
        try stage.event("ramp event").start(completion: nil)
        _ = try stage.render(700)
        stage.engine.pause()
        #expect(stage.engine.renderingState == .paused)
        #expect(throws: AVAudioEngineManualRenderingError.self) { try stage.render(1) }
        try stage.start()
        #expect(try stage.render(1)[0][0] == 0.5 * Float(701) / 48_000)
    }

    @Test func `what is started and updated while the engine is stopped plays after the next start`() throws {
        let stage = try Stage(updateMode: .manual)
        let mixer = try stage.spatialMixer()
        try stage.register("one", [[Float](repeating: 0.25, count: 4800)])
        try stage.registerEvent("one", into: mixer)
        let source = try stage.source(at: SIMD3(0, 0, -1))
        try stage.start()
        _ = try stage.render(100)
        stage.engine.stop()
        try stage.event("one event", mixer, source).start(completion: nil)
        stage.engine.update()
        try stage.start()
        stage.engine.update()
        #expect(rms(try stage.render(1024)[0][600...]) > 0.05)
    }

    @Test
    func
        `a handler that hangs offline is recorded once and passed over, and one that renders does not wait for itself`()
        throws
    {
        let stage = try Stage()
        stage.engine.offlineHandlerTimeLimit = 0.05
        try stage.register("short", [[Float](repeating: 0.5, count: 100)])
        try stage.registerEvent("short", into: try stage.channelMixer())
        try stage.start()
        let hang = DispatchSemaphore(value: 0)
        try stage.event("short event").start { _ in hang.wait() }
        #expect(try stage.render(4096).count == 2)
        #expect(
            stage.engine.recordedErrors.count == 1
                && "\(stage.engine.recordedErrors)".contains("offlineHandlerTimeLimit"))
        hang.signal()
        stage.engine.drainCallbacks()
        stage.engine.offlineHandlerTimeLimit = .infinity
        let rendered = Heard<Int>()
        nonisolated(unsafe) let other = stage
        try stage.event("short event").start { _ in rendered.note((try? other.render(100))?[0].count ?? 0) }
        #expect(try stage.render(4096).count == 2)
        stage.engine.drainCallbacks()
        #expect(rendered.values == [100] && stage.engine.recordedErrors.count == 1)
    }
}
