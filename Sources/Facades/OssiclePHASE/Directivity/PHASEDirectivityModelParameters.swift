import Foundation
import OssicleSoundEvents

/// How loud a source sounds, or a listener hears, in each direction.
open class PHASEDirectivityModelParameters: NSObject {
    /// Apple's base class cannot be made on its own; the argument keeps `NSObject`'s `init()` from being inherited.
    package init(unpublished: Void = ()) { super.init() }

    /// nil is the same in all directions.
    var blueprint: MixerBlueprint.Directivity? { nil }
}
