import CJack
import Foundation
import Synchronization

/// A client at a JACK server from activation to its end. What happens to it is reported on a queue of its own, as the
/// server's threads must not be held up.
final class JackRun: @unchecked Sendable {
    private let direction: DeviceInfo.Direction
    private let target: String
    private let format: DeviceFormat
    private let meters: DeviceMeters
    private let ports: [OpaquePointer]
    private let cycle: JackCycle
    private let queue = DispatchQueue(label: "ossicle.jack", qos: .userInitiated)
    private let ended = DispatchSemaphore(value: 0)
    // On the queue, after `begin`.
    private var client: JackClient?
    private var events: (@Sendable (DeviceEvent) -> Void)?
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Makes the ports.
    init(
        _ client: JackClient, _ direction: DeviceInfo.Direction, to target: String, format: DeviceFormat,
        meters: DeviceMeters, callback: BlockCallback
    ) throws(DeviceError) {
        (self.client, self.direction, self.target, self.format, self.meters) = (
            client, direction, target, format, meters
        )
        guard !client.ports(direction, of: target).isEmpty else {
            throw .noDevice(device: JackDirectory.name, detail: "\(target) has no ports for \(direction)")
        }
        var ports: [OpaquePointer] = []
        for channel in 1...format.channelCount {
            ports.append(try client.register("\(direction)_\(channel)", direction))
        }
        self.ports = ports
        cycle = JackCycle(client, ports: ports, format: format, meters: meters, callback: callback)
        queue.setSpecific(key: JackRun.key, value: ObjectIdentifier(self))
    }

    /// Lets the server call. Its callbacks keep this object until `close`.
    func begin(_ name: String, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        guard let client else { return }
        self.events = events
        let me = Unmanaged.passRetained(self).toOpaque()
        jack_set_process_callback(
            client.handle,
            { count, me in
                if let run = JackRun.at(me) { run.cycle.process(Int(count)) }
                return 0
            }, me)
        jack_set_xrun_callback(
            client.handle,
            { me in
                JackRun.at(me)?.meters.countDropout()
                return 0
            }, me)
        jack_set_graph_order_callback(
            client.handle,
            { me in
                if let run = JackRun.at(me) { run.queue.async { run.measureLatency() } }
                return 0
            }, me)
        jack_set_port_registration_callback(
            client.handle,
            { _, isThere, me in
                guard isThere == 0, let run = JackRun.at(me) else { return }
                // They are listed a moment longer than they are there.
                run.queue.asyncAfter(deadline: .now() + 0.2) { run.checkTarget() }
            }, me)
        client.whenServerEnds { [weak self] in self?.wasShutDown() }
        guard client.activate() else {
            queue.sync { close() }
            throw .rejected(device: name, detail: "the server does not call")
        }
        queue.sync {
            connect(client)
            measureLatency()
            meters.set(scheduling: client.scheduling)
            events(.started)
        }
        cycle.begin()
    }

    /// Each port to the device's of the same role where both state roles, else by number. Channels the device does not
    /// have are added to those it has; a single channel goes to the first two.
    private func connect(_ client: JackClient) {
        let theirs = client.ports(direction, of: target)
        guard !theirs.isEmpty else { return }
        if let ours = format.channelLabels, theirs.count == ours.count, let roles = JackRoles.labels(ofPorts: theirs),
            let sources = DeviceChannels.sources(of: roles, among: ours)
        {
            for (name, source) in zip(theirs, sources) { client.connect(ports[source], name, direction) }
            return
        }
        for (index, port) in ports.enumerated() { client.connect(port, theirs[index % theirs.count], direction) }
        if ports.count == 1, direction == .output, theirs.count > 1 { client.connect(ports[0], theirs[1], direction) }
    }

    private func measureLatency() {
        guard let client else { return }
        let theirs = client.ports(direction, of: target)
        let frames = theirs.prefix(ports.count).map { client.latency(ofPort: $0, direction) }.max() ?? 0
        cycle.note(portLatency: frames, cycle: client.bufferSize)
    }

    /// On the queue. The program or hardware at the other end may be gone.
    private func checkTarget() {
        guard let client, client.ports(direction, of: target).isEmpty else { return }
        cycle.end()
        finish(.lost(.gone(device: JackDirectory.name, detail: "\(target) has no ports any more")))
    }

    /// As `AudioDevice.stop`.
    func end() -> Bool {
        cycle.end()
        queue.async { [self] in
            finish(.stopped)
            ended.signal()
        }
        let isOwnCall = cycle.isOnThread || DispatchQueue.getSpecific(key: JackRun.key) == ObjectIdentifier(self)
        return !isOwnCall && ended.wait(timeout: .now() + DeviceThread.patience) == .success
    }

    /// A thread of the server's library.
    private func wasShutDown() {
        cycle.end()
        queue.async { [self] in
            guard let events else { return }
            self.events = nil
            events(.lost(.gone(device: JackDirectory.name, detail: "the JACK server ended")))
            queue.asyncAfter(deadline: .now() + JackClient.grace) { [self] in close() }
        }
    }

    /// On the queue. Only what comes first is reported.
    private func finish(_ event: DeviceEvent) {
        guard let events else { return }
        close()
        events(event)
    }

    /// On the queue. Waits until the server calls no more.
    private func close() {
        events = nil
        guard let client else { return }
        client.deactivate()
        self.client = nil
        // What the callbacks kept.
        queue.async { [self] in Unmanaged.passUnretained(self).release() }
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> JackRun? {
        pointer.map { Unmanaged<JackRun>.fromOpaque($0).takeUnretainedValue() }
    }
}
