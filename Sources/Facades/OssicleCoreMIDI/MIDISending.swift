// Messages out and in.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Sends packets to a destination, each at its time; 0 means now. Any thread; returns before they arrive.
@discardableResult
public func MIDISend(
    _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>
) -> OSStatus {
    status { try MIDIHub.shared.send(packets(of: pktlist), port: port, to: dest) }
}

/// Sends events to a destination, each packet at its time; 0 means now. Any thread; returns before they arrive.
@discardableResult
public func MIDISendEventList(
    _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ evtlist: UnsafePointer<MIDIEventList>
) -> OSStatus {
    status { try MIDIHub.shared.send(packets(of: evtlist), port: port, to: dest) }
}

/// Distributes packets of a virtual source to all ports connected to it, whatever their times; 0 becomes the time of
/// the call.
@discardableResult
public func MIDIReceived(_ src: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>) -> OSStatus {
    status { try MIDIHub.shared.receive(packets(of: pktlist), from: src) }
}

/// Distributes events of a virtual source to all ports connected to it, whatever their times; 0 becomes the time of the
/// call.
@discardableResult
public func MIDIReceivedEventList(_ src: MIDIEndpointRef, _ evtlist: UnsafePointer<MIDIEventList>) -> OSStatus {
    status { try MIDIHub.shared.receive(packets(of: evtlist), from: src) }
}

/// Drops what waits to be sent to a destination; to all of them for 0.
@discardableResult
public func MIDIFlushOutput(_ dest: MIDIEndpointRef) -> OSStatus {
    status { try MIDIHub.shared.flush(dest) }
}

/// Has devices looked for again.
@discardableResult
public func MIDIRestart() -> OSStatus {
    MIDIHub.shared.restart()
    return noErr
}

/// Called when a system exclusive message was sent, or its sending stopped. A Swift function, because `@convention(c)`
/// does not take pointers to Swift's structures.
public typealias MIDICompletionProc = @Sendable (UnsafeMutablePointer<MIDISysexSendRequest>) -> Void

/// A long system exclusive message that is sent by itself. It and its bytes stay valid until it is complete.
public struct MIDISysexSendRequest {
    /// Where it goes.
    public var destination: MIDIEndpointRef
    /// The next byte to send; moves on.
    public var data: UnsafePointer<UInt8>
    /// Bytes that are left; counts down.
    public var bytesToSend: UInt32
    /// True when it is over; set it to stop.
    public var complete: DarwinBoolean
    /// Zeros.
    public var reserved: (UInt8, UInt8, UInt8)
    /// Called at the end, on the hub's thread.
    public var completionProc: MIDICompletionProc
    /// The client's own.
    public var completionRefCon: UnsafeMutableRawPointer?

    /// From its fields.
    public init(
        destination: MIDIEndpointRef, data: UnsafePointer<UInt8>, bytesToSend: UInt32, complete: DarwinBoolean,
        reserved: (UInt8, UInt8, UInt8), completionProc: @escaping MIDICompletionProc,
        completionRefCon: UnsafeMutableRawPointer?
    ) {
        self.destination = destination
        self.data = data
        self.bytesToSend = bytesToSend
        self.complete = complete
        self.reserved = reserved
        self.completionProc = completionProc
        self.completionRefCon = completionRefCon
    }
}

/// Sends the bytes of a request, no faster than the destination takes them (`kMIDIPropertyMaxSysExSpeed`), and calls
/// its completion. Returns at once.
@discardableResult
public func MIDISendSysex(_ request: UnsafeMutablePointer<MIDISysexSendRequest>) -> OSStatus {
    let place = Foreign(value: request)
    let engine = SysExRequest { most in
        let request = place.value
        let count = min(Int(request.pointee.bytesToSend), most)
        guard count > 0, !request.pointee.complete.boolValue else { return [] }
        let bytes = Array(UnsafeBufferPointer(start: request.pointee.data, count: count))
        request.pointee.data += count
        request.pointee.bytesToSend -= UInt32(count)
        return bytes
    } completed: {
        place.value.pointee.complete = true
        place.value.pointee.completionProc(place.value)
    }
    return status { try MIDIHub.shared.send(engine, to: request.pointee.destination) }
}
