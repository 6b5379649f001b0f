import Dispatch
import Foundation
import OssicleTestSupport
import OssicleSpatial
import PHASE
import Testing
@testable import OssiclePHASE

/// Stopping and pausing while a client's block is being rendered.
@Suite struct StandstillTests {
    /// An engine in real-time manual mode, whose pull stream's block hangs until it is let go, and asks the engine
    /// then.
    private final class Hanging: @unchecked Sendable {
        let engine: PHASEEngine
        private let format: AVAudioFormat
        private let (entered, release, returned) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        private var wasReleased = false
        private var statesSeen: [PHASESoundEvent.RenderingState] = []

        init() throws {
            let stage = try Stage()
            (engine, format) = (stage.engine, stage.format)
            let mono = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
            let stream = PHASEPullStreamNodeDefinition(
                mixerDefinition: try stage.channelMixer(), format: mono, identifier: "pull")
            try engine.assetRegistry.registerSoundEventAsset(rootNode: stream, identifier: "event")
            try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 512)
            try engine.start()
            let event = try PHASESoundEvent(engine: engine, assetIdentifier: "event")
            event.pullStreamNodes["pull"]?.renderHandler = { [weak self] _, _, _, _ in
                self?.hang()
                return noErr
            }
            event.start(completion: nil)
            engine.control.locked { engine.control.update() }
        }

        private func hang() {
            guard !wasReleased else { return }
            entered.signal()
            wasReleased = release.wait(timeout: .now() + 20) == .success
            statesSeen.append(engine.renderingState)
        }

        /// Begins a render call on another thread; returns when the block hangs.
        func render() throws {
            let buffer = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 128))
            buffer.frameLength = 128
            let block = engine.manualRenderingBlock
            nonisolated(unsafe) let (unsafeBlock, unsafeBuffer) = (block, buffer)
            Thread.detachNewThread { [returned] in
                _ = unsafeBlock(128, unsafeBuffer.mutableAudioBufferList, nil)
                returned.signal()
            }
            entered.wait()
        }

        /// - Returns: what the block saw; nil if it was not let go in time.
        func letGo() -> PHASESoundEvent.RenderingState? {
            release.signal()
            returned.wait()
            return wasReleased ? statesSeen.last : nil
        }
    }

    @Test(arguments: [PHASESoundEvent.RenderingState.stopped, .paused])
    func `a client's block that asks the engine lets stop and pause return, and others need not wait`(
        wanted: PHASESoundEvent.RenderingState
    ) throws {
        let hanging = try Hanging(), engine = hanging.engine, ended = DispatchSemaphore(value: 0)
        try hanging.render()
        Thread.detachNewThread {
            if wanted == .stopped { engine.stop() } else { engine.pause() }
            ended.signal()
        }
        // Asks for the lock that stop() must not hold while it waits for the block.
        let isSeen = waitUntil { engine.renderingState == wanted }
        #expect(isSeen)
        #expect(hanging.letGo() == wanted)
        #expect(ended.wait(timeout: .now() + 20) == .success)
        try engine.start()
        #expect(engine.renderingState == .started)
        engine.stop()
    }

    @Test func `who starts the engine while it is being stopped finds it at rest`() throws {
        let hanging = try Hanging(), engine = hanging.engine, started = Heard<PHASESoundEvent.RenderingState>()
        try hanging.render()
        Thread.detachNewThread { engine.stop() }
        let isStopping = waitUntil { engine.renderingState == .stopped }
        #expect(isStopping)
        Thread.detachNewThread {
            try? engine.start()
            started.note(engine.renderingState)
        }
        #expect(engine.renderingState == .stopped && started.values.isEmpty)
        _ = hanging.letGo()
        started.wait()
        #expect(started.values == [.started] && engine.soundEvents.isEmpty)
        engine.stop()
    }

    @Test func `in real-time manual mode files are read by their own thread, not under the engine's lock`() throws {
        let folder = try TemporaryFolder(), url = URL(fileURLWithPath: folder.path("long.wav"))
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        let sound = try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 200_000))
        sound.frameLength = 200_000
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: sound)
        file.close()
        let stage = try Stage(), engine = stage.engine
        try engine.enableManualRenderingMode(.realtime, format: stage.format, maximumFrameCount: 512)
        try engine.assetRegistry.registerSoundAsset(
            url: url, identifier: "file", assetType: .streamed, channelLayout: nil, normalizationMode: .none)
        let event = try stage.event(stage.registerEvent("file", into: stage.channelMixer()))
        try engine.start()
        engine.control.spatial.player.readers.queue.suspend()
        event.start(completion: nil)
        for _ in 0..<3 { engine.control.tick() }
        #expect(engine.streamStatistics.openStreams == 1 && engine.streamStatistics.framesRead == 0)
        engine.control.spatial.player.readers.queue.resume()
        let isRead = waitUntil { engine.streamStatistics.framesRead > 0 }
        #expect(isRead)
        engine.stop()
    }
}
