// Lists in memory from the hub's packets, and back; what receives them.

import OssicleCoreAudioTypes
import OssicleMIDI

/// The packets of a client's list.
func packets(of list: UnsafePointer<MIDIPacketList>) -> MIDIPackets {
    .bytes(
        list.unsafeSequence().map { packet in
            MIDIBytePacket(
                time: packet.pointee.timeStamp,
                bytes: Array(UnsafeBufferPointer(start: packet.contents, count: Int(packet.pointee.length))))
        })
}

/// The packets of a client's list; a count above 64 words is taken as 64.
func packets(of list: UnsafePointer<MIDIEventList>) -> MIDIPackets {
    let packets = list.unsafeSequence().map { packet in
        let words = (UnsafeRawPointer(packet) + MIDIEventPacket.headSize).assumingMemoryBound(to: UInt32.self)
        let count = min(Int(packet.pointee.wordCount), MIDIEventPacket.largestCount)
        return MIDIWordPacket(
            time: packet.pointee.timeStamp, words: Array(UnsafeBufferPointer(start: words, count: count)))
    }
    return .words(packets, list.pointee.protocol.engine)
}

/// Hands packets to a client's block as lists of at most 65 536 bytes.
func deliver(_ packets: [MIDIBytePacket], to block: MIDIReadBlock, _ context: UnsafeMutableRawPointer?) {
    let most = 32_768
    let pieces = packets.flatMap { packet in
        stride(from: 0, to: packet.bytes.count, by: most).map { start in
            MIDIBytePacket(time: packet.time, bytes: Array(packet.bytes[start..<min(start + most, packet.bytes.count)]))
        }
    }
    var upcoming = pieces[...]
    while !upcoming.isEmpty {
        let size = upcoming.reduce(4) { $0 + MIDIPacket.headSize + $1.bytes.count + 3 }
        let builder = MIDIPacketList.Builder(byteSize: size)
        while let packet = upcoming.first, builder.append(timestamp: packet.time, data: packet.bytes) != nil {
            upcoming.removeFirst()
        }
        builder.withUnsafePointer { block($0, context) }
    }
}

/// Hands packets to a client's block as lists of at most 65 536 bytes, each packet of at most 64 words.
func deliver(
    _ packets: [MIDIWordPacket], _ spoken: MIDIProtocol, to block: MIDIReceiveBlock,
    _ context: UnsafeMutableRawPointer?
) {
    let messages = packets.flatMap { packet in
        UniversalMessages(packet.words).map { message in
            (time: packet.time, words: (0..<message.count).map { message.words[$0] })
        }
    }
    var upcoming = messages[...]
    while !upcoming.isEmpty {
        let builder = MIDIEventList.Builder(
            inProtocol: spoken == .midi2 ? ._2_0 : ._1_0, wordSize: 3 + upcoming.count * 7)
        while let message = upcoming.first, builder.append(timestamp: message.time, words: message.words) != nil {
            upcoming.removeFirst()
        }
        builder.withUnsafePointer { block($0, context) }
    }
}

/// What the hub calls for a client's block of lists of packets.
func receiver(_ block: @escaping MIDIReadBlock) -> MIDIReceiver {
    let block = Foreign(value: block)
    return { packets, context in
        guard case .bytes(let list) = packets else { return }
        deliver(list, to: block.value, UnsafeMutableRawPointer(bitPattern: context))
    }
}

/// What the hub calls for a client's block of lists of events.
func receiver(_ block: @escaping MIDIReceiveBlock) -> MIDIReceiver {
    let block = Foreign(value: block)
    return { packets, context in
        guard case .words(let list, let spoken) = packets else { return }
        deliver(list, spoken, to: block.value, UnsafeMutableRawPointer(bitPattern: context))
    }
}

/// What the hub calls for a client's function.
func receiver(_ proc: @escaping MIDIReadProc, _ portContext: UnsafeMutableRawPointer?) -> MIDIReceiver {
    let portContext = Foreign(value: portContext)
    return receiver { list, context in proc(list, portContext.value, context) }
}

/// Makes a port or destination that receives packets in `form`; its reference goes to `out`.
func create(
    _ make: (HubID, String, MIDIForm, @escaping MIDIReceiver) throws -> HubID,
    _ client: MIDIClientRef, _ name: CFString, _ form: MIDIForm, _ receive: @escaping MIDIReceiver,
    _ out: UnsafeMutablePointer<MIDIObjectRef>
) -> OSStatus {
    status(out) { try make(client, String(describing: name), form, receive) }
}
