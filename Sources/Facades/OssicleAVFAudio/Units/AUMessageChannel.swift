// Small protocols and classes around units.

import OssicleAudioToolbox

/// Called by a unit to ask its host; takes and gives property lists.
public typealias CallHostBlock = ([AnyHashable: Any]) -> [AnyHashable: Any]

/// A way for host and unit to talk about what has no name in the interface.
public protocol AUMessageChannel: AnyObject {
    /// Asks the unit.
    func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any]
    /// Asks the host.
    var callHostBlock: CallHostBlock? { get set }
}

/// Answers nothing.
final class SilentChannel: AUMessageChannel {
    var callHostBlock: CallHostBlock?
    func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any] { [:] }
}

/// Makes units for a host.
public protocol AUAudioUnitFactory: AnyObject {
    /// A unit of a description.
    func createAudioUnit(with desc: AudioComponentDescription) throws -> AUAudioUnit
}

/// A unit that is the version 3 side of one the C interface knows as well: that of a built-in node.
open class AUAudioUnitV2Bridge: AUAudioUnit {
    /// The unit in the C interface's spelling.
    open var audioUnit: AudioUnit { AudioUnit(Unmanaged.passUnretained(self).toOpaque()) }
}

extension AUAudioUnitPreset {
    /// Presets numbered from 0.
    static func numbered(_ names: [String]) -> [AUAudioUnitPreset] {
        names.enumerated().map { number, name in
            let preset = AUAudioUnitPreset()
            (preset.number, preset.name) = (number, name)
            return preset
        }
    }
}
