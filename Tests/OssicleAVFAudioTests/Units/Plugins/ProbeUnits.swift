import Foundation
import OssicleAudioToolbox
import OssiclePlugins
import OssicleTestSupport
@testable import OssicleAVFAudio

/// The tests' LV2 plug-ins as components.
enum ProbeUnits {
    /// Found once in each process.
    private static let areFound: Void = {
        PluginCatalogue.furtherFolders.withLock { $0 = [ProbePlugins.folder] }
        PluginComponents.lookAgain()
    }()

    static func description(_ kind: String, type: OSType = kAudioUnitType_Effect) -> AudioComponentDescription {
        _ = areFound
        return AudioComponentDescription(
            componentType: type, componentSubType: PluginComponents.code("urn:ossicle:probe:\(kind)"),
            componentManufacturer: PluginComponents.code("urn:ossicle:probe"), componentFlags: 0, componentFlagsMask: 0)
    }

    static func unit(_ kind: String, _ options: AudioComponentInstantiationOptions = []) throws -> AUAudioUnit {
        let unit = try AUAudioUnit(componentDescription: description(kind), options: options)
        unit.isRenderingOffline = true
        return unit
    }
}
