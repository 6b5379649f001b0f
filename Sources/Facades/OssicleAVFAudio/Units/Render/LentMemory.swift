import OssicleCoreAudioTypes

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

    /// Gives each buffer without data some, and all of them their size. False if the list is not of this format or too small.
    func complete(_ list: UnsafeMutablePointer<AudioBufferList>, frames: Int) -> Bool {
        let list = UnsafeMutableAudioBufferListPointer(list)
        let bytes = frames * bytesPerFrame
        guard list.count == buffers, list.allSatisfy({ $0.mData == nil || Int($0.mDataByteSize) >= bytes }) else { return false }
        for index in 0..<buffers {
            list[index] = AudioBuffer(mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(bytes), mData: list[index].mData ?? memory + index * stride)
        }
        return true
    }

    /// Points every buffer of a list of this format to this memory.
    func fill(_ list: UnsafeMutableAudioBufferListPointer, frames: Int) {
        for index in 0..<min(buffers, list.count) {
            list[index] = AudioBuffer(mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(frames * bytesPerFrame), mData: memory + index * stride)
        }
    }
}
