import CJack
import OssicleCore

/// A program at a JACK server. Its calls may come from any thread but a callback of its own.
final class JackClient: @unchecked Sendable {
    let handle: OpaquePointer
    private let device: String
    private let end = JackEnd()
    /// Seconds after the end of a server in which its clients stay open: it still writes to them while it ends, and the
    /// SIGPIPE of a closed socket would kill it before it has removed its shared memory.
    static let grace = 1.0
    /// Types of ports.
    static let audio = "32 bit float mono audio"
    static let midi = "8 bit raw midi"

    /// Connects to a server that runs; starts none. Throws `DeviceError.noServer` where there is none.
    /// - Parameter name: of the program; the server adds a number where it is taken.
    init(name: String, device: String) throws(DeviceError) {
        guard ossicle_load_jack() else {
            throw .noServer(device: device, detail: "libjack.so.0 is missing: install libjack-jackd2-0")
        }
        guard JackLibrary.shared.begin() else {
            throw .noServer(device: device, detail: "the JACK server has just ended")
        }
        var status: Int32 = 0
        guard let handle = ossicle_open_jack_client(name, &status) else {
            JackLibrary.shared.end()
            throw JackClient.failure(Int(status), device: device)
        }
        (self.handle, self.device) = (handle, device)
        jack_on_shutdown(
            handle, { end in if let end { Unmanaged<JackEnd>.fromOpaque(end).takeUnretainedValue().note() } },
            Unmanaged.passUnretained(end).toOpaque())
    }

    /// - Parameter status: bits, as `jack_client_open` gives them.
    static func failure(_ status: Int, device: String) -> DeviceError {
        if status & OSSICLE_JACK_MEMORY_FAILED != 0 {
            return .denied(device: device, detail: "its shared memory cannot be opened")
        }
        if status & OSSICLE_JACK_WRONG_VERSION != 0 {
            return .rejected(device: device, detail: "the server's version is not that of libjack")
        }
        if status & OSSICLE_JACK_SERVER_FAILED != 0 { return .noServer(device: device, detail: "no JACK server runs") }
        return .rejected(device: device, detail: "status \(status) of jack_client_open, the server may be full")
    }

    /// Waits for the process callback.
    deinit {
        guard JackLibrary.shared.forget(handle) else { return }
        jack_client_close(handle)
        JackLibrary.shared.end()
    }

    /// Lets the server call; false where it does not.
    func activate() -> Bool { JackLibrary.shared.activate(handle) }

    /// Returns when the server calls no more.
    func deactivate() { JackLibrary.shared.deactivate(handle) }

    /// Has `handler` called once when the server ends, or now where it has ended; on a thread of the server's library.
    func whenServerEnds(_ handler: @escaping @Sendable () -> Void) { end.set(handler) }

    var name: String { jack_get_client_name(handle).map { String(cString: $0) } ?? "" }
    /// Hz.
    var sampleRate: Double { Double(jack_get_sample_rate(handle)) }
    /// Frames of a cycle.
    var bufferSize: Int { Int(jack_get_buffer_size(handle)) }

    /// How the server's thread is scheduled that calls.
    var scheduling: DeviceScheduling {
        let priority = Int(jack_client_real_time_priority(handle))
        return priority > 0 ? DeviceScheduling(kind: .realTime, level: priority) : DeviceScheduling()
    }

    /// Makes a port of our own.
    /// - Parameters:
    ///   - isPhysical: whether other programs take it for hardware's.
    ///   - type: what it carries.
    func register(
        _ name: String, _ direction: DeviceInfo.Direction, isPhysical: Bool = false, type: String = JackClient.audio
    ) throws(DeviceError) -> OpaquePointer {
        let kind = direction == .output ? OSSICLE_JACK_OUTPUT : OSSICLE_JACK_INPUT
        let flags = UInt(isPhysical ? kind | OSSICLE_JACK_PHYSICAL : kind)
        guard let port = jack_port_register(handle, name, type, flags, 0) else {
            throw .rejected(device: device, detail: "no port \(name) could be made, the server may be full")
        }
        return port
    }

    /// Names of the ports sound goes out to, or comes in from; those of hardware, or all of one client's.
    func ports(_ direction: DeviceInfo.Direction, of owner: String? = nil) -> [String] {
        let flags = direction == .output ? OSSICLE_JACK_INPUT : OSSICLE_JACK_OUTPUT
        let physical = owner == nil ? OSSICLE_JACK_PHYSICAL : 0
        let found = ports(of: JackClient.audio, flags: UInt(flags | physical))
        return owner.map { owner in found.filter { JackClient.owner(of: $0) == owner } } ?? found
    }

    /// Names of MIDI ports of other clients that messages go out to, or come in from.
    func midiPorts(_ direction: DeviceInfo.Direction) -> [String] {
        let flags = direction == .output ? OSSICLE_JACK_INPUT : OSSICLE_JACK_OUTPUT
        let ours = name
        return ports(of: JackClient.midi, flags: UInt(flags)).filter { JackClient.owner(of: $0) != ours }
    }

    private func ports(of type: String, flags: UInt) -> [String] {
        guard let names = jack_get_ports(handle, nil, type, flags) else { return [] }
        defer { jack_free(names) }
        var found: [String] = []
        while let name = names[found.count] { found.append(String(cString: name)) }
        return found
    }

    /// The program or driver a port belongs to: "system" of "system:playback_1".
    static func owner(of port: String) -> String { String(port.prefix { $0 != ":" }) }

    func connect(_ ours: OpaquePointer, _ theirs: String, _ direction: DeviceInfo.Direction) {
        guard let name = jack_port_name(ours) else { return }
        switch direction {
        case .output: jack_connect(handle, name, theirs)
        case .input: jack_connect(handle, theirs, name)
        }
    }

    /// Frames between a port and the device, on the longest path.
    func latency(of port: OpaquePointer, _ direction: DeviceInfo.Direction) -> Int {
        var range = ossicle_jack_latency()
        jack_port_get_latency_range(
            port, Int32(direction == .output ? OSSICLE_JACK_PLAYBACK : OSSICLE_JACK_CAPTURE), &range)
        return Int(range.most)
    }

    func latency(ofPort name: String, _ direction: DeviceInfo.Direction) -> Int {
        jack_port_by_name(handle, name).map { latency(of: $0, direction) } ?? 0
    }
}
