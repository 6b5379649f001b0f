// Parameters and properties of units, in the C interface's spelling. Any thread but the render thread.

/// Sets a parameter to `inValue`, clamped to its range, at the next cycle whatever `inBufferOffsetInFrames` says.
///
/// `kAudioUnitErr_InvalidElement` for a unit or element that is not there, `kAudioUnitErr_InvalidParameter` for an unknown parameter
/// or one that can only be read, `kAudioUnitErr_InvalidScope` for one of another scope, `kAudioUnitErr_InvalidParameterValue` for NaN.
@discardableResult
public func AudioUnitSetParameter(_ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
                                  _ inValue: AudioUnitParameterValue, _ inBufferOffsetInFrames: UInt32) -> OSStatus {
    withParameter(of: inUnit, inID, inScope, inElement) { parameter in
        guard parameter.flags.contains(.flag_IsWritable) || !parameter.flags.contains(.flag_IsReadable) else { return kAudioUnitErr_InvalidParameter }
        guard !inValue.isNaN else { return kAudioUnitErr_InvalidParameterValue }
        parameter.value = inValue
        return noErr
    }
}

/// Writes a parameter's value to `outValue`. Errors as in `AudioUnitSetParameter`; then nothing is written.
@discardableResult
public func AudioUnitGetParameter(_ inUnit: AudioUnit, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
                                  _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>) -> OSStatus {
    withParameter(of: inUnit, inID, inScope, inElement) { parameter in
        outValue.pointee = parameter.value
        return noErr
    }
}

/// Gives a property `inDataSize` bytes at `inData`. `kAudioUnitErr_InvalidElement` for a unit that is not there,
/// `kAudioUnitErr_InvalidProperty` for an unknown property.
@discardableResult
public func AudioUnitSetProperty(_ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
                                 _ inData: UnsafeRawPointer?, _ inDataSize: UInt32) -> OSStatus {
    guard let unit = AudioUnitTable.shared.unit(of: inUnit) else { return kAudioUnitErr_InvalidElement }
    return unit.setProperty(inID, scope: inScope, element: inElement, data: inData, size: inDataSize)
}

/// Writes a property to `outData`, at most `ioDataSize` bytes, and sets `ioDataSize` to the number written. Errors as in
/// `AudioUnitSetProperty`.
@discardableResult
public func AudioUnitGetProperty(_ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement,
                                 _ outData: UnsafeMutableRawPointer, _ ioDataSize: UnsafeMutablePointer<UInt32>) -> OSStatus {
    guard let unit = AudioUnitTable.shared.unit(of: inUnit) else { return kAudioUnitErr_InvalidElement }
    return unit.getProperty(inID, scope: inScope, element: inElement, data: outData, size: ioDataSize)
}

/// Calls `body` with a parameter, or says which of unit, parameter, scope and element is wrong.
private func withParameter(of handle: AudioUnit, _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
                           _ body: (AUParameter) -> OSStatus) -> OSStatus {
    guard let tree = AudioUnitTable.shared.unit(of: handle)?.parameterTree else { return kAudioUnitErr_InvalidElement }
    if let parameter = tree.parameter(withID: id, scope: scope, element: element) { return body(parameter) }
    if tree.parameter(withID: id, scope: scope, element: 0) != nil { return kAudioUnitErr_InvalidElement }
    let scopes = kAudioUnitScope_Global...kAudioUnitScope_LayerItem
    return scopes.contains { tree.parameter(withID: id, scope: $0, element: 0) != nil } ? kAudioUnitErr_InvalidScope : kAudioUnitErr_InvalidParameter
}
