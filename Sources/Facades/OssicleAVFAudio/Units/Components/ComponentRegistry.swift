// The components that can be found.

import OssicleAudioToolbox
import OssicleNodes

/// A component.
struct RegisteredComponent: Sendable {
    /// Type, subtype, maker, flags.
    var description: AudioComponentDescription
    /// "Maker: name".
    var name: String
    /// 0xMMMMmmDD: major, minor, patch.
    var version: UInt32

    init(description: AudioComponentDescription, name: String, version: UInt32) {
        self.description = description
        self.name = name
        self.version = version
    }

    /// Whether it is a unit; codecs are components too.
    var isUnit: Bool {
        ![kAudioDecoderComponentType, kAudioEncoderComponentType, kAudioUnityCodecComponentType].contains(
            description.componentType)
    }
}

/// All components: built-in units first, then codecs, then in order of registration. LV2 plug-ins join them when
/// something is looked for that may be one. Any thread.
final class ComponentRegistry: @unchecked Sendable {
    /// The components of the process.
    static let shared = ComponentRegistry()

    private let lock = NSLock()
    private var components: [(handle: AudioComponent, component: RegisteredComponent)] = []
    /// Of the search for plug-ins whose result is in here.
    private var search = 0

    private init() {
        // Clients search the built-in units by the name of their model's maker.
        for unit in UnitCatalogue.units {
            append(RegisteredComponent(description: unit.component, name: "Apple: \(unit.name)", version: 0x0000_0100))
        }
        for codec in CodecComponents.all { append(codec) }
    }

    /// Adds a component. One of the same type, subtype and maker is replaced and keeps its handle.
    @discardableResult
    func register(_ component: RegisteredComponent) -> AudioComponent {
        lock.withLock {
            if let index = components.firstIndex(where: {
                $0.component.description.isSameUnit(as: component.description)
            }) {
                components[index].component = component
                return components[index].handle
            }
            return append(component)
        }
    }

    /// A handle is an address of its own; no component ever goes.
    @discardableResult
    private func append(_ component: RegisteredComponent) -> AudioComponent {
        let handle = AudioComponent(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
        components.append((handle, component))
        return handle
    }

    /// The component of a handle.
    func component(of handle: AudioComponent) -> RegisteredComponent? {
        lock.withLock { components.first { $0.handle == handle }?.component }
    }

    /// Reads the plug-ins' bundles for a search that they may belong to: not for a maker's unit that is known, and not
    /// for Apple's.
    private func lookForPlugins(_ wanted: AudioComponentDescription) {
        if wanted.componentManufacturer == kAudioUnitManufacturer_Apple { return }
        let newest = PluginComponents.search
        let isDone = lock.withLock {
            search >= newest || components.contains { $0.component.description.isSameUnit(as: wanted) }
        }
        if isDone { return }
        // Under no lock: it takes some tenths of a second.
        let found = PluginComponents.all
        lock.withLock {
            if search >= newest { return }
            search = newest
            for entry in found
            where !components.contains(where: { $0.component.description.isSameUnit(as: entry.component.description) })
            {
                append(entry.component)
            }
        }
    }

    /// The handles of the components that fit a description, in order.
    func handles(matching description: AudioComponentDescription) -> [AudioComponent] {
        lookForPlugins(description)
        return lock.withLock { components.filter { $0.component.description.fits(description) }.map(\.handle) }
    }

    /// The first component behind `handle`, or of all, that fits; `nil` behind the last and for an unknown handle.
    func next(after handle: AudioComponent?, matching description: AudioComponentDescription) -> AudioComponent? {
        lookForPlugins(description)
        return lock.withLock {
            var start = 0
            if let handle {
                guard let index = components.firstIndex(where: { $0.handle == handle }) else { return nil }
                start = index + 1
            }
            return components[start...].first { $0.component.description.fits(description) }?.handle
        }
    }
}

extension AudioComponentDescription {
    /// Whether this component is one of those that `wanted` describes: 0 means any, flags count where the mask has a
    /// bit, and an unsearchable component is found only by its full description.
    func fits(_ wanted: AudioComponentDescription) -> Bool {
        func agree(_ own: OSType, _ other: OSType) -> Bool { other == 0 || own == other }
        let isHidden = AudioComponentFlags(rawValue: componentFlags).contains(.unsearchable)
        return
            (isHidden
            ? isSameUnit(as: wanted)
            : agree(componentType, wanted.componentType) && agree(componentSubType, wanted.componentSubType)
                && agree(componentManufacturer, wanted.componentManufacturer))
            && (componentFlags ^ wanted.componentFlags) & wanted.componentFlagsMask == 0
    }

    /// Whether type, subtype and maker are the same.
    func isSameUnit(as other: AudioComponentDescription) -> Bool {
        componentType == other.componentType && componentSubType == other.componentSubType
            && componentManufacturer == other.componentManufacturer
    }
}
