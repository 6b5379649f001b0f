import OssicleAVFAudio
import OssicleCore
import OssicleRender

/// Rendering into the client's buffers.
extension EngineCore {
    func enableManualRendering(_ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) throws {
        try locked {
            func refuse(_ text: String) -> any Error { PHASEError(.initializeFailed, "Manual rendering was not enabled: \(text)") }
            guard renderingState == .stopped else { throw refuse("the engine is running; call stop() first.") }
            guard mode == .offline else { throw notImplemented("manual rendering mode .realtime", "Use .offline.") }
            guard format.commonFormat == .pcmFormatFloat32, !format.isInterleaved || format.channelCount == 1 else {
                throw refuse("format \(format) is not non-interleaved Float32; make one with AVAudioFormat(standardFormatWithSampleRate:channels:).")
            }
            guard (8000...384_000).contains(format.sampleRate) else { throw refuse("a sample rate of \(format.sampleRate) Hz is outside 8000…384000 Hz.") }
            guard maximumFrameCount > 0 else { throw refuse("a maximum of 0 frames leaves nothing to render; pass 1 or more.") }
            manual = ManualRendering(format: format, maximumFrameCount: maximumFrameCount)
            executor.resetTime()
            lastUpdate = 0
        }
    }

    func disableManualRendering() {
        stop()
        locked {
            manual = nil
            output = nil
            executor.resetTime()
        }
    }

    func renderOffline(_ frames: Int, to buffer: AVAudioPCMBuffer) throws -> AVAudioEngineManualRenderingStatus {
        try locked {
            guard let manual else { throw AVAudioEngineManualRenderingError.invalidMode }
            guard renderingState == .started, output != nil else { throw AVAudioEngineManualRenderingError.notRunning }
            try check(frames, buffer, manual)
            var done = 0
            while done < frames {
                let isLine = executor.position % Self.updateInterval == 0
                if updateMode == .automatic && (isLine || (done == 0 && needsUpdate)) { update() }
                let run = min(frames - done, framesToNextUpdate)
                render(run, to: buffer, offset: done)
                done += run
                feedStreams()
            }
            buffer.frameLength = AVAudioFrameCount(frames)
            // Handlers should not have to wait for a render call that may never come. Nothing here changes the sound.
            if updateMode == .automatic { endWhatHasEnded() }
            return .success
        }
    }

    /// Frames to the next multiple of the update interval, 1…interval.
    private var framesToNextUpdate: Int {
        Int(Self.updateInterval - executor.position % Self.updateInterval)
    }

    private func render(_ frames: Int, to buffer: AVAudioPCMBuffer, offset: Int) {
        guard let channels = buffer.floatChannelData else { return }
        let count = Int(buffer.format.channelCount)
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: count) { pointers in
            for channel in 0..<count { pointers.initializeElement(at: channel, to: channels[channel] + offset) }
            if let base = pointers.baseAddress { executor.render(frames, into: base, channels: count) }
        }
    }

    private func check(_ frames: Int, _ buffer: AVAudioPCMBuffer, _ manual: ManualRendering) throws {
        func refuse(_ text: String) -> any Error { PHASEError(.initializeFailed, "renderOffline rendered nothing: \(text)") }
        guard frames <= manual.maximumFrameCount else {
            throw refuse("\(frames) frames were asked for; the maximum agreed on is \(manual.maximumFrameCount).")
        }
        guard frames <= buffer.frameCapacity else { throw refuse("\(frames) frames were asked for; the buffer holds \(buffer.frameCapacity).") }
        guard buffer.format.isEqual(manual.format) else {
            throw refuse("the buffer's format \(buffer.format) is not the manual rendering format \(manual.format).")
        }
    }
}
