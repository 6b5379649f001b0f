// Looking for components.

import OssicleAudioToolbox

/// All components: the built-in ones, then those that were registered. Any thread.
open class AVAudioUnitComponentManager: NSObject, @unchecked Sendable {
    private static let manager = AVAudioUnitComponentManager()

    /// The one there is.
    @discardableResult
    public class func shared() -> AVAudioUnitComponentManager { manager }

    /// Words attached to components; always empty.
    open var tagNames: [String] { [] }
    /// The same, in the user's language.
    open var standardLocalizedTagNames: [String] { [] }

    /// The components `predicate` says yes to; on Linux, a predicate is made of a block.
    @discardableResult
    open func components(matching predicate: NSPredicate) -> [AVAudioUnitComponent] {
        all.filter { predicate.evaluate(with: $0) }
    }

    /// The components `testHandler` says yes to, until it sets its second argument.
    @discardableResult
    open func components(passingTest testHandler: (AVAudioUnitComponent, UnsafeMutablePointer<ObjCBool>) -> Bool) -> [AVAudioUnitComponent] {
        var found: [AVAudioUnitComponent] = []
        var stops = ObjCBool(false)
        for component in all where !stops.boolValue {
            if testHandler(component, &stops) { found.append(component) }
        }
        return found
    }

    /// The components of a type, subtype and maker; 0 is any.
    @discardableResult
    open func components(matching desc: AudioComponentDescription) -> [AVAudioUnitComponent] {
        let registry = ComponentRegistry.shared
        return registry.handles(matching: desc).compactMap { handle in registry.component(of: handle).map { AVAudioUnitComponent(handle, $0) } }
    }

    private var all: [AVAudioUnitComponent] { components(matching: AudioComponentDescription()) }

    /// Posted when a component was registered.
    public static let registrationsChangedNotification = NSNotification.Name("AVAudioUnitComponentManagerRegistrationsChangedNotification")
}
