import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRecording
import OssicleRender
import OssicleSpatial

/// Manual rendering in the client's format.
struct ManualOutput {
    let rendering: ManualRendering
    let format: AVAudioFormat

    /// Renders from a real-time thread. Calls of the block take no lock and allocate nothing.
    func block(_ executor: Executor, _ gate: RenderGate) -> AVAudioEngineManualRenderingBlock {
        { [rendering] frames, list, status in
            status?.pointee = noErr
            switch rendering.enter(gate, frames: Int(frames)) {
            case .busy: return .cannotDoInCurrentContext
            case .tooManyFrames:
                status?.pointee = kAudioUnitErr_TooManyFramesToProcess
                return .error
            case .notRunning:
                status?.pointee = AVAudioEngineManualRenderingError.notRunning.rawValue
                return .error
            case nil: break
            }
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            let isWhole = rendering.render(Int(frames), with: executor, into: buffers)
            gate.leave()
            if !isWhole { status?.pointee = kAudio_ParamError }
            return isWhole ? .success : .error
        }
    }
}

/// Rendering into the client's buffers.
extension EngineControl {
    func enableManualRendering(
        _ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        try whenAtRest {
            func refuse(_ text: String) -> any Error {
                PHASEError(.initializeFailed, "Manual rendering was not enabled: \(text)")
            }
            guard renderingState == .stopped else { throw refuse("the engine is running; call stop() first.") }
            let isStandard =
                format.commonFormat == .pcmFormatFloat32 && (!format.isInterleaved || format.channelCount == 1)
            guard isStandard || (mode == .realtime && format.commonFormat != .otherFormat) else {
                throw refuse(
                    "format \(format) is not non-interleaved Float32; make one with AVAudioFormat(standardFormatWithSampleRate:channels:)."
                )
            }
            guard (1...64).contains(format.channelCount) else {
                throw refuse("\(format.channelCount) channels are not 1 to 64.")
            }
            guard (8000...384_000).contains(format.sampleRate) else {
                throw refuse("a sample rate of \(format.sampleRate) Hz is outside 8000…384000 Hz.")
            }
            guard (1...1 << 20).contains(maximumFrameCount) else {
                throw refuse("a maximum of \(maximumFrameCount) frames is outside 1…1048576; 4096 is usual.")
            }
            manual = ManualOutput(
                rendering: ManualRendering(
                    format, maximumFrames: Int(maximumFrameCount), isOffline: mode == .offline),
                format: format)
            note(.manual(format.formatRecord, maximum: maximumFrameCount))
            spatial.isManual = true
            outlets.format = format
            session.releaseClocks()
            spatial.resetTime()
        }
    }

    func disableManualRendering() {
        stop()
        whenAtRest {
            note(.notManual)
            manual = nil
            spatial.isManual = false
            (spatial.output, outlets.format) = (nil, nil)
            executor.resetTime()
        }
    }

    func renderOffline(
        _ frames: Int, to buffer: AVAudioPCMBuffer,
        listeners: [PHASEListenerOutput: AVAudioPCMBuffer] = [:]
    ) throws -> AVAudioEngineManualRenderingStatus {
        waitForCallbacks()
        return try locked {
            guard let manual, manual.rendering.isOffline else { throw AVAudioEngineManualRenderingError.invalidMode }
            guard renderingState == .started, spatial.output != nil else {
                throw AVAudioEngineManualRenderingError.notRunning
            }
            try check(frames, buffer, manual)
            for (output, buffer) in listeners {
                guard output.listener.control === self else {
                    throw refusal("\(output.listener.reportName) belongs to another engine; render it there.")
                }
                try check(frames, buffer, manual)
            }
            note(.render)
            session.callbacks.hold()
            defer { session.callbacks.release() }
            let target = SpatialEngine.RenderTarget(
                channels: Self.channels(of: buffer),
                listeners: listeners.map { ($0.key.mix, Self.channels(of: $0.value)) })
            spatial.renderOffline(
                frames, into: target, isAutomatic: updateMode == .automatic, update: { update() })
            for buffer in [buffer] + listeners.values { buffer.frameLength = AVAudioFrameCount(frames) }
            return .success
        }
    }

    /// Returns when the handlers and tap blocks that are due have, and records those that did not in time. Not under
    /// the lock.
    private func waitForCallbacks() {
        let limit = locked { session.callbackLimit }
        for name in session.callbacks.wait(atMost: limit) {
            record(
                PHASESoundEventError(
                    .apiMisuse,
                    "\(name) has not returned after \(limit) s and is passed over: what it does is no longer in step with "
                        + "offline rendering. Let handlers return soon, or set offlineHandlerTimeLimit to what they take."
                ))
        }
    }

    private static func channels(of buffer: AVAudioPCMBuffer) -> [UnsafeMutablePointer<Float>] {
        guard let channels = buffer.floatChannelData else { return [] }
        return (0..<Int(buffer.format.channelCount)).map { channels[$0] }
    }

    private func refusal(_ text: String) -> any Error {
        PHASEError(.initializeFailed, "renderOffline rendered nothing: \(text)")
    }

    private func check(_ frames: Int, _ buffer: AVAudioPCMBuffer, _ manual: ManualOutput) throws {
        guard frames <= manual.rendering.maximumFrames else {
            throw refusal(
                "\(frames) frames were asked for; the maximum agreed on is \(manual.rendering.maximumFrames).")
        }
        guard frames <= buffer.frameCapacity else {
            throw refusal("\(frames) frames were asked for; the buffer holds \(buffer.frameCapacity).")
        }
        guard buffer.format.isEqual(manual.format) else {
            throw refusal("the buffer's format \(buffer.format) is not the manual rendering format \(manual.format).")
        }
    }
}
