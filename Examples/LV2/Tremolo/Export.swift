import AVFoundation
import LV2Bundle

public let tremoloURI = "urn:ossicle:examples:tremolo"

/// What LV2 hosts look for in the library.
@_cdecl("lv2_descriptor")
public func lv2Descriptor(_ index: UInt32) -> UnsafeRawPointer? {
    guard index == 0 else { return nil }
    TremoloUnit.register()
    return UnsafeRawPointer(
        UnitDescriptor.of(tremoloURI) { try AUAudioUnit(componentDescription: TremoloUnit.component) })
}
