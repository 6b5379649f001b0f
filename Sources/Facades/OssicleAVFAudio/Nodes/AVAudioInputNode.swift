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
    private var feed: InputFeed?
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
            feed = InputFeed(format: format, longest: 4 * Int(machine.manual?.maximumFrameCount ?? 0), block: block)
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

    /// The format connections have that carry what the block gives; `nil` without a block.
    var heldFormat: AVAudioFormat? { feed?.format.standardCounterpart }

    /// Rate at which sound comes in, if not the engine's.
    func deviceRate(_ engineRate: Double) -> Double { feed?.format.sampleRate ?? engineRate }

    /// Whether the block had nothing in the last render call.
    func takeRanDry() -> Bool { feed?.takeRanDry() ?? false }

    func forgetFeed() { feed = nil }

    package override func initialFormat(of bus: BusKey) -> AVAudioFormat {
        home.machine?.locked { heldFormat ?? home.machine?.captureFormat } ?? .initial
    }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        let channels = lowering.outputChannels
        let feed = self.feed
        let capture = home.machine?.session.device?.capture
        let muting = muting
        let renderer = RendererBox(
            BlockRenderer { ports, context in
                if let feed {
                    feed.render(ports, context)
                } else if let capture {
                    capture.render(ports, context)
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
    package func attend(framesAhead: Int, mode: RenderMode) { feed?.nonFinite.record(of: self) }

    package func drain() {}
}

/// Fetches input from the client's block, a render call's worth at a time, and hands it out block by block.
final class InputFeed: @unchecked Sendable {
    let format: AVAudioFormat
    private let block: AVAudioIONodeInputBlock
    private let reader: SampleReader
    private let store: SampleMemory
    private let capacity: Int
    private let channels: Int
    private let ranDry = RendererBox(PublishedPosition())
    let nonFinite = NonFiniteReport()
    // Render side.
    private var held = 0
    private var read = 0

    /// - Parameter longest: frames that may have to be fetched at once.
    init(format: AVAudioFormat, longest: Int, block: @escaping AVAudioIONodeInputBlock) {
        (self.format, self.block) = (format, block)
        channels = Int(format.channelCount)
        capacity = max(longest, 4096)
        store = SampleMemory(count: capacity * channels)
        reader = SampleReader(format)
    }

    func takeRanDry() -> Bool { ranDry.pointer.pointee.exchange(0) != 0 }

    func render(_ ports: Ports, _ context: RenderContext) {
        var done = 0
        while done < context.frames {
            if read == held, !fetch(min(max(context.framesLeftInCall - done, context.frames - done), capacity)) {
                for channel in 0..<ports.outputCount {
                    Mixing.clear(ports.output(channel) + done, context.frames - done)
                }
                if done == 0 { ports.markSilent(0) }
                return
            }
            let run = min(context.frames - done, held - read)
            for channel in 0..<ports.outputCount {
                if channel < channels {
                    (ports.output(channel) + done).update(from: store.pointer + channel * capacity + read, count: run)
                } else {
                    Mixing.clear(ports.output(channel) + done, run)
                }
            }
            read += run
            done += run
        }
    }

    private func fetch(_ frames: Int) -> Bool {
        (held, read) = (0, 0)
        guard let list = ClientCode.run({ block(AVAudioFrameCount(frames)) }) else {
            ranDry.pointer.pointee.store(1)
            return false
        }
        held = reader.read(list, frames, to: store.pointer, stride: capacity)
        for channel in 0..<channels { nonFinite.clear(store.pointer + channel * capacity, held) }
        if held < frames { ranDry.pointer.pointee.store(1) }
        return held > 0
    }
}
