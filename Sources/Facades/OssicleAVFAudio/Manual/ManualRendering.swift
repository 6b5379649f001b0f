import OssicleCore
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Manual rendering as it was asked for, and the memory it renders through.
package final class ManualRendering: @unchecked Sendable {
    package let mode: AVAudioEngineManualRenderingMode
    package let format: AVAudioFormat
    package let maximumFrameCount: AVAudioFrameCount
    private let planes: SampleMemory
    private let pointers: RendererBox<UnsafeMutablePointer<UnsafeMutablePointer<Float>>>
    private let writer: SampleWriter
    private let lent: UnsafeMutableRawPointer
    private let channels: Int

    package init(
        _ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ maximumFrameCount: AVAudioFrameCount
    ) {
        (self.mode, self.format, self.maximumFrameCount) = (mode, format, maximumFrameCount)
        channels = Int(format.channelCount)
        let frames = Int(maximumFrameCount)
        planes = SampleMemory(count: max(frames * channels, 1))
        let table = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(channels, 1))
        for channel in 0..<channels { (table + channel).initialize(to: planes.pointer + channel * frames) }
        pointers = RendererBox(table)
        writer = SampleWriter(format)
        lent = .allocate(byteCount: max(frames * channels * 8, 64), alignment: 64)
    }

    deinit {
        pointers.pointer.pointee.deallocate()
        lent.deallocate()
    }

    /// Renders into the client's buffers, or into memory of its own where there are none. Real-time safe.
    /// - Parameter between: what to do between two slices of a long call, with the frames of the next one.
    package func render(
        _ frames: Int, with executor: Executor, into list: UnsafeMutablePointer<AudioBufferList>, slice: Int = .max,
        between: (Int) -> Void = { _ in }
    ) -> Bool {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        let bufferCount = format.isInterleaved ? 1 : channels
        guard buffers.count == bufferCount else { return false }
        let bytes = writer.bytes * (format.isInterleaved ? channels : 1)
        for index in 0..<bufferCount {
            if buffers[index].mData == nil {
                buffers[index].mData = lent + index * Int(maximumFrameCount) * bytes
            } else if Int(buffers[index].mDataByteSize) < frames * bytes {
                return false
            }
            buffers[index].mDataByteSize = UInt32(frames * bytes)
        }
        var done = 0
        while done < frames {
            let run = min(frames - done, slice)
            between(run)
            executor.render(
                run, into: pointers.pointer.pointee, channels: channels, leftAfterwards: frames - done - run)
            for channel in 0..<channels {
                guard let data = buffers[format.isInterleaved ? 0 : channel].mData else { continue }
                writer.write(pointers.pointer.pointee[channel], channel: channel, to: data + done * bytes, frames: run)
            }
            done += run
        }
        return true
    }

    /// Whether a render call may go ahead, else what to answer. A call that may has entered the gate. Real-time safe.
    func refusal(
        _ frames: AVAudioFrameCount, _ gate: RenderGate, _ status: UnsafeMutablePointer<OSStatus>?
    ) -> AVAudioEngineManualRenderingStatus? {
        status?.pointee = noErr
        guard frames <= maximumFrameCount else {
            status?.pointee = kAudioUnitErr_TooManyFramesToProcess
            return .error
        }
        if gate.enter() { return nil }
        guard gate.isClosed else { return .cannotDoInCurrentContext }
        status?.pointee = AVAudioEngineManualRenderingError.notRunning.rawValue
        return .error
    }

    /// Renders from a real-time thread. Calls of the block take no lock and allocate nothing.
    package func block(_ executor: Executor, _ gate: RenderGate) -> AVAudioEngineManualRenderingBlock {
        { frames, list, status in
            if let refusal = self.refusal(frames, gate, status) { return refusal }
            let isWhole = self.render(Int(frames), with: executor, into: list)
            gate.leave()
            if !isWhole { status?.pointee = kAudio_ParamError }
            return isWhole ? .success : .error
        }
    }

    /// The block of an engine that is in another mode.
    package static var invalidBlock: AVAudioEngineManualRenderingBlock {
        { _, _, status in
            status?.pointee = AVAudioEngineManualRenderingError.invalidMode.rawValue
            return .error
        }
    }
}
