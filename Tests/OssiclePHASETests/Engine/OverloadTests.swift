import Foundation
import OssicleTestSupport
import PHASE
import Synchronization
import Testing

@Suite struct OverloadTests {
    @Test func `an engine that renders too slowly for its device says so, by how much, and when it is over`() throws {
        let stage = try Stage(), engine = stage.engine
        let mono = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let stream = PHASEPullStreamNodeDefinition(
            mixerDefinition: try stage.channelMixer(), format: mono, identifier: "pull")
        try engine.assetRegistry.registerSoundEventAsset(rootNode: stream, identifier: "event")
        engine.disableManualRenderingMode()
        let isSlow = Atomic(true)
        let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
        event.pullStreamNodes["pull"]?.renderHandler = { isSilence, _, _, _ in
            // 128 frames last 2.7 ms.
            if isSlow.load(ordering: .relaxed) { usleep(6000) }
            isSilence.pointee = true
            return noErr
        }
        try engine.start()
        event.start(completion: nil)
        let begins = waitUntil { engine.isOverloaded }
        #expect(begins && engine.secondsBehindDevice > 0.1)
        let reports = { engine.recordedErrors.filter { "\($0)".contains("s behind its device") }.count }
        #expect(waitUntil { reports() > 0 } && reports() == 1)
        #expect("\(engine.explain(event))".contains("the engine is overloaded"))
        isSlow.store(false, ordering: .relaxed)
        let ends = waitUntil { !engine.isOverloaded }
        #expect(ends && engine.explain(event).secondsBehindDevice == nil)
        engine.stop()
        #expect(engine.secondsBehindDevice == 0)
    }

    @Test func `manual rendering is never overloaded`() throws {
        let stage = try Stage()
        try stage.start()
        _ = try stage.render(512)
        #expect(!stage.engine.isOverloaded && stage.engine.secondsBehindDevice == 0)
    }
}
