import Foundation

/// Reports what becomes of a backend's devices without opening one: what comes, what goes, and which are the defaults.
package final class DeviceWatch: Sendable {
    private let open: @Sendable () throws(DeviceError) -> any DeviceDirectory
    private let thread: DeviceThread

    /// Throws `DeviceError.noServer` where nothing listens at PulseAudio's socket.
    /// - Parameter server: of PulseAudio, as in PULSE_SERVER; nil for the user's own.
    package init(_ backend: DeviceBackend = .pulse, server: String? = nil) throws(DeviceError) {
        switch backend {
        case .pulse:
            let name = PulseServer.name(server)
            let found = try PulseServer.found(server, device: name)
            thread = DeviceThread(label: "ossicle.watch", device: name)
            open = { () throws(DeviceError) in
                try PulseDirectory.ofAll(PulseConnection(device: name, server: found, client: "Ossicle"))
            }
        case .jack:
            thread = DeviceThread(label: "ossicle.watch", device: JackDirectory.name)
            open = { () throws(DeviceError) in try JackRegistrations() }
        case .alsa, .none:
            thread = DeviceThread(label: "ossicle.watch", device: "list of \(backend) devices")
            open = { DeviceFolder(DeviceFolder.cards) { (try? DeviceList.of(backend)) ?? DeviceList() } }
        }
    }

    /// Begins to watch; returns when every later change will be reported. Throws `DeviceError` within two seconds
    /// where no server answers.
    /// - Parameter events: receives `started`, `routeChanged`, `stopped` and `lost`, on a thread of the watch's own.
    package func start(events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        let open = open
        try thread.start(within: PulseConnection.patience, events: events) { () throws(DeviceError) in
            try WatchLoop(open(), events)
        }
    }

    /// As `AudioDevice.stop`.
    @discardableResult package func stop() -> Bool { thread.stop() }
}

/// What a backend knows of its devices. Belongs to one thread.
protocol DeviceDirectory: AnyObject {
    func first() throws(DeviceError) -> DeviceList
    /// The list where it may have changed, nil otherwise; waits for a tenth of a second at most. Throws when the
    /// backend is gone.
    func next() throws(DeviceError) -> DeviceList?
}

private final class WatchLoop: DeviceLoop {
    private let directory: any DeviceDirectory
    private let events: @Sendable (DeviceEvent) -> Void
    private var known: DeviceList

    init(
        _ directory: any DeviceDirectory, _ events: @escaping @Sendable (DeviceEvent) -> Void
    ) throws(DeviceError) {
        (self.directory, self.events, known) = (directory, events, try directory.first())
    }

    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError) {
        guard let list = try directory.next() else { return }
        for change in list.changes(since: known) { events(.routeChanged(change)) }
        known = list
    }
}

/// Devices that have files in a folder, as ALSA's cards in /dev/snd. The folder is looked at ten times a second, and
/// the devices for a second after it changed: the system lets programs open a new file only then.
final class DeviceFolder: DeviceDirectory {
    /// Where ALSA's are.
    static let cards = "/dev/snd"

    private let path: String
    private let list: () -> DeviceList
    private var files: [String]
    private var looksLeft = 0
    private static let pause = 0.1

    init(_ path: String, list: @escaping () -> DeviceList) {
        (self.path, self.list, files) = (path, list, DeviceFolder.files(in: path))
    }

    func first() -> DeviceList { list() }

    func next() -> DeviceList? {
        Thread.sleep(forTimeInterval: DeviceFolder.pause)
        let now = DeviceFolder.files(in: path)
        if now != files { (files, looksLeft) = (now, 10) }
        guard looksLeft > 0 else { return nil }
        looksLeft -= 1
        return list()
    }

    private static func files(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }
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
