/// Why a device cannot do what it was asked to.
package enum DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    case badFormat(device: String, sampleRate: Double, channelCount: Int)
    case alreadyRunning(device: String)
    /// No sound server can be reached.
    case noServer(device: String, detail: String)
    case refused(device: String, code: Int32)
    case writeFailed(device: String, code: Int32)

    package var description: String {
        switch self {
        case .badFormat(let device, let sampleRate, let channelCount):
            "\(device) cannot play \(channelCount) channels at \(sampleRate) Hz: choose 1…32 channels at 1000…384000 Hz."
        case .alreadyRunning(let device):
            "\(device) is already running: call stop() before a second start()."
        case .noServer(let device, let detail):
            "\(device) cannot be reached (\(detail)): start PipeWire or PulseAudio (`systemctl --user start pipewire-pulse` or `pulseaudio --start`), "
                + "point PULSE_SERVER to one, or render offline."
        case .refused(let device, let code):
            "\(device) refused the stream with PulseAudio error \(code): check the format, and with `pactl info` that the server has an output."
        case .writeFailed(let device, let code):
            "\(device) stopped taking sound with PulseAudio error \(code): the server or its output went away; start the device again."
        }
    }
}
