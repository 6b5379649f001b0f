import CPulse

/// Why a device cannot do what it was asked to.
package enum DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    case badFormat(device: String, sampleRate: Double, channelCount: Int)
    case alreadyRunning(device: String)
    /// No sound server can be reached.
    case noServer(device: String, detail: String)
    /// The server has no such device, or none to be the default.
    case noDevice(device: String, detail: String)
    case refused(device: String, code: Int32)
    /// The server, or the device behind it, went away.
    case disconnected(device: String, code: Int32)

    static func noAnswer(device: String, seconds: Double) -> DeviceError {
        .noServer(device: device, detail: "no answer within \(seconds) s")
    }

    /// There is no device to open, whoever is asked; what a caller may answer with silence.
    package var meansNoDevice: Bool {
        switch self {
        case .noServer, .noDevice: true
        case .badFormat, .alreadyRunning, .refused, .disconnected: false
        }
    }

    /// What is missing, without the cure: "PulseAudio's default output: nothing listens".
    package var reason: String {
        switch self {
        case .noServer(let device, let detail), .noDevice(let device, let detail): "\(device): \(detail)"
        case .badFormat, .alreadyRunning, .refused, .disconnected: description
        }
    }

    package var description: String {
        switch self {
        case .badFormat(let device, let sampleRate, let channelCount):
            "\(device) cannot work with \(channelCount) channels at \(sampleRate) Hz: choose 1…32 channels at 1000…384000 Hz."
        case .alreadyRunning(let device):
            "\(device) is already running: call stop() before a second start()."
        case .noServer(let device, let detail):
            "\(device) cannot be reached (\(detail)): start PipeWire or PulseAudio (`systemctl --user start pipewire-pulse` or `pulseaudio --start`), "
                + "point PULSE_SERVER to one, or render offline."
        case .noDevice(let device, let detail):
            "\(device) has nothing to open (\(detail)): plug a device in, or name one that `pactl list short sinks` or `pactl list short sources` shows."
        case .refused(let device, let code):
            "\(device) refused the stream with \(DeviceError.text(code)): check the format, and with `pactl info` that the server has the device."
        case .disconnected(let device, let code):
            "\(device) broke off with \(DeviceError.text(code)): the server or its device went away; start the device again."
        }
    }

    private static func text(_ code: Int32) -> String {
        "PulseAudio error \(code) (\(pa_strerror(code).map { String(cString: $0) } ?? "unknown"))"
    }
}
