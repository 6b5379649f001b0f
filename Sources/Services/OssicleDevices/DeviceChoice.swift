import Foundation

/// Which device is meant, in the words of a person: of `--device` and of the environment.
///
///     none              no device: a clock keeps time in silence
///     pulse, jack, alsa the default of that backend
///     alsa:hw:0         a device of one backend, by identifier, name or part of it
///     headset           a device of any backend: its identifier, its name, or a part of either that no other has
///
/// Capital and small letters are the same.
package struct DeviceChoice: Sendable, Hashable {
    /// Nil for every backend.
    let backend: DeviceBackend?
    /// Nil for the default.
    let device: String?

    /// Nil for what names nothing: no words, or "default".
    package init?(_ words: String) {
        let words = words.trimmingCharacters(in: .whitespaces)
        guard !words.isEmpty, words.lowercased() != "default" else { return nil }
        let kind = DeviceBackend(rawValue: words.prefix { $0 != ":" }.lowercased())
        let rest = words.firstIndex(of: ":").map { String(words[words.index(after: $0)...]) } ?? ""
        backend = kind
        if kind == nil { device = words } else { device = rest.isEmpty || kind == DeviceBackend.none ? nil : rest }
    }

    /// What the environment chooses for programs that name no device: OSSICLE_DEVICE for outputs, OSSICLE_INPUT_DEVICE
    /// for inputs. A backend alone in OSSICLE_DEVICE counts for both.
    package static func ofEnvironment(
        _ direction: DeviceInfo.Direction, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> DeviceChoice? {
        let output = environment["OSSICLE_DEVICE"].flatMap(DeviceChoice.init)
        guard direction == .input else { return output }
        return environment["OSSICLE_INPUT_DEVICE"].flatMap(DeviceChoice.init)
            ?? output.flatMap { $0.device == nil ? $0 : nil }
    }

    /// Whether no sound server has it.
    var isOfHardware: Bool { backend == .jack || backend == .alsa }

    /// The one device of a list that is meant. Nil where none is; throws `DeviceError.noDevice` where several are.
    func find(in devices: [DeviceInfo], direction: DeviceInfo.Direction) throws(DeviceError) -> DeviceInfo? {
        guard let wanted = device?.lowercased() else { return devices.first(where: \.isDefault) ?? devices.first }
        let named = devices.filter { $0.words.contains(wanted) }
        if let exact = named.first { return exact }
        let parts = devices.filter { $0.words.contains { $0.contains(wanted) } }
        // A microphone is meant, not the monitor of the output of the same name.
        let plain = parts.filter { !$0.isMonitor }
        let found = plain.isEmpty ? parts : plain
        guard found.count <= 1 else {
            throw .noDevice(
                device: "“\(device ?? "")”",
                detail: "\(found.count) \(direction)s are called so: \(found.map(\.id).joined(separator: ", "))")
        }
        return found.first
    }
}

extension DeviceInfo {
    /// What the device may be called.
    fileprivate var words: [String] { [id, backend.name(of: id), name].map { $0.lowercased() } }
}

/// A device that is to be opened.
package struct DeviceTarget: Sendable, Hashable {
    let backend: DeviceBackend
    /// As the backend itself knows it; nil for its default.
    let device: String?
    /// As in PULSE_SERVER; nil for the user's own.
    private(set) var server: String?
    /// What mixers and other programs call this one.
    private(set) var client = "Ossicle"

    init(backend: DeviceBackend, device: String? = nil) { (self.backend, self.device) = (backend, device) }

    /// A device of PulseAudio, or PipeWire in its place: a `DeviceInfo.id`, or the default, which is followed when the
    /// user chooses another. A server without a microphone calls the monitor of the output its default input: that is
    /// refused, for it would feed back, and taken when named.
    ///
    /// A server that hangs without breaking the connection is noticed by libpulse after about 30 seconds, and the
    /// device is lost then.
    package static func pulse(_ device: String? = nil, server: String? = nil) -> DeviceTarget {
        var target = DeviceTarget(backend: .pulse, device: device)
        target.server = server
        return target
    }

    /// The ports of a client of the JACK server that runs, such as "system"; by default the first with hardware. The
    /// rate is the server's: another one is `DeviceError.wrongRate`. Output channels the device does not have are added
    /// to those it has, input channels repeat them.
    package static func jack(_ device: String? = nil, client: String = "Ossicle") -> DeviceTarget {
        var target = DeviceTarget(backend: .jack, device: device)
        target.client = client
        return target
    }

    /// A pcm of ALSA's, such as "hw:0", "plughw:1,0" or one of a configuration.
    package static func alsa(_ pcm: String? = nil) -> DeviceTarget { DeviceTarget(backend: .alsa, device: pcm) }

    /// The clock that keeps time in silence.
    package static let silence = DeviceTarget(backend: .none)
}

extension DeviceChoice {
    /// Looks through the backends in their order for the device that is meant. Throws `DeviceError` where there is
    /// none, or more than one.
    func target(_ direction: DeviceInfo.Direction) throws(DeviceError) -> DeviceTarget {
        if let backend {
            guard let device else { return DeviceTarget(backend: backend) }
            let list = backend == .alsa ? DeviceList() : try DeviceList.of(backend)
            if let info = try find(in: list[direction], direction: direction) { return info.target }
            // What a server does not list may be there all the same: a pcm of a configuration, the ports of a program.
            if backend != .pulse { return DeviceTarget(backend: backend, device: device) }
            throw missing(direction, among: list[direction])
        }
        var all: [DeviceInfo] = []
        for backend in [DeviceBackend.pulse, .jack, .alsa] {
            let devices = ((try? DeviceList.of(backend)) ?? DeviceList())[direction]
            if let exact = devices.first(where: { $0.id == device }) { return exact.target }
            all += devices
        }
        guard let info = try find(in: all, direction: direction) else { throw missing(direction, among: all) }
        return info.target
    }

    private func missing(_ direction: DeviceInfo.Direction, among devices: [DeviceInfo]) -> DeviceError {
        let names = devices.map(\.id).joined(separator: ", ")
        return .noDevice(
            device: "“\(device ?? "")”",
            detail: "no \(direction) is called so" + (names.isEmpty ? ", there are none" : "; there are \(names)"))
    }
}

extension DeviceInfo {
    var target: DeviceTarget { DeviceTarget(backend: backend, device: backend.name(of: id)) }
}
