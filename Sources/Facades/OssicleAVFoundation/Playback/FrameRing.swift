// Decoded sound on its way to the audio thread.

import OssicleCoreAudioTypes
import Synchronization

/// Planes of samples between the thread that decodes, which writes, and the one that renders, which takes. While the
/// renderer stands still the ring may be cleared. Taking neither allocates nor waits.
final class FrameRing: @unchecked Sendable {
    let channels: Int
    let capacity: Int
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let written = Atomic<Int64>(0)
    private let taken = Atomic<Int64>(0)
    /// Host time of the first frame that may be taken; 0 for at once.
    private let start = Atomic<UInt64>(0)

    /// Room for `1 << bits` frames.
    init(channels: Int, bits: Int) {
        let capacity = 1 << bits
        self.channels = channels
        self.capacity = capacity
        planes = .allocate(capacity: max(channels, 1))
        for channel in 0..<channels {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
            plane.initialize(repeating: 0, count: capacity)
            (planes + channel).initialize(to: plane)
        }
    }

    deinit {
        for channel in 0..<channels { planes[channel].deallocate() }
        planes.deallocate()
    }

    /// Frames that can be taken.
    var available: Int {
        Int(written.load(ordering: .acquiring) - taken.load(ordering: .acquiring))
    }

    /// Frames that can be written.
    var space: Int { capacity - available }

    /// Frames taken since the ring was cleared.
    var takenCount: Int64 { taken.load(ordering: .acquiring) }

    /// Frames written since the ring was cleared.
    var writtenCount: Int64 { written.load(ordering: .acquiring) }

    /// Forgets everything. Only while no thread reads.
    func clear() {
        taken.store(0, ordering: .releasing)
        written.store(0, ordering: .releasing)
        start.store(0, ordering: .releasing)
    }

    /// Has silence taken until a host time, in nanoseconds.
    func begin(atHostTime time: UInt64) { start.store(time, ordering: .releasing) }

    /// Appends frames, of which there must be room.
    func write(_ source: [UnsafeMutablePointer<Float>], frames: Int) {
        let position = written.load(ordering: .relaxed), first = Int(position) & (capacity - 1)
        let head = min(frames, capacity - first)
        for (channel, samples) in source.prefix(channels).enumerated() {
            (planes[channel] + first).update(from: samples, count: head)
            planes[channel].update(from: samples + head, count: frames - head)
        }
        written.store(position + Int64(frames), ordering: .releasing)
    }

    /// Fills the buffers with the next frames, and with silence where there are none. On the audio thread.
    /// - Parameter stamp: of the first frame; says when it sounds.
    func take(_ frames: Int, at stamp: AudioTimeStamp, rate: Double, into list: UnsafeMutablePointer<AudioBufferList>) {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        let silent = silentFrames(frames, at: stamp, rate)
        let position = taken.load(ordering: .relaxed)
        let count = min(frames - silent, Int(written.load(ordering: .acquiring) - position))
        let first = Int(position) & (capacity - 1), head = min(count, capacity - first)
        for channel in 0..<min(buffers.count, channels) {
            guard let target = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
            target.update(repeating: 0, count: silent)
            (target + silent).update(from: planes[channel] + first, count: head)
            (target + silent + head).update(from: planes[channel], count: count - head)
            (target + silent + count).update(repeating: 0, count: frames - silent - count)
        }
        taken.store(position + Int64(count), ordering: .releasing)
    }

    private func silentFrames(_ frames: Int, at stamp: AudioTimeStamp, _ rate: Double) -> Int {
        let time = start.load(ordering: .acquiring)
        guard time > 0, stamp.mFlags.contains(.hostTimeValid), stamp.mHostTime > 0 else { return 0 }
        guard time > stamp.mHostTime else {
            start.store(0, ordering: .relaxed)
            return 0
        }
        return Int(min(Double(frames), (Double(time - stamp.mHostTime) * 1e-9 * rate).rounded()))
    }
}
