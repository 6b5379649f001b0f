import Testing
@testable import OssicleCoreMIDI

@Suite("MIDI lists") struct MIDIListTests {
    @Test("Packets and lists lie in memory as Core MIDI packs them")
    func layout() {
        #expect(
            MemoryLayout<MIDIPacket>.size == 268 && MemoryLayout<MIDIPacket>.alignment == 4
                && MemoryLayout<MIDIPacket>.offset(of: \.data) == 10)
        #expect(
            MemoryLayout<MIDIPacket>.offset(of: \.timeStamp) == 0 && MemoryLayout<MIDIPacket>.offset(of: \.length) == 8)
        #expect(
            MemoryLayout<MIDIEventPacket>.offset(of: \.timeStamp) == 0
                && MemoryLayout<MIDIEventPacket>.offset(of: \.wordCount) == 8)
        #expect(
            MemoryLayout<MIDIEventList>.offset(of: \.protocol) == 0
                && MemoryLayout<MIDIEventList>.offset(of: \.numPackets) == 4)
        #expect(
            MemoryLayout<MIDIEventPacket>.alignment == 4 && MemoryLayout<MIDIPacketList>.offset(of: \.numPackets) == 0)
        #expect(MemoryLayout<MIDIPacketList>.size == 272 && MemoryLayout<MIDIPacketList>.offset(of: \.packet) == 4)
        #expect(MemoryLayout<MIDIEventPacket>.size == 268 && MemoryLayout<MIDIEventPacket>.offset(of: \.words) == 12)
        #expect(MemoryLayout<MIDIEventList>.size == 276 && MemoryLayout<MIDIEventList>.offset(of: \.packet) == 8)
    }

    @Test("Messages of one time share a packet, system exclusive data and other times have their own")
    func packets() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 400, alignment: 8)
        defer { memory.deallocate() }
        let list = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
        var packet = MIDIPacketListInit(list)
        packet = MIDIPacketListAdd(list, 400, packet, 10, 3, [0x90, 60, 100])
        packet = MIDIPacketListAdd(list, 400, packet, 10, 3, [0x90, 64, 100])
        packet = MIDIPacketListAdd(list, 400, packet, 10, 4, [0xF0, 1, 2, 0xF7])
        packet = MIDIPacketListAdd(list, 400, packet, 20, 2, [0xC0, 5])
        #expect(
            read(list) == [
                Read(time: 10, bytes: [0x90, 60, 100, 0x90, 64, 100]), Read(time: 10, bytes: [0xF0, 1, 2, 0xF7]),
                Read(time: 20, bytes: [0xC0, 5]),
            ])
    }

    @Test("What does not fit changes nothing")
    func full() {
        let size = MemoryLayout<MIDIPacketList>.size
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { memory.deallocate() }
        let list = memory.bindMemory(to: MIDIPacketList.self, capacity: 1)
        let first = MIDIPacketListInit(list)
        #expect(
            MIDIPacketListAdd(list, 40, first, 1, 30, [UInt8](repeating: 0x80, count: 30)) == first
                && list.pointee.numPackets == 0)
        #expect(
            MIDIPacketListAdd(list, -1, first, 1, 1, [0x80]) == first
                && MIDIPacketListAdd(list, size, first, 1, -1, [0x80]) == first)
        let packet = MIDIPacketListAdd(list, 40, first, 1, 3, [0x80, 1, 2])
        #expect(
            MIDIPacketListAdd(list, 40, packet, 2, 20, [UInt8](repeating: 0xF0, count: 20)) == packet
                && list.pointee.numPackets == 1)
        #expect(read(list) == [Read(time: 1, bytes: [0x80, 1, 2])])
    }

    @Test("A builder fills a list and says when it is full")
    func builder() {
        let builder = MIDIPacketList.Builder(byteSize: 0)
        #expect(builder.append(timestamp: 1, data: [0x90, 1, 2]) != nil && builder.count == 1)
        #expect(
            builder.append(timestamp: 2, data: [UInt8](repeating: 1, count: 300)) == nil
                && builder.append(timestamp: 2, data: []) == nil)
        #expect(builder.withUnsafePointer { read($0) } == [Read(time: 1, bytes: [0x90, 1, 2])])
        builder.clear()
        #expect(builder.count == 0)
    }

    @Test("Words of one time share a packet of at most 64")
    func events() {
        let builder = MIDIEventList.Builder(inProtocol: ._2_0, wordSize: 512)
        for time in [1, 1, 2] as [UInt64] {
            _ = builder.append(timestamp: time, words: [UInt32](repeating: UInt32(time), count: 32))
        }
        #expect(builder.append(timestamp: 1, words: [UInt32](repeating: 0, count: 65)) == nil)
        _ = builder.append(timestamp: 2, words: [UInt32](repeating: 3, count: 33))
        builder.withUnsafePointer { list in
            #expect(list.pointee.protocol == ._2_0)
            #expect(list.unsafeSequence().map { $0.pointee.timeStamp } == [1, 2, 2])
            #expect(
                list.unsafeSequence().map { $0.pointee.wordCount } == [64, 32, 33] && list.unsafeSequence().count == 3)
        }
    }

    @Test("A packet's builder keeps what fits")
    func packetBuilders() {
        let words = MIDIEventPacket.Builder(maximumNumberMIDIWords: 3)
        words.timeStamp = -5
        words.append(1, 2)
        words.append(3, 4)
        #expect(
            words.count == 3 && words.withUnsafePointer { $0.pointee.words.2 } == 3
                && words.withUnsafePointer { $0.pointee.timeStamp } == 0)
        let bytes = MIDIPacket.Builder(maximumNumberMIDIBytes: 1000)
        bytes.append(0x90, 60, 1)
        #expect(
            bytes.capacity == 256 && bytes.withUnsafePointer { $0.pointee.length } == 3
                && bytes.withUnsafePointer { $0.pointee.data.1 } == 60)
    }

    private struct Read: Equatable {
        var time: MIDITimeStamp
        var bytes: [UInt8]
    }

    private func read(_ list: UnsafePointer<MIDIPacketList>) -> [Read] {
        list.unsafeSequence().map {
            Read(
                time: $0.pointee.timeStamp,
                bytes: Array(UnsafeBufferPointer(start: $0.contents, count: Int($0.pointee.length))))
        }
    }
}
