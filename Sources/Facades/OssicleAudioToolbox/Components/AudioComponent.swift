// Finding components and making units of them, in the C interface's spelling.

/// A component that can be made into a unit. A handle: nothing lies at its address.
public typealias AudioComponent = OpaquePointer
/// An instance of a component. A handle: nothing lies at its address.
public typealias AudioComponentInstance = OpaquePointer
/// A unit.
public typealias AudioUnit = AudioComponentInstance

/// The first component behind `inComponent` (of all, if `nil`) that fits `inDesc`; `nil` if there is none. Any thread.
public func AudioComponentFindNext(_ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>) -> AudioComponent? {
    ComponentRegistry.shared.next(after: inComponent, matching: inDesc.pointee)
}

/// Number of components that fit `inDesc`. Any thread.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
    UInt32(clamping: ComponentRegistry.shared.handles(matching: inDesc.pointee).count)
}

/// Writes "maker: name", retained for the caller. `kAudio_ParamError` for an unknown component, and then nothing is written.
@discardableResult
public func AudioComponentCopyName(_ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>) -> OSStatus {
    guard let component = ComponentRegistry.shared.component(of: inComponent) else { return kAudio_ParamError }
    outName.pointee = Unmanaged.passRetained(component.name as NSString)
    return noErr
}

/// Writes the component's description. `kAudio_ParamError` for an unknown component, and then nothing is written.
@discardableResult
public func AudioComponentGetDescription(_ inComponent: AudioComponent, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>) -> OSStatus {
    guard let component = ComponentRegistry.shared.component(of: inComponent) else { return kAudio_ParamError }
    outDesc.pointee = component.description
    return noErr
}

/// Makes a unit, which `AudioComponentInstanceDispose` ends. `kAudio_ParamError` for an unknown component, and
/// `kAudioComponentErr_UnsupportedType` for one that the C interface cannot make; then `nil` is written.
@discardableResult
public func AudioComponentInstanceNew(_ inComponent: AudioComponent, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>) -> OSStatus {
    outInstance.pointee = nil
    guard let component = ComponentRegistry.shared.component(of: inComponent) else { return kAudio_ParamError }
    guard let unit = component.makeInstance() else { return kAudioComponentErr_UnsupportedType }
    outInstance.pointee = AudioUnitTable.shared.addOwned(unit)
    return noErr
}

/// Ends a unit made by `AudioComponentInstanceNew`. `kAudioUnitErr_InvalidElement` for any other handle.
@discardableResult
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
    AudioUnitTable.shared.removeOwned(inInstance) ? noErr : kAudioUnitErr_InvalidElement
}

/// Makes a unit as `AudioComponentInstanceNew` does and hands it to `inCompletionHandler` on another thread. Every unit lives in this
/// process; the options change nothing.
public func AudioComponentInstantiate(_ inComponent: AudioComponent, _ inOptions: AudioComponentInstantiationOptions,
                                      _ inCompletionHandler: @escaping (AudioComponentInstance?, OSStatus) -> Void) {
    struct Completion: @unchecked Sendable {
        let handler: (AudioComponentInstance?, OSStatus) -> Void
        let component: AudioComponent
    }
    let completion = Completion(handler: inCompletionHandler, component: inComponent)
    DispatchQueue.global().async {
        var instance: AudioComponentInstance?
        let status = AudioComponentInstanceNew(completion.component, &instance)
        completion.handler(instance, status)
    }
}
