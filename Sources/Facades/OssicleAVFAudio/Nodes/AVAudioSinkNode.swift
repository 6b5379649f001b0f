// A node that hands live input to the client.

import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// Gets `frameCount` frames of input, on the thread that renders.
public typealias AVAudioSinkNodeReceiverBlock = (
    UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// The end of an input chain: hands what comes in to a block, as it comes, up to 128 frames at a time. It converts
/// nothing, has no output and needs no output node.
open class AVAudioSinkNode: AVAudioNode {
    private let block: AVAudioSinkNodeReceiverBlock

    /// A sink whose block is called on the thread that renders.
    public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
        self.block = block
        super.init()
    }

    open override var numberOfOutputs: Int { 0 }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        let channels = lowering.inputs.first?.channels ?? 0
        let caller = SinkCaller(
            channels: channels, rate: lowering.sampleRate, clock: home.machine?.session.clock, block)
        let renderer = RendererBox(BlockRenderer { ports, context in caller.render(ports, context) })
        let node = lowering.graph.add(
            title, .block(renderer.pointer), owner: renderer, inputs: [channels], outputs: [], meter: lowering.meter)
        lowering.graph.addRoot(node)
        return NodePorts(inputs: [0: Graph.Port(node)])
    }
}

/// Calls a sink's block on the render side.
private final class SinkCaller: @unchecked Sendable {
    private let block: AVAudioSinkNodeReceiverBlock
    private let list: BufferList
    private let channels: Int
    private let rate: Double
    private let clock: RenderClock?

    init(channels: Int, rate: Double, clock: RenderClock?, _ block: @escaping AVAudioSinkNodeReceiverBlock) {
        (self.channels, self.rate, self.clock, self.block) = (channels, rate, clock, block)
        list = BufferList(channels)
    }

    func render(_ ports: Ports, _ context: RenderContext) {
        list.point(to: ports.inputs, channels: channels, frames: context.frames)
        var stamp = AudioTimeStamp(
            frame: context.position, hostTime: clock?.hostTime(of: context.position, rate) ?? 0)
        _ = ClientCode.run { block(&stamp, AVAudioFrameCount(context.frames), list.buffers.unsafePointer) }
    }
}
