/// Opens devices of every backend.
package enum Devices {
    /// The output that is meant.
    /// - Parameters:
    ///   - words: as in `DeviceChoice`; nil for what the environment chooses, else for the default of the first backend
    ///     that has one: PulseAudio or PipeWire, a JACK server that runs, hardware where no server does.
    ///   - sampleRate: Hz; nil for the device's own. - channelCount: nil for the device's own.
    ///   - quantum: frames at a time; nil for what `DevicePreferences` ask.
    package static func output(
        _ words: String? = nil, sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil
    ) throws -> any OutputDevice {
        try open(.output, words) { target in
            switch target.backend {
            case .pulse:
                try PulseDevice(
                    sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: target.device)
            case .jack:
                try JackDevice(
                    sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: target.device)
            case .alsa:
                try AlsaDevice(
                    sampleRate: sampleRate, channelCount: channelCount, quantum: quantum,
                    device: target.device ?? AlsaDirectory.defaultName)
            case .none:
                try NullDevice(
                    sampleRate: sampleRate ?? StreamFormat.standard.sampleRate,
                    channelCount: channelCount ?? StreamFormat.standard.channelCount,
                    quantum: quantum
                        ?? DevicePreferences.current.quantum(at: sampleRate ?? StreamFormat.standard.sampleRate))
            }
        }
    }

    /// The input that is meant, as `output`.
    package static func input(
        _ words: String? = nil, sampleRate: Double? = nil, channelCount: Int? = nil, quantum: Int? = nil
    ) throws -> any InputDevice {
        try open(.input, words) { target in
            switch target.backend {
            case .pulse:
                try PulseInput(
                    sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: target.device)
            case .jack:
                try JackInput(
                    sampleRate: sampleRate, channelCount: channelCount, quantum: quantum, device: target.device)
            case .alsa:
                try AlsaInput(
                    sampleRate: sampleRate, channelCount: channelCount, quantum: quantum,
                    device: target.device ?? AlsaDirectory.defaultName)
            case .none:
                try NullInput(
                    sampleRate: sampleRate ?? StreamFormat.standard.sampleRate,
                    channelCount: channelCount ?? StreamFormat.standard.channelCount,
                    quantum: quantum
                        ?? DevicePreferences.current.quantum(at: sampleRate ?? StreamFormat.standard.sampleRate))
            }
        }
    }

    private static func open<Device>(
        _ direction: DeviceInfo.Direction, _ words: String?, _ make: (DeviceTarget) throws -> Device
    ) throws -> Device {
        if let choice = words.flatMap(DeviceChoice.init) ?? DeviceChoice.ofEnvironment(direction) {
            return try make(choice.target(direction))
        }
        do {
            return try make(DeviceTarget(backend: .pulse, device: nil))
        } catch let error as DeviceError where error.meansNoDevice {
            if let device = try ifThere({ try make(DeviceTarget(backend: .jack, device: nil)) }) { return device }
            if case .noServer = error, AlsaDirectory.hasCards,
                let device = try ifThere({ try make(DeviceTarget(backend: .alsa, device: nil)) })
            {
                return device
            }
            throw error
        }
    }

    /// Nil where there is no device; other failures are passed on.
    private static func ifThere<Device>(_ open: () throws -> Device) throws -> Device? {
        do {
            return try open()
        } catch let error as DeviceError where error.meansNoDevice {
            return nil
        }
    }
}

extension DeviceList {
    /// What one backend has. Throws `DeviceError.noServer` where it has no server.
    static func of(_ backend: DeviceBackend) throws(DeviceError) -> DeviceList {
        switch backend {
        case .pulse: try current()
        case .jack: try JackDirectory.list()
        case .alsa: AlsaDirectory.list()
        case .none: silent
        }
    }

    /// What programs get that name no device, in either direction: of the backend the environment chooses, else of the
    /// first that has devices. Throws `DeviceError.noServer` where none has.
    package static func standard() throws(DeviceError) -> DeviceList {
        if let chosen = DeviceChoice.ofEnvironment(.output)?.backend { return try of(chosen).marked() }
        do {
            return try current().marked()
        } catch {
            if let list = try? JackDirectory.list() { return list.marked() }
            guard AlsaDirectory.hasCards else { throw error }
            return AlsaDirectory.list().marked()
        }
    }

    /// The devices of every backend, and last the clock that keeps time in silence. One output and one input are the
    /// default: what programs get that name none.
    package static func everything() -> DeviceList {
        let lists = DeviceBackend.allCases.compactMap { try? of($0) }
        return DeviceList(outputs: lists.flatMap(\.outputs), inputs: lists.flatMap(\.inputs)).marked()
    }

    /// With one default in each direction: what the environment chooses, else the first that its backend calls so.
    private func marked() -> DeviceList {
        DeviceList(outputs: marked(.output), inputs: marked(.input))
    }

    private func marked(_ direction: DeviceInfo.Direction) -> [DeviceInfo] {
        let devices = self[direction]
        let standard: DeviceInfo?
        if let choice = DeviceChoice.ofEnvironment(direction) {
            let candidates = devices.filter { choice.backend == nil || choice.backend == $0.backend }
            standard = (try? choice.find(in: candidates, direction: direction)) ?? nil
        } else {
            standard = devices.first(where: \.isDefault)
        }
        return devices.map { $0.marked(default: $0.id == standard?.id && $0.backend == standard?.backend) }
    }

    /// The clock that keeps time where there is no device.
    private static let silent = DeviceList(
        outputs: [silentClock(.output)], inputs: [silentClock(.input)])

    private static func silentClock(_ direction: DeviceInfo.Direction) -> DeviceInfo {
        DeviceInfo(
            id: DeviceBackend.none.id(of: ""), name: "silent clock", direction: direction,
            sampleRate: StreamFormat.standard.sampleRate, channelCount: StreamFormat.standard.channelCount,
            isDefault: true, backend: .none)
    }
}
