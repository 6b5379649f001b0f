// Finding components, in the C interface's spelling.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleMessages
import OssicleNodes

/// The first component behind `inComponent` (of all, if `nil`) that fits `inDesc`; `nil` if there is none. Any thread.
public func AudioComponentFindNext(
    _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>
) -> AudioComponent? {
    ComponentRegistry.shared.next(after: inComponent, matching: inDesc.pointee)
}

/// Number of components that fit `inDesc`. Any thread.
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>) -> UInt32 {
    UInt32(clamping: ComponentRegistry.shared.handles(matching: inDesc.pointee).count)
}

/// Writes "maker: name", retained for the caller. `kAudio_ParamError` for an unknown component, and then nothing is
/// written.
@discardableResult
public func AudioComponentCopyName(
    _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    guard let component = ComponentRegistry.shared.component(of: inComponent) else { return kAudio_ParamError }
    outName.pointee = Unmanaged.passRetained(component.name as NSString)
    return noErr
}

/// Writes the component's description. `kAudio_ParamError` for an unknown component, and then nothing is written.
@discardableResult
public func AudioComponentGetDescription(
    _ inComponent: AudioComponent, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>
) -> OSStatus {
    guard let component = ComponentRegistry.shared.component(of: inComponent) else { return kAudio_ParamError }
    outDesc.pointee = component.description
    return noErr
}

/// Writes the component's version, 0xMMMMmmDD. `kAudio_ParamError` for an unknown component, and then nothing is
/// written.
@discardableResult
public func AudioComponentGetVersion(
    _ inComponent: AudioComponent, _ outVersion: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    guard let component = ComponentRegistry.shared.component(of: inComponent) else { return kAudio_ParamError }
    outVersion.pointee = component.version
    return noErr
}

/// Makes a component known in this process, of whose units `inFactory` makes the plug-ins, and gives it; one of the
/// same type, subtype and maker is replaced and keeps its handle. `inName` is "maker: name". What a built-in unit is
/// called by is recorded and refused: then its component is given. Any thread.
@discardableResult
public func AudioComponentRegister(
    _ inDesc: UnsafePointer<AudioComponentDescription>, _ inName: CFString, _ inVersion: UInt32,
    _ inFactory: @escaping AudioComponentFactoryFunction
) -> AudioComponent {
    let description = inDesc.pointee
    let component = RegisteredComponent(description: description, name: "\(inName)", version: inVersion)
    guard UnitCatalogue.unit(for: description) == nil else {
        ErrorLog().record(AUFault.notAUnit(PlugInUnit.self, description))
        return ComponentRegistry.shared.handles(matching: description).first
            ?? ComponentRegistry.shared.register(component)
    }
    PlugInUnit.add(inFactory, for: description)
    return UnitClasses.register(PlugInUnit.self, component)
}

/// Posted when a component was registered; the name of an `NSNotification`.
public nonisolated(unsafe) let kAudioComponentRegistrationsChangedNotification: CFString =
    "AudioComponentRegistrationsChangedNotification"
/// Name of a notification that is posted when the process of an LV2 plug-in has ended; the object is its `AUAudioUnit`,
/// and "error" in the dictionary says why.
public nonisolated(unsafe) let kAudioComponentInstanceInvalidationNotification: CFString =
    "AudioComponentInstanceInvalidationNotification"

/// Whether there is a view. Key of `AudioComponentCopyConfigurationInfo`.
public let kAudioUnitConfigurationInfo_HasCustomView = "HasCustomView"
/// Numbers of channels that go together. Key of `AudioComponentCopyConfigurationInfo`.
public let kAudioUnitConfigurationInfo_ChannelConfigurations = "ChannelConfigurations"
/// Channels of each input of a fresh unit. Key of `AudioComponentCopyConfigurationInfo`.
public let kAudioUnitConfigurationInfo_InitialInputs = "InitialInputs"
/// Channels of each output of a fresh unit. Key of `AudioComponentCopyConfigurationInfo`.
public let kAudioUnitConfigurationInfo_InitialOutputs = "InitialOutputs"
/// Where the picture is. Key of `AudioComponentCopyConfigurationInfo`; not written here.
public let kAudioUnitConfigurationInfo_IconURL = "IconURL"
/// Whether the number of inputs can be set. Key of `AudioComponentCopyConfigurationInfo`.
public let kAudioUnitConfigurationInfo_BusCountWritable = "BusCountWritable"
/// Layouts the unit takes. Key of `AudioComponentCopyConfigurationInfo`; not written here.
public let kAudioUnitConfigurationInfo_SupportedChannelLayoutTags = "SupportedChannelLayoutTags"
