/// A leaf that plays frames the client makes while it plays.
package struct StreamLeaf: Hashable, Sendable {
    package enum Direction: UInt8, Hashable, Sendable {
        /// The client schedules buffers.
        case push
        /// The client is asked for frames.
        case pull
    }

    package let direction: Direction
    package let generator: Generator
    /// Of the client's frames.
    package let sampleRate: Double
    package let channelCount: Int
    /// Whether the client's frames are brought to the loudness that calibrated levels refer to.
    package let normalises: Bool

    package init(_ direction: Direction, generator: Generator, sampleRate: Double, channelCount: Int, normalises: Bool = false) {
        (self.direction, self.generator, self.normalises) = (direction, generator, normalises)
        (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
    }
}
