// Where sound comes in.

import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// Gives a buffer list with all of the frames asked for, or `nil` when there are none.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// Where sound enters the graph: a device's capture, or a block of the client's in manual rendering.
///
/// In manual rendering it converts from the block's rate to its connection's; the block is asked once per render call
/// for what that call needs, in whole frames. A connection that is made with `nil` while the input has no format yet
/// gets that of the block.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing {
    private var manual: ManualInput?
    private let voice = VoiceControls()
    private let mutedSpeech = MutedSpeechListener()

    open override var numberOfInputs: Int { 1 }

    /// Supplies the input in manual rendering.
    /// - Parameters:
    ///   - format: linear PCM of any form.
    ///   - block: called on the thread that renders, for as many frames as are needed; `nil` counts as silence and is
    ///     reported by
    ///     the render call.
    /// - Returns: false, and an error is recorded, while the engine runs or is not in manual rendering, and for a
    ///   format that is not PCM.
    @discardableResult
    open func setManualRenderingInputPCMFormat(
        _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
    ) -> Bool {
        guard let machine = home.machine else { return false }
        return machine.locked {
            guard machine.manual != nil, machine.state == .stopped, format.isPCM, format.commonFormat != .otherFormat,
                format.sampleRate >= 1, format.channelCount >= 1
            else {
                machine.errors.record(
                    OssicleError.avfaudio(
                        kAudio_ParamError, title, value: "input in \(format)",
                        rule:
                            "Manual input is linear PCM, and is set while the engine is stopped and in manual rendering.",
                        cure: "Call enableManualRenderingMode first, and start afterwards."))
                return false
            }
            manual = ManualInput(format: format, longest: 4 * Int(machine.manual?.maximumFrameCount ?? 0), block: block)
            machine.model.setFormat(format.standardCounterpart, of: BusKey(self, .input, bus: 0))
            machine.adaptInput()
            return true
        }
    }

    /// Whether what is captured passes without voice processing, as late as with it; it goes over in 512 frames. False
    /// while voice processing is off; setting it then is recorded as an error. May be set at any time.
    open var isVoiceProcessingBypassed: Bool {
        get { isVoiceProcessingEnabled && voice.isBypassed }
        set { setWithVoice("isVoiceProcessingBypassed") { voice.isBypassed = newValue } }
    }

    /// Whether speech is brought to −20 dBFS, by at most 6 dB a second within −12 … 18 dB: true once voice processing
    /// is switched on. False while that is off; setting it then is recorded as an error. May be set at any time.
    open var isVoiceProcessingAGCEnabled: Bool {
        get { isVoiceProcessingEnabled && voice.controlsLevel }
        set { setWithVoice("isVoiceProcessingAGCEnabled") { voice.controlsLevel = newValue } }
    }

    private func setWithVoice(_ name: String, _ set: () -> Void) {
        if isVoiceProcessingEnabled { return set() }
        home.machine?.errors.record(
            OssicleError.avfaudio(
                kAudioUnitErr_Uninitialized, title, value: "\(name) without voice processing",
                rule: "There is nothing to set while voice processing is off.",
                cure: "Call setVoiceProcessingEnabled(true) first, while the engine is stopped."))
    }

    /// Whether the input is silenced, with or without voice processing. Default false.
    open var isVoiceProcessingInputMuted: Bool {
        get { voice.isMuted }
        set { voice.isMuted = newValue }
    }

    /// Has a block called when somebody begins or ceases to speak into an input that is muted, by
    /// `isVoiceProcessingInputMuted` or by `AVAudioApplication`, while voice processing runs.
    ///
    /// - Parameter listenerBlock: called on a queue of its own, one event at a time; `nil` for none. A second call
    ///   replaces it.
    /// - Returns: true.
    @discardableResult
    open func setMutedSpeechActivityEventListener(
        _ listenerBlock: ((AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
    ) -> Bool {
        mutedSpeech.set(
            listenerBlock.map { block in { block($0 ? .started : .ended) } }, since: voice.mutedSpeechTurns)
        return true
    }

    /// How the sound of other programs is lowered while voice processing runs at a device of a sound server: by 6 dB
    /// with `.default` and `.min`, by 12 with `.mid`, by 20 with `.max`; with advanced ducking only while somebody
    /// speaks, here or at the far end, and a second longer.
    open var voiceProcessingOtherAudioDuckingConfiguration: AVAudioVoiceProcessingOtherAudioDuckingConfiguration {
        get { home.machine.map { machine in machine.locked { machine.hardware.ducking.configuration } } ?? .init() }
        set { home.machine.map { machine in machine.locked { machine.hardware.ducking.configuration = newValue } } }
    }

    open override var presentationLatency: TimeInterval {
        home.machine?.locked { home.machine?.session.device?.capture?.latency } ?? 0
    }

    override func tapClock(of machine: EngineMachine) -> RenderClock { machine.session.captureClock }

    /// The format connections have that carry what the block gives; `nil` without a block.
    var heldFormat: AVAudioFormat? {
        guard let format = manual?.format.standardCounterpart else { return nil }
        guard home.machine?.hardware.processesVoice == true else { return format }
        return AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channels: 1)
    }

    /// Voice processing at that rate: what there was, if it fits. Under the engine's lock.
    func voiceProcessor(_ old: VoiceProcessor?, sampleRate: Double, capture: DeviceCapture?) -> VoiceProcessor {
        let channels = (manual?.format.channelCount).map(Int.init) ?? capture?.channelCount ?? 1
        if let old, old.sampleRate == sampleRate, old.channelCount == channels, old.controls === voice { return old }
        return VoiceProcessor(sampleRate: sampleRate, channelCount: channels, controls: voice)
    }

    func restoreVoiceDefaults() { voice.restoreDefaults() }

    /// Rate at which sound comes in, if not the engine's.
    func deviceRate(_ engineRate: Double) -> Double { manual?.format.sampleRate ?? engineRate }

    /// Whether the block had nothing in the last render call.
    func takeRanDry() -> Bool { manual?.feed.takeRanDry() ?? false }

    func forgetFeed() { manual = nil }

    package override func initialFormat(of bus: BusKey) -> AVAudioFormat {
        home.machine?.locked { heldFormat ?? home.machine?.captureFormat } ?? .initial
    }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        // What is captured is the device's or the caller's, which change without the graph.
        lowering.mayBeKept = false
        let channels = lowering.outputChannels
        let feed = manual?.feed
        let session = home.machine?.session
        let capture = session?.device?.captured
        let (controls, access, voice) = (voice, RecordAccess.shared, session?.voice)
        let renderer = RendererBox(
            BlockRenderer { ports, context in
                let captured = voice?.captured ?? ports
                if let feed {
                    feed.render(captured, context)
                } else if let capture, let session {
                    capture.render(
                        captured, context, for: voice, by: session.clock, setting: session.captureClock)
                } else {
                    captured.silenceOutputs(context.frames)
                }
                let isMuted = controls.isMuted || (feed == nil && access.isMuted)
                if let voice {
                    voice.process(
                        to: ports.outputs, ports.outputCount, frames: context.frames, at: context.position,
                        isMuted: isMuted)
                } else if isMuted {
                    ports.silenceOutputs(context.frames)
                }
            })
        let node = lowering.graph.add(
            title, .block(renderer.pointer), owner: renderer, inputs: [], outputs: [channels], meter: lowering.meter)
        return NodePorts(outputs: [0: Graph.Port(node)])
    }
}

extension AVAudioInputNode: RenderAttendant {
    package func attend(framesAhead: Int, mode: RenderMode) {
        manual?.nonFinite.record(of: self)
        mutedSpeech.deliver(until: voice.mutedSpeechTurns, through: home.machine?.session.callbacks)
    }

    package func drain() {}
}

/// Input from a block of the client's, and its format.
struct ManualInput {
    let format: AVAudioFormat
    let feed: InputFeed
    let nonFinite: NonFiniteReport

    /// - Parameter longest: frames that may have to be fetched at once.
    init(format: AVAudioFormat, longest: Int, block: @escaping AVAudioIONodeInputBlock) {
        let reader = SampleReader(format)
        self.format = format
        feed = InputFeed(channels: Int(format.channelCount), longest: longest) { frames, planes, stride in
            guard let list = ClientCode.run({ block(AVAudioFrameCount(frames)) }) else { return nil }
            return reader.read(list, frames, to: planes, stride: stride)
        }
        nonFinite = NonFiniteReport(feed.nonFinite)
    }
}
