/// Somewhere sound comes from.
///
/// An engine that plays and records has two devices with two clocks: a `CaptureBuffer` carries the frames from one
/// thread to the other.
package protocol InputDevice: AudioDevice {
    /// Begins to capture. Throws `DeviceError.alreadyRunning` on a second start.
    /// - Parameters:
    ///   - receive: gets 1…`quantum` frames, valid until it returns; on the device's thread, in real time.
    ///   - events: receives what happens to the device; on the device's thread.
    func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws
}

/// Takes the captured frames of a block.
package typealias ReceiveCallback = @Sendable (borrowing InputBlock) -> Void

extension InputDevice {
    package func start(receive: @escaping ReceiveCallback) throws { try start(receive: receive, events: { _ in }) }
}

/// Captured frames: one buffer per channel.
package struct InputBlock: ~Copyable {
    package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    package let channelCount: Int
    package let frameCount: Int
    /// When the first frame was at the microphone, in nanoseconds of `HostClock`.
    package let hostTime: UInt64
    /// Whether frames are missing ahead of the first: the server moved the stream to another device, or dropped some.
    package let followsBreak: Bool

    package init(
        channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int, hostTime: UInt64,
        followsBreak: Bool = false
    ) {
        (self.channels, self.channelCount, self.frameCount, self.hostTime, self.followsBreak) = (
            channels, channelCount, frameCount, hostTime, followsBreak
        )
    }

    /// The buffer of one channel; empty for a channel that is not there.
    package subscript(channel: Int) -> UnsafeBufferPointer<Float> {
        guard channel >= 0, channel < channelCount else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: channels[channel], count: frameCount)
    }
}
