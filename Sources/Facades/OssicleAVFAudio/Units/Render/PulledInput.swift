import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Sound asked of whoever feeds a unit, as planes of 32-bit floats. Render side, except for `init`.
final class PulledInput: @unchecked Sendable {
    let channels: Int
    let capacity: Int
    /// One per channel, `capacity` frames each.
    let planes: UnsafePointer<UnsafeMutablePointer<Float>>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let memory: LentMemory
    private let list: UnsafeMutableAudioBufferListPointer
    private let reader: SampleReader

    init(_ format: AVAudioFormat, capacity: Int) {
        (channels, self.capacity) = (Int(format.channelCount), capacity)
        samples = SampleMemory(count: max(channels, 1) * capacity)
        table = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (table + channel).initialize(to: samples.pointer + channel * capacity) }
        planes = UnsafePointer(table)
        memory = LentMemory(format, frames: capacity)
        list = AudioBufferList.allocate(maximumBuffers: max(format.bufferCount, 1))
        reader = SampleReader(format)
    }

    deinit {
        table.deallocate()
        free(list.unsafeMutablePointer)
    }

    /// Fills the planes with `frames` frames, at most `capacity`. What the other side does not give is silence, and so
    /// is what is not finite.
    func pull(
        _ block: AURenderPullInputBlock, _ time: UnsafePointer<AudioTimeStamp>, frames: Int, bus: Int
    ) -> AUAudioUnitStatus {
        memory.fill(list, frames: frames)
        var flags = AudioUnitRenderActionFlags()
        let status = ClientCode.run { block(&flags, time, AUAudioFrameCount(frames), bus, list.unsafeMutablePointer) }
        let isHeard = status == noErr && !flags.contains(.unitRenderAction_OutputIsSilence)
        let held = isHeard ? reader.read(list.unsafePointer, frames, to: samples.pointer, stride: capacity) : 0
        for channel in 0..<channels {
            let plane = planes[channel]
            for frame in 0..<held where !plane[frame].isFinite { plane[frame] = 0 }
            Mixing.clear(plane + held, frames - held)
        }
        return status
    }
}

/// Memory for one bus, lent to a caller who brings none.
final class LentMemory: @unchecked Sendable {
    private let buffers: Int
    private let channelsPerBuffer: UInt32
    private let bytesPerFrame: Int
    private let stride: Int
    private let memory: UnsafeMutableRawPointer

    /// - Parameter format: linear PCM.
    init(_ format: AVAudioFormat, frames: Int) {
        buffers = format.bufferCount
        channelsPerBuffer = format.channelsPerBuffer
        bytesPerFrame = Int(format.streamDescription.pointee.mBytesPerFrame)
        stride = (frames * bytesPerFrame + 63) & ~63
        let count = max(buffers * stride, 64)
        memory = .allocate(byteCount: count, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    /// Gives each buffer without data some, and all of them their size. False if the list is not of this format or too
    /// small.
    func complete(_ list: UnsafeMutablePointer<AudioBufferList>, frames: Int) -> Bool {
        let list = UnsafeMutableAudioBufferListPointer(list)
        let bytes = frames * bytesPerFrame
        guard list.count == buffers, list.allSatisfy({ $0.mData == nil || Int($0.mDataByteSize) >= bytes }) else {
            return false
        }
        for index in 0..<buffers {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(bytes),
                mData: list[index].mData ?? memory + index * stride)
        }
        return true
    }

    /// Points every buffer of a list of this format to this memory.
    func fill(_ list: UnsafeMutableAudioBufferListPointer, frames: Int) {
        for index in 0..<min(buffers, list.count) {
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(frames * bytesPerFrame),
                mData: memory + index * stride)
        }
    }
}

/// Planes a unit renders into, and their way into a buffer list of any linear PCM form.
final class PlaneWriter: @unchecked Sendable {
    let channels: Int
    /// Where each channel goes on, for those who render piece by piece.
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: SampleMemory
    private let stride: Int
    private let writer: SampleWriter
    private let isInterleaved: Bool

    init(_ format: AVAudioFormat, frames: Int) {
        (channels, stride, isInterleaved) = (Int(format.channelCount), frames, format.isInterleaved)
        samples = SampleMemory(count: max(channels, 1) * frames)
        pointers = .allocate(capacity: max(channels, 1))
        for channel in 0..<max(channels, 1) { (pointers + channel).initialize(to: samples.pointer + channel * frames) }
        writer = SampleWriter(format)
    }

    deinit { pointers.deallocate() }

    func point(to offset: Int) {
        for channel in 0..<channels { pointers[channel] = samples.pointer + channel * stride + offset }
    }

    /// Writes the first `frames` frames to a list of the format.
    func write(to list: UnsafeMutablePointer<AudioBufferList>, frames: Int) {
        let list = UnsafeMutableAudioBufferListPointer(list)
        for channel in 0..<channels {
            guard let data = list[isInterleaved ? 0 : channel].mData else { continue }
            writer.write(samples.pointer + channel * stride, channel: channel, to: data, frames: frames)
        }
    }
}
