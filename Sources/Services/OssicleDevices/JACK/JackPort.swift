import CJack
import Foundation
import Synchronization

/// A device of a JACK server: which ports, in what format, and one run at a time from start to end. The server's cycle
/// calls; nothing lies between it and the callback.
final class JackPort: DevicePort {
    let name: String
    let format: DeviceFormat
    let meters = DeviceMeters()
    private let direction: DeviceInfo.Direction
    private let target: String
    private let client: String
    private let current = Mutex<JackRun?>(nil)

    /// No server is started. The quantum is the server's cycle where that is shorter.
    init(
        _ direction: DeviceInfo.Direction, _ wishes: FormatWishes, at target: DeviceTarget
    ) throws(DeviceError) {
        let name = JackDirectory.name + (target.device.map { ", \($0)" } ?? "")
        // What no device can do is said before a server is looked for.
        _ = try wishes.format(of: name)
        let found = try JackPort.find(target.device, direction, name: name)
        let rate = found.info.sampleRate
        if let wished = wishes.sampleRate, wished != rate {
            throw .wrongRate(device: name, sampleRate: wished, offered: rate)
        }
        var wishes = wishes
        wishes.quantum = min(wishes.quantum ?? DevicePreferences.current.quantum(at: rate), found.cycle)
        format = try wishes.format(
            of: name, sampleRate: rate, channelCount: found.info.channelCount, stated: found.info.channelLabels)
        (self.name, self.direction, client, self.target) = (name, direction, target.client, found.owner)
    }

    deinit { _ = stop() }

    private struct Found: Sendable {
        let owner: String
        let info: DeviceInfo
        /// Frames.
        let cycle: Int
    }

    private static func find(
        _ device: String?, _ direction: DeviceInfo.Direction, name: String
    ) throws(DeviceError) -> Found {
        try ServerReply.wait(label: "ossicle.jack.find", within: JackDirectory.patience, device: name) {
            () throws(DeviceError) in
            let client = try JackClient(name: "Ossicle list", device: name)
            guard let owner = device ?? client.ports(direction).first.map(JackClient.owner) else {
                throw .noDevice(device: name, detail: "no hardware \(direction)")
            }
            let info = JackDirectory.info(owner, direction, at: client)
            guard info.channelCount > 0 else {
                throw .noDevice(device: name, detail: "\(owner) has no ports for \(direction)")
            }
            return Found(owner: owner, info: info, cycle: client.bufferSize)
        }
    }

    /// Returns when sound can flow; throws what was in the way within two seconds.
    func start(_ callback: BlockCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        guard current.withLock({ $0 == nil }) else { throw .alreadyRunning(device: name) }
        let (name, client, direction, target, format, meters) = (name, client, direction, target, format, meters)
        meters.reset()
        let run = try ServerReply.wait(label: "ossicle.jack.open", within: JackDirectory.patience, device: name) {
            () throws(DeviceError) in
            try JackRun(
                JackClient(name: client, device: name), direction, to: target, format: format, meters: meters,
                callback: callback)
        }
        let isFirst = current.withLock { current in
            guard current == nil else { return false }
            current = run
            return true
        }
        guard isFirst else { throw .alreadyRunning(device: name) }
        do throws(DeviceError) {
            try run.begin(name) { [weak self] event in
                if case .lost = event { self?.forget(run) }
                events(event)
            }
        } catch {
            forget(run)
            throw error
        }
    }

    func stop() -> Bool {
        guard let run = current.withLock({ $0 }) else { return true }
        defer { forget(run) }
        return run.end()
    }

    private func forget(_ run: JackRun) {
        current.withLock { if $0 === run { $0 = nil } }
    }
}
