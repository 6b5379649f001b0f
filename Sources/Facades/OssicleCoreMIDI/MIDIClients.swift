// Clients and their ports.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Receives a list of packets as a function of C: the list, what the port was made with, what the source was connected
/// with.
public typealias MIDIReadProc =
    @convention(c) (
        UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Void

/// The services of the machine, looked for once.
private let connection: Void = MachineBackends.shared.start(
    choice: ProcessInfo.processInfo.environment["OSSICLE_MIDI"])

/// Makes a client, whose reference goes to `outClient`. `notifyProc` is called with notifications and `notifyRefCon`.
/// Any thread.
@discardableResult
public func MIDIClientCreate(
    _ name: CFString, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
    _ outClient: UnsafeMutablePointer<MIDIClientRef>
) -> OSStatus {
    let context = Foreign(value: notifyRefCon)
    return MIDIClientCreateWithBlock(
        name, outClient, notifyProc.map { notify in { notification in notify(notification, context.value) } })
}

/// Makes a client, whose reference goes to `outClient`. `notifyBlock` is called with notifications. Any thread. The
/// first client of a process connects it to the ALSA sequencer and to JACK, where they are; `OSSICLE_MIDI` chooses
/// (`alsa`, `jack`, both with a comma, or `none`).
@discardableResult
public func MIDIClientCreateWithBlock(
    _ name: CFString, _ outClient: UnsafeMutablePointer<MIDIClientRef>, _ notifyBlock: MIDINotifyBlock?
) -> OSStatus {
    _ = connection
    var notify: (@Sendable (HubNotification) -> Void)?
    if let notifyBlock {
        let block = Foreign(value: notifyBlock)
        notify = { notification in notification.post(to: block.value) }
    }
    outClient.pointee = MIDIHub.shared.createClient(name: String(describing: name), notify: notify)
    return noErr
}

/// Disposes of a client, its ports and its virtual endpoints. `kMIDIInvalidClient` for a stale reference.
@discardableResult
public func MIDIClientDispose(_ client: MIDIClientRef) -> OSStatus {
    status { try MIDIHub.shared.disposeClient(client) }
}

/// Makes an input port that receives lists of packets with a function.
@discardableResult
public func MIDIInputPortCreate(
    _ client: MIDIClientRef, _ portName: CFString, _ readProc: @escaping MIDIReadProc,
    _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
    create(MIDIHub.shared.createInputPort, client, portName, .bytes, receiver(readProc, refCon), outPort)
}

/// Makes an input port that receives lists of packets: bytes of MIDI 1.0, into which other messages are translated.
@discardableResult
public func MIDIInputPortCreateWithBlock(
    _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>,
    _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
    create(MIDIHub.shared.createInputPort, client, portName, .bytes, receiver(readBlock), outPort)
}

/// Makes an input port that receives lists of events of `protocol`, into which other messages are translated.
@discardableResult
public func MIDIInputPortCreateWithProtocol(
    _ client: MIDIClientRef, _ portName: CFString, _ protocol: MIDIProtocolID,
    _ outPort: UnsafeMutablePointer<MIDIPortRef>, _ receiveBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
    create(MIDIHub.shared.createInputPort, client, portName, .words(`protocol`.engine), receiver(receiveBlock), outPort)
}

/// Makes an output port.
@discardableResult
public func MIDIOutputPortCreate(
    _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
    status(outPort) { try MIDIHub.shared.createOutputPort(client: client, name: String(describing: portName)) }
}

/// Disposes of a port and its connections. A call of its block may be under way.
@discardableResult
public func MIDIPortDispose(_ port: MIDIPortRef) -> OSStatus {
    status { try MIDIHub.shared.disposePort(port) }
}

/// Connects an input port to a source; `connRefCon` comes with what the source sends.
@discardableResult
public func MIDIPortConnectSource(
    _ port: MIDIPortRef, _ source: MIDIEndpointRef, _ connRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
    status { try MIDIHub.shared.connect(port: port, to: source, context: UInt(bitPattern: connRefCon)) }
}

/// Ends a connection. `kMIDINoConnection` where there is none.
@discardableResult
public func MIDIPortDisconnectSource(_ port: MIDIPortRef, _ source: MIDIEndpointRef) -> OSStatus {
    status { try MIDIHub.shared.disconnect(port: port, from: source) }
}
