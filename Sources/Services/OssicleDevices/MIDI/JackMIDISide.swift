import CJack
import Foundation
import OssicleCore
import Synchronization

/// The sources or the destinations at a JACK server: each port of another client gets one of ours, connected to it.
/// Each direction is a client of its own: through one client for both, sound and messages of a program that uses both
/// would go in a circle, which JACK opens by a delay of one cycle.
final class JackMIDISide: @unchecked Sendable {
    private let direction: MIDIPortInfo.Direction
    /// Ports of clients whose names begin so are left out: their ports stand for others, and ours for them would stand
    /// for ours.
    private static let clientName = "Ossicle MIDI"
    private let thread = MIDIBackendThread()
    /// What the server's threads note.
    private final class Notes: Sendable {
        let hasChanged = Atomic(true)
        let isOver = Atomic(false)
    }
    private let notes = Notes()

    /// Slots and unfinished messages of ports, by their name; under the lock, which senders share.
    private struct Ports: Sendable {
        var slots: [String: Int] = [:]
        var unfinished: [String: [UInt8]] = [:]
        var cycle: JackMIDICycle?
    }
    private let ports = Mutex(Ports())
    private let sources = Mutex<[Int: String]>([:])
    private let period = Atomic<UInt64>(0)

    // On the backend's thread after `start`.
    private var client: JackClient?
    private var events: (@Sendable (MIDIBackendEvent) -> Void)?
    private var listed: [MIDIPortInfo]?
    /// Until when the list is still read after a registration: ports are listed a moment longer than they are there.
    private var lookUntil: UInt64 = 0
    private var lastLook: UInt64 = 0

    init(_ direction: MIDIPortInfo.Direction) { self.direction = direction }

    deinit { stop() }

    /// Two cycles and 20 ms: a message is in the callback's hands before its cycle begins, also where the hub's thread,
    /// an ordinary one, has to wait for a processor. What a client takes back later than this is sent.
    var advance: UInt64 { 2 * period.load(ordering: .relaxed) + 20_000_000 }

    func start(_ events: @escaping @Sendable (MIDIBackendEvent) -> Void) throws(DeviceError) {
        let client = try JackClient(
            name: JackMIDISide.clientName + (direction == .source ? " in" : " out"), device: JackDirectory.name)
        let thread = thread
        let cycle = JackMIDICycle(client: client.handle, sampleRate: client.sampleRate) { thread.wake() }
        period.store(UInt64(1e9 * Double(client.bufferSize) / client.sampleRate), ordering: .relaxed)
        (self.client, self.events) = (client, events)
        ports.withLock { $0.cycle = cycle }
        let me = Unmanaged.passUnretained(self).toOpaque()
        let place = Unmanaged.passUnretained(cycle).toOpaque()
        jack_set_process_callback(
            client.handle,
            { count, place in
                if let place { Unmanaged<JackMIDICycle>.fromOpaque(place).takeUnretainedValue().process(count) }
                return 0
            }, place)
        jack_set_port_registration_callback(
            client.handle,
            { _, _, me in JackMIDISide.at(me)?.note { $0.hasChanged.store(true, ordering: .releasing) } },
            me)
        client.whenServerEnds { [weak self] in self?.note { $0.isOver.store(true, ordering: .releasing) } }
        guard client.activate() else {
            self.client = nil
            throw .rejected(device: JackDirectory.name, detail: "the server does not call")
        }
        thread.start("ossicle.midi.jack", every: 0.2) { [weak self] in self?.turn() }
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> JackMIDISide? {
        pointer.map { Unmanaged<JackMIDISide>.fromOpaque($0).takeUnretainedValue() }
    }

    private func note(_ change: (Notes) -> Void) {
        change(notes)
        thread.wake()
    }

    func send(_ bytes: [UInt8], at time: UInt64, to port: String) {
        ports.withLock { ports in
            guard let cycle = ports.cycle, let slot = ports.slots[port] else { return }
            while let done = cycle.sent.pop() { done.bytes.deallocate() }
            let whole = (ports.unfinished[port] ?? []) + bytes
            // A system exclusive message is one event of JACK's, with its end.
            guard whole.first != 0xF0 || whole.contains(0xF7) || whole.count > JackMIDISide.longest else {
                ports.unfinished[port] = whole
                return
            }
            ports.unfinished[port] = nil
            for message in JackMIDISide.messages(in: whole) {
                let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: message.count)
                _ = memory.initialize(from: message)
                let departure = JackMIDICycle.Departure(time: time, slot: slot, bytes: memory)
                if !cycle.departures.push(departure) { memory.deallocate() }
            }
        }
    }

    /// Longer messages go out in pieces.
    private static let longest = 65_536

    /// Bytes of whole messages, each with its status, as separate messages.
    static func messages(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var starts: [Int] = []
        var isInSysEx = false
        for (index, byte) in bytes.enumerated() where byte >= 0x80 {
            if byte == 0xF7 || (isInSysEx && byte >= 0xF8) {
                if byte == 0xF7 { isInSysEx = false }
                continue
            }
            starts.append(index)
            isInSysEx = byte == 0xF0
        }
        if starts.first != 0, !bytes.isEmpty { starts.insert(0, at: 0) }
        return starts.enumerated().map { number, start in
            bytes[start..<(number + 1 < starts.count ? starts[number + 1] : bytes.count)]
        }
    }

    func stop() {
        thread.stop()
        close()
    }

    private func close() {
        let wasOver = notes.isOver.load(ordering: .acquiring)
        guard let client else { return }
        let cycle = ports.withLock { ports in
            defer { ports.cycle = nil }
            return ports.cycle
        }
        self.client = nil
        guard wasOver else {
            client.deactivate()
            return withExtendedLifetime(cycle) {}
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + JackClient.grace) {
            withExtendedLifetime((client, cycle)) {}
        }
    }

    private func turn() {
        guard !notes.isOver.load(ordering: .acquiring) else {
            events?(.lost(.gone(device: JackDirectory.name, detail: "the server has ended")))
            events = nil
            return close()
        }
        receive()
        let now = HostClock.now
        if notes.hasChanged.exchange(false, ordering: .acquiringAndReleasing) {
            lookUntil = now + 1_500_000_000
            lastLook = 0
        }
        guard now < lookUntil, now - lastLook > 100_000_000 else { return }
        lastLook = now
        list()
    }

    private func receive() {
        guard let cycle = ports.withLock({ $0.cycle }) else { return }
        while let arrival = cycle.arrivals.pop() {
            guard let port = sources.withLock({ $0[Int(arrival.slot)] }) else { continue }
            let bytes = (0..<Int(arrival.count)).map { arrival.bytes[$0] }
            events?(.received(bytes, at: arrival.time, port: port))
        }
    }

    private func list() {
        guard let client else { return }
        var found: [MIDIPortInfo] = []
        for port in client.midiPorts(side) where !port.hasPrefix(JackMIDISide.clientName) {
            guard connect(port, client) else { continue }
            let owner = JackClient.owner(of: port)
            found.append(
                MIDIPortInfo(
                    id: port, name: String(port.dropFirst(owner.count + 1)), device: owner, direction: direction))
        }
        guard found != listed else { return }
        listed = found
        events?(.ports(found))
    }

    /// The direction as sound has it: messages go out to a destination.
    private var side: DeviceInfo.Direction { direction == .source ? .input : .output }

    /// Our port for one of theirs, made when it is seen first and connected again when it comes back.
    private func connect(_ port: String, _ client: JackClient) -> Bool {
        let label = (direction == .source ? "from " : "to ") + port
        if ports.withLock({ $0.slots[port] }) == nil {
            guard let cycle = ports.withLock({ $0.cycle }),
                let ours = try? client.register(label, side, type: JackClient.midi),
                let slot = cycle.add(ours, isInput: direction == .source)
            else { return false }
            ports.withLock { $0.slots[port] = slot }
            sources.withLock { $0[slot] = port }
        }
        if let ours = jack_port_by_name(client.handle, client.name + ":" + label) { client.connect(ours, port, side) }
        return true
    }
}
