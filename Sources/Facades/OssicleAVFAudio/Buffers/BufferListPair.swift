// Sample memory and the two lists that point at it.

import OssicleCoreAudioTypes

/// Buffers of equal size, listed twice: once sized to the valid audio, once to the capacity.
final class BufferListPair {
    let valid: UnsafeMutableAudioBufferListPointer
    let whole: UnsafeMutableAudioBufferListPointer
    private let release: () -> Void

    /// Zeroed buffers of `byteCount` bytes each, or `nil` when the memory is not there.
    convenience init?(buffers: Int, channelsPerBuffer: UInt32, byteCount: Int) {
        let list = AudioBufferList.allocate(maximumBuffers: buffers)
        for index in 0..<list.count {
            guard let memory = calloc(max(byteCount, 1), 1) else {
                for buffer in list { free(buffer.mData) }
                list.unsafeMutablePointer.deallocate()
                return nil
            }
            list[index] = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: UInt32(clamping: byteCount), mData: memory)
        }
        self.init(whole: list) { for buffer in list { free(buffer.mData) } }
    }

    /// One buffer without bytes, over memory that is there all the same.
    convenience init(emptyFor channels: UInt32) {
        let list = AudioBufferList.allocate(maximumBuffers: 1),
            memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        list[0] = AudioBuffer(mNumberChannels: channels, mDataByteSize: 0, mData: memory)
        self.init(whole: list) { memory.deallocate() }
    }

    /// A copy of `foreign` that points at the same memory; `release` runs when it is no longer used.
    convenience init(pointingAt foreign: UnsafeMutableAudioBufferListPointer, release: @escaping () -> Void) {
        self.init(whole: Self.copy(foreign), release: release)
    }

    private init(whole: UnsafeMutableAudioBufferListPointer, release: @escaping () -> Void) {
        self.whole = whole
        self.release = release
        valid = Self.copy(whole)
    }

    deinit {
        release()
        whole.unsafeMutablePointer.deallocate()
        valid.unsafeMutablePointer.deallocate()
    }

    /// The first buffer's memory.
    var memory: UnsafeMutableRawPointer { whole.first?.mData ?? UnsafeMutableRawPointer(whole.unsafeMutablePointer) }

    private static func copy(_ list: UnsafeMutableAudioBufferListPointer) -> UnsafeMutableAudioBufferListPointer {
        let copy = AudioBufferList.allocate(maximumBuffers: list.count)
        for index in 0..<list.count { copy[index] = list[index] }
        return copy
    }

    /// Sets the size that one of the lists tells for every buffer.
    func setByteSize(_ bytes: UInt32, of list: UnsafeMutableAudioBufferListPointer) {
        for index in 0..<list.count { list[index].mDataByteSize = bytes }
    }
}
