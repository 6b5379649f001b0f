// Sample memory: one allocation per channel.

import Foundation

/// Planes of samples that can grow. The memory is aligned for vector loads and begins as zeros.
final class PlanarStore {
    let channelCount: Int
    private(set) var capacity = 0
    private(set) var planes: [UnsafeMutablePointer<Float>] = []

    /// Planes for `frames` frames, or `nil` when the memory is not there.
    init?(channelCount: Int, frames: Int) {
        self.channelCount = channelCount
        guard channelCount > 0, grow(to: frames) else { return nil }
    }

    deinit { planes.forEach { free($0) } }

    /// Makes room for `frames` frames and keeps what is there; false when the memory is not there.
    func grow(to frames: Int) -> Bool {
        guard frames > capacity || planes.isEmpty else { return true }
        var grown: [UnsafeMutablePointer<Float>] = []
        for channel in 0..<channelCount {
            guard let plane = Self.plane(frames) else {
                grown.forEach { free($0) }
                return false
            }
            if channel < planes.count { plane.update(from: planes[channel], count: capacity) }
            grown.append(plane)
        }
        planes.forEach { free($0) }
        planes = grown
        capacity = frames
        return true
    }

    private static func plane(_ frames: Int) -> UnsafeMutablePointer<Float>? {
        let (bytes, overflow) = max(frames, 1).multipliedReportingOverflow(by: MemoryLayout<Float>.stride)
        guard !overflow, frames >= 0 else { return nil }
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, 64, bytes) == 0, let memory else { return nil }
        memset(memory, 0, bytes)
        return memory.bindMemory(to: Float.self, capacity: max(frames, 1))
    }
}
