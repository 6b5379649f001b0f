import CAlsa
import Foundation
import Synchronization

/// The ALSA sequencer: keyboards by USB and Bluetooth, and programs, as its clients. Its announcements report what
/// comes and goes.
package final class AlsaMIDIBackend: MIDIBackend, @unchecked Sendable {
    package let name = "ALSA sequencer"
    /// Events go out when they are due.
    package let advance: UInt64 = 0
    private let thread = MIDIBackendThread()

    /// The sequencer and coders of messages; sending holds the lock.
    private struct Output: @unchecked Sendable {
        var sequencer: OpaquePointer?
        var port: Int32 = -1
        /// For each destination, as messages come in pieces.
        var encoders: [String: OpaquePointer] = [:]
    }
    private let output = Mutex(Output())

    // On the backend's thread after `start`.
    private var sequencer: OpaquePointer?
    private var decoder: OpaquePointer?
    private var input: Int32 = -1
    private var events: (@Sendable (MIDIBackendEvent) -> Void)?
    private var listed: [MIDIPortInfo]?

    package init() {}

    deinit { stop() }

    package func start(_ events: @escaping @Sendable (MIDIBackendEvent) -> Void) throws(DeviceError) {
        guard ossicle_load_alsa() else {
            throw .noServer(device: name, detail: "libasound.so.2 is missing: install libasound2")
        }
        var sequencer: OpaquePointer?
        let status = snd_seq_open(
            &sequencer, "default", Int32(OSSICLE_ALSA_SEQ_DUPLEX), Int32(OSSICLE_ALSA_SEQ_NONBLOCK))
        guard status >= 0, let sequencer else {
            let reason = snd_strerror(status).map { String(cString: $0) } ?? "error \(status)"
            throw .noServer(device: name, detail: "/dev/snd/seq cannot be opened: \(reason); load snd-seq")
        }
        snd_seq_set_client_name(sequencer, "Ossicle")
        let program = UInt32(OSSICLE_ALSA_PROGRAM)
        input = snd_seq_create_simple_port(
            sequencer, "input", UInt32(OSSICLE_ALSA_CAN_WRITE | OSSICLE_ALSA_NO_EXPORT), program)
        let port = snd_seq_create_simple_port(sequencer, "output", UInt32(OSSICLE_ALSA_CAN_READ), program)
        var decoder: OpaquePointer?
        snd_midi_event_new(UInt(AlsaMIDIBackend.longest), &decoder)
        guard input >= 0, port >= 0, let decoder else {
            snd_seq_close(sequencer)
            throw .rejected(device: name, detail: "no port could be made")
        }
        snd_midi_event_no_status(decoder, 1)
        // The system's port of announcements.
        snd_seq_connect_from(sequencer, input, 0, 1)
        (self.sequencer, self.decoder, self.events) = (sequencer, decoder, events)
        output.withLock { output in
            output.sequencer = sequencer
            output.port = port
        }
        thread.start("ossicle.midi.alsa", every: 0) { [weak self] in self?.turn() }
    }

    package func stop() {
        thread.stop()
        output.withLock { output in
            for encoder in output.encoders.values { snd_midi_event_free(encoder) }
            output = Output()
        }
        if let decoder { snd_midi_event_free(decoder) }
        if let sequencer { snd_seq_close(sequencer) }
        (decoder, sequencer, events) = (nil, nil, nil)
    }

    /// Most bytes of one event.
    private static let longest = 4096

    package func send(_ bytes: [UInt8], at time: UInt64, to port: String) {
        guard let address = AlsaMIDIBackend.address(port) else { return }
        output.withLock { output in
            guard let sequencer = output.sequencer, let encoder = AlsaMIDIBackend.encoder(port, &output) else { return }
            var done = 0
            while done < bytes.count {
                var event = ossicle_alsa_event()
                event.type = UInt8(OSSICLE_ALSA_NO_EVENT)
                let taken = bytes.withUnsafeBufferPointer { bytes in
                    snd_midi_event_encode(
                        encoder, bytes.baseAddress.map { $0 + done }, bytes.count - done, &event)
                }
                guard taken > 0 else { return }
                done += taken
                guard event.type != UInt8(OSSICLE_ALSA_NO_EVENT) else { continue }
                event.queue = UInt8(OSSICLE_ALSA_DIRECT_QUEUE)
                event.source.port = UInt8(truncatingIfNeeded: output.port)
                event.destination = address
                snd_seq_event_output_direct(sequencer, &event)
            }
        }
    }

    private static func encoder(_ port: String, _ output: inout Output) -> OpaquePointer? {
        if let encoder = output.encoders[port] { return encoder }
        var encoder: OpaquePointer?
        snd_midi_event_new(UInt(longest), &encoder)
        output.encoders[port] = encoder
        return encoder
    }

    /// "24:0" as client and port.
    static func address(_ port: String) -> ossicle_alsa_address? {
        let parts = port.split(separator: ":").compactMap { UInt8($0) }
        return parts.count == 2 ? ossicle_alsa_address(client: parts[0], port: parts[1]) : nil
    }

    /// Waits for events for a fifth of a second at most.
    private func turn() {
        guard let sequencer else { return }
        if listed == nil { list(sequencer) }
        var place = pollfd()
        guard snd_seq_poll_descriptors(sequencer, &place, 1, Int16(POLLIN)) == 1 else { return }
        guard poll(&place, 1, 200) > 0 else { return }
        var hasChanged = false
        var event: UnsafeMutablePointer<ossicle_alsa_event>?
        while snd_seq_event_input(sequencer, &event) >= 0, let found = event {
            let announcements = OSSICLE_ALSA_FIRST_ANNOUNCEMENT...OSSICLE_ALSA_LAST_ANNOUNCEMENT
            if announcements.contains(Int(found.pointee.type)) {
                hasChanged = true
            } else {
                receive(found)
            }
        }
        if hasChanged { list(sequencer) }
    }

    private func receive(_ event: UnsafeMutablePointer<ossicle_alsa_event>) {
        guard let decoder else { return }
        var bytes = [UInt8](repeating: 0, count: AlsaMIDIBackend.longest)
        let count = snd_midi_event_decode(decoder, &bytes, bytes.count, event)
        guard count > 0 else { return }
        let source = event.pointee.source
        events?(.received(Array(bytes.prefix(count)), at: HostClock.now, port: "\(source.client):\(source.port)"))
    }

    private func list(_ sequencer: OpaquePointer) {
        var (client, port): (OpaquePointer?, OpaquePointer?)
        guard snd_seq_client_info_malloc(&client) >= 0, snd_seq_port_info_malloc(&port) >= 0, let client, let port
        else { return }
        defer {
            snd_seq_client_info_free(client)
            snd_seq_port_info_free(port)
        }
        var found: [MIDIPortInfo] = []
        let ours = snd_seq_client_id(sequencer)
        snd_seq_client_info_set_client(client, -1)
        while snd_seq_query_next_client(sequencer, client) >= 0 {
            let number = snd_seq_client_info_get_client(client)
            guard number > 0, number != ours else { continue }
            let device = snd_seq_client_info_get_name(client).map { String(cString: $0) } ?? "client \(number)"
            snd_seq_port_info_set_client(port, number)
            snd_seq_port_info_set_port(port, -1)
            while snd_seq_query_next_port(sequencer, port) >= 0 { found += ports(port, number, device) }
        }
        for info in found where info.direction == .source && listed?.contains(info) != true {
            if let address = AlsaMIDIBackend.address(info.id) {
                snd_seq_connect_from(sequencer, input, Int32(address.client), Int32(address.port))
            }
        }
        guard found != listed else { return }
        listed = found
        events?(.ports(found))
    }

    private func ports(_ port: OpaquePointer, _ client: Int32, _ device: String) -> [MIDIPortInfo] {
        let capability = Int(snd_seq_port_info_get_capability(port))
        guard capability & OSSICLE_ALSA_NO_EXPORT == 0 else { return [] }
        let id = "\(client):\(snd_seq_port_info_get_port(port))"
        let name = snd_seq_port_info_get_name(port).map { String(cString: $0) } ?? id
        func info(_ direction: MIDIPortInfo.Direction) -> MIDIPortInfo {
            MIDIPortInfo(id: id, name: name, device: device, direction: direction)
        }
        let (canRead, canWrite) = (OSSICLE_ALSA_CAN_READ, OSSICLE_ALSA_CAN_WRITE)
        return (capability & canRead == canRead ? [info(.source)] : [])
            + (capability & canWrite == canWrite ? [info(.destination)] : [])
    }
}
