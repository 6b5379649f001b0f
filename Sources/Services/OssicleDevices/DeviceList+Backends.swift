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
        if let substitutes = DeviceSubstitutes.current { return substitutes.list }
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
            sampleRate: DeviceFormat.standard.sampleRate, channelCount: DeviceFormat.standard.channelCount,
            isDefault: true, backend: .none)
    }
}
