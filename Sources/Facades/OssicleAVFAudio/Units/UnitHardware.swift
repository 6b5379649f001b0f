import OssicleAudioToolbox
import OssicleChannels
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// The devices behind an I/O unit, and the client's blocks that run at their pace.
///
///     bus 0    outputProvider ─▶ client's format ─▶ device's format ─▶ output
///     bus 1    input ─▶ client's format ─▶ renderBlock, called from inputHandler or outputProvider
///
/// With both sides on, a cycle is one call of `outputProvider`, preceded by `inputHandler` with as many frames.
final class UnitHardware: @unchecked Sendable {
    /// The client's blocks and wishes for a run.
    struct Run {
        /// `nil` while the output is off.
        var provider: AURenderPullInputBlock?
        var handler: AUInputHandler?
        var hasInput = false
        /// Host time of the provider's first frame; silence before.
        var startTime: UInt64 = 0
    }

    /// At the device, bus 0.
    let output: AVAudioFormat
    /// At the device, bus 1; of 0 Hz where there is no microphone, `nil` for a unit that is an output only.
    let input: AVAudioFormat?
    /// Of a unit with voice processing.
    let voice: UnitVoice?
    private let devices: UnitDevices
    private let lock = NSLock()
    /// Under the lock; there from `prepare` on.
    private var sides: Sides?

    /// What a run needs of the formats.
    private struct Sides {
        let converter: ConvertedInput
        let captured: CapturedCycle?
        let rates: (output: Double, input: Double)
        /// Of what the client gives.
        let source: AVAudioFormat
        let maximumFrames: Int
    }

    /// - Parameters:
    ///   - input: whether the unit has an input side.
    ///   - voice: whether that is processed, and mono.
    convenience init(_ device: any OutputDevice, input: Bool, voice: Bool = false) {
        var formats = HardwareFormats()
        formats.processesVoice = voice
        if input { formats.learn() }
        formats.adopt(device)
        let devices = UnitDevices(device) { rate in
            // Without permission there is silence, as at the input node of an engine.
            if RecordAccess.shared.isDenied {
                return try PortInput(.silence, FormatWishes(sampleRate: rate, channelCount: 1))
            }
            return try DefaultInput.open(sampleRate: rate)
        }
        self.init(
            devices, output: formats.output, input: input ? formats.capture : nil, voice: voice ? UnitVoice() : nil)
    }

    init(_ devices: UnitDevices, output: AVAudioFormat, input: AVAudioFormat?, voice: UnitVoice? = nil) {
        (self.devices, self.output, self.input, self.voice) = (devices, output, input, voice)
    }

    /// Seconds from rendering to the ear.
    var latency: TimeInterval { devices.latency }
    var isRunning: Bool { devices.isRunning }

    /// Has `handler` called on the device's thread when the device is lost and nothing runs any more.
    func onLoss(_ handler: @escaping @Sendable () -> Void) { devices.onLoss(handler) }

    /// Makes the way between the client's formats and the devices'. Not while it runs.
    func prepare(_ shape: UnitShape) {
        guard let source = shape.inputs.first else { return }
        let converter = ConvertedInput(
            from: source, to: output, exit: RateExit.exit(from: source, to: output), capacity: shape.maximumFrames,
            map: shape.channelMap)
        let made = Sides(
            converter: converter, captured: captured(shape),
            rates: (source.sampleRate, shape.outputs.last?.sampleRate ?? 0), source: source,
            maximumFrames: shape.maximumFrames)
        lock.withLock { sides = made }
    }

    private func captured(_ shape: UnitShape) -> CapturedCycle? {
        guard let input, shape.outputs.count > 1 else { return nil }
        let target = shape.outputs[1]
        let labels = input.channelCount > 0 ? input.channelLabels : target.channelLabels
        let matrix =
            shape.inputChannelMap.map {
                PlaneMatrix($0, inputs: labels.count, outputs: Int(target.channelCount))
            }
            ?? PlaneMatrix(
                ChannelMatrix(from: labels, to: target.channelLabels, intoMono: .mean).gains, inputs: labels.count)
        return CapturedCycle(channels: labels.count, matrix, to: target, frames: shape.maximumFrames)
    }

    /// What the unit's render block gives: on bus 1, within a cycle, what was captured.
    func makeRenderBlock() -> AUInternalRenderBlock {
        let captured = lock.withLock { sides?.captured }
        return { _, _, frames, bus, list, _, _ in
            guard bus == InputCycle.bus, let captured else { return kAudioUnitErr_NoConnection }
            return switch captured.fetch(Int(frames), to: UnsafeMutableAudioBufferListPointer(list)) {
            case nil: noErr
            case .noCycle: kAudioUnitErr_CannotDoInCurrentContext
            case .tooManyFrames: kAudioUnitErr_TooManyFramesToProcess
            }
        }
    }

    /// Throws what the devices throw, and for client's formats of two rates.
    func start(_ run: Run) throws {
        guard let sides = lock.withLock({ sides }) else { throw AUFault.notAllocated("startHardware()") }
        do {
            guard run.hasInput, let captured = sides.captured else {
                guard let provider = run.provider else { return }
                return try devices.start(render: rendering(provider, sides.converter, from: run.startTime))
            }
            let cycle = InputCycle(captured, run.handler, voice?.controls)
            guard let provider = run.provider else {
                // Without an output there is no echo.
                return try devices.start(inputRate: sides.rates.input) { cycle.receive($0, at: sides.rates.input) }
            }
            guard sides.rates.output == sides.rates.input else { throw AUFault.rates(sides.rates) }
            if voice != nil, !VoiceProcessor.sampleRates.contains(sides.rates.input) {
                throw AUFault.voiceRate(sides.rates.input)
            }
            try devices.start(inputRate: sides.rates.input) { capture in
                cycle.voice = voiceCycle(sides, microphones: capture.channelCount)
                return rendering(cycle.capturing(provider, capture), sides.converter, from: run.startTime)
            }
            voice?.begin()
        } catch let error as DeviceError {
            throw AUFault.device(error)
        }
    }

    /// Returns when no block of the client's is called any more, unless one of them calls this.
    func stop() {
        devices.stop()
        voice?.end()
    }

    private func voiceCycle(_ sides: Sides, microphones: Int) -> VoiceCycle? {
        guard let voice else { return nil }
        // A change of rate takes some frames more now and then.
        let ratio = sides.rates.input / devices.sampleRate
        let quantum = Int((Double(devices.quantum) * ratio).rounded(.up)) + (ratio == 1 ? 0 : 32)
        return VoiceCycle(
            voice, sides.source, microphones: microphones, quantum: quantum, capacity: sides.maximumFrames)
    }

    /// Has a provider fill the output's blocks, from a host time on.
    private func rendering(
        _ provider: @escaping AURenderPullInputBlock, _ converter: ConvertedInput, from start: UInt64
    ) -> RenderCallback {
        nonisolated(unsafe) let provider = provider
        let rate = devices.sampleRate
        return { block in
            guard block.channelCount >= converter.outputChannels else { return }
            var early = 0
            if block.hostTime < start {
                let wait = (Double(start - block.hostTime) * 1e-9 * rate).rounded()
                early = Int(min(wait, Double(block.frameCount)))
            }
            _ = converter.render(
                block.frameCount - early, into: block.channels, offset: early, hostTime: max(block.hostTime, start),
                provider)
        }
    }
}

/// Calls the client's blocks with what is captured. Render side, except for `init` and `capturing`.
private final class InputCycle: @unchecked Sendable {
    /// Of what comes in.
    static let bus = 1
    private let captured: CapturedCycle
    private let handler: AUInputHandler?
    private let access = RecordAccess.shared
    private let controls: VoiceControls?
    /// Set ahead of the first cycle.
    var voice: VoiceCycle?
    private var position: Int64 = 0

    init(_ captured: CapturedCycle, _ handler: AUInputHandler?, _ controls: VoiceControls?) {
        (self.captured, self.handler, self.controls) = (captured, handler, controls)
    }

    /// A provider that first captures as many frames as it is to give, and reports them.
    func capturing(_ provider: @escaping AURenderPullInputBlock, _ capture: DeviceCapture) -> AURenderPullInputBlock {
        { [self] flags, time, frames, bus, list in
            ClientCode.callBack {
                run(Int(frames), hostTime: capture.hostTime) { planes in
                    read(capture, Int(frames), hostTime: time.pointee.mHostTime, into: planes)
                } _: {
                    let begin = position - Int64(frames)
                    let status = ClientCode.run { provider(flags, time, frames, bus, list) }
                    let isSilent = status != noErr || flags.pointee.contains(.unitRenderAction_OutputIsSilence)
                    voice?.takeReference(isSilent ? nil : list, Int(frames), at: begin)
                    return status
                }
            }
        }
    }

    private func read(
        _ capture: DeviceCapture, _ frames: Int, hostTime: UInt64,
        into planes: UnsafePointer<UnsafeMutablePointer<Float>>
    ) -> Int {
        guard let processor = voice?.processor else {
            return capture.read(
                into: planes, channelCount: captured.channels, frameCount: frames, hostTime: hostTime, for: nil)
        }
        let ports = processor.captured
        _ = capture.read(
            into: ports.outputs, channelCount: ports.outputCount, frameCount: frames, hostTime: hostTime,
            for: processor)
        processor.process(
            to: planes, captured.channels, frames: frames, at: position, isMuted: access.isMuted)
        return frames
    }

    /// Reports a block of the input's, in pieces that the unit can render.
    func receive(_ block: borrowing InputBlock, at rate: Double) {
        let (channels, count) = (block.channels, min(block.channelCount, captured.channels))
        var done = 0
        while done < block.frameCount {
            let frames = min(block.frameCount - done, captured.capacity)
            run(frames, hostTime: block.hostTime + UInt64(Double(done) / rate * 1e9)) { planes in
                for channel in 0..<captured.channels {
                    if channel < count {
                        planes[channel].update(from: channels[channel] + done, count: frames)
                    } else {
                        planes[channel].update(repeating: 0, count: frames)
                    }
                }
                return frames
            } _: {
            }
            done += frames
        }
    }

    private func run<Result>(
        _ frames: Int, hostTime: UInt64, filledBy fill: (UnsafePointer<UnsafeMutablePointer<Float>>) -> Int,
        _ body: () -> Result
    ) -> Result {
        captured.run(frames) { planes in
            let held = fill(planes)
            return access.isMuted || controls?.isMuted == true ? 0 : held
        } _: {
            if let handler {
                var flags = AudioUnitRenderActionFlags()
                var time = AudioTimeStamp(frame: position, hostTime: hostTime)
                ClientCode.run { handler(&flags, &time, AUAudioFrameCount(frames), Self.bus) }
            }
            position += Int64(frames)
            return body()
        }
    }
}
