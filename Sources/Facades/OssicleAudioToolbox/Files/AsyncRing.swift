// Frames on their way from the audio thread to the thread that writes them.

import OssicleCore
import Synchronization

/// A ring of frames in a client's format, between one writing and one reading thread. Adding to it never locks,
/// allocates or waits. A handle: copies share the memory, and its maker calls `deallocate()` once both threads
/// are done.
///
///     add ─ memory, Ring of pieces ─▶ take
///         ◀──── Ring of what is free again ────
struct AsyncRing: BitwiseCopyable, @unchecked Sendable {
    /// Frames there is room for.
    let capacity: Int
    private let bufferCount: Int
    private let bytesPerFrame: Int
    private let memory: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let pieces: Ring<Int>
    private let freed: Ring<Int>
    private let counters: UnsafeMutablePointer<Counters>

    private struct Counters: ~Copyable {
        /// The writer's: frames added so far, and how many more fit.
        var added = 0
        var free: Int
        /// The reader's: frames taken so far.
        var taken = 0
        /// What went wrong on the reader's side.
        let failure = Atomic<OSStatus>(noErr)

        init(free: Int) { self.free = free }
    }

    /// Calls that may wait at once.
    private static let mostPieces = 4096

    init(bufferCount: Int, bytesPerFrame: Int, capacity: Int) {
        self.capacity = capacity
        self.bufferCount = bufferCount
        self.bytesPerFrame = bytesPerFrame
        memory = .allocate(capacity: bufferCount)
        for index in 0..<bufferCount { memory[index] = .allocate(byteCount: capacity * bytesPerFrame, alignment: 16) }
        pieces = Ring(capacity: Self.mostPieces)
        freed = Ring(capacity: Self.mostPieces)
        counters = .allocate(capacity: 1)
        counters.initialize(to: Counters(free: capacity))
    }

    func deallocate() {
        for index in 0..<bufferCount { memory[index].deallocate() }
        memory.deallocate()
        pieces.deallocate()
        freed.deallocate()
        counters.deinitialize(count: 1).deallocate()
    }

    /// Writer only. Adds `frames` frames, or none: `kExtAudioFileError_AsyncWriteTooLarge` for more than ever fit,
    /// `kExtAudioFileError_AsyncWriteBufferOverflow` while there is no room, `kAudio_ParamError` for buffers of another
    /// form.
    func add(_ list: UnsafePointer<AudioBufferList>, frames: Int) -> OSStatus {
        let failure = counters.pointee.failure.load(ordering: .relaxed)
        guard failure == noErr else { return failure }
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        guard frames > 0 else { return noErr }
        guard frames <= capacity else { return kExtAudioFileError_AsyncWriteTooLarge }
        guard fits(buffers, frames) else { return kAudio_ParamError }
        while let frames = freed.pop() { counters.pointee.free += frames }
        guard frames <= counters.pointee.free, pieces.count < pieces.capacity else {
            return kExtAudioFileError_AsyncWriteBufferOverflow
        }
        let start = counters.pointee.added % capacity
        let first = min(frames, capacity - start)
        for index in 0..<bufferCount {
            guard let source = buffers[index].mData else { return kAudio_ParamError }
            (memory[index] + start * bytesPerFrame).copyMemory(from: source, byteCount: first * bytesPerFrame)
            memory[index].copyMemory(from: source + first * bytesPerFrame, byteCount: (frames - first) * bytesPerFrame)
        }
        counters.pointee.added += frames
        counters.pointee.free -= frames
        return pieces.push(frames) ? noErr : kExtAudioFileError_AsyncWriteBufferOverflow
    }

    private func fits(_ buffers: UnsafeMutableAudioBufferListPointer, _ frames: Int) -> Bool {
        guard buffers.count == bufferCount else { return false }
        for index in 0..<bufferCount {
            guard buffers[index].mData != nil, Int(buffers[index].mDataByteSize) / bytesPerFrame >= frames else {
                return false
            }
        }
        return true
    }

    /// Reader only. Hands out all that waits, in order and in stretches without a seam.
    func take<Failure: Error>(
        _ body: (_ buffers: [UnsafeRawPointer], _ frames: Int) throws(Failure) -> Void
    ) throws(Failure) {
        while let frames = pieces.pop() {
            let start = counters.pointee.taken % capacity
            let first = min(frames, capacity - start)
            counters.pointee.taken += frames
            defer { _ = freed.push(frames) }
            try body((0..<bufferCount).map { UnsafeRawPointer(memory[$0] + start * bytesPerFrame) }, first)
            if first < frames { try body((0..<bufferCount).map { UnsafeRawPointer(memory[$0]) }, frames - first) }
        }
    }

    /// Reader only. From now on `add` returns `status`.
    func fail(_ status: OSStatus) { counters.pointee.failure.store(status, ordering: .relaxed) }
}
