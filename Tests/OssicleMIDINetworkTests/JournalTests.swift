import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleMIDINetwork

@Suite("RTP packets and recovery journals") struct JournalTests {
    private func command(_ bytes: [UInt8], delta: UInt32 = 0) -> RTPPacket.Command {
        RTPPacket.Command(delta: delta, bytes: bytes)
    }

    @Test("A packet's bytes stand where RFC 6295 puts them")
    func bytes() throws {
        let packet = RTPPacket(
            sequence: 0x1234, timestamp: 0x0102_0304, ssrc: 0xA0B0_C0D0,
            commands: [command([0x90, 60, 100]), command([0xC1, 5], delta: 200)], journal: [0, 0, 9])
        #expect(
            packet.bytes == [
                0x80, 0xE1, 0x12, 0x34, 1, 2, 3, 4, 0xA0, 0xB0, 0xC0, 0xD0, 0x47, 0x90, 60, 100, 0x81, 0x48, 0xC1, 5, 0,
                0, 9,
            ])
        #expect(try RTPPacket(packet.bytes) == packet)
    }

    @Test("Running status, delta times and long lists are read")
    func lists() throws {
        let head: [UInt8] = [0x80, 0x61, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]
        let packet = try RTPPacket(head + [0x29, 5, 0x90, 60, 1, 2, 61, 1, 0, 0xF8])
        #expect(
            packet.commands == [
                command([0x90, 60, 1], delta: 5), command([0x90, 61, 1], delta: 7), command([0xF8], delta: 7),
            ])
        let long = RTPPacket(
            sequence: 1, timestamp: 0, ssrc: 1,
            commands: [command([0xF0] + [UInt8](repeating: 1, count: 700) + [0xF7])],
            journal: nil)
        #expect(try RTPPacket(long.bytes) == long)
        for bytes in [[], head, head + [0x0F], head + [1, 60], head + [2, 0x90, 0x90], head + [0x80]] {
            #expect(throws: RTPPacketFault.self) { try RTPPacket(bytes) }
        }
    }

    /// Seeded channel commands of every kind.
    private func commands(_ count: Int, seed: UInt64) -> [[UInt8]] {
        let random = CounterRandom(seed: seed, object: 2)
        return (0..<UInt64(count)).map { index in
            let bits = random.bits(index)
            let status = UInt8(0x80 + 0x10 * (bits % 7)) | UInt8(bits >> 8 & 3)
            let (data1, data2) = (UInt8(bits >> 16 & 0x7F), UInt8(bits >> 24 & 0x7F))
            return status & 0xE0 == 0xC0 ? [status, data1] : [status, data1, data2]
        }
    }

    private func sounding(_ history: CommandHistory) -> [[UInt16]] {
        history.channels.channels.map { $0.notes.map(\.value) }
    }

    @Test("However many packets are lost, the next one's journal brings the receiver to the sender's state")
    func recovery() throws {
        for (round, gap) in [1, 2, 5, 40, 150].enumerated() {
            var sender = RTPSender(ssrc: 1, start: 65_530)
            var receiver = RTPReceiver()
            var (sent, received) = (CommandHistory(), CommandHistory())
            for (index, bytes) in commands(600, seed: UInt64(round)).enumerated() {
                let packet = sender.packet([command(bytes)], timestamp: 0)
                sent.note(bytes, packet: 1)
                guard index == 0 || index % (gap + 1) == 0 else { continue }
                for command in receiver.receive(try RTPPacket(packet.bytes)) { received.note(command.bytes, packet: 1) }
                sender.acknowledge(packet.sequence)
                #expect(sounding(sent) == sounding(received))
                for channel in 0..<4 {
                    let (ours, theirs) = (sent.channels.channels[channel], received.channels.channels[channel])
                    for number in 0..<128 where !ParameterHistory.controls(number) {
                        #expect(ours.controllers[number] == theirs.controllers[number])
                    }
                    #expect(ours.program == theirs.program && ours.parameters.chosen == theirs.parameters.chosen)
                    #expect(ours.pitchBend == theirs.pitchBend && ours.pressure == theirs.pressure)
                    #expect(ours.keyPressures == theirs.keyPressures)
                    let entered = ours.parameters.list.filter { $0.msb != nil || $0.lsb != nil || $0.steps != 0 }
                    let same = entered.allSatisfy { $0 == theirs.parameters.find($0.number) }
                    #expect(same && ours.begun == theirs.begun)
                }
            }
            #expect(receiver.lost > 0)
        }
    }

    @Test("Without acknowledgement journals stay bounded")
    func bounded() {
        var sender = RTPSender(ssrc: 1, start: 0)
        for bytes in commands(1500, seed: 9) {
            let packet = sender.packet([command(bytes)], timestamp: 0)
            #expect((packet.journal?.count ?? 0) <= RTPSender.longestJournal)
        }
    }

    @Test("Every number of sounding and ended notes is written and read", arguments: [0, 1, 126, 127, 128])
    func notes(_ count: Int) {
        var (history, receiver) = (CommandHistory(), CommandHistory())
        for note in 0..<128 {
            receiver.note([0x93, UInt8(note), 5], packet: 1)
            history.note(note < count ? [0x93, UInt8(note), 9] : [0x83, UInt8(note), 0], packet: 1)
        }
        let journal = JournalWriter.write(history, from: 1, sequence: 1)
        let repairs = JournalReader.repairs(of: receiver, by: journal)
        #expect(repairs.fault == nil)
        for bytes in repairs.commands { receiver.note(bytes, packet: 1) }
        #expect(sounding(receiver) == sounding(history))
    }

    @Test("Late and repeated packets are dropped, and an open system exclusive message is closed by a loss")
    func order() {
        var receiver = RTPReceiver()
        func packet(_ sequence: UInt16, _ bytes: [UInt8]) -> RTPPacket {
            RTPPacket(sequence: sequence, timestamp: 0, ssrc: 1, commands: [command(bytes)], journal: nil)
        }
        #expect(receiver.receive(packet(65_535, [0xC0, 1])).count == 1)
        #expect(receiver.receive(packet(0, [0xF0, 1, 2, 0xF0])).map(\.bytes) == [[0xF0, 1, 2]])
        #expect(receiver.receive(packet(65_535, [0xC0, 1])).isEmpty && receiver.receive(packet(0, [0xC0, 1])).isEmpty)
        #expect(receiver.receive(packet(2, [0xF7, 3, 0xF7])).map(\.bytes) == [[0xF7]])
        #expect(receiver.lost == 1 && receiver.dropped == 2)
    }

    @Test("Pieces of system exclusive messages become segments and bytes again")
    func segments() {
        let message = [0xF0] + (0..<1500).map { UInt8($0 % 128) } + [0xF7]
        var (cutter, receiver, bytes) = (RTPCommandCutter(), RTPReceiver(), [UInt8]())
        var sequence: UInt16 = 0
        for start in stride(from: 0, to: message.count, by: 333) {
            for part in cutter.commands(Array(message[start..<min(start + 333, message.count)])) {
                sequence += 1
                let packet = RTPPacket(
                    sequence: sequence, timestamp: 0, ssrc: 1, commands: [command(part)], journal: nil)
                bytes += receiver.receive(packet).flatMap(\.bytes)
            }
        }
        #expect(bytes == message)
        #expect(cutter.commands([0x90, 60, 1, 0x80, 60, 0, 0xF8]) == [[0x90, 60, 1], [0x80, 60, 0], [0xF8]])
    }

    @Test("Spoilt packets give faults or commands, and never trap")
    func mutated() {
        var sender = RTPSender(ssrc: 1, start: 0)
        let system: [[UInt8]] = [
            [0xF0, 1, 2, 3, 0xF7], [0xFA], [0xF8], [0xF1, 0x05], [0xF6], [0xF3, 4], [0xFE], [0xB0, 101, 0],
            [0xB0, 100, 1],
            [0xB0, 6, 3],
        ]
        let packets = (commands(30, seed: 3) + system).map { sender.packet([command($0)], timestamp: 7).bytes }
        let exchange = SessionPacket.invitation(.init(token: 5, ssrc: 6, name: "peer")).bytes
        let clock = SessionPacket.clock(ssrc: 1, count: 0, times: [1, 2, 3]).bytes
        var mutator = Mutator(seed: 12)
        var (receiver, read) = (RTPReceiver(), 0)
        for round in 0..<mutationCount(2000) {
            let spoilt = mutator.mutate((packets + [exchange, clock])[round % 42])
            _ = SessionPacket(spoilt)
            guard let packet = try? RTPPacket(spoilt) else { continue }
            read += 1
            for command in receiver.receive(packet) { #expect(!command.bytes.isEmpty) }
            if let journal = packet.journal { _ = JournalReader.repairs(of: CommandHistory(), by: journal) }
        }
        #expect(read > 250)
    }

    @Test("Packets of the session protocol come back as they were")
    func session() {
        let exchange = SessionPacket.Exchange(token: 0xDEAD_BEEF, ssrc: 7, name: "Käte")
        let packets: [SessionPacket] = [
            .invitation(exchange), .accepted(exchange), .rejected(exchange), .end(.init(token: 1, ssrc: 2)),
            .clock(ssrc: 3, count: 2, times: [1, .max, 1 << 40]), .feedback(ssrc: 4, sequence: 0xFFFE),
        ]
        for packet in packets { #expect(SessionPacket(packet.bytes) == packet) }
        #expect(
            SessionPacket.invitation(.init(token: 1, ssrc: 2, name: "a")).bytes
                == [0xFF, 0xFF, 0x49, 0x4E, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0x61, 0])
        #expect(SessionPacket([0xFF, 0xFF]) == nil && SessionPacket([UInt8](repeating: 0xFF, count: 40)) == nil)
    }
}
