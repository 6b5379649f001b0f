// Thru connections: messages that the MIDI system passes on by itself.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Makes a connection from its parameters as bytes; its reference goes to `outConnection`. With an owner, a name in the
/// style of domains, it can be found again and is announced when it changes. It ends with the process either way.
/// `kAudio_ParamError` for bytes that are no parameters.
@discardableResult
public func MIDIThruConnectionCreate(
    _ inPersistentOwnerID: CFString?, _ inConnectionParams: CFData,
    _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>
) -> OSStatus {
    status(outConnection) {
        try MIDIHub.shared.createThru(
            try ThruParameters(reading: inConnectionParams), owner: inPersistentOwnerID.map { String(describing: $0) })
    }
}

/// Ends a connection.
@discardableResult
public func MIDIThruConnectionDispose(_ connection: MIDIThruConnectionRef) -> OSStatus {
    status { try MIDIHub.shared.disposeThru(connection) }
}

/// Writes the parameters of a connection as bytes, retained for the caller.
@discardableResult
public func MIDIThruConnectionGetParams(
    _ connection: MIDIThruConnectionRef, _ outConnectionParams: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
    status {
        let parameters = try MIDIHub.shared.thruParameters(of: connection)
        outConnectionParams.pointee = .passRetained(CFData(data: parameters.written))
    }
}

/// Replaces the parameters of a connection.
@discardableResult
public func MIDIThruConnectionSetParams(
    _ connection: MIDIThruConnectionRef, _ inConnectionParams: CFData
) -> OSStatus {
    status { try MIDIHub.shared.setThruParameters(ThruParameters(reading: inConnectionParams), of: connection) }
}

/// Writes the references of an owner's connections, `MIDIThruConnectionRef` behind each other, retained for the caller.
@discardableResult
public func MIDIThruConnectionFind(
    _ inPersistentOwnerID: CFString, _ outConnectionList: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
    let found = MIDIHub.shared.thruConnections(of: String(describing: inPersistentOwnerID))
    let data = found.withUnsafeBytes { Data($0) }
    outConnectionList.pointee = .passRetained(CFData(data: data))
    return noErr
}

/// Makes parameters that pass everything, without endpoints.
public func MIDIThruConnectionParamsInitialize(_ inConnectionParams: UnsafeMutablePointer<MIDIThruConnectionParams>) {
    inConnectionParams.pointee = MIDIThruConnectionParams()
    withUnsafeMutableBytes(of: &inConnectionParams.pointee.channelMap) { map in
        for channel in 0..<16 { map[channel] = UInt8(channel) }
    }
    inConnectionParams.pointee.highVelocity = 127
    inConnectionParams.pointee.highNote = 127
}

/// Bytes of parameters with their control transforms and maps.
public func MIDIThruConnectionParamsSize(_ ptr: UnsafePointer<MIDIThruConnectionParams>) -> Int {
    MemoryLayout<MIDIThruConnectionParams>.size
        + Int(ptr.pointee.numControlTransforms) * MemoryLayout<MIDIControlTransform>.size
        + Int(ptr.pointee.numMaps) * MemoryLayout<MIDIValueMap>.size
}

extension ThruParameters {
    private static let headSize = MemoryLayout<MIDIThruConnectionParams>.size
    private static let controlSize = MemoryLayout<MIDIControlTransform>.size
    private static let mapSize = MemoryLayout<MIDIValueMap>.size

    private static func malformed(_ found: String) -> HubFault {
        HubFault(
            .badArgument, object: "MIDI thru connection", found: found,
            rule: "Parameters are a MIDIThruConnectionParams with its control transforms and maps behind it.",
            cure: "Make bytes of MIDIThruConnectionParamsSize() from it.")
    }

    /// From the bytes of C's structures.
    init(reading data: CFData) throws(HubFault) {
        let bytes = [UInt8](Data(referencing: data))
        guard bytes.count >= ThruParameters.headSize else {
            throw ThruParameters.malformed("has \(bytes.count) bytes of parameters")
        }
        var head = bytes.withUnsafeBytes { $0.loadUnaligned(as: MIDIThruConnectionParams.self) }
        guard head.version == 0, bytes.count >= MIDIThruConnectionParamsSize(&head), head.numSources <= 8,
            head.numDestinations <= 8
        else { throw ThruParameters.malformed("has parameters whose counts do not fit their bytes") }
        self.init()
        try read(head)
        try read(bytes, head)
    }

    private mutating func read(_ head: MIDIThruConnectionParams) throws(HubFault) {
        let transforms = [
            head.noteNumber, head.velocity, head.keyPressure, head.channelPressure, head.programChange, head.pitchBend,
        ]
        guard transforms.allSatisfy(\.isKnown), head.lowVelocity <= head.highVelocity, head.lowNote <= head.highNote
        else { throw ThruParameters.malformed("has an unknown transform or an empty range") }
        sources = ThruParameters.endpoints(head.sources, head.numSources)
        destinations = ThruParameters.endpoints(head.destinations, head.numDestinations)
        channelMap = withUnsafeBytes(of: head.channelMap) { [UInt8]($0) }
        velocities = head.lowVelocity...head.highVelocity
        notes = head.lowNote...head.highNote
        noteNumber = Transform(head.noteNumber)
        velocity = Transform(head.velocity)
        keyPressure = Transform(head.keyPressure)
        channelPressure = Transform(head.channelPressure)
        programChange = Transform(head.programChange)
        pitchBend = Transform(head.pitchBend)
        dropsSysEx = head.filterOutSysEx != 0
        dropsTimeCode = head.filterOutMTC != 0
        dropsBeatClock = head.filterOutBeatClock != 0
        dropsTuneRequest = head.filterOutTuneRequest != 0
        dropsAllControls = head.filterOutAllControls != 0
    }

    private mutating func read(_ bytes: [UInt8], _ head: MIDIThruConnectionParams) throws(HubFault) {
        var position = ThruParameters.headSize
        for _ in 0..<head.numControlTransforms {
            let read = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: position, as: MIDIControlTransform.self)
            }
            guard read.isKnown else { throw ThruParameters.malformed("has an unknown control transform") }
            controls.append(Control(read))
            position += ThruParameters.controlSize
        }
        for _ in 0..<head.numMaps {
            maps.append(Array(bytes[position..<position + ThruParameters.mapSize]))
            position += ThruParameters.mapSize
        }
    }

    private static func endpoints<Tuple>(_ tuple: Tuple, _ count: UInt32) -> [Endpoint] {
        withUnsafeBytes(of: tuple) { bytes in
            (0..<Int(count)).map { index in
                let read = bytes.loadUnaligned(fromByteOffset: 8 * index, as: MIDIThruConnectionEndpoint.self)
                return Endpoint(id: read.endpointRef, uniqueID: read.uniqueID)
            }
        }
    }

    /// The bytes of C's structures.
    var written: Data {
        var head = MIDIThruConnectionParams()
        head.numSources = UInt32(sources.count)
        head.numDestinations = UInt32(destinations.count)
        ThruParameters.write(sources, to: &head.sources)
        ThruParameters.write(destinations, to: &head.destinations)
        withUnsafeMutableBytes(of: &head.channelMap) { $0.copyBytes(from: channelMap) }
        head.lowVelocity = velocities.lowerBound
        head.highVelocity = velocities.upperBound
        head.lowNote = notes.lowerBound
        head.highNote = notes.upperBound
        head.noteNumber = noteNumber.facade
        head.velocity = velocity.facade
        head.keyPressure = keyPressure.facade
        head.channelPressure = channelPressure.facade
        head.programChange = programChange.facade
        head.pitchBend = pitchBend.facade
        head.filterOutSysEx = dropsSysEx ? 1 : 0
        head.filterOutMTC = dropsTimeCode ? 1 : 0
        head.filterOutBeatClock = dropsBeatClock ? 1 : 0
        head.filterOutTuneRequest = dropsTuneRequest ? 1 : 0
        head.filterOutAllControls = dropsAllControls ? 1 : 0
        head.numControlTransforms = UInt16(controls.count)
        head.numMaps = UInt16(maps.count)
        var data = withUnsafeBytes(of: head) { Data($0) }
        for control in controls { withUnsafeBytes(of: control.facade) { data.append(contentsOf: $0) } }
        for map in maps { data.append(contentsOf: map) }
        return data
    }

    private static func write<Tuple>(_ endpoints: [Endpoint], to tuple: inout Tuple) {
        withUnsafeMutableBytes(of: &tuple) { bytes in
            for (index, endpoint) in endpoints.enumerated() {
                bytes.storeBytes(of: endpoint.id, toByteOffset: 8 * index, as: UInt32.self)
                bytes.storeBytes(of: endpoint.uniqueID, toByteOffset: 8 * index + 4, as: Int32.self)
            }
        }
    }
}

extension ThruParameters.Transform {
    fileprivate init(_ transform: MIDITransform) {
        self.init(Kind(rawValue: transform.transform.rawValue) ?? .none, transform.param)
    }

    fileprivate var facade: MIDITransform {
        MIDITransform(transform: MIDITransformType(rawValue: kind.rawValue) ?? .none, param: parameter)
    }
}

extension ThruParameters.Control {
    fileprivate init(_ control: MIDIControlTransform) {
        self.init(
            kind: Kind(rawValue: control.controlType.rawValue) ?? .control7,
            remappedKind: Kind(rawValue: control.remappedControlType.rawValue) ?? .control7,
            number: control.controlNumber,
            transform: ThruParameters.Transform(
                ThruParameters.Transform.Kind(rawValue: control.transform.rawValue) ?? .none, control.param))
    }

    fileprivate var facade: MIDIControlTransform {
        MIDIControlTransform(
            controlType: MIDITransformControlType(rawValue: kind.rawValue) ?? .controlType_7Bit,
            remappedControlType: MIDITransformControlType(rawValue: remappedKind.rawValue) ?? .controlType_7Bit,
            controlNumber: number, transform: transform.facade.transform, param: transform.parameter)
    }
}
