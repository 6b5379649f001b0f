import CPulse

/// Hears of the machine's devices without opening one: what comes, what goes, and which are the defaults.
package final class DeviceWatch: Sendable {
    private let thread: PulseThread

    /// Throws `DeviceError.noServer` where nothing listens.
    /// - Parameter server: as in PULSE_SERVER; nil for the user's own.
    package init(server: String? = nil) throws {
        let name = PulseServer.name(server)
        thread = PulseThread(
            label: "ossicle.pulse.watch", device: name, server: try PulseServer.found(server, device: name),
            client: "Ossicle")
    }

    /// Begins to listen; returns when every later change will be reported. Throws `DeviceError` within two seconds
    /// where no server answers.
    /// - Parameter events: hears `started`, `routeChanged`, `stopped` and `lost`, on a thread of the watch's own.
    package func start(events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try thread.start(events: events) { connection throws(DeviceError) in try Watching(connection, events) }
    }

    /// As `OutputDevice.stop`.
    @discardableResult package func stop() -> Bool { thread.stop() }
}

private final class Watching: PulseWork {
    private let directory: PulseDirectory
    private let events: @Sendable (DeviceEvent) -> Void
    private var known: DeviceList

    init(_ connection: PulseConnection, _ events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        let facilities =
            PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            | PA_SUBSCRIPTION_MASK_SERVER.rawValue
        directory = PulseDirectory(connection, to: pa_subscription_mask_t(rawValue: facilities))
        known = try directory.first()
        self.events = events
    }

    func turn(_ goOn: DeviceThread.GoOn) {
        guard let list = directory.update() else { return }
        for change in list.changes(since: known) { events(.routeChanged(change)) }
        known = list
    }

    func finish() {}
}

extension DeviceList {
    /// What changed since an older list: what came and what went, then the defaults.
    func changes(since old: DeviceList) -> [RouteChange] {
        let directions: [DeviceInfo.Direction] = [.output, .input]
        let arrivals = directions.flatMap { direction in
            DeviceList.names(in: self[direction], butNotIn: old[direction]).map(RouteChange.added)
        }
        let departures = directions.flatMap { direction in
            DeviceList.names(in: old[direction], butNotIn: self[direction]).map(RouteChange.removed)
        }
        return arrivals + departures + directions.compactMap { defaultChange($0, since: old) }
    }

    /// Which device became the default of a direction; nil if it stayed. Between the end of a default and the naming of
    /// the next the server has none: that is no change yet as long as there are devices.
    func defaultChange(_ direction: DeviceInfo.Direction, since old: DeviceList) -> RouteChange? {
        let id = self.default(direction)?.id
        guard id != old.default(direction)?.id, id != nil || self[direction].isEmpty else { return nil }
        switch direction {
        case .output: return .defaultOutput(id)
        case .input: return .defaultInput(id)
        }
    }

    private static func names(in some: [DeviceInfo], butNotIn others: [DeviceInfo]) -> [String] {
        let known = Set(others.map(\.id))
        return some.map(\.id).filter { !known.contains($0) }
    }
}
