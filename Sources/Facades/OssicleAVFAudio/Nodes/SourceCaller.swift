import OssicleCore
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleRender

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

    static func reuse(_ old: SourceCaller?, _ format: AVAudioFormat, to target: AVAudioFormat, clock: RenderClock?, nonFinite: NonFiniteReport,
                      _ block: @escaping AVAudioSourceNodeRenderBlock) -> SourceCaller {
        if let old, old.format == format, old.target == target, old.clock === clock { return old }
        return SourceCaller(format, to: target, clock: clock, nonFinite: nonFinite, block)
    }

    private init(_ format: AVAudioFormat, to target: AVAudioFormat, clock: RenderClock?, nonFinite: NonFiniteReport,
                 _ block: @escaping AVAudioSourceNodeRenderBlock) {
        (self.format, self.target, self.block, self.clock, self.nonFinite) = (format, target, block, clock, nonFinite)
        let buffers = format.bufferCount
        bytesPerBuffer = Grid.quantum * Int(format.streamDescription.pointee.mBytesPerFrame)
        list = AudioBufferList.allocate(maximumBuffers: max(buffers, 1))
        memory = .allocate(byteCount: max(buffers * bytesPerBuffer, 64), alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(buffers * bytesPerBuffer, 64))
        planes = SampleMemory(count: max(Int(format.channelCount), 1) * Grid.quantum)
        reader = SampleReader(format)
        matrix = ChannelMatrix(from: ChannelLayouts.labels(of: format), to: ChannelLayouts.labels(of: target), intoMono: .mean).gains
    }

    deinit {
        free(list.unsafeMutablePointer)
        memory.deallocate()
    }

    func render(_ ports: Ports, _ context: RenderContext) {
        let bytes = context.frames * bytesPerBuffer / Grid.quantum
        for index in 0..<list.count {
            list[index] = AudioBuffer(mNumberChannels: format.channelsPerBuffer, mDataByteSize: UInt32(bytes), mData: memory + index * bytesPerBuffer)
        }
        var isSilent = ObjCBool(false)
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(context.position)
        stamp.mHostTime = clock?.hostTime(of: context.position, target.sampleRate) ?? 0
        stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
        let status = ClientCode.run { block(&isSilent, &stamp, AVAudioFrameCount(context.frames), list.unsafeMutablePointer) }
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
            for frame in 0..<frames { target[frame] = isEmpty ? plane[frame] * gain : target[frame] + plane[frame] * gain }
            isEmpty = false
        }
        if isEmpty { Mixing.clear(target, frames) }
    }
}
