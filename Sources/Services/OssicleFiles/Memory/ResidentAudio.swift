// A whole sound in memory.

import Foundation

/// A sound decoded to planar 32-bit floating point: immutable, so any thread may read it, and one allocation per
/// channel.
package final class ResidentAudio: @unchecked Sendable {
    package let channelCount: Int
    package let frameCount: Int
    /// Frames per second, in hertz.
    package let sampleRate: Double
    /// One label per channel, as in `AudioFileInfo`, or `nil`.
    package let channelLabels: [UInt32]?
    /// Samples of the source that were NaN or infinite, and are 0 here.
    package let nonFiniteCount: Int
    /// What is wrong with the file it comes from.
    package let warnings: [AudioFileWarning]

    private let store: PlanarStore

    init(
        store: PlanarStore, frameCount: Int, sampleRate: Double, channelLabels: [UInt32]?, nonFiniteCount: Int,
        warnings: [AudioFileWarning] = []
    ) {
        self.warnings = warnings
        self.store = store
        channelCount = store.channelCount
        self.frameCount = min(frameCount, store.capacity)
        self.sampleRate = sampleRate
        self.channelLabels = channelLabels
        self.nonFiniteCount = nonFiniteCount
    }

    /// The samples of `channel`, which is taken modulo the number of channels; valid while the sound lives.
    package subscript(channel: Int) -> UnsafePointer<Float> {
        UnsafePointer(store.planes[Int(UInt(bitPattern: channel) % UInt(channelCount))])
    }

    /// The samples of `channel` as a buffer of `frameCount` elements.
    package func samples(_ channel: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: self[channel], count: frameCount)
    }

    /// Length in seconds.
    package var duration: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }
}

extension ResidentAudio {
    /// Decodes the file at `path`. Counts the frames that are there: a file cut short gives its readable part.
    /// - Parameter limit: frames to decode at the most.
    package convenience init(path: String, atMost limit: Int64 = .max) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path)
        let claimed = min(reader.info.frameCount, max(limit, 0))
        // A header can claim anything; memory follows what is decoded, in steps that double.
        let first = Int(min(claimed, 1 << 20))
        guard let store = PlanarStore(channelCount: reader.info.channelCount, frames: first) else {
            throw Self.tooLarge(path, claimed)
        }
        var count = try reader.read(into: store.planes, frames: first)
        while count == store.capacity, Int64(count) < claimed {
            let step = Int(min(claimed, Int64(count) * 2)) - count
            guard store.grow(to: count + step) else { throw Self.tooLarge(path, claimed) }
            count += try reader.read(into: store.planes.map { $0 + count }, frames: step)
        }
        guard count > 0 || claimed == 0 else {
            throw AudioFileError(
                .damaged, path: path, found: "no frame of \(claimed) can be decoded",
                rule: "A file must hold the frames it tells of.",
                cure: "Write or copy the file again.")
        }
        self.init(
            store: store, frameCount: count, sampleRate: reader.info.sampleRate,
            channelLabels: reader.info.channelLabels,
            nonFiniteCount: reader.nonFiniteCount, warnings: reader.warnings)
    }

    private static func tooLarge(_ path: String, _ frames: Int64) -> AudioFileError {
        AudioFileError(
            .tooLarge, path: path, found: "\(frames) frames do not fit into memory",
            rule: "A resident sound lies in memory as a whole.",
            cure: "Stream the file.")
    }
}

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
