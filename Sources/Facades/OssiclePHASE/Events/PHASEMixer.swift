import Foundation

/// A mixer of one sound event, made from its definition.
open class PHASEMixer: NSObject, @unchecked Sendable {
    /// The definition's identifier.
    public let identifier: String
    /// Moves the mixer's gain; nil unless the definition had a gain meta-parameter.
    public let gainMetaParameter: PHASEMetaParameter?
    private let baseGain: Double
    let core: EngineCore
    let inserts: InsertChain
    let taps = TapPoint()

    init(core: EngineCore, identifier: String, gain: Double, gainMetaParameter: PHASEMetaParameter?) {
        (self.core, inserts) = (core, InsertChain(core: core))
        self.identifier = identifier
        self.gainMetaParameter = gainMetaParameter
        baseGain = gain
    }

    /// Linear gain, 0…1: the meta-parameter's value where there is one, else the definition's.
    open var gain: Double {
        guard let parameter = gainMetaParameter, let value = parameter.value as? Double else { return baseGain }
        return value.clamped(0, 1)
    }
}
