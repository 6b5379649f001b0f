import CJack
import Foundation
import OssicleAVFAudio
import OssicleDevices
import OssicleMIDI
import Synchronization

/// Both engines at the default devices, and MIDI through a JACK server that runs, while many threads edit the graph,
/// stop and start the engine, look for devices and send messages, for ThreadSanitizer to watch. A JACK server that may
/// end (`Scripts/with-jack-server`) is ended halfway.
enum CheckDeviceThreads {
    /// - Returns: how many turns the threads had, and how many messages came back by MIDI.
    static func run(threads: Int, seconds: Double) throws -> (turns: Int, messages: Int) {
        let mortal = mortalServer
        // libjack frees the clients of a server that has ended when the next one is opened; ours know that.
        let echo = mortal == nil ? JackEcho() : nil
        if echo != nil || mortal != nil { MachineBackends.shared.start(choice: "jack") }
        let graph = try SharedGraph(isAtDevice: true)
        let device = SurveyedOutput(try DefaultDevice.open())
        let voices = try MovingVoices(count: 4, device)
        try voices.start()
        let received = Received()
        let turns = try Hands.work(threads) { number in
            switch number {
            case 0: DeviceHand(graph)
            case 1, 2: try MessageHand(number, received)
            default: GraphHand(graph, number)
            }
        } while: {
            turn(voices, for: seconds / 2)
            if let mortal { kill(mortal, SIGTERM) }
            turn(voices, for: seconds / 2)
        }.turns
        graph.engine.stop()
        voices.engine.stop()
        let messages = received.count.load(ordering: .relaxed)
        guard device.callbackCount > 0 else { throw CheckError("\(device.name) asked for nothing") }
        guard echo == nil || messages > 0 else { throw CheckError("no message came back from the JACK server") }
        return (turns, messages)
    }

    private static var mortalServer: pid_t? {
        let environment = ProcessInfo.processInfo.environment
        guard environment["OSSICLE_JACK_MAY_END"] == "1" else { return nil }
        return environment["OSSICLE_JACK_PROCESS"].flatMap { pid_t($0) }
    }

    private static func turn(_ voices: MovingVoices, for seconds: Double) {
        let end = Date().addingTimeInterval(seconds)
        var step = 0
        while Date() < end {
            voices.turn(step)
            step += 1
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}

private final class Received: Sendable { let count = Atomic(0) }

/// Starts and stops the engine at its device, and looks for devices and their times.
private final class DeviceHand: Hand {
    private let graph: SharedGraph
    private var engine: AVAudioEngine { graph.engine }
    private var turn = 0

    init(_ graph: SharedGraph) { self.graph = graph }

    func act() {
        turn += 1
        switch turn % 8 {
        case 0: _ = try? DeviceList.standard()
        case 1: engine.stop()
        case 2: try? engine.start()
        case 3: engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        case 4: engine.inputNode.removeTap(onBus: 0)
        case 5: DevicePreferences.current.bufferDuration = [nil, 0.005, 0.02][turn / 8 % 3]
        case 6: engine.pause()
        default:
            _ = (
                engine.outputNode.presentationLatency, engine.outputNode.lastRenderTime,
                engine.inputNode.presentationLatency
            )
            try? engine.start()
        }
    }

    func leave() {}
}

/// A client of the shared hub, which sends to what the machine has and listens to it.
private final class MessageHand: Hand {
    private let hub = MIDIHub.shared
    private let number: Int
    private let client: HubID
    private let (input, output): (HubID, HubID)
    private var turn = 0

    init(_ number: Int, _ received: Received) throws {
        self.number = number
        client = hub.createClient(name: "hand \(number)")
        input = try hub.createInputPort(client: client, name: "in", form: .bytes) { _, _ in
            received.count.add(1, ordering: .relaxed)
        }
        output = try hub.createOutputPort(client: client, name: "out")
    }

    func act() {
        turn += 1
        if turn % 32 == 1 { for source in hub.sources { try? hub.connect(port: input, to: source, context: 0) } }
        let time = turn % 2 == 0 ? 0 : hub.now + UInt64(turn % 8) * 1_000_000
        let note = MIDIBytePacket(time: time, bytes: [0x90 | UInt8(number), UInt8(turn % 128), 64])
        for destination in hub.destinations { try? hub.send(.bytes([note]), port: output, to: destination) }
    }

    func leave() { try? hub.disposeClient(client) }
}

/// A client of JACK's own library that sends back what it receives by MIDI.
private final class JackEcho {
    private let client: OpaquePointer

    /// One of the client's ports each way, in memory that its callback finds.
    private struct Ports {
        var input, output: OpaquePointer
    }
    private let ports: UnsafeMutablePointer<Ports>

    /// Nil where no server runs.
    init?() {
        var status: Int32 = 0
        guard ossicle_load_jack(), let client = ossicle_open_jack_client("echo", &status) else { return nil }
        let midi = "8 bit raw midi"
        guard let input = jack_port_register(client, "in", midi, UInt(OSSICLE_JACK_INPUT), 0),
            let output = jack_port_register(client, "out", midi, UInt(OSSICLE_JACK_OUTPUT), 0)
        else {
            jack_client_close(client)
            return nil
        }
        self.client = client
        ports = .allocate(capacity: 1)
        ports.initialize(to: Ports(input: input, output: output))
        jack_set_process_callback(
            client,
            { count, ports in
                if let ports { JackEcho.process(count, ports.assumingMemoryBound(to: Ports.self).pointee) }
                return 0
            }, ports)
        jack_activate(client)
    }

    deinit {
        jack_client_close(client)
        ports.deallocate()
    }

    private static func process(_ count: UInt32, _ ports: Ports) {
        guard let input = jack_port_get_buffer(ports.input, count),
            let output = jack_port_get_buffer(ports.output, count)
        else { return }
        jack_midi_clear_buffer(output)
        for index in 0..<jack_midi_get_event_count(input) {
            var event = ossicle_jack_midi_event()
            guard jack_midi_event_get(&event, input, index) == 0, let bytes = event.bytes,
                let place = jack_midi_event_reserve(output, event.frame, event.size)
            else { continue }
            place.update(from: bytes, count: Int(event.size))
        }
    }
}
