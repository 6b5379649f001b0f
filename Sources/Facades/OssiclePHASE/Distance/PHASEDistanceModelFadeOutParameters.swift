import Foundation

/// The distance beyond which a sound is not rendered; it has faded to silence before.
open class PHASEDistanceModelFadeOutParameters: NSObject {
    /// In the engine's units of length, at least 1.
    open var cullDistance: Double { distance }
    @Clamped(1...(.greatestFiniteMagnitude)) private var distance = .greatestFiniteMagnitude

    /// - Parameter cullDistance: clamped to 1 and up; NaN never culls.
    public init(cullDistance: Double) {
        super.init()
        distance = cullDistance
    }
}
