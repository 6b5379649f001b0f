import Dispatch
import Foundation
import OssicleCore
import OssicleTestSupport
import PHASE
import Testing
@testable import OssiclePHASE

/// Holds an engine's lock on a thread of its own, as a long update does.
private final class LongUpdate: @unchecked Sendable {
    private let (begun, ending, ended) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    private var wasReleased = false

    init(_ engine: PHASEEngine) {
        let control = engine.control
        Thread.detachNewThread { [self] in
            control.locked {
                begun.signal()
                // A setter that waits for the lock gets it then, and the test fails instead of hanging.
                wasReleased = ending.wait(timeout: .now() + 20) == .success
            }
            ended.signal()
        }
        begun.wait()
    }

    /// - Returns: whether the lock was held until now.
    func end() -> Bool {
        ending.signal()
        ended.wait()
        return wasReleased
    }
}

@Suite struct MailboxTests {
    private struct Scene {
        let stage: Stage
        let event: PHASESoundEvent
        let source: PHASESource
        let group = PHASEGroup(identifier: "group")
        let hung: PHASEObject

        init(_ mode: PHASEEngine.UpdateMode = .manual) throws {
            stage = try Stage(updateMode: mode)
            try stage.register("noise", [Signal.noise(count: 48_000, amplitude: 0.2)])
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
            let group = group
            group.register(engine: stage.engine)
            try stage.registerEvent("noise", into: mixer, loops: true) { sampler in
                sampler.group = group
                sampler.gainMetaParameterDefinition = PHASENumberMetaParameterDefinition(
                    value: 1, minimum: 0, maximum: 1, identifier: "gain")
                sampler.rateMetaParameterDefinition = PHASENumberMetaParameterDefinition(
                    value: 1, minimum: 0.5, maximum: 2, identifier: "rate")
            }
            source = try stage.source(at: SIMD3(0, 0, -2))
            hung = PHASEObject(engine: stage.engine)
            try stage.engine.rootObject.addChild(hung)
            event = try stage.event("noise event", mixer, source)
            event.start(completion: nil)
            try stage.start()
        }

        /// Every kind of thing that a game sets with its frames.
        func setEverything() throws {
            stage.engine.rootObject.removeChild(source)
            try hung.addChild(source)
            hung.transform = .translation(SIMD3(1, 0, 0))
            source.worldTransform = .translation(SIMD3(1, 0.5, -1))
            source.gain = 0.5
            stage.listener.gain = 0.75
            stage.listener.transform = .translation(SIMD3(0, 0.25, 0))
            group.gain = 0.9
            group.fadeGain(gain: 0.5, duration: 0.05, curveType: .linear)
            event.metaParameters["gain"]?.value = 0.8
            (event.metaParameters["rate"] as? PHASENumberMetaParameter)?.fade(value: 1.5, duration: 0.1)
            stage.engine.defaultReverbPreset = .mediumRoom
            stage.engine.unitsPerMeter = 2
        }
    }

    @Test func `setters return while another thread holds the engine's lock, and getters answer what was set`() throws {
        let scene = try Scene(), engine = scene.stage.engine
        let update = LongUpdate(engine)
        try scene.setEverything()
        #expect(scene.source.parent === scene.hung && scene.hung.children == [scene.source])
        #expect(engine.rootObject.children.contains(scene.source) == false)
        #expect(
            scene.source.transform == .translation(SIMD3(0, 0.5, -1))
                && scene.source.worldTransform == .translation(SIMD3(1, 0.5, -1)))
        #expect(scene.source.gain == 0.5 && scene.stage.listener.gain == 0.75 && scene.group.gain == 0.9)
        #expect(scene.event.metaParameters["gain"]?.value as? Double == 0.8)
        #expect(engine.defaultReverbPreset == .mediumRoom && engine.unitsPerMeter == 2)
        #expect(update.end())
    }

    @Test func `what is set during an update sounds as if it had been set after it, byte for byte`() throws {
        func out(during: Bool) throws -> [[Float]] {
            let scene = try Scene()
            scene.stage.engine.update()
            _ = try scene.stage.render(1024)
            let update = during ? LongUpdate(scene.stage.engine) : nil
            try scene.setEverything()
            if let update { #expect(update.end()) }
            let before = try scene.stage.render(512)
            scene.stage.engine.update()
            let after = try scene.stage.render(8192)
            return [before[0] + after[0], before[1] + after[1]]
        }
        #expect(try out(during: true) == out(during: false))
    }

    @Test func `in automatic mode it takes effect with the next render call`() throws {
        func out(during: Bool) throws -> [Float] {
            let scene = try Scene(.automatic)
            _ = try scene.stage.render(1000)
            let update = during ? LongUpdate(scene.stage.engine) : nil
            scene.source.gain = 0
            if let update { #expect(update.end()) }
            return try scene.stage.render(1000)[0]
        }
        let silenced = try out(during: true)
        #expect(silenced == (try out(during: false)) && silenced[..<100].contains { $0 != 0 })
    }

    @Test func `a mistake is answered at once, though the engine's lock is held`() throws {
        let scene = try Scene(), engine = scene.stage.engine
        let heard = Heard<String>()
        engine.errorHandler = { heard.note("\($0)") }
        let update = LongUpdate(engine)
        scene.source.transform = simd_float4x4(diagonal: SIMD4(.nan, 1, 1, 1))
        engine.rootObject.transform = .translation(SIMD3(1, 0, 0))
        #expect(throws: PHASEError.self) { try engine.rootObject.addChild(scene.source) }
        #expect(throws: PHASEError.self) { try scene.hung.addChild(scene.hung) }
        #expect("\(try #require(engine.lastError))".contains("root object cannot be moved"))
        #expect(
            heard.values.count == 2
                && heard.threads == [ObjectIdentifier(Thread.current), ObjectIdentifier(Thread.current)])
        #expect(scene.source.transform == .translation(SIMD3(0, 0, -2)))
        #expect(update.end())
    }

    @Test func `an object that was set during an update is free when the update ends`() throws {
        let scene = try Scene()
        let update = LongUpdate(scene.stage.engine)
        weak var gone: PHASESource?
        do {
            let source = PHASESource(engine: scene.stage.engine)
            gone = source
            try scene.hung.addChild(source)
            source.gain = 0.5
            scene.hung.removeChild(source)
        }
        #expect(update.end())
        #expect(gone == nil)
    }

    @Test func `a move waits for the update while the engine runs, and for nothing else`() throws {
        let scene = try Scene(), control = scene.stage.engine.control
        for x in 1...2 {
            scene.source.transform = .translation(SIMD3(Float(x), 0, 0))
            #expect(!control.lock.mailbox.isEmpty)
            #expect(scene.source.worldTransform == .translation(SIMD3(Float(x), 0, 0)))
        }
        scene.stage.engine.update()
        #expect(control.lock.mailbox.isEmpty)
        #expect(scene.source.worldPose.position == Vector(2, 0, 0))
        // Whatever takes the lock takes what waits with it.
        scene.source.transform = .translation(SIMD3(3, 0, 0))
        scene.source.gain = 0.5
        #expect(control.lock.mailbox.isEmpty)
        #expect(scene.source.worldPose.position == Vector(3, 0, 0))
        scene.stage.engine.pause()
        scene.source.transform = .translation(SIMD3(4, 0, 0))
        #expect(control.lock.mailbox.isEmpty)
        #expect(scene.source.worldPose.position == Vector(4, 0, 0))
    }

    @Test func `what was moved and let go is free with the next update, at the latest with the engine`() throws {
        for updates in [true, false] {
            weak var gone: PHASESource?
            weak var control: EngineControl?
            do {
                let scene = try Scene()
                control = scene.stage.engine.control
                do {
                    let source = PHASESource(engine: scene.stage.engine)
                    gone = source
                    source.transform = .translation(SIMD3(1, 0, 0))
                }
                if updates {
                    scene.stage.engine.update()
                    #expect(gone == nil)
                }
            }
            #expect(gone == nil && control == nil)
        }
    }

    @Test func `threads that set and read while another updates see their own values, in order`() throws {
        let scene = try Scene(), engine = scene.stage.engine
        let sources = try (0..<4).map { try scene.stage.source(at: SIMD3(Float($0), 0, -1)) }
        let mismatches = Heard<Int>()
        nonisolated(unsafe) let unsafeScene = scene
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            for turn in 1...200 {
                guard thread < 4 else {
                    engine.update()
                    continue
                }
                let gain = Double(turn) / 200
                sources[thread].gain = gain
                sources[thread].transform = .translation(SIMD3(Float(turn), 0, -1))
                if sources[thread].gain != gain || sources[thread].worldTransform.columns.3.x != Float(turn) {
                    mismatches.note(turn)
                }
                unsafeScene.group.gain = gain
            }
        }
        #expect(mismatches.values.isEmpty)
        engine.control.locked { #expect(sources.allSatisfy { $0.currentGain == 1 && $0.worldPose.position.x == 200 }) }
    }

    /// A setter that finds the lock taken relies on its holder to look after unlocking: neither may miss the other.
    @Test func `nothing that is set while the lock comes free stays behind`() throws {
        let scene = try Scene(), control = scene.stage.engine.control
        let sources = try (0..<3).map { try scene.stage.source(at: SIMD3(Float($0), 0, -1)) }
        var left = 0
        for _ in 0..<400 {
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                for turn in 0..<20 {
                    if thread == 0 { control.locked {} } else { sources[thread].gain = Double(turn) / 20 }
                }
            }
            if !control.lock.mailbox.isEmpty { left += 1 }
        }
        #expect(left == 0)
    }
}
