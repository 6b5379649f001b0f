import OssicleCore
import Testing
@testable import OssicleMIDI

@Suite("MIDI thru connections") struct ThruTests {
    private func process(_ bytes: [UInt8], _ change: (inout ThruParameters) -> Void) -> [UInt8] {
        var parameters = ThruParameters()
        change(&parameters)
        var processor = ThruProcessor(parameters)
        var (toWords, toBytes) = (ByteStreamToPackets(), PacketsToByteStream())
        return toBytes.bytes(of: processor.process(toWords.words(of: bytes)))
    }

    @Test("As it is made, it passes everything")
    func identity() {
        let stream = Stream(seed: 4).bytes(messages: 800)
        #expect(process(stream) { _ in } == stream)
        let words: [UInt32] = [0x4090_3C00, 0x1234_5678, 0x5000_0000, 1, 2, 3, 0x40B0_0100, 0x7654_3210]
        var processor = ThruProcessor(ThruParameters())
        #expect(processor.process(words) == words)
    }

    @Test("Channels are mapped and dropped")
    func channels() {
        #expect(
            process([0x90, 1, 2, 0xC1, 5, 0x92, 3, 4]) {
                $0.channelMap[0] = 9
                $0.channelMap[1] = 0xFF
            } == [0x99, 1, 2, 0x92, 3, 4])
    }

    @Test("Notes and velocities outside their ranges are dropped, and ends of notes pass whatever their velocity")
    func ranges() {
        #expect(
            process([0x90, 59, 64, 0x90, 60, 64, 0x90, 61, 10, 0x90, 61, 0, 0x80, 60, 1]) {
                $0.notes = 60...70
                $0.velocities = 20...127
            } == [0x90, 60, 64, 0x90, 61, 0, 0x80, 60, 1])
    }

    @Test("Values are added to, scaled, limited, looked up and dropped")
    func transforms() {
        #expect(
            process([0x90, 60, 64, 0x80, 60, 0]) { $0.noteNumber = .init(.add, 12) } == [0x90, 72, 64, 0x80, 72, 0])
        #expect(process([0x90, 60, 64]) { $0.velocity = .init(.scale, 2048) } == [0x90, 60, 32])
        #expect(process([0x90, 60, 1]) { $0.velocity = .init(.scale, 2048) } == [0x90, 60, 1])
        #expect(process([0xD0, 5, 0xA0, 1, 5]) { $0.channelPressure = .init(.minimum, 9) } == [0xD0, 9, 0xA0, 1, 5])
        #expect(process([0xA0, 1, 99]) { $0.keyPressure = .init(.maximum, 50) } == [0xA0, 1, 50])
        #expect(process([0xE0, 0, 64, 0xC0, 3]) { $0.pitchBend = .init(.add, -1) } == [0xE0, 127, 63, 0xC0, 3])
        #expect(process([0xC0, 3, 0xC1, 4]) { $0.programChange = .init(.filterOut) } == [])
        #expect(
            process([0xC0, 3]) {
                $0.maps = [[UInt8](repeating: 0, count: 128), (0..<128).map { 127 - $0 }]
                $0.programChange = .init(.map, 1)
            } == [0xC0, 124])
        #expect(process([0xC0, 3]) { $0.programChange = .init(.map, 5) } == [0xC0, 3])
    }

    @Test("Values of MIDI 2.0 are transformed in the resolution of MIDI 1.0")
    func wide() {
        var parameters = ThruParameters()
        parameters.velocity = .init(.add, 63)
        parameters.pitchBend = .init(.add, 0)
        var processor = ThruProcessor(parameters)
        #expect(processor.process([0x4091_3C03, 0x8000_1234]) == [0x4091_3C03, 0xFFFF_1234])
        #expect(processor.process([0x40E1_0000, 0x8000_0000]) == [0x40E1_0000, 0x8000_0000])
    }

    @Test("System messages are dropped by kind")
    func system() {
        let stream: [UInt8] = [0xF0, 1, 0xF7, 0xF1, 3, 0xF8, 0xFA, 0xF6, 0xB0, 7, 1, 0xFE]
        #expect(process(stream) { $0.dropsSysEx = true } == Array(stream.dropFirst(3)))
        #expect(process(stream) { $0.dropsTimeCode = true } == [0xF0, 1, 0xF7, 0xF8, 0xFA, 0xF6, 0xB0, 7, 1, 0xFE])
        #expect(process(stream) { $0.dropsBeatClock = true } == [0xF0, 1, 0xF7, 0xF1, 3, 0xF6, 0xB0, 7, 1, 0xFE])
        #expect(process(stream) { $0.dropsTuneRequest = true }.contains(0xF6) == false)
        #expect(process(stream) { $0.dropsAllControls = true } == Array(stream.prefix(8)) + [0xFE])
    }

    private func control(
        _ kind: ThruParameters.Control.Kind, _ number: UInt16, _ transform: ThruParameters.Transform,
        to remapped: ThruParameters.Control.Kind = .control7
    ) -> ThruParameters.Control {
        .init(kind: kind, remappedKind: remapped, number: number, transform: transform)
    }

    @Test("Controllers are transformed and become others, of 7 and 14 bits and numbered parameters")
    func controls() {
        #expect(
            process([0xB0, 7, 10, 0xB0, 8, 1]) { $0.controls = [control(.control7, 7, .init(.add, 5))] }
                == [0xB0, 7, 15, 0xB0, 8, 1])
        #expect(process([0xB0, 7, 10]) { $0.controls = [control(.control7, 7, .init(.filterOut))] } == [])
        #expect(
            process([0xB0, 1, 64]) { $0.controls = [control(.control7, 1, .init(.mapControl, 11))] }
                == [0xB0, 11, 64])
        #expect(
            process([0xB0, 1, 64, 0xB0, 33, 5]) { $0.controls = [control(.control14, 1, .init(.add, 1))] }
                == [0xB0, 1, 64, 0xB0, 33, 1, 0xB0, 1, 64, 0xB0, 33, 6])
        #expect(
            process([0xB0, 1, 127]) {
                $0.controls = [control(.control7, 1, .init(.mapControl, 130), to: .assignable14)]
            } == [0xB0, 99, 1, 0xB0, 98, 2, 0xB0, 6, 127, 0xB0, 38, 127])
        #expect(
            process([0xB0, 101, 0, 0xB0, 100, 5, 0xB0, 6, 64, 0xB0, 38, 3]) {
                $0.controls = [control(.registered14, 5, .init(.mapControl, 74))]
            } == [0xB0, 74, 64, 0xB0, 74, 64])
    }

    @Test("The hub passes a source on, and finds its ends by unique ID")
    func hub() throws {
        let hub = MIDIHub(clock: .manual)
        let client = hub.createClient(name: "app")
        let inbox = Inbox()
        let source = try hub.createSource(client: client, name: "keys", protocol: .midi1)
        let target = try hub.createDestination(client: client, name: "synth", form: .bytes, receive: inbox.receive)
        try hub.setProperty("uniqueID", of: target, to: .integer(5))
        var parameters = ThruParameters()
        parameters.sources = [.init(id: source, uniqueID: 0)]
        parameters.destinations = [.init(id: 0, uniqueID: 5)]
        parameters.noteNumber = .init(.add, 1)
        let thru = try hub.createThru(parameters, owner: "org.example")
        try hub.receive(bytes([0x90, 60, 1]), from: source)
        #expect(inbox.bytes == [0x90, 61, 1] && hub.thruConnections(of: "org.example") == [thru])
        #expect(try hub.thruParameters(of: thru).sources[0].uniqueID != 0)
        parameters.noteNumber = .init()
        try hub.setThruParameters(parameters, of: thru)
        try hub.receive(bytes([0x80, 60, 1]), from: source)
        try hub.disposeThru(thru)
        try hub.receive(bytes([0x80, 62, 1]), from: source)
        #expect(inbox.bytes == [0x90, 61, 1, 0x80, 60, 1] && hub.thruConnections(of: "org.example").isEmpty)
        #expect(throws: HubFault.self) { try hub.disposeThru(thru) }
        parameters.sources = [.init(id: target, uniqueID: 0)]
        #expect(throws: HubFault.self) { _ = try hub.createThru(parameters, owner: nil) }
    }
}
