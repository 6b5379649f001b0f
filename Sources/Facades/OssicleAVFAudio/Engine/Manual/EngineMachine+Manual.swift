import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Manual rendering in the client's format.
struct ManualOutput {
    let rendering: ManualRendering
    let format: AVAudioFormat

    init(_ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ maximum: AVAudioFrameCount) {
        self.format = format
        rendering = ManualRendering(format, maximumFrames: Int(maximum), isOffline: mode == .offline)
    }

    var mode: AVAudioEngineManualRenderingMode { rendering.isOffline ? .offline : .realtime }
    var maximumFrameCount: AVAudioFrameCount { AVAudioFrameCount(rendering.maximumFrames) }
}

/// Manual rendering.
extension EngineMachine {
    private static func fault(_ code: OSStatus, _ value: String, _ rule: String, _ cure: String) -> OssicleError {
        .avfaudio(code, "AVAudioEngine", value: value, rule: rule, cure: cure)
    }

    func enableManualRendering(
        _ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ maximum: AVAudioFrameCount
    ) throws {
        let nodes: [AVAudioNode] = try life.locked {
            try locked {
                guard state == .stopped else {
                    throw Self.fault(
                        AVAudioEngineManualRenderingError.initialized.rawValue, "the engine runs",
                        "Manual rendering is chosen while the engine is stopped.",
                        "Call stop() first.")
                }
                guard format.isPCM, format.commonFormat != .otherFormat, format.sampleRate >= 1,
                    format.sampleRate <= 768_000, (1...64).contains(format.channelCount)
                else {
                    throw Self.fault(
                        kAudioUnitErr_FormatNotSupported, "\(format)",
                        "Manual rendering gives linear PCM in 1 to 64 channels.", "Use standardFormatWithSampleRate.")
                }
                guard (1...1 << 20).contains(maximum) else {
                    throw Self.fault(
                        kAudio_ParamError, "\(maximum) frames at most", "A render call has 1 to 1,048,576 frames.",
                        "4096 is usual.")
                }
                manual = ManualOutput(mode, format, maximum)
                note(.manual(format.formatRecord, maximum: maximum))
                session.releaseClocks()
                session.executor.resetTime()
                adaptInput()
                return [input, output].compactMap { $0 }
            }
        }
        dropTaps(nodes)
    }

    func disableManualRendering() {
        guard locked({ manual != nil }), !session.gate.isOnRenderThread else { return }
        life.locked {
            stop()
            resetAll()
            let nodes: [AVAudioNode] = locked {
                note(.notManual)
                manual = nil
                input?.forgetFeed()
                session.executor.resetTime()
                return [input, output].compactMap { $0 }
            }
            dropTaps(nodes)
        }
    }

    private func dropTaps(_ nodes: [AVAudioNode]) {
        for node in nodes {
            for tap in node.taps.remove({ _ in true }) { tap.flush() }
        }
    }

    func renderOffline(
        _ count: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        if locked({ self.manual?.mode == .offline }) { waitForCallbacks() }
        let (manual, state) = locked { (self.manual, self.state) }
        guard let manual, manual.mode == .offline else {
            throw Self.fault(
                AVAudioEngineManualRenderingError.invalidMode.rawValue,
                "renderOffline outside of offline manual rendering",
                "This call belongs to the mode .offline.", "Call enableManualRenderingMode(.offline, …) first.")
        }
        guard state == .running else {
            throw Self.fault(
                AVAudioEngineManualRenderingError.notRunning.rawValue, "the engine does not run",
                "Only a running engine renders.", "Call start() first.")
        }
        guard count <= manual.maximumFrameCount, count <= buffer.frameCapacity else {
            throw Self.fault(
                kAudioUnitErr_TooManyFramesToProcess, "\(count) frames",
                "A call renders no more than the maximum (\(manual.maximumFrameCount)) and the buffer's capacity (\(buffer.frameCapacity)).",
                "Ask for fewer, or set a larger maximum.")
        }
        guard buffer.format == manual.format else {
            throw Self.fault(
                kAudioUnitErr_FormatNotSupported, "a buffer in \(buffer.format)",
                "The buffer has the format of manual rendering, \(manual.format).",
                "Make it with engine.manualRenderingFormat.")
        }
        guard session.gate.enter() else { return .cannotDoInCurrentContext }
        session.callbacks.hold()
        buffer.frameLength = count
        let isWhole = manual.rendering.render(
            Int(count), with: session.executor,
            into: UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList), slice: Self.slice
        ) { getReady(for: $0) }
        session.gate.leave()
        buffer.frameLength = count
        afterRendering()
        guard isWhole else { return .error }
        return input?.takeRanDry() == true ? .insufficientDataFromInputNode : .success
    }

    /// Frames between two looks at what players and taps need, offline.
    private static var slice: Int { 4096 }

    /// What the client has changed takes effect, and what will be played is there.
    private func getReady(for frames: Int) {
        settle()
        attend(frames: frames)
    }

    private func afterRendering() {
        attend(frames: 0)
        collect()
        session.callbacks.release()
        if locked({ stopsAfterRendering }) { stop() }
    }

    var renderingBlock: AVAudioEngineManualRenderingBlock {
        let (manual, gate, executor) = (locked { self.manual?.rendering }, session.gate, session.executor)
        let input = locked { self.input }
        guard let manual else {
            return { _, _, status in
                status?.pointee = AVAudioEngineManualRenderingError.invalidMode.rawValue
                return .error
            }
        }
        return { [weak self] frames, list, status in
            if manual.isOffline { self?.waitForCallbacks() }
            status?.pointee = noErr
            if let refusal = manual.enter(gate, frames: Int(frames)) { return Self.refuse(refusal, status) }
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            let isWhole: Bool
            if manual.isOffline {
                self?.session.callbacks.hold()
                isWhole = manual.render(Int(frames), with: executor, into: buffers, slice: Self.slice) {
                    self?.getReady(for: $0)
                }
            } else {
                isWhole = manual.render(Int(frames), with: executor, into: buffers)
            }
            gate.leave()
            if manual.isOffline { self?.afterRendering() }
            if !isWhole { status?.pointee = kAudio_ParamError }
            return isWhole ? (input?.takeRanDry() == true ? .insufficientDataFromInputNode : .success) : .error
        }
    }

    /// Real-time safe.
    private static func refuse(
        _ refusal: ManualRendering.Refusal, _ status: UnsafeMutablePointer<OSStatus>?
    ) -> AVAudioEngineManualRenderingStatus {
        switch refusal {
        case .busy: return .cannotDoInCurrentContext
        case .tooManyFrames: status?.pointee = kAudioUnitErr_TooManyFramesToProcess
        case .notRunning: status?.pointee = AVAudioEngineManualRenderingError.notRunning.rawValue
        }
        return .error
    }

    // MARK: Callbacks

    /// Returns when the handlers and tap blocks that are due have, and records those that did not in time. Not under
    /// the lock, nor within a render call.
    func waitForCallbacks() {
        let limit = locked { session.callbackLimit }
        for name in session.callbacks.wait(atMost: limit) {
            errors.record(
                OssicleError.avfaudio(
                    kAudioUnitErr_CannotDoInCurrentContext, name, value: "it has not returned after \(limit) s",
                    rule:
                        "An offline render call waits for the handlers that are due; this one is passed over, and what it does is no longer in step with the sound.",
                    cure: "Let handlers return soon, or set offlineHandlerTimeLimit to what they take."))
        }
    }
}
