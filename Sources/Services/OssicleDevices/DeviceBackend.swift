/// What brings sound to a device. In the order in which they are looked for where nobody chooses.
package enum DeviceBackend: String, Sendable, Hashable, CaseIterable {
    /// PulseAudio, or PipeWire in its place.
    case pulse
    case jack
    /// The kernel's devices, and what ALSA's configuration names; by default where no server runs.
    case alsa
    /// No device: a clock keeps time in silence.
    case none

    /// The identifier of one of its devices. PulseAudio's names stand for themselves.
    func id(of name: String) -> String {
        switch self {
        case .pulse: name
        case .jack, .alsa: "\(rawValue):\(name)"
        case .none: rawValue
        }
    }

    /// The name by which the backend itself knows one of its devices.
    func name(of id: String) -> String {
        id.hasPrefix(rawValue + ":") ? String(id.dropFirst(rawValue.count + 1)) : id
    }
}
