// From a description to a unit, and what a unit is called.

import OssicleAudioToolbox
import OssicleMessages
import OssicleNodes
import Synchronization

extension AUAudioUnit {
    /// Makes a class known in this process: `instantiate`, `init(componentDescription:)` and `AVAudioUnit` find it from
    /// now on. `name` is "Maker: Name". A class that is no unit, and a description that is one of the built-in units,
    /// are recorded and refused.
    public class func registerSubclass(
        _ cls: AnyClass, as componentDescription: AudioComponentDescription, name: String, version: UInt32
    ) {
        guard let type = cls as? AUAudioUnit.Type, UnitCatalogue.unit(for: componentDescription) == nil else {
            ErrorLog().record(AUFault.notAUnit(cls, componentDescription))
            return
        }
        UnitClasses.register(type, RegisteredComponent(description: componentDescription, name: name, version: version))
    }

    /// Makes the unit of a component and hands it, or an error, to `completionHandler` on another thread.
    public class func instantiate(
        with componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping @Sendable (AUAudioUnit?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            do { completionHandler(try AUAudioUnit.made(componentDescription, options), nil) } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// Makes the unit of a component.
    public class func instantiate(
        with componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) async throws -> sending AUAudioUnit {
        try AUAudioUnit.made(componentDescription, options)
    }

    /// A unit nobody else has.
    static func made(
        _ wanted: AudioComponentDescription, _ options: AudioComponentInstantiationOptions = []
    ) throws -> sending AUAudioUnit {
        let found = try UnitClasses.find(wanted)
        guard let type = UnitClasses.type(for: found) else {
            return try AUAudioUnit(componentDescription: found, options: options)
        }
        return try type.init(registered: found)
    }

    /// For the base class, of the class that is registered; else of this class.
    static func make(_ wanted: AudioComponentDescription) throws -> Self {
        let unit = Self.self == AUAudioUnit.self ? try made(wanted) : try Self(registered: wanted)
        guard let made = unit as? Self else { throw AUFault.notAUnit(Self.self, wanted) }
        return made
    }

    // MARK: Names

    private var registered: (handle: AudioComponent, component: RegisteredComponent)? {
        let registry = ComponentRegistry.shared
        return registry.handles(matching: componentDescription).first.flatMap { handle in
            registry.component(of: handle).map { (handle, $0) }
        }
    }

    /// The component it was made from; for a class that is not registered, one that no search finds.
    public var component: AudioComponent {
        registered?.handle ?? AudioComponent(Unmanaged.passUnretained(self).toOpaque())
    }

    /// "Maker: Name"; `nil` for a class that is not registered.
    public var componentName: String? { registered?.component.name }

    /// The name without the maker.
    public var audioUnitName: String? { registered.map { ComponentName($0.component.name).name } }

    /// The maker.
    public var manufacturerName: String? { registered.map { ComponentName($0.component.name).maker } }

    /// 0xMMMMmmDD: major, minor, patch; 0 for a class that is not registered.
    public var componentVersion: UInt32 { registered?.component.version ?? 0 }
}

/// "Maker: Name", taken apart.
struct ComponentName {
    let maker: String
    let name: String

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        (maker, name) = parts.count > 1 ? (parts[0], parts[1]) : ("", text)
    }
}

/// The client's classes, and the components they stand for.
enum UnitClasses {
    private static let classes = Mutex<[AudioComponentDescription: AUAudioUnit.Type]>([:])

    /// Flags are no part of a unit's identity.
    static func key(_ description: AudioComponentDescription) -> AudioComponentDescription {
        var key = description
        (key.componentFlags, key.componentFlagsMask) = (0, 0)
        return key
    }

    /// Makes a component known, and says so.
    @discardableResult
    static func register(_ type: AUAudioUnit.Type, _ component: RegisteredComponent) -> AudioComponent {
        classes.withLock { $0[key(component.description)] = type }
        let handle = ComponentRegistry.shared.register(component)
        for name in [
            AVAudioUnitComponentManager.registrationsChangedNotification,
            NSNotification.Name("\(kAudioComponentRegistrationsChangedNotification)"),
        ] {
            NotificationCenter.default.post(name: name, object: nil)
        }
        return handle
    }

    static func type(for description: AudioComponentDescription) -> AUAudioUnit.Type? {
        classes.withLock { $0[key(description)] }
    }

    /// The first component that fits; zeros fit any.
    static func find(_ wanted: AudioComponentDescription) throws -> AudioComponentDescription {
        let registry = ComponentRegistry.shared
        guard let found = registry.handles(matching: wanted).first.flatMap({ registry.component(of: $0) })?.description
        else { throw AUFault.unknown(wanted) }
        return found
    }
}
