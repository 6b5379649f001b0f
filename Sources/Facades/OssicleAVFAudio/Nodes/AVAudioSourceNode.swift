// A node whose sound the client makes.

import OssicleChannels
import OssicleCore
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleGraph
import OssicleNodes
import OssiclePlayback
import OssicleRender
import Synchronization

/// Fills `outputData` with `frameCount` frames; sets the flag if they are silent. Anything but `noErr` counts as
/// silence. On the thread that renders.
public typealias AVAudioSourceNodeRenderBlock =
    (
        UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
        UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus

/// Sound from a block. The block has the format of the node's connection, unless it was given one of its own; then
/// samples and channels are converted, and the rate has to agree. It is asked for up to 128 frames at a time. NaN and
/// infinity become 0, which is recorded once.
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

    package override func initialFormat(of bus: BusKey) -> AVAudioFormat {
        blockFormat?.standardCounterpart ?? .initial
    }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        let format = lowering.outputFormat
        let caller = SourceCaller.reuse(
            self.caller, blockFormat ?? format, to: format, clock: home.machine?.session.clock, nonFinite: nonFinite,
            block)
        self.caller = caller
        let renderer = RendererBox(BlockRenderer { ports, context in caller.render(ports, context) })
        let node = lowering.graph.add(
            title, .block(renderer.pointer), owner: renderer, inputs: [], outputs: [lowering.outputChannels],
            meter: lowering.meter)
        return NodePorts(outputs: [0: Graph.Port(node)])
    }
}

extension AVAudioSourceNode: RenderAttendant {
    package func attend(framesAhead: Int, mode: RenderMode) { nonFinite.record(of: self) }

    package func drain() {}
}

/// Lays out buffer list and time stamp for a source's block, in the block's own format.
final class SourceCaller: @unchecked Sendable {
    private let format: AVAudioFormat
    private let target: AVAudioFormat
    private let clock: RenderClock?
    private let source: ClientSource

    static func reuse(
        _ old: SourceCaller?, _ format: AVAudioFormat, to target: AVAudioFormat, clock: RenderClock?,
        nonFinite: NonFiniteReport,
        _ block: @escaping AVAudioSourceNodeRenderBlock
    ) -> SourceCaller {
        if let old, old.format == format, old.target == target, old.clock === clock { return old }
        return SourceCaller(format, to: target, clock: clock, nonFinite: nonFinite, block)
    }

    private init(
        _ format: AVAudioFormat, to target: AVAudioFormat, clock: RenderClock?, nonFinite: NonFiniteReport,
        _ block: @escaping AVAudioSourceNodeRenderBlock
    ) {
        (self.format, self.target, self.clock) = (format, target, clock)
        let memory = LentMemory(format, frames: Grid.quantum)
        let list = BufferList(format.bufferCount)
        let (reader, rate) = (SampleReader(format), target.sampleRate)
        let channels = Int(format.channelCount)
        let gains = ChannelMatrix(from: format.channelLabels, to: target.channelLabels, intoMono: .mean).gains
        source = ClientSource(channels: channels, PlaneMatrix(gains, inputs: channels), nonFinite: nonFinite.count) {
            frames, position, planes in
            memory.fill(list.buffers, frames: frames)
            var isSilent = ObjCBool(false)
            var stamp = AudioTimeStamp(frame: position, hostTime: clock?.hostTime(of: position, rate) ?? 0)
            let status = ClientCode.run {
                block(&isSilent, &stamp, AVAudioFrameCount(frames), list.buffers.unsafeMutablePointer)
            }
            guard status == noErr, !isSilent.boolValue else { return nil }
            return reader.read(list.buffers.unsafePointer, frames, to: planes, stride: Grid.quantum)
        }
    }

    func render(_ ports: Ports, _ context: RenderContext) { source.render(ports, context) }
}

/// A buffer list with room for some buffers, for client blocks to be given.
final class BufferList: @unchecked Sendable {
    let buffers: UnsafeMutableAudioBufferListPointer

    init(_ count: Int) { buffers = AudioBufferList.allocate(maximumBuffers: max(count, 1)) }

    deinit { free(buffers.unsafeMutablePointer) }

    /// Points the list to planes of 32-bit floats.
    func point(to planes: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int) {
        for channel in 0..<channels {
            buffers[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.stride),
                mData: UnsafeMutableRawPointer(planes[channel]))
        }
    }
}

extension AudioTimeStamp {
    /// A frame of the engine's time and the host time at which it sounds.
    init(frame: Int64, hostTime: UInt64) {
        self.init()
        mSampleTime = Double(frame)
        mHostTime = hostTime
        mFlags = [.sampleTimeValid, .hostTimeValid]
    }
}

/// Records once that samples of a client's were NaN or infinite and became 0. Control side.
final class NonFiniteReport: Sendable {
    let count: NonFiniteCount
    private let isRecorded = Atomic(false)

    init(_ count: NonFiniteCount = NonFiniteCount()) { self.count = count }

    /// Records what has been cleared by now.
    func record(of node: AVAudioNode) { record(count.total, of: node) }

    /// Records `count` samples, the first time that there are any.
    func record(_ count: Int64, of node: AVAudioNode) {
        guard count > 0, !isRecorded.exchange(true, ordering: .relaxed) else { return }
        node.home.record(OssicleError(nonFinite: count, in: node.title))
    }
}
