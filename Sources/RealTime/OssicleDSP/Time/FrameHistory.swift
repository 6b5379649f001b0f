import COssicle
import OssicleCore

/// The newest frames of several channels, each channel in one piece, so that any window of them can be read in place.
///
/// Frames are counted from the first one ever appended; those before it are silence. Memory is owned; audio thread.
struct FrameHistory: ~Copyable {
    /// Frames appended so far: the index of the next one.
    private(set) var end: Int64 = 0
    private let channelCount: Int
    private let capacity: Int
    private let reach: Int
    private let memory: SampleMemory
    /// The frame in the first slot.
    private var base: Int64

    /// - Parameters:
    ///   - reach: frames before a frame that stay readable when it is named in `keeping`. - ahead: frames that may
    ///     follow it.
    init(channelCount: Int, reach: Int, ahead: Int) {
        self.channelCount = max(channelCount, 1)
        self.reach = reach
        // Twice what is needed, so that frames move to the front once in a while instead of each time.
        capacity = 2 * (reach + ahead)
        memory = SampleMemory(count: self.channelCount * capacity)
        base = -Int64(reach)
    }

    mutating func reset() {
        memory.clear()
        (end, base) = (0, -Int64(reach))
    }

    /// The same frame count as another history's, and silence.
    mutating func align(with other: borrowing FrameHistory) {
        memory.clear()
        (end, base) = (other.end, other.end - Int64(reach))
    }

    func frames(_ channel: Int, from frame: Int64) -> UnsafePointer<Float> {
        UnsafePointer(memory.pointer + channel * capacity + Int(frame - base))
    }

    /// Appends frames, or silence if there are no inputs. What lies more than `reach` before `keeping` may be
    /// forgotten.
    mutating func append(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>?, offset: Int, frames: Int, keeping frame: Int64
    ) {
        if Int(end - base) + frames > capacity { slide(to: min(frame, end) - Int64(reach)) }
        let slot = Int(end - base)
        let count = min(frames, capacity - slot)
        guard count > 0 else { return }
        for channel in 0..<channelCount {
            let place = memory.pointer + channel * capacity + slot
            if let inputs {
                place.update(from: inputs[channel] + offset, count: count)
            } else {
                place.update(repeating: 0, count: count)
            }
        }
        end += Int64(count)
    }

    private mutating func slide(to first: Int64) {
        let shift = Int(first - base)
        guard shift > 0 else { return }
        for channel in 0..<channelCount {
            let start = memory.pointer + channel * capacity
            start.update(from: start + shift, count: Int(end - first))
        }
        base = first
    }
}

/// The newest frames of several channels in a ring that overwrites the oldest. Frames never written, or written too
/// long ago, read as they lie; those before the first are silence. What is not a number counts as silence too: it would
/// spread over a whole window.
struct FrameRing: ~Copyable {
    /// Frames appended so far: the index of the next one.
    private(set) var end: Int64 = 0
    /// A power of two.
    let capacity: Int
    let channelCount: Int
    private let memory: SampleMemory

    init(channelCount: Int, capacity: Int) {
        var size = 64
        while size < capacity { size *= 2 }
        (self.capacity, self.channelCount) = (size, channelCount)
        memory = SampleMemory(count: channelCount * size)
    }

    mutating func reset() {
        memory.clear()
        end = 0
    }

    /// Appends frames, or silence if there are no inputs.
    mutating func append(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>?, offset: Int, frames: Int) {
        var done = 0
        while done < frames {
            let slot = Int(truncatingIfNeeded: end) & (capacity - 1)
            let count = min(frames - done, capacity - slot)
            for channel in 0..<channelCount {
                let place = memory.pointer + channel * capacity + slot
                if let inputs {
                    FrameRing.clean(inputs[channel] + offset + done, to: place, count)
                } else {
                    place.update(repeating: 0, count: count)
                }
            }
            end += Int64(count)
            done += count
        }
    }

    private static func clean(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ count: Int) {
        for i in 0..<count {
            let value = from[i]
            to[i] = value.magnitude <= .greatestFiniteMagnitude ? value : 0
        }
    }

    /// The frames from `frame` on, bit for bit.
    func copy(_ channel: Int, from frame: Int64, count: Int, to: UnsafeMutablePointer<Float>) {
        runs(channel, from: frame, count) { samples, first, count in
            (to + first).update(from: samples, count: count)
        }
    }

    /// The frames from `frame` on, each times its weight.
    func copy(
        _ channel: Int, from frame: Int64, weights: UnsafePointer<Float>, count: Int, to: UnsafeMutablePointer<Float>
    ) {
        runs(channel, from: frame, count) { samples, first, count in
            ossicle_multiply(samples, weights + first, to + first, count)
        }
    }

    /// Calls with frames that lie in one piece: samples, first index, count.
    @inline(__always)
    private func runs(
        _ channel: Int, from frame: Int64, _ count: Int, _ body: (UnsafePointer<Float>, Int, Int) -> Void
    ) {
        var done = 0
        while done < count {
            let slot = Int(truncatingIfNeeded: frame + Int64(done)) & (capacity - 1)
            let run = min(count - done, capacity - slot)
            body(memory.pointer + channel * capacity + slot, done, run)
            done += run
        }
    }

    func sample(_ channel: Int, at frame: Int64) -> Float {
        memory[channel * capacity + Int(truncatingIfNeeded: frame) & (capacity - 1)]
    }

    /// Frames that lie in one piece from `frame` on, when it is a multiple of a power of two no larger than the ring
    /// and they are as many.
    func block(_ channel: Int, at frame: Int64) -> UnsafePointer<Float> {
        UnsafePointer(memory.pointer + channel * capacity + Int(truncatingIfNeeded: frame) & (capacity - 1))
    }
}
