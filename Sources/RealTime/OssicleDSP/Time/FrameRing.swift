import OssicleCore

/// The newest frames of several channels in a ring that overwrites the oldest. Frames never heard, or heard too long ago, read as they lie;
/// those before the first are silence. What is not a number counts as silence too: it would spread over a whole window.
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
                if let inputs { FrameRing.clean(inputs[channel] + offset + done, to: place, count) } else { place.update(repeating: 0, count: count) }
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
        var done = 0
        while done < count {
            let slot = Int(truncatingIfNeeded: frame + Int64(done)) & (capacity - 1)
            let run = min(count - done, capacity - slot)
            (to + done).update(from: memory.pointer + channel * capacity + slot, count: run)
            done += run
        }
    }

    func sample(_ channel: Int, at frame: Int64) -> Float {
        memory[channel * capacity + Int(truncatingIfNeeded: frame) & (capacity - 1)]
    }

    /// Frames that lie in one piece from `frame` on, when it is a multiple of a power of two no larger than the ring and they are as many.
    func block(_ channel: Int, at frame: Int64) -> UnsafePointer<Float> {
        UnsafePointer(memory.pointer + channel * capacity + Int(truncatingIfNeeded: frame) & (capacity - 1))
    }
}
