import Foundation
import OssicleSoundEvents

/// How the level of a spatial mixer falls with the distance between source and listener.
open class PHASEDistanceModelParameters: NSObject {
    /// Where the sound fades out for good. Default nil: it is never culled by distance.
    open var fadeOutParameters: PHASEDistanceModelFadeOutParameters?

    /// Apple's base class cannot be made on its own; the argument keeps `NSObject`'s `init()` from being inherited.
    package init(unpublished: Void = ()) { super.init() }

    var law: MixerBlueprint.Distance.Law { .constant }

    final var blueprint: MixerBlueprint.Distance {
        MixerBlueprint.Distance(law: law, cullDistance: fadeOutParameters?.cullDistance)
    }
}
