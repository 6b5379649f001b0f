/// The device a program means when it names none.
package enum DefaultDevice {
    package enum Fallback: Sendable {
        /// Without a sound server, say so.
        case error
        /// Without a sound server, keep time in silence.
        case silence
    }

    /// The desktop's sound server, or what `fallback` says where none can be reached.
    package static func open(sampleRate: Double = 48000, channelCount: Int = 2, fallback: Fallback = .error) throws -> any OutputDevice {
        do {
            return try PulseDevice(sampleRate: sampleRate, channelCount: channelCount)
        } catch DeviceError.noServer(let device, let detail) {
            guard fallback == .silence else { throw DeviceError.noServer(device: device, detail: detail) }
            return try NullDevice(sampleRate: sampleRate, channelCount: channelCount)
        }
    }
}
