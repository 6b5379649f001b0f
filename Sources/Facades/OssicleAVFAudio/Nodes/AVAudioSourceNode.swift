// A node whose sound the client makes.

import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleRender

/// Fills `outputData` with `frameCount` frames; sets the flag if they are silent. Anything but `noErr` counts as silence. On the thread that renders.
public typealias AVAudioSourceNodeRenderBlock =
    (UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>) -> OSStatus

/// Sound from a block. The block has the format of the node's connection, unless it was given one of its own; then samples and channels are
/// converted, and the rate has to agree. It is asked for up to 128 frames at a time. NaN and infinity become 0, which is recorded once.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing {
    private let block: AVAudioSourceNodeRenderBlock
    private let blockFormat: AVAudioFormat?
    private var caller: SourceCaller?
    private let nonFinite = NonFiniteReport()

    /// A source in the format of its connection, deinterleaved 32-bit floats.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        (self.block, blockFormat) = (block, nil)
        super.init()
    }

    /// A source whose block gives linear PCM in `format`.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        (self.block, blockFormat) = (block, format)
        super.init()
    }

    open override var numberOfInputs: Int { 0 }

    override var isAwake: Bool { true }

    override func initialFormat(of bus: BusKey) -> AVAudioFormat { blockFormat?.standardCounterpart ?? .initial }

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        let format = lowering.outputFormat
        let caller = SourceCaller.reuse(self.caller, blockFormat ?? format, to: format, clock: home.machine?.clock, nonFinite: nonFinite, block)
        self.caller = caller
        let renderer = RendererBox(BlockRenderer { ports, context in caller.render(ports, context) })
        let node = lowering.graph.add(title, .block(renderer.pointer), owner: renderer, inputs: [], outputs: [lowering.outputChannels], meter: lowering.meter)
        return NodePorts(outputs: [0: Graph.Port(node)])
    }
}

extension AVAudioSourceNode: RenderAttendant {
    func attend(framesAhead: Int, mode: RenderMode) { nonFinite.record(of: self) }

    func drain() {}
}
