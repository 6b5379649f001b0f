/// Gathers frames until a packet is full. What is no number is silence.
final class PacketBlock {
    /// Frames of a packet.
    let size: Int
    private(set) var count = 0
    private let memory: PlaneMemory

    init(channelCount: Int, size: Int) {
        self.size = size
        memory = PlaneMemory(channelCount: channelCount, capacity: size)
    }

    var planes: [UnsafeMutablePointer<Double>] { memory.planes }
    var isFull: Bool { count == size }

    /// Takes `frames` frames and calls `full` for each block that is; it is empty again after that.
    func append(_ source: [UnsafePointer<Double>], _ frames: Int, full: () throws(CodecError) -> Void) throws(CodecError) {
        var taken = 0
        while taken < frames {
            let piece = min(size - count, frames - taken)
            for (plane, samples) in zip(memory.planes, source) {
                for index in 0..<piece {
                    let sample = samples[taken + index]
                    plane[count + index] = sample.isFinite ? sample : 0
                }
            }
            taken += piece
            count += piece
            guard isFull else { return }
            defer { count = 0 }
            try full()
        }
    }

    /// Fills up with silence.
    func pad() {
        for plane in memory.planes { (plane + count).update(repeating: 0, count: size - count) }
        count = size
    }

    func removeAll() { count = 0 }
}
