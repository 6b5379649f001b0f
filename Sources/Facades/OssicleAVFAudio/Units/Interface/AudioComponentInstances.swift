// Making units of components, in the C interface's spelling. Any thread.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleProperties

/// Makes a unit, which `AudioComponentInstanceDispose` ends. `kAudio_ParamError` for an unknown component,
/// `kAudioComponentErr_TooManyInstances` beyond 65,536 units, else what the unit's class throws; then `nil` is written.
@discardableResult
public func AudioComponentInstanceNew(
    _ inComponent: AudioComponent, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
    outInstance.pointee = nil
    return makeInstance(inComponent, [], outInstance)
}

private func makeInstance(
    _ inComponent: AudioComponent, _ options: AudioComponentInstantiationOptions,
    _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>
) -> OSStatus {
    unitStatus {
        guard let component = ComponentRegistry.shared.component(of: inComponent) else {
            throw StatusError(kAudio_ParamError)
        }
        let unit = try AUAudioUnit.made(component.description, options)
        unit.maximumFramesToRender = 1156
        guard let handle = UnitTable.shared.add(UnitInterface(unit, isOwned: true)) else {
            throw StatusError(kAudioComponentErr_TooManyInstances)
        }
        outInstance.pointee = handle
    }
}

/// Ends a unit made by `AudioComponentInstanceNew`, which stops and is uninitialised. `kAudioUnitErr_InvalidElement`
/// for any other handle.
@discardableResult
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance) -> OSStatus {
    let ended = UnitTable.shared.remove(inInstance) { interface in
        guard interface.isOwned else { return false }
        interface.stop()
        interface.unit.deallocateRenderResources()
        return true
    }
    return ended ? noErr : kAudioUnitErr_InvalidElement
}

/// Makes a unit as `AudioComponentInstanceNew` does and hands it to `inCompletionHandler` on another thread. LV2
/// plug-ins get a process of their own unless the options have `.loadInProcess`; every other unit lives in this
/// process.
public func AudioComponentInstantiate(
    _ inComponent: AudioComponent, _ inOptions: AudioComponentInstantiationOptions,
    _ inCompletionHandler: @escaping (AudioComponentInstance?, OSStatus) -> Void
) {
    struct Completion: @unchecked Sendable {
        let handler: (AudioComponentInstance?, OSStatus) -> Void
        let component: AudioComponent
    }
    let completion = Completion(handler: inCompletionHandler, component: inComponent)
    DispatchQueue.global().async {
        var instance: AudioComponentInstance?
        let status = makeInstance(completion.component, inOptions, &instance)
        completion.handler(instance, status)
    }
}

/// The component a unit was made of. For a unit that is not there, a handle that no search finds.
public func AudioComponentInstanceGetComponent(_ inInstance: AudioComponentInstance) -> AudioComponent {
    UnitTable.shared.with(inInstance) { $0.unit.component } ?? inInstance
}

/// Whether a unit has the function of a selector: those of this interface, and of outputs Start and Stop.
public func AudioComponentInstanceCanDo(_ inInstance: AudioComponentInstance, _ inSelectorID: Int16) -> Bool {
    UnitTable.shared.with(inInstance) { interface in
        switch inSelectorID {
        case 1...7, 9...11, 14...18, 20, 21: true
        case 0x201, 0x202: interface.unit.componentDescription.componentType == kAudioUnitType_Output
        default: false
        }
    } ?? false
}

/// Writes what is known of a component: `ChannelConfigurations`, pairs of numbers in and out; `InitialInputs` and
/// `InitialOutputs`, the channels of a fresh unit's busses; `BusCountWritable`, `HasCustomView`. The caller releases
/// it. For all but outputs to devices a unit is made. `kAudio_ParamError` for an unknown component;
/// `kAudioUnitErr_InvalidProperty` for one that is no unit.
@discardableResult
public func AudioComponentCopyConfigurationInfo(
    _ inComponent: AudioComponent, _ outConfigurationInfo: UnsafeMutablePointer<Unmanaged<CFDictionary>?>
) -> OSStatus {
    unitStatus {
        guard let component = ComponentRegistry.shared.component(of: inComponent) else {
            throw StatusError(kAudio_ParamError)
        }
        guard component.isUnit else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        let info = NSMutableDictionary()
        info[NSString(string: kAudioUnitConfigurationInfo_HasCustomView)] = NSNumber(value: false)
        var pairs = UnitCatalogue.unit(for: component.description).map {
            [NSNumber(value: $0.channels.inputs), NSNumber(value: $0.channels.outputs)]
        }
        if component.description.componentType != kAudioUnitType_Output {
            let unit = try AUAudioUnit.made(component.description)
            let channels = { (busses: AUAudioUnitBusArray) in
                NSArray(array: busses.map { NSNumber(value: $0.format.channelCount) })
            }
            pairs = pairs ?? unit.channelCapabilities
            info[NSString(string: kAudioUnitConfigurationInfo_InitialInputs)] = channels(unit.inputBusses)
            info[NSString(string: kAudioUnitConfigurationInfo_InitialOutputs)] = channels(unit.outputBusses)
            info[NSString(string: kAudioUnitConfigurationInfo_BusCountWritable)] = NSNumber(
                value: unit.inputBusses.isCountChangeable)
        }
        let each = stride(from: 0, to: (pairs?.count ?? 0) / 2 * 2, by: 2).compactMap { index in
            pairs.map { NSArray(array: [$0[index], $0[index + 1]]) }
        }
        info[NSString(string: kAudioUnitConfigurationInfo_ChannelConfigurations)] = NSArray(array: each)
        outConfigurationInfo.pointee = Unmanaged.passRetained(info as NSDictionary)
    }
}
