import Dispatch
import Foundation
import Synchronization
import Testing
@testable import OssicleCoreMIDI
@testable import OssicleMIDI

/// What arrives, and a wait for it; the limit is for a test that fails.
private final class Box<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func put(_ value: Value) {
        values.withLock { $0.append(value) }
        arrived.signal()
    }

    func take(_ count: Int) -> [Value] {
        for _ in 0..<count { guard arrived.wait(timeout: .now() + 20) == .success else { break } }
        return values.withLock { $0 }
    }
}

@Suite("Core MIDI functions") struct MIDIFunctionTests {
    private func client() -> MIDIClientRef {
        var client = MIDIClientRef()
        #expect(MIDIClientCreateWithBlock("test", &client, nil) == noErr && client != 0)
        return client
    }

    private func source(_ client: MIDIClientRef, _ spoken: MIDIProtocolID = ._1_0) -> MIDIEndpointRef {
        var source = MIDIEndpointRef()
        #expect(MIDISourceCreateWithProtocol(client, "keys", spoken, &source) == noErr)
        return source
    }

    private func list(_ data: [UInt8], _ body: (UnsafePointer<MIDIPacketList>) -> Void) {
        let builder = MIDIPacketList.Builder(byteSize: 65_536)
        builder.append(timestamp: 0, data: data)
        builder.withUnsafePointer(body)
    }

    @Test("Packets of a virtual source reach blocks and functions, with what they were connected with")
    func received() {
        let client = client()
        defer { MIDIClientDispose(client) }
        let source = source(client)
        let blocks = Box<([UInt8], UInt)>()
        var port = MIDIPortRef()
        let block: MIDIReadBlock = { list, context in
            for packet in list.unsafeSequence() {
                let bytes = UnsafeBufferPointer(start: packet.contents, count: Int(packet.pointee.length))
                blocks.put((Array(bytes), UInt(bitPattern: context)))
            }
        }
        #expect(MIDIInputPortCreateWithBlock(client, "in", &port, block) == noErr)
        #expect(MIDIPortConnectSource(port, source, UnsafeMutableRawPointer(bitPattern: 77)) == noErr)
        let calls = Box<UInt>()
        let context = Unmanaged.passUnretained(calls).toOpaque()
        var second = MIDIPortRef()
        let proc: MIDIReadProc = { list, port, connection in
            guard let port else { return }
            Unmanaged<Box<UInt>>.fromOpaque(port).takeUnretainedValue().put(
                UInt(bitPattern: connection) + UInt(list.pointee.packet.length))
        }
        #expect(MIDIInputPortCreate(client, "old", proc, context, &second) == noErr)
        #expect(MIDIPortConnectSource(second, source, UnsafeMutableRawPointer(bitPattern: 100)) == noErr)
        list([0x90, 60, 100]) { #expect(MIDIReceived(source, $0) == noErr) }
        let found = blocks.take(1)
        #expect(found.count == 1 && found[0].0 == [0x90, 60, 100] && found[0].1 == 77)
        #expect(calls.take(1) == [103])
        #expect(MIDIPortDisconnectSource(port, source) == noErr)
        #expect(MIDIPortDisconnectSource(port, source) == kMIDINoConnection)
        #expect(MIDIPortDispose(port) == noErr && MIDIPortDispose(port) == kMIDIInvalidPort)
    }

    @Test("Events reach a destination in its protocol, and 40,000 bytes of system exclusive data come whole")
    func sent() {
        let client = client()
        defer { MIDIClientDispose(client) }
        let words = Box<[UInt32]>()
        var (wide, legacy, port) = (MIDIEndpointRef(), MIDIEndpointRef(), MIDIPortRef())
        #expect(
            MIDIDestinationCreateWithProtocol(client, "synth", ._2_0, &wide) { list, _ in
                MIDIEventListForEachEvent(list, { _, _, message in words.put(message.words) }, nil)
            } == noErr)
        let bytes = Box<[UInt8]>()
        let block: MIDIReadBlock = { list, _ in
            for packet in list.unsafeSequence() {
                bytes.put(Array(UnsafeBufferPointer(start: packet.contents, count: Int(packet.pointee.length))))
            }
        }
        #expect(MIDIDestinationCreateWithBlock(client, "old", &legacy, block) == noErr)
        #expect(MIDIOutputPortCreate(client, "out", &port) == noErr)
        let builder = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 64)
        builder.append(timestamp: 0, words: [MIDI1UPNoteOn(0, 1, 60, 127), MIDI1UPPitchBend(0, 1, 0, 64)])
        builder.withUnsafePointer { #expect(MIDISendEventList(port, wide, $0) == noErr) }
        #expect(words.take(2) == [[0x4091_3C00, 0xFFFF_0000], [0x40E1_0000, 0x8000_0000]])
        let message = [0xF0] + (0..<40_000).map { UInt8($0 % 127) } + [0xF7]
        list(message) { #expect(MIDISend(port, legacy, $0) == noErr) }
        var whole = bytes.take(1).flatMap { $0 }
        if whole.count < message.count { whole = bytes.take(1).flatMap { $0 } }
        #expect(whole == message)
    }

    /// One message of every kind and status that the formats of M2-104-UM have, but for channel messages of MIDI 1.0,
    /// which become those of MIDI 2.0 on the way.
    private static let everyKind: [[UInt32]] = {
        let utility: [UInt32] = [0, 0x0010_1234, 0x0020_1234, 0x0030_0060, 0x0040_0010]
        let system: [UInt32] = [0xF1, 0xF2, 0xF3, 0xF6, 0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF].map {
            // Of one byte of data, two, one, and none.
            0x1300_0000 | $0 << 16 | ($0 == 0xF2 ? 0x1122 : $0 == 0xF1 || $0 == 0xF3 ? 0x1100 : 0)
        }
        let exclusive: [[UInt32]] = (0..<4).map { [0x3302_0102 | $0 << 20, 0] }
        // 7 is no status.
        let voices: [[UInt32]] = (0..<16).filter { $0 != 7 }.map { [0x4305_3C03 | $0 << 20, 0x89AB_CDEF] }
        let wide: [[UInt32]] = [0, 1, 2, 3, 8, 9].map {
            [0x5304_1701 | $0 << 20, 0x0203_0405, 0x0607_0809, 0x0A0B_0C0D]
        }
        let flex: [[UInt32]] = [0x00, 0x01, 0x02, 0x05, 0x06].map { [0xD310_0000 | $0, 1, 2, 3] }
        let stream: [[UInt32]] = [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0x20, 0x21].map {
            [0xF000_0101 | $0 << 16, 4, 5, 6]
        }
        return (utility + system).map { [$0] } + exclusive + voices + wide + flex + stream
    }()

    @Test("Universal messages of every kind reach a destination of MIDI 2.0 as they were sent")
    func everyKind() {
        let client = client()
        defer { MIDIClientDispose(client) }
        let words = Box<[UInt32]>()
        var (synth, port) = (MIDIEndpointRef(), MIDIPortRef())
        #expect(
            MIDIDestinationCreateWithProtocol(client, "synth", ._2_0, &synth) { list, _ in
                MIDIEventListForEachEvent(list, { _, _, message in words.put(message.words) }, nil)
            } == noErr)
        #expect(MIDIOutputPortCreate(client, "out", &port) == noErr)
        for message in Self.everyKind {
            let builder = MIDIEventList.Builder(inProtocol: ._2_0, wordSize: 64)
            builder.append(timestamp: 0, words: message)
            builder.withUnsafePointer { #expect(MIDISendEventList(port, synth, $0) == noErr) }
        }
        #expect(words.take(Self.everyKind.count) == Self.everyKind)
    }

    @Test("A long message is sent by itself and completes")
    func sysEx() {
        let client = client()
        defer { MIDIClientDispose(client) }
        let bytes = Box<UInt8>()
        var destination = MIDIEndpointRef()
        let block: MIDIReadBlock = { list, _ in
            for packet in list.unsafeSequence() {
                for index in 0..<Int(packet.pointee.length) { bytes.put(packet.contents[index]) }
            }
        }
        #expect(MIDIDestinationCreateWithBlock(client, "synth", &destination, block) == noErr)
        let message = [0xF0] + (0..<700).map { UInt8($0 % 128) } + [0xF7]
        let ended = Box<UInt32>()
        message.withUnsafeBufferPointer { message in
            guard let start = message.baseAddress else { return }
            var request = MIDISysexSendRequest(
                destination: destination, data: start, bytesToSend: UInt32(message.count), complete: false,
                reserved: (0, 0, 0),
                completionProc: { request in
                    guard let box = request.pointee.completionRefCon else { return }
                    Unmanaged<Box<UInt32>>.fromOpaque(box).takeUnretainedValue().put(request.pointee.bytesToSend)
                }, completionRefCon: Unmanaged.passUnretained(ended).toOpaque())
            withUnsafeMutablePointer(to: &request) { request in
                #expect(MIDISendSysex(request) == noErr)
                #expect(ended.take(1) == [0])
                #expect(request.pointee.complete.boolValue)
                request.pointee.destination = 0
                #expect(MIDISendSysex(request) == kMIDIUnknownEndpoint)
            }
        }
        #expect(bytes.take(message.count) == message)
    }

    @Test("Notifications carry the structure of their kind")
    func notifications() {
        let heard = Box<String>()
        var client = MIDIClientRef()
        let block: MIDINotifyBlock = { notification in
            switch notification.pointee.messageID {
            case .msgObjectAdded:
                let added = UnsafeRawPointer(notification).load(as: MIDIObjectAddRemoveNotification.self)
                heard.put("added \(added.childType) \(added.parentType)")
            case .msgPropertyChanged:
                let changed = UnsafeRawPointer(notification).load(as: MIDIObjectPropertyChangeNotification.self)
                heard.put("changed \(changed.propertyName.takeUnretainedValue()) \(notification.pointee.messageSize)")
            default: break
            }
        }
        #expect(MIDIClientCreateWithBlock("listener", &client, block) == noErr)
        let source = source(client)
        #expect(MIDIObjectSetStringProperty(source, kMIDIPropertyModel, "my model") == noErr)
        // Other tests' endpoints come and go at the same time.
        var all = heard.take(2)
        while !all.contains(where: { $0.hasPrefix("changed") }), all.count < 200 { all = heard.take(1) }
        #expect(all.contains("added source other"))
        let size = MemoryLayout<MIDIObjectPropertyChangeNotification>.size
        #expect(all.contains("changed model \(size)") && size == 24)
        #expect(MIDIClientDispose(client) == noErr && MIDIClientDispose(client) == kMIDIInvalidClient)
    }

    @Test("Properties of every type are kept, listed and removed")
    func properties() throws {
        var device = MIDIDeviceRef()
        #expect(MIDIExternalDeviceCreate("Box", "Maker", "One", &device) == noErr)
        var entity = MIDIEntityRef()
        #expect(MIDIDeviceNewEntity(device, "Port", ._2_0, true, 1, 2, &entity) == noErr)
        #expect(MIDIDeviceNewEntity(device, "Port", ._2_0, true, -1, 2, &entity) == kAudio_ParamError)
        let bytes = CFData(data: Data([1, 2, 3]))
        #expect(MIDIObjectSetDataProperty(entity, "bytes", bytes) == noErr)
        let names = NSDictionary(dictionary: ["a": 1, "b": ["c"]])
        #expect(MIDIObjectSetDictionaryProperty(entity, "names", names) == noErr)
        #expect(MIDIObjectSetIntegerProperty(entity, kMIDIPropertyMaxSysExSpeed, 99) == noErr)
        let source = MIDIEntityGetSource(entity, 0)
        var data: Unmanaged<CFData>?
        #expect(MIDIObjectGetDataProperty(source, "bytes", &data) == noErr)
        #expect(data.map { [UInt8](Data(referencing: $0.takeRetainedValue())) } == [1, 2, 3])
        var dictionary: Unmanaged<CFDictionary>?
        #expect(MIDIObjectGetDictionaryProperty(source, "names", &dictionary) == noErr)
        #expect((dictionary?.takeRetainedValue() as? [String: Any])?["a"] as? Int == 1)
        var number: Int32 = 0
        #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyMaxSysExSpeed, &number) == noErr && number == 99)
        #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyModel, &number) == kMIDIWrongPropertyType)
        #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyCanRoute, &number) == kMIDIUnknownProperty)
        var all: Unmanaged<CFPropertyList>?
        #expect(MIDIObjectGetProperties(device, &all, true) == noErr)
        let tree = try #require(all?.takeRetainedValue() as? NSDictionary)
        let entities = try #require(tree["entities"] as? [[String: Any]])
        #expect(tree["manufacturer"] as? String == "Maker" && entities.count == 1)
        #expect((entities[0]["destinations"] as? [Any])?.count == 2)
        #expect(MIDIObjectRemoveProperty(entity, "bytes") == noErr)
        #expect(MIDIObjectGetDataProperty(source, "bytes", &data) == kMIDIUnknownProperty)
        #expect(MIDIObjectGetIntegerProperty(source, kMIDIPropertyUniqueID, &number) == noErr)
        var (found, kind) = (MIDIObjectRef(), MIDIObjectType.other)
        #expect(MIDIObjectFindByUniqueID(number, &found, &kind) == noErr)
        #expect(found == source && kind == .externalSource)
        #expect(MIDIObjectFindByUniqueID(kMIDIInvalidUniqueID, &found, &kind) == kMIDIObjectNotFound)
        var above = MIDIObjectRef()
        #expect(MIDIEndpointGetEntity(source, &above) == noErr && above == entity)
        #expect(MIDIEntityGetDevice(entity, &above) == noErr && above == device)
        #expect(MIDIDeviceRemoveEntity(device, entity) == noErr && MIDIDeviceGetNumberOfEntities(device) == 0)
    }

    @Test("References that name nothing give a status, and indices out of range give 0")
    func stale() {
        for stale in [0, 0x7FFF_FFFF, .max] as [UInt32] {
            var (number, object) = (Int32(0), MIDIObjectRef())
            #expect(MIDIPortConnectSource(stale, stale, nil) == kMIDIInvalidPort)
            #expect(MIDIObjectGetIntegerProperty(stale, kMIDIPropertyUniqueID, &number) == kMIDIObjectNotFound)
            #expect(MIDIEndpointGetEntity(stale, &object) == kMIDIObjectNotFound)
            #expect(MIDIEndpointDispose(stale) == kMIDIUnknownEndpoint)
            #expect(MIDISetupAddDevice(stale) == kMIDIObjectNotFound)
            #expect(MIDIThruConnectionDispose(stale) == kMIDIObjectNotFound)
            #expect(MIDIFlushOutput(stale) == (stale == 0 ? noErr : kMIDIUnknownEndpoint))
            #expect(MIDIDeviceGetEntity(stale, 0) == 0 && MIDIEntityGetNumberOfSources(stale) == 0)
        }
        for index in [-1, .max, .min] as [Int] {
            #expect(MIDIGetSource(index) == 0 && MIDIGetDestination(index) == 0 && MIDIGetDevice(index) == 0)
            #expect(MIDIGetExternalDevice(index) == 0)
        }
        #expect(OssicleError.describe(status: kMIDIInvalidPort).hasPrefix("kMIDIInvalidPort"))
    }
}
