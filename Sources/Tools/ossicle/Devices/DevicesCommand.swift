import ArgumentParser
import Foundation
import OssicleDevices

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

    func run() throws {
        let list = DeviceList.everything()
        let devices = list.outputs + list.inputs
        if json { return print(try DeviceRow.document(devices.map(DeviceRow.init))) }
        print(DeviceTable(devices).text)
        if let error = DeviceTable.absence(of: devices) { StandardError.write(error + "\n") }
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
