import OssicleAudioToolbox
import Synchronization

/// The client's classes, and the components they stand for.
enum UnitClasses {
    private static let classes = Mutex<[AudioComponentDescription: AUAudioUnit.Type]>([:])

    /// Flags are no part of a unit's identity.
    private static func key(_ description: AudioComponentDescription) -> AudioComponentDescription {
        var key = description
        (key.componentFlags, key.componentFlagsMask) = (0, 0)
        return key
    }

    static func add(_ type: AUAudioUnit.Type, for description: AudioComponentDescription) {
        classes.withLock { $0[key(description)] = type }
    }

    static func type(for description: AudioComponentDescription) -> AUAudioUnit.Type? {
        classes.withLock { $0[key(description)] }
    }

    /// The first component that fits; zeros fit any.
    static func find(_ wanted: AudioComponentDescription) throws -> AudioComponentDescription {
        let registry = ComponentRegistry.shared
        guard let found = registry.handles(matching: wanted).first.flatMap({ registry.component(of: $0) })?.description else { throw AUFault.unknown(wanted) }
        return found
    }
}
