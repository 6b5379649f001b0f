import OssicleCore
import OssicleCoreAudioTypes
import OssicleRender

/// Manual rendering as it was asked for, and the memory it renders through.
final class ManualRendering: @unchecked Sendable {
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let maximumFrameCount: AVAudioFrameCount
    private let planes: SampleMemory
    private let pointers: RendererBox<UnsafeMutablePointer<UnsafeMutablePointer<Float>>>
    private let writer: SampleWriter
    private let lent: UnsafeMutableRawPointer
    private let channels: Int

    init(_ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ maximumFrameCount: AVAudioFrameCount) {
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
    func render(_ frames: Int, with executor: Executor, into list: UnsafeMutablePointer<AudioBufferList>, slice: Int = .max, between: (Int) -> Void = { _ in }) -> Bool {
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
            executor.render(run, into: pointers.pointer.pointee, channels: channels, leftAfterwards: frames - done - run)
            for channel in 0..<channels {
                guard let data = buffers[format.isInterleaved ? 0 : channel].mData else { continue }
                writer.write(pointers.pointer.pointee[channel], channel: channel, to: data + done * bytes, frames: run)
            }
            done += run
        }
        return true
    }
}
