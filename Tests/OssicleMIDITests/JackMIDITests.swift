import CJack
import Foundation
import OssicleDevices
import Synchronization
import Testing
@testable import OssicleMIDI

/// A client of JACK's own library with a MIDI port each way: an independent clock for what ours sends and receives.
private final class Counterpart: @unchecked Sendable {
    private let client: OpaquePointer
    private let (input, output): (OpaquePointer, OpaquePointer)
    struct Message {
        /// Host time by JACK's own clock, in nanoseconds.
        var time: Double
        /// Nanoseconds between the end of the cycle before and this one's begin, where the message is in the first
        /// frame: the dummy server's clock jumps when the machine is busy.
        var gap: Double
        /// Nanoseconds by which the server says that this cycle begins in the future: after late cycles it filters its
        /// clock ahead of the time.
        var ahead: Double
        var bytes: [UInt8]
    }

    let received = Mutex<[Message]>([])
    /// In cycles only.
    private var lastEnd = 0.0
    /// Messages to send at the next cycle, with their frames; when they went is noted.
    let outgoing = Mutex<[(frame: UInt32, bytes: [UInt8])]>([])
    let went = Mutex<[Double]>([])

    init?() {
        var status: Int32 = 0
        guard ossicle_load_jack(), let client = ossicle_open_jack_client("counterpart", &status) else { return nil }
        self.client = client
        let midi = "8 bit raw midi"
        guard let input = jack_port_register(client, "in", midi, UInt(OSSICLE_JACK_INPUT), 0),
            let output = jack_port_register(client, "out", midi, UInt(OSSICLE_JACK_OUTPUT), 0)
        else { return nil }
        (self.input, self.output) = (input, output)
        jack_set_process_callback(
            client,
            { count, me in
                if let me { Unmanaged<Counterpart>.fromOpaque(me).takeUnretainedValue().process(count) }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        jack_activate(client)
    }

    deinit { jack_client_close(client) }

    /// Nanoseconds from JACK's clock to the host's: of twenty readings the one with the least time between.
    private var offset: Double {
        let readings = (0..<20).map { _ in
            let before = HostClock.now
            let jack = Double(jack_get_time()) * 1000 + 500
            let after = HostClock.now
            return (span: after - before, offset: Double(before + (after - before) / 2) - jack)
        }
        return readings.min { $0.span < $1.span }?.offset ?? 0
    }

    private func process(_ count: UInt32) {
        var (frame, begin, next, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
        jack_get_cycle_times(client, &frame, &begin, &next, &period)
        let start = Double(begin) * 1000 + offset
        let ahead = max((Double(begin) - Double(jack_get_time())) * 1000, 0)
        let length = 1e9 / Double(jack_get_sample_rate(client))
        guard let incoming = jack_port_get_buffer(input, count), let going = jack_port_get_buffer(output, count) else {
            return
        }
        for index in 0..<jack_midi_get_event_count(incoming) {
            var event = ossicle_jack_midi_event()
            jack_midi_event_get(&event, incoming, index)
            let bytes = Array(UnsafeBufferPointer(start: event.bytes, count: Int(event.size)))
            let gap = event.frame == 0 && lastEnd > 0 ? max(start - lastEnd, 0) : 0
            received.withLock {
                $0.append(
                    Message(time: start + Double(event.frame) * length, gap: gap, ahead: ahead, bytes: bytes))
            }
        }
        lastEnd = start + Double(count) * length
        jack_midi_clear_buffer(going)
        for message in outgoing.withLock({ messages in
            defer { messages = [] }
            return messages
        }) {
            guard let place = jack_midi_event_reserve(going, message.frame, UInt(message.bytes.count)) else { continue }
            for (index, byte) in message.bytes.enumerated() { place[index] = byte }
            went.withLock { $0.append(start + Double(message.frame) * length) }
        }
    }
}

/// With the server that `Scripts/with-jack-server` runs.
@Suite("JACK MIDI", .serialized, .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_JACK_SERVER"] == "1"))
struct JackMIDITests {
    /// Nanoseconds of a frame at 48 kHz.
    private let frame = 1e9 / 48_000

    private func waitUntil(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1000 {
            if condition() { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }

    private func connected(_ hub: MIDIHub, _ name: String, _ endpoints: () -> [HubID]) throws -> HubID {
        var found: HubID?
        #expect(
            waitUntil {
                found = endpoints().first {
                    (try? hub.property("displayName", of: $0, as: .string)) == .string("counterpart " + name)
                }
                return found != nil
            })
        return try #require(found)
    }

    @Test("Five notes a second arrive to the frame, both ways, and a long message whole")
    func notes() throws {
        let counterpart = try #require(Counterpart())
        let hub = MIDIHub(clock: .host)
        let devices = BackendDevices({ JackMIDIBackend() }, at: hub)
        try devices.start()
        defer { devices.stop() }
        let destination = try connected(hub, "in") { hub.destinations }
        let start = hub.now + 300_000_000
        let times = (0..<10 as Range<UInt64>).map { start + $0 * 200_000_000 }
        for (index, time) in times.enumerated() {
            try hub.send([0x90, UInt8(60 + index), 100], at: time, to: destination)
        }
        let long = [0xF0] + (0..<500).map { UInt8($0 % 128) } + [0xF7]
        try hub.send(long, at: start + 2_000_000_000, to: destination)
        #expect(waitUntil { counterpart.received.withLock { $0.count } == 11 })
        let received = counterpart.received.withLock { $0 }
        for (index, time) in times.enumerated() where index < received.count {
            #expect(received[index].bytes == [0x90, UInt8(60 + index), 100])
            // The nearest frame, and what the two readings of JACK's clock may be off: 2.5 µs and a rounded one each.
            let error = received[index].time - Double(time)
            // Where the server is ahead of the time, a message that it gets in time is late for it, by a cycle more at
            // most.
            let message = received[index]
            let late = message.gap + (message.ahead > 0 ? message.ahead + 256 * frame : 0)
            #expect(
                error >= -frame / 2 - 5000 && error <= late + frame / 2 + 5000,
                "note \(index): \(error) ns late, JACK's clock by \(message.gap), and \(message.ahead) ahead of the time"
            )
        }
        #expect(received.last?.bytes == long)

        let source = try connected(hub, "out") { hub.sources }
        let inbox = Inbox()
        let port = try hub.createInputPort(
            client: hub.createClient(name: "app"), name: "in", form: .bytes, receive: inbox.receive)
        try hub.connect(port: port, to: source, context: 0)
        for index in 0..<5 as Range<UInt32> {
            counterpart.outgoing.withLock { $0 = [(index * 60, [0x80, UInt8(index), 1])] }
            #expect(waitUntil { inbox.times.count == Int(index) + 1 })
        }
        let went = counterpart.went.withLock { $0 }
        #expect(inbox.bytes == (0..<5 as Range<UInt8>).flatMap { [0x80, $0, 1] })
        for (time, sent) in zip(inbox.times, went) { #expect(abs(Double(time) - sent) <= 5000) }
    }

    @Test("A client that goes is offline")
    func gone() throws {
        let hub = MIDIHub(clock: .host)
        let devices = BackendDevices({ JackMIDIBackend() }, at: hub)
        var counterpart = Counterpart()
        #expect(counterpart != nil)
        try devices.start()
        defer { devices.stop() }
        let source = try connected(hub, "out") { hub.sources }
        counterpart = nil
        #expect(waitUntil { (try? hub.property("offline", of: source, as: .integer)) == .integer(1) })
    }
}
