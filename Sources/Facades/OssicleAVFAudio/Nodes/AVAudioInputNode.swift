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
    private let muting = RendererBox(PublishedPosition())

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

    /// Whether voice processing is passed by; false, as there is none. Setting it is recorded as not implemented.
    open var isVoiceProcessingBypassed: Bool {
        get { false }
        set { home.machine?.errors.record(notImplemented("voice processing", "There is nothing to pass by.")) }
    }

    /// Whether the level is regulated; it is not. Setting it is recorded as not implemented.
    open var isVoiceProcessingAGCEnabled: Bool {
        get { false }
        set {
            home.machine?.errors.record(
                notImplemented("automatic gain control", "The level stays as the device gives it."))
        }
    }

    /// Whether the input is silenced, with or without voice processing. Default false.
    open var isVoiceProcessingInputMuted: Bool {
        get { muting.pointer.pointee.load() != 0 }
        set { muting.pointer.pointee.store(newValue ? 1 : 0) }
    }

    /// Calls back when somebody speaks into a muted input. Not implemented: false.
    @discardableResult
    open func setMutedSpeechActivityEventListener(
        _ listenerBlock: ((AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
    ) -> Bool {
        home.machine?.errors.record(notImplemented("speech activity events", "None will be reported."))
        return false
    }

    /// How other sound is lowered while voice processing is on. Kept, without effect.
    open var voiceProcessingOtherAudioDuckingConfiguration = AVAudioVoiceProcessingOtherAudioDuckingConfiguration()

    open override var presentationLatency: TimeInterval {
        home.machine?.locked { home.machine?.session.device?.capture?.latency } ?? 0
    }

    override func tapClock(of machine: EngineMachine) -> RenderClock { machine.session.captureClock }

    /// The format connections have that carry what the block gives; `nil` without a block.
    var heldFormat: AVAudioFormat? { manual?.format.standardCounterpart }

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
        let capture = session?.device?.capture
        let (muting, access) = (muting, RecordAccess.shared)
        let renderer = RendererBox(
            BlockRenderer { ports, context in
                if let feed {
                    feed.render(ports, context)
                } else if let capture, let session {
                    capture.render(ports, context, by: session.clock, setting: session.captureClock)
                    if access.isMuted { ports.silenceOutputs(context.frames) }
                } else {
                    ports.silenceOutputs(context.frames)
                }
                if muting.pointer.pointee.load() != 0 { ports.silenceOutputs(context.frames) }
            })
        let node = lowering.graph.add(
            title, .block(renderer.pointer), owner: renderer, inputs: [], outputs: [channels], meter: lowering.meter)
        return NodePorts(outputs: [0: Graph.Port(node)])
    }
}

extension AVAudioInputNode: RenderAttendant {
    package func attend(framesAhead: Int, mode: RenderMode) { manual?.nonFinite.record(of: self) }

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
