// A whole sound in memory.

/// A sound decoded to planar 32-bit floating point: immutable, so any thread may read it, and one allocation per channel.
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

    init(store: PlanarStore, frameCount: Int, sampleRate: Double, channelLabels: [UInt32]?, nonFiniteCount: Int, warnings: [AudioFileWarning] = []) {
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
