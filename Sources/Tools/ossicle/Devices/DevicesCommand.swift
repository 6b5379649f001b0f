import ArgumentParser
import Foundation
import OssicleDevices
import Synchronization

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List what sound can be played to and recorded from.",
        discussion: """
            PulseAudio or PipeWire, a JACK server that runs, ALSA's own devices, and last the clock that keeps time in silence. A star marks what \
            programs get that name no device; OSSICLE_DEVICE and OSSICLE_INPUT_DEVICE choose another.

            \(deviceWords)
            """)

    static let deviceWords = """
        A device is named by its identifier, by its name, by a part of either that no other has, or by a backend: pulse, jack, alsa, \
        none, or alsa:hw:0 for a device of one.
        """

    @Flag(help: "Write for programs: a JSON array with one object for each device.")
    var json = false

    @Flag(help: "Go on, with a line for each device that comes or goes and each new default, until Ctrl-C.")
    var watch = false

    @Option(
        name: .customLong("try"),
        help: ArgumentHelp(
            "Play silence for so many seconds, and say how the device ran: how its thread is scheduled, its latency and dropouts.",
            valueName: "seconds"))
    var trial: Double?

    @Option(help: "The output to try; without it the default.")
    var device: String?

    func validate() throws {
        if let trial, !(trial > 0 && trial <= 3600) {
            throw ValidationError("--try \(trial) is outside 0 to 3600 s: give a length in that range.")
        }
        if device != nil, trial == nil { throw ValidationError("--device names the output of --try: give that too.") }
        if json, watch || trial != nil {
            throw ValidationError("--json lists devices once: leave --watch and --try out.")
        }
    }

    func run() throws {
        if let trial { return print(try DeviceTrial.line(Devices.output(device), seconds: trial)) }
        let list = DeviceList.everything()
        let devices = list.outputs + list.inputs
        if json { return print(try DeviceRow.document(devices.map(DeviceRow.init))) }
        print(DeviceTable(devices).text)
        print("\nThreads at devices are scheduled here: \(DeviceScheduling.trial()).")
        if let error = DeviceTable.absence(of: devices) { StandardError.write(error + "\n") }
        if watch { DeviceFollower.run() }
    }
}

/// How a device runs.
enum DeviceTrial {
    /// "PulseAudio server, 5.0 s: real time, priority 10 (RealtimeKit), memory locked; latency 10.7 ms; 0 dropouts".
    /// A signal ends it early.
    static func line(_ device: any OutputDevice, seconds: Double) throws -> String {
        Interruption.watch()
        let failure = Mutex<DeviceError?>(nil)
        let begin = HostClock.now
        try device.start(
            render: { _ in },
            events: { event in
                if case .lost(let error) = event { failure.withLock { $0 = error } }
            })
        var elapsed: Double { Double(HostClock.now - begin) / 1e9 }
        while elapsed < seconds, !Interruption.isAsked, failure.withLock({ $0 == nil }) {
            Thread.sleep(forTimeInterval: 0.02)
        }
        device.stop()
        if let error = failure.withLock({ $0 }) { throw error }
        let length = Text.number(min(elapsed, seconds), decimals: 1)
        let latency = Text.number(device.latency * 1000, decimals: 1)
        let dropouts = device.dropoutCount == 1 ? "1 dropout" : "\(device.dropoutCount) dropouts"
        return "\(Text.oneLine(device.name)), \(length) s: \(device.scheduling); latency \(latency) ms; \(dropouts)"
    }
}

/// What `ossicle devices --watch` prints.
enum DeviceFollower {
    /// Until a signal asks for the end. A server that is not there, or ends, is looked for every second.
    static func run() {
        Interruption.watch()
        var watches: [DeviceBackend: DeviceWatch] = [:]
        while !Interruption.isAsked {
            for backend in [DeviceBackend.pulse, .jack, .alsa] {
                watches[backend] = watches[backend] ?? (try? DeviceWatch(backend))
                // Refused by one that runs.
                try? watches[backend]?.start { event in
                    guard let line = line(event, backend) else { return }
                    print(line)
                    fflush(nil)
                }
            }
            Thread.sleep(forTimeInterval: 1)
        }
    }

    /// Nil for what says nothing of a device.
    static func line(_ event: DeviceEvent, _ backend: DeviceBackend) -> String? {
        switch event {
        case .lost: "\(backend)  server ended"
        case .routeChanged(.added(let id)): "\(backend)  added    \(Text.oneLine(id))"
        case .routeChanged(.removed(let id)): "\(backend)  removed  \(Text.oneLine(id))"
        case .routeChanged(.defaultOutput(let id)): "\(backend)  default output  \(id.map(Text.oneLine) ?? "none")"
        case .routeChanged(.defaultInput(let id)): "\(backend)  default input  \(id.map(Text.oneLine) ?? "none")"
        case .started, .stopped, .routeChanged(.moved), .routeChanged(.transducer), .formatChanged: nil
        }
    }
}

/// What `ossicle devices --json` says about one device; `Documentation/CommandLine.md` explains each key.
struct DeviceRow: Encodable, Equatable {
    let backend, id, name, direction: String
    let channels: Int
    let channelLabels: [UInt32]?
    /// Hertz.
    let sampleRate: Double
    /// Seconds.
    let latency: Double?
    let isDefault, isMonitor: Bool

    enum CodingKeys: String, CodingKey {
        case backend, id, name, direction, channels, channelLabels, sampleRate, latency
        case isDefault = "default"
        case isMonitor = "monitor"
    }

    init(_ device: DeviceInfo) {
        backend = device.backend.rawValue
        (id, name, direction) = (device.id, device.name, "\(device.direction)")
        (channels, channelLabels, sampleRate) = (device.channelCount, device.channelLabels, device.sampleRate)
        latency = device.latency > 0 ? device.latency : nil
        (isDefault, isMonitor) = (device.isDefault, device.isMonitor)
    }

    /// One array, sorted keys, ending in a line break.
    static func document(_ rows: [DeviceRow]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(rows), as: UTF8.self)
    }
}

/// Devices as `ossicle devices` prints them.
struct DeviceTable {
    private let devices: [DeviceInfo]

    init(_ devices: [DeviceInfo]) { self.devices = devices }

    var text: String {
        let head = ["", "backend", "direction", "channels", "rate", "latency", "identifier", "name"]
        let rows = [head] + devices.map(cells)
        let widths = head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = zip(row, widths).map { Text.left($0, width: $1) }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private func cells(_ device: DeviceInfo) -> [String] {
        [
            device.isDefault ? "*" : "", device.backend.rawValue, "\(device.direction)",
            device.channelCount > 0 ? channels(device) : "in use",
            Text.number(device.sampleRate, decimals: 0) + " Hz",
            device.latency > 0 ? Text.number(device.latency * 1000, decimals: 1) + " ms" : "–",
            Text.oneLine(device.id), Text.oneLine(device.name),
        ]
    }

    private func channels(_ device: DeviceInfo) -> String {
        guard let labels = device.channelLabels, let name = ChannelWords.layout(labels) else {
            return "\(device.channelCount)"
        }
        return "\(device.channelCount) (\(name))"
    }

    /// Why there are no devices; nil where there are some.
    static func absence(of devices: [DeviceInfo]) -> String? {
        guard !devices.contains(where: { $0.backend != .none }) else { return nil }
        do {
            _ = try DeviceList.standard()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
