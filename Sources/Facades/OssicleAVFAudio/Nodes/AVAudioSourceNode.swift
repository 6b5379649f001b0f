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

/// Calls a source's block on the render side, in the block's own format.
final class SourceCaller: @unchecked Sendable {
    private let format: AVAudioFormat
    private let target: AVAudioFormat
    private let block: AVAudioSourceNodeRenderBlock
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: UnsafeMutableRawPointer
    private let planes: SampleMemory
    private let reader: SampleReader
    private let matrix: [Float]
    private let bytesPerBuffer: Int
    private let clock: RenderClock?
    private let nonFinite: NonFiniteReport

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
        (self.format, self.target, self.block, self.clock, self.nonFinite) = (format, target, block, clock, nonFinite)
        let buffers = format.bufferCount
        bytesPerBuffer = Grid.quantum * Int(format.streamDescription.pointee.mBytesPerFrame)
        list = AudioBufferList.allocate(maximumBuffers: max(buffers, 1))
        memory = .allocate(byteCount: max(buffers * bytesPerBuffer, 64), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(buffers * bytesPerBuffer, 64))
        planes = SampleMemory(count: max(Int(format.channelCount), 1) * Grid.quantum)
        reader = SampleReader(format)
        matrix =
            ChannelMatrix(
                from: format.channelLabels, to: target.channelLabels, intoMono: .mean
            ).gains
    }

    deinit {
        free(list.unsafeMutablePointer)
        memory.deallocate()
    }

    func render(_ ports: Ports, _ context: RenderContext) {
        let bytes = context.frames * bytesPerBuffer / Grid.quantum
        for index in 0..<list.count {
            list[index] = AudioBuffer(
                mNumberChannels: format.channelsPerBuffer, mDataByteSize: UInt32(bytes),
                mData: memory + index * bytesPerBuffer)
        }
        var isSilent = ObjCBool(false)
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(context.position)
        stamp.mHostTime = clock?.hostTime(of: context.position, target.sampleRate) ?? 0
        stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
        let status = ClientCode.run {
            block(&isSilent, &stamp, AVAudioFrameCount(context.frames), list.unsafeMutablePointer)
        }
        guard status == noErr, !isSilent.boolValue else { return ports.silenceOutputs(context.frames) }
        let held = reader.read(list.unsafePointer, context.frames, to: planes.pointer, stride: Grid.quantum)
        let channels = Int(format.channelCount)
        for channel in 0..<channels {
            let plane = planes.pointer + channel * Grid.quantum
            if held < context.frames { Mixing.clear(plane + held, context.frames - held) }
            nonFinite.clear(plane, held)
        }
        for output in 0..<ports.outputCount { mix(output, channels, to: ports.output(output), context.frames) }
    }

    private func mix(_ output: Int, _ channels: Int, to target: UnsafeMutablePointer<Float>, _ frames: Int) {
        var isEmpty = true
        for channel in 0..<channels {
            let gain = matrix[output * channels + channel]
            if gain == 0 { continue }
            let plane = planes.pointer + channel * Grid.quantum
            for frame in 0..<frames {
                target[frame] = isEmpty ? plane[frame] * gain : target[frame] + plane[frame] * gain
            }
            isEmpty = false
        }
        if isEmpty { Mixing.clear(target, frames) }
    }
}

/// Samples of a client's that were NaN or infinite and became 0: counted on the render side, recorded once on the
/// control side.
final class NonFiniteReport: Sendable {
    private let samples = PublishedPosition()
    private let isRecorded = Atomic(false)

    /// Render side: clears a block that has come in.
    func clear(_ block: UnsafeMutablePointer<Float>, _ frames: Int) {
        let found = Mixing.clearNonFinite(block, frames)
        if found > 0 { samples.store(samples.load() + Int64(found)) }
    }

    /// Control side: records what has been cleared by now.
    func record(of node: AVAudioNode) { record(samples.load(), of: node) }

    /// Control side: records `count` samples, the first time that there are any.
    func record(_ count: Int64, of node: AVAudioNode) {
        guard count > 0, !isRecorded.exchange(true, ordering: .relaxed) else { return }
        node.home.record(Self.error(count, in: node.title))
    }

    static func error(_ count: Int64, in object: String) -> OssicleError {
        .avfaudio(
            kAudioUnitErr_InvalidParameterValue, object,
            value: "\(count) sample\(count == 1 ? "" : "s") that are NaN or infinite",
            rule: "Sound is made of finite numbers; any other is played as 0. This is recorded once.",
            cure: "Look for a division by zero, or for memory that was not written.")
    }
}
