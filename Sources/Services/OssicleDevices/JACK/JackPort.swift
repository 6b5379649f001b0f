import CJack
import Foundation
import Synchronization

/// What an output and an input at a JACK server share: which ports, in what format, and one run from start to end.
final class JackPort: Sendable {
    let name: String
    let format: StreamFormat
    let meters = DeviceMeters()
    private let direction: DeviceInfo.Direction
    private let target: String
    private let client: String
    private let current = Mutex<JackRun?>(nil)

    /// - Parameters:
    ///   - sampleRate: Hz; the server's, or nil. - device: the owner of ports; nil for the first with hardware.
    ///   - quantum: frames at a time at most, fewer where the server's cycle is shorter.
    init(
        _ direction: DeviceInfo.Direction, sampleRate: Double?, channelCount: Int?, quantum: Int?, device: String?,
        client: String
    ) throws(DeviceError) {
        let name = JackDirectory.name + (device.map { ", \($0)" } ?? "")
        // What no device can do is said before a server is looked for.
        _ = try StreamFormat(
            device: name, sampleRate: sampleRate ?? StreamFormat.standard.sampleRate,
            channelCount: channelCount ?? StreamFormat.standard.channelCount, quantum: quantum ?? 0)
        let found = try JackPort.find(device, direction, name: name)
        if let sampleRate, sampleRate != found.info.sampleRate {
            throw .wrongRate(device: name, sampleRate: sampleRate, offered: found.info.sampleRate)
        }
        let frames = quantum ?? DevicePreferences.current.quantum(at: found.info.sampleRate)
        format = try StreamFormat(
            device: name, sampleRate: found.info.sampleRate, channelCount: channelCount ?? found.info.channelCount,
            quantum: min(frames, max(found.cycle, 16)))
        (self.name, self.direction, self.client, target) = (name, direction, client, found.owner)
    }

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
    func start(_ work: JackWork, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        guard current.withLock({ $0 == nil }) else { throw .alreadyRunning(device: name) }
        let (name, client, direction, target, format, meters) = (name, client, direction, target, format, meters)
        meters.reset()
        let run = try ServerReply.wait(label: "ossicle.jack.open", within: JackDirectory.patience, device: name) {
            () throws(DeviceError) in
            try JackRun(
                JackClient(name: client, device: name), direction, to: target, format: format, meters: meters,
                work: work)
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

    /// As `OutputDevice.stop`.
    func stop() -> Bool {
        guard let run = current.withLock({ $0 }) else { return true }
        defer { forget(run) }
        return run.end()
    }

    private func forget(_ run: JackRun) {
        current.withLock { if $0 === run { $0 = nil } }
    }
}
