/// Somewhere sound comes from: hands over blocks at its own pace, on a thread of its own.
///
/// The mirror image of `OutputDevice`, with the same rules for `start` and `stop`. An engine that plays and records has
/// two of them with two clocks: a `CaptureBuffer` carries the frames from one thread to the other.
package protocol InputDevice: AnyObject, Sendable {
    var name: String { get }
    /// Hz.
    var sampleRate: Double { get }
    var channelCount: Int { get }
    /// The most frames handed over at a time.
    var quantum: Int { get }
    /// Seconds from the microphone to the callback; 0 where unknown. From any thread.
    var latency: Double { get }
    /// How often captured sound was lost since the start, because it was not fetched in time.
    var dropoutCount: Int { get }
    /// How the thread was scheduled that captures, since the last start.
    var scheduling: DeviceScheduling { get }

    /// Begins to capture. Throws `DeviceError.alreadyRunning` on a second start.
    /// - Parameters:
    ///   - receive: gets 1…`quantum` frames, valid until it returns; on the device's thread, in real time.
    ///   - events: hears what happens to the device; on the device's thread.
    func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws
    /// As `OutputDevice.stop`.
    @discardableResult func stop() -> Bool
}

/// Takes the captured frames of a block.
package typealias ReceiveCallback = @Sendable (borrowing InputBlock) -> Void

extension InputDevice {
    package var scheduling: DeviceScheduling { DeviceScheduling() }
    package func start(receive: @escaping ReceiveCallback) throws { try start(receive: receive, events: { _ in }) }
}

/// Captured frames: one buffer per channel.
package struct InputBlock: ~Copyable {
    package let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    package let channelCount: Int
    package let frameCount: Int
    /// When the first frame was at the microphone, in nanoseconds of `HostClock`.
    package let hostTime: UInt64

    package init(
        channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int, hostTime: UInt64
    ) {
        (self.channels, self.channelCount, self.frameCount, self.hostTime) = (
            channels, channelCount, frameCount, hostTime
        )
    }

    /// The buffer of one channel; empty for a channel that is not there.
    package subscript(channel: Int) -> UnsafeBufferPointer<Float> {
        guard channel >= 0, channel < channelCount else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: channels[channel], count: frameCount)
    }
}

/// The output a program means when it names none.
package enum DefaultDevice {
    /// What to do where there is no sound server, or none with a device.
    package enum Fallback: Sendable {
        /// Say so.
        case error
        /// Keep time in silence; standard error says so, once in a process.
        case silence
    }

    /// The output that the program prefers, else the default (`Devices.output`), or what `fallback` says where there is none.
    /// - Parameters:
    ///   - sampleRate: Hz; nil for what `DevicePreferences` ask, else the device's own, 48 kHz in silence.
    ///   - channelCount: nil for the device's own, 2 in silence.
    package static func open(
        sampleRate: Double? = nil, channelCount: Int? = nil, fallback: Fallback = .error
    ) throws -> any OutputDevice {
        let wishes = DevicePreferences.current
        do {
            return try wishes.open(wishes.outputDevice, sampleRate: sampleRate) {
                try Devices.output($0, sampleRate: $1, channelCount: channelCount)
            }
        } catch let error as DeviceError where error.meansNoDevice && fallback == .silence {
            SilenceNotice.shared.give(error)
            return try Devices.output(
                DeviceBackend.none.rawValue, sampleRate: sampleRate ?? wishes.possibleRate, channelCount: channelCount)
        }
    }
}

/// The input a program means when it names none.
package enum DefaultInput {
    /// The input that the program prefers, else the default (`Devices.input`), or what `fallback` says where there is none.
    /// - Parameters:
    ///   - sampleRate: Hz; nil for what `DevicePreferences` ask, else the device's own, 48 kHz in silence.
    ///   - channelCount: nil for the device's own, 2 in silence.
    package static func open(
        sampleRate: Double? = nil, channelCount: Int? = nil, fallback: DefaultDevice.Fallback = .error
    ) throws -> any InputDevice {
        let wishes = DevicePreferences.current
        do {
            return try wishes.open(wishes.inputDevice, sampleRate: sampleRate) {
                try Devices.input($0, sampleRate: $1, channelCount: channelCount)
            }
        } catch let error as DeviceError where error.meansNoDevice && fallback == .silence {
            return try Devices.input(
                DeviceBackend.none.rawValue, sampleRate: sampleRate ?? wishes.possibleRate, channelCount: channelCount)
        }
    }
}
