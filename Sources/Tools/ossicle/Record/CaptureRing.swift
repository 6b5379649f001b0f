import OssicleCore
import OssicleDevices
import Synchronization

/// Carries captured frames from a device's thread to the thread that writes the file. Neither waits; nothing is lost
/// as long as the writer is less than the capacity behind.
final class CaptureRing: @unchecked Sendable {
    let channelCount: Int
    let capacity: Int
    private let memory: UnsafeMutablePointer<Float>
    private let written = Atomic(0)
    private let taken = Atomic(0)
    private let lost = Atomic(0)

    init(channelCount: Int, frames: Int) {
        (self.channelCount, capacity) = (channelCount, max(frames, 1))
        memory = .allocate(capacity: channelCount * capacity)
        memory.initialize(repeating: 0, count: channelCount * capacity)
    }

    deinit { memory.deallocate() }

    /// Frames there was no room for.
    var lostFrames: Int { lost.load(ordering: .relaxed) }
    /// Frames that wait.
    var waiting: Int { written.load(ordering: .acquiring) - taken.load(ordering: .relaxed) }

    /// Device thread.
    func write(_ block: borrowing InputBlock) {
        let end = written.load(ordering: .relaxed)
        let count = min(block.frameCount, capacity - (end - taken.load(ordering: .acquiring)))
        if count < block.frameCount { lost.wrappingAdd(block.frameCount - count, ordering: .relaxed) }
        for channel in 0..<channelCount {
            let (source, lane) = (block[channel], memory + channel * capacity)
            for frame in 0..<count { lane[(end + frame) % capacity] = frame < source.count ? source[frame] : 0 }
        }
        written.store(end + count, ordering: .releasing)
    }

    /// Writer's thread. Passes on what waits, up to `limit` frames, in runs that lie together in memory.
    func drain(atMost limit: Int, _ body: ([UnsafePointer<Float>], _ frames: Int) throws -> Void) rethrows {
        var left = min(limit, waiting)
        while left > 0 {
            let start = taken.load(ordering: .relaxed)
            let first = start % capacity
            let count = min(left, capacity - first)
            try body((0..<channelCount).map { UnsafePointer(memory + $0 * capacity + first) }, count)
            taken.store(start + count, ordering: .releasing)
            left -= count
        }
    }
}

/// The peak of each channel since it was last shown.
struct PeakMeter {
    private(set) var peaks: [Float]
    /// Samples at or above full scale so far.
    private(set) var clipped = 0

    init(channelCount: Int) { peaks = Array(repeating: 0, count: channelCount) }

    mutating func add(_ planes: [UnsafePointer<Float>], frames: Int) {
        for (channel, plane) in planes.enumerated() {
            for frame in 0..<frames {
                let level = abs(plane[frame])
                if level > peaks[channel] { peaks[channel] = level }
                if level >= 1 { clipped += 1 }
            }
        }
    }

    mutating func reset() { peaks = Array(repeating: 0, count: peaks.count) }

    /// "▕██████████░░░░░▏ −18.2 dB": −60 to 0 dBFS.
    static func bar(_ peak: Float, width: Int) -> String {
        let level = Decibels.of(amplitude: Double(peak))
        let share = level.isFinite ? min(max((level + 60) / 60, 0), 1) : 0
        let full = Int((share * Double(width)).rounded())
        return "▕" + String(repeating: "█", count: full) + String(repeating: "░", count: width - full) + "▏ "
            + Text.right(Text.number(level, decimals: 1), width: 5) + " dB"
    }

    /// Bars for one or two channels, one for the loudest of more.
    var text: String {
        guard peaks.count <= 2 else { return PeakMeter.bar(peaks.max() ?? 0, width: 24) }
        return peaks.map { PeakMeter.bar($0, width: peaks.count == 1 ? 24 : 14) }.joined(separator: "  ")
    }
}
