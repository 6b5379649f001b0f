import Foundation

/// Who is the source and who the listener of a sound event's mixers.
open class PHASEMixerParameters: NSObject {
    /// What one mixer was given; an ambient mixer has no source.
    package struct Placement {
        package let source: PHASESource?
        package let listener: PHASEListener
    }

    /// By identifier of the mixer's definition.
    package private(set) var placements: [String: Placement] = [:]

    public override init() { super.init() }

    /// - Parameter identifier: the mixer definition's. The last call for an identifier counts.
    open func addSpatialMixerParameters(identifier: String, source: PHASESource, listener: PHASEListener) {
        placements[identifier] = Placement(source: source, listener: listener)
    }

    /// - Parameter identifier: the mixer definition's. The last call for an identifier counts.
    open func addAmbientMixerParameters(identifier: String, listener: PHASEListener) {
        placements[identifier] = Placement(source: nil, listener: listener)
    }
}
