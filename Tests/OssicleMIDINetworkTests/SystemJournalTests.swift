import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleMIDINetwork

/// Chapters M, E, D, V, Q, F and X.
@Suite("Recovery journals: parameters and system commands") struct SystemJournalTests {
    /// Sends commands, one to a packet, through a network that loses some, and gives what arrives as one stream of
    /// bytes; the last packet arrives.
    /// - Parameter acknowledges: every so many packets the sender learns what arrived.
    private func stream(
        _ commands: [[UInt8]], losing share: Double, seed: UInt64, acknowledges: Int = 20
    ) throws -> (bytes: [UInt8], lost: Int) {
        var (sender, receiver) = (RTPSender(ssrc: 1, start: 65_000), RTPReceiver())
        let random = CounterRandom(seed: seed, object: 0)
        var bytes: [UInt8] = []
        for (index, command) in (commands + [[0x9F, 1, 1], [0x8F, 1, 64]]).enumerated() {
            let packet = sender.packet([.init(delta: 0, bytes: command)], timestamp: 0)
            if index <= commands.count, random.unit(UInt64(index)) < share { continue }
            bytes += receiver.receive(try RTPPacket(packet.bytes)).flatMap(\.bytes)
            if index % acknowledges == 0, let acknowledged = receiver.acknowledged { sender.acknowledge(acknowledged) }
        }
        return (bytes, receiver.lost)
    }

    /// The system exclusive messages in a stream.
    private func exclusives(_ bytes: [UInt8]) -> [[UInt8]] {
        var (messages, current): ([[UInt8]], [UInt8]) = ([], [])
        for byte in bytes where byte < 0xF8 {
            if byte == 0xF0 { current = [] }
            current.append(byte)
            if byte == 0xF7 { messages.append(current) }
        }
        return messages
    }

    @Test("Every system exclusive message comes through 5 % of lost packets, whole and once", arguments: 1...6)
    func exclusive(seed: Int) throws {
        var (cutter, commands, sent): (RTPCommandCutter, [[UInt8]], [[UInt8]]) = (.init(), [], [])
        for index in 0..<300 {
            // Every tenth takes several packets.
            let length = index % 10 == 9 ? 900 : 1 + index % 40
            let message = [0xF0, 0x7D] + (0..<length).map { UInt8((index + $0) % 128) } + [0xF7]
            sent.append(message)
            commands += cutter.commands(message)
            commands.append([0x90, UInt8(index % 128), 1])
        }
        let (bytes, lost) = try stream(commands, losing: 0.05, seed: UInt64(seed))
        #expect(lost > 10)
        let received = exclusives(bytes)
        let isSame = received == sent
        let first = zip(received, sent).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(isSame, "\(received.count) of \(sent.count), another one first at \(first ?? -1)")
    }

    @Test("Parameters are what they were sent as, whatever was lost", arguments: 1...6)
    func parameters(seed: Int) throws {
        let random = CounterRandom(seed: UInt64(seed), object: 3)
        var commands: [[UInt8]] = []
        for round in 0..<200 {
            let bits = random.bits(UInt64(round))
            let isRegistered = bits & 1 == 0
            commands.append([0xB2, isRegistered ? 101 : 99, UInt8(bits >> 4 & 1)])
            commands.append([0xB2, isRegistered ? 100 : 98, UInt8(bits >> 8 & 3)])
            commands.append([0xB2, 6, UInt8(bits >> 16 & 0x7F)])
            if bits & 2 != 0 { commands.append([0xB2, 38, UInt8(bits >> 24 & 0x7F)]) }
            for _ in 0..<(bits >> 32 & 3) { commands.append([0xB2, bits & 4 != 0 ? 96 : 97, 0]) }
            if bits & 8 != 0 { commands += [[0xB2, 101, 127], [0xB2, 100, 127]] }
        }
        var sent = CommandHistory()
        for command in commands { sent.note(command, packet: 1) }
        let (bytes, lost) = try stream(commands, losing: 0.05, seed: UInt64(seed))
        #expect(lost > 10)
        var received = CommandHistory()
        for start in stride(from: 0, to: bytes.count, by: 3) {
            received.note(Array(bytes[start..<start + 3]), packet: 1)
        }
        let (ours, theirs) = (sent.channels.channels[2].parameters, received.channels.channels[2].parameters)
        #expect(ours.chosen == theirs.chosen && ours.list.count == theirs.list.count)
        for parameter in ours.list { #expect(theirs.find(parameter.number) == parameter) }
    }

    @Test("Song, position and clocks stand where they were sent to", arguments: 1...6)
    func sequencer(seed: Int) throws {
        let random = CounterRandom(seed: UInt64(seed), object: 5)
        var commands: [[UInt8]] = []
        for round in 0..<60 {
            let bits = random.bits(UInt64(round))
            switch bits % 5 {
            case 0: commands.append([0xFA])
            case 1: commands += [[0xFC], [0xF2, UInt8(bits >> 8 & 0x7F), UInt8(bits >> 16 & 3)], [0xFB]]
            case 2: commands.append([0xF3, UInt8(bits >> 8 & 0x7F)])
            case 3: commands.append([0xFC])
            default: commands += [[0xF6], [0xFE]]
            }
            commands += [[UInt8]](repeating: [0xF8], count: Int(bits >> 24 & 31))
        }
        var (sent, received, lostInAll) = (CommandHistory(), CommandHistory(), 0)
        for command in commands { sent.note(command, packet: 1) }
        var (bytes, lost) = try stream(commands, losing: 0.05, seed: UInt64(seed))
        lostInAll += lost
        while let status = bytes.first {
            let count = status == 0xF2 || status < 0xF0 ? 3 : status == 0xF3 ? 2 : 1
            received.note(Array(bytes.prefix(count)), packet: 1)
            bytes.removeFirst(count)
        }
        #expect(lostInAll > 10)
        #expect(received.system.sequencer == sent.system.sequencer && received.system.song == sent.system.song)
    }

    @Test("From any place of the sequencer commands lead to any other")
    func positions() {
        var places: [SequencerPosition] = []
        for (isRunning, hasBegun) in [(false, false), (true, false), (true, true)] {
            for position in [0, 1, 6, 17, 96, 98_303] {
                places.append(.init(isRunning: isRunning, hasBegun: hasBegun, position: position))
            }
        }
        for from in places {
            for to in places {
                var place = from
                for command in from.commands(to: to) { _ = place.take(command) }
                #expect(place == to, "\(from) \(to)")
            }
        }
    }

    @Test("Time code is complete behind losses, forwards and backwards", arguments: 1...6)
    func timeCode(seed: Int) throws {
        var commands: [[UInt8]] = []
        for frame in 0..<60 {
            let isReverse = frame >= 30
            for step in 0..<(frame == 59 ? 5 : 8) {
                let piece = isReverse ? 7 - step : step
                commands.append([0xF1, UInt8(piece << 4 | (frame + piece) % 16)])
            }
        }
        var (sent, received) = (QuarterFrames(), QuarterFrames())
        for command in commands { sent.take(command[1]) }
        let (bytes, lost) = try stream(commands, losing: 0.05, seed: UInt64(seed))
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0xF1 { received.take(bytes[index + 1]) }
            index += bytes[index] == 0xF1 ? 2 : 3
        }
        #expect(lost > 5 && received.complete == sent.complete && received.complete != nil)
        #expect(received.count == sent.count && received.point == sent.point && received.isReverse == sent.isReverse)
    }

    @Test("Ends of notes keep their velocities, and notes that were begun twice are")
    func extras() throws {
        var (sender, receiver) = (RTPSender(ssrc: 1, start: 0), RTPReceiver())
        func send(_ commands: [[UInt8]], arrives: Bool) throws -> [[UInt8]] {
            let packet = sender.packet(commands.map { .init(delta: 0, bytes: $0) }, timestamp: 0)
            return arrives ? receiver.receive(try RTPPacket(packet.bytes)).map(\.bytes) : []
        }
        _ = try send([[0x90, 60, 9]], arrives: true)
        _ = try send([[0x80, 60, 23], [0x90, 61, 5], [0x90, 61, 5]], arrives: false)
        let repairs = try send([[0xC0, 1]], arrives: true)
        #expect(repairs == [[0x80, 60, 23], [0x90, 61, 5], [0x90, 61, 5], [0xC0, 1]])
    }

    @Test("A system reset that was lost is repaired before what came behind it")
    func reset() throws {
        var (sender, receiver) = (RTPSender(ssrc: 1, start: 0), RTPReceiver())
        let packets: [(commands: [[UInt8]], arrives: Bool)] = [
            ([[0xB0, 7, 90]], true), ([[0xFF], [0xB0, 10, 3]], false),
        ]
        for (commands, arrives) in packets {
            let packet = sender.packet(commands.map { .init(delta: 0, bytes: $0) }, timestamp: 0)
            if arrives { _ = receiver.receive(packet) }
        }
        let packet = sender.packet([.init(delta: 0, bytes: [0xC0, 1])], timestamp: 0)
        #expect(receiver.receive(try RTPPacket(packet.bytes)).map(\.bytes) == [[0xFF], [0xB0, 10, 3], [0xC0, 1]])
    }

    @Test("The system journal's bytes stand where RFC 6295 puts them")
    func bytes() {
        var history = CommandHistory()
        let commands: [[UInt8]] = [
            [0xFF], [0xF3, 5], [0xFE], [0xF2, 2, 0], [0xFB], [0xF1, 0x07], [0xF0, 0x7D, 3, 0xF7], [0xB1, 101, 0],
            [0xB1, 100, 2], [0xB1, 6, 70],
        ]
        for command in commands { history.note(command, packet: 1) }
        #expect(
            JournalWriter.write(history, from: 1, sequence: 9) == [
                0x60, 0, 9,
                0x7C, 18, 0x50, 1, 5, 1, 0x50, 0, 12, 0x20, 0x70, 0, 0, 0, 0x2F, 1, 0x7D, 0x83,
                0x08, 9, 0x20, 0x20, 6, 2, 0x00, 0x82, 70,
            ])
    }
}
