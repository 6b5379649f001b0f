// Properties of units, in the C interface's spelling. Any thread but the render thread.
//
// `kAudioUnitErr_InvalidProperty` for a property the unit does not have, `kAudioUnitErr_InvalidScope` and
// `kAudioUnitErr_InvalidElement` for places that are not its, `kAudioUnitErr_PropertyNotWritable` for what can only be
// read, and `kAudioUnitErr_InvalidPropertyValue` for data of the wrong size.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Writes the size of a property and whether it can be set.
@discardableResult
public func AudioUnitGetPropertyInfo(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    withUnit(inUnit) { interface in
        let property = try UnitProperties.find(inID),
            place = UnitPlace(interface: interface, handle: inUnit, scope: inScope, element: inElement)
        try property.check(place)
        let size =
            try property.size ?? property.read?(
                place, PropertyData(nil, 0, badSize: kAudioUnitErr_InvalidPropertyValue)
            ).size ?? 0
        outDataSize?.pointee = UInt32(clamping: size)
        outWritable?.pointee = DarwinBoolean(property.write != nil)
    }
}

/// Writes a property to `outData`, which has room for `ioDataSize` bytes, and sets that to the bytes written. Too
/// little room gives `kAudioUnitErr_InvalidPropertyValue`, and nothing is written.
@discardableResult
public func AudioUnitGetProperty(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ outData: UnsafeMutableRawPointer, _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    withUnit(inUnit) { interface in
        let property = try UnitProperties.find(inID),
            place = UnitPlace(interface: interface, handle: inUnit, scope: inScope, element: inElement)
        try property.check(place)
        guard let read = property.read else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        if let size = property.size, Int(ioDataSize.pointee) < size {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        let value = try read(
            place, PropertyData(outData, ioDataSize.pointee, badSize: kAudioUnitErr_InvalidPropertyValue))
        try value.write(to: outData, ioDataSize, badSize: kAudioUnitErr_InvalidPropertyValue)
    }
}

/// Gives a property `inDataSize` bytes at `inData`, and tells who listens to it.
@discardableResult
public func AudioUnitSetProperty(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
    _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
    withUnit(inUnit) { interface in
        let property = try UnitProperties.find(inID),
            place = UnitPlace(interface: interface, handle: inUnit, scope: inScope, element: inElement)
        try property.check(place)
        guard let write = property.write else { throw StatusError(kAudioUnitErr_PropertyNotWritable) }
        try write(place, PropertyData(inData, inDataSize, badSize: kAudioUnitErr_InvalidPropertyValue))
        interface.report(inID, inUnit, inScope, inElement)
    }
}

/// Calls `inProc` whenever a property was set, on the thread that set it, or an output unit has started or stopped.
@discardableResult
public func AudioUnitAddPropertyListener(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    withUnit(inUnit) { interface in
        interface.keep {
            $0.listeners.append(UnitInterface.Listener(property: inID, function: inProc, reference: inProcUserData))
        }
    }
}

/// Takes back each `AudioUnitAddPropertyListener` with the same property, function and reference; does nothing where
/// there was none.
@discardableResult
public func AudioUnitRemovePropertyListenerWithUserData(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inProc: @escaping AudioUnitPropertyListenerProc,
    _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
    withUnit(inUnit) { $0.removeListener(inID, inProc, inProcUserData) }
}
