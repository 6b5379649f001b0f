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
    /// The server or the device belongs to another user, or wants a cookie that this program does not have.
    case denied(device: String, detail: String)
    /// The server, or the device behind it, went away.
    case disconnected(device: String, code: Int32)
    /// A device that has one rate only was asked for another.
    case wrongRate(device: String, sampleRate: Double, offered: Double)
    /// Another program holds the device.
    case busy(device: String)
    /// A JACK server or ALSA does not do what it was asked to.
    case rejected(device: String, detail: String)
    /// A JACK server, or hardware behind ALSA, went away.
    case gone(device: String, detail: String)

    static func noAnswer(device: String, seconds: Double) -> DeviceError {
        .noServer(device: device, detail: "no answer within \(seconds) s")
    }

    /// There is no device to open, whoever is asked; what a caller may answer with silence.
    package var meansNoDevice: Bool {
        switch self {
        case .noServer, .noDevice: true
        case .badFormat, .alreadyRunning, .refused, .denied, .disconnected, .wrongRate, .busy, .rejected, .gone: false
        }
    }

    /// What is missing, without the cure: "PulseAudio's default output: nothing listens".
    package var reason: String {
        switch self {
        case .noServer(let device, let detail), .noDevice(let device, let detail): "\(device): \(detail)"
        default: description
        }
    }

    package var description: String {
        switch self {
        case .badFormat(let device, let sampleRate, let channelCount):
            "\(device) cannot work with \(channelCount) channels at \(sampleRate) Hz: choose 1…32 channels at 1000…384000 Hz."
        case .alreadyRunning(let device):
            "\(device) is already running: call stop() before a second start()."
        case .noServer(let device, let detail):
            "\(device) cannot be reached (\(detail)): start PipeWire, PulseAudio or JACK (`systemctl --user start pipewire-pulse`, `pulseaudio --start` or "
                + "`jackd -d alsa`), point PULSE_SERVER or JACK_DEFAULT_SERVER to one, or render offline."
        case .noDevice(let device, let detail):
            "\(device) has nothing to open (\(detail)): plug a device in, or name one that `ossicle devices` shows."
        case .refused(let device, let code):
            "\(device) refused the stream with \(DeviceError.text(code)): check the format, and with `pactl info` that the server has the device."
        case .denied(let device, let detail):
            "\(device) does not let this program in (\(detail)): run it as the user of the session, point PULSE_COOKIE to that user's cookie, "
                + "or add this user to the group audio."
        case .disconnected(let device, let code):
            "\(device) broke off with \(DeviceError.text(code)): the server or its device went away; start the device again."
        case .wrongRate(let device, let sampleRate, let offered):
            "\(device) cannot work at \(sampleRate) Hz, its rate is \(offered) Hz: ask for that, or for none."
        case .busy(let device):
            "\(device) is in use: end the program that holds it (`fuser -v /dev/snd/*` names it), or choose another device."
        case .rejected(let device, let detail):
            "\(device) refused (\(detail)): ask for what `ossicle devices` says of it, or choose another device."
        case .gone(let device, let detail):
            "\(device) broke off (\(detail)): plug it in or start its server, then start the device again."
        }
    }

    /// What a server of PulseAudio's protocol answered in place of what it was asked for.
    static func pulse(_ code: Int32, device: String) -> DeviceError {
        switch pa_error_code_t(UInt32(bitPattern: code)) {
        case PA_ERR_ACCESS, PA_ERR_AUTHKEY: .denied(device: device, detail: text(code))
        case PA_ERR_BUSY: .busy(device: device)
        case PA_ERR_NOENTITY: .noDevice(device: device, detail: text(code))
        default: .refused(device: device, code: code)
        }
    }

    private static func text(_ code: Int32) -> String {
        "PulseAudio error \(code) (\(pa_strerror(code).map { String(cString: $0) } ?? "unknown"))"
    }
}

/// What becomes of a device that was started. Heard on the device's thread, in the order in which it happened.
package enum DeviceEvent: Sendable, Hashable {
    case started
    /// `stop` was called, and the last callback has returned.
    case stopped
    /// The device ended by itself; nothing is asked for any more. It may be started again.
    case lost(DeviceError)
    /// Sound takes another route now. Sound continues meanwhile, in the format the device was opened with.
    case routeChanged(RouteChange)
    /// The hardware behind the device now works natively at this rate and with this many channels. Sound continues in
    /// the format the device was opened with, converted by the server; to follow the hardware, stop and open anew.
    case formatChanged(sampleRate: Double, channelCount: Int)
}

/// How the way of sound through the machine changed. Devices are named by `DeviceInfo.id`.
package enum RouteChange: Sendable, Hashable {
    /// This stream plays to, or records from, another device now: by the user's choice, or because its device went
    /// away.
    case moved(to: String)
    /// This stream's device sends sound out of something else now: headphones were plugged in or out.
    case transducer(Transducer)
    /// Another output is the default now; nil when there is none.
    case defaultOutput(String?)
    /// Another input is the default now; nil when there is none.
    case defaultInput(String?)
    case added(String)
    case removed(String)
}
