/// Somewhere to send sound: asks for blocks at its own pace, on a thread of its own.
///
/// Calls may come in any order and from any thread. `stop` returns when the last callback has returned, except when it is called from
/// the callback itself, which then is the last.
package protocol OutputDevice: AnyObject, Sendable {
    var name: String { get }
    /// Hz.
    var sampleRate: Double { get }
    var channelCount: Int { get }
    /// Frames asked for at a time.
    var quantum: Int { get }

    /// Begins to ask for sound. Throws `DeviceError.alreadyRunning` on a second start.
    /// - Parameters:
    ///   - render: fills the block it is given, which is silent before; on the device's thread, in real time.
    ///   - events: hears what happens to the device; on the device's thread.
    func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws
    func stop()
}

/// Fills every channel of a block with samples.
package typealias RenderCallback = @Sendable (borrowing OutputBlock) -> Void

extension OutputDevice {
    package func start(render: @escaping RenderCallback) throws { try start(render: render, events: { _ in }) }
}

/// The frames a device asks for: one buffer per channel.
package struct OutputBlock: ~Copyable {
    package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    package let channelCount: Int
    package let frameCount: Int

    /// The buffer of one channel.
    package subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        guard channel >= 0, channel < channelCount else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        return UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
    }
}

/// What becomes of a device that was started.
package enum DeviceEvent: Sendable, Hashable {
    case started
    /// `stop` was called.
    case stopped
    /// The device ended by itself; nothing is asked for any more. It may be started again.
    case lost(DeviceError)
}
