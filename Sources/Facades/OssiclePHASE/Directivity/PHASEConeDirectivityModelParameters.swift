import OssicleSoundEvents

/// A cone per frequency; between two frequencies their levels are blended, outside them held.
open class PHASEConeDirectivityModelParameters: PHASEDirectivityModelParameters {
    open private(set) var subbandParameters: [PHASEConeDirectivityModelSubbandParameters]

    /// An empty list is the same in all directions.
    public init(subbandParameters: [PHASEConeDirectivityModelSubbandParameters]) {
        self.subbandParameters = subbandParameters
        super.init(unpublished: ())
    }

    override var blueprint: MixerBlueprint.Directivity? {
        subbandParameters.isEmpty ? nil : .cone(subbandParameters.map(\.blueprint))
    }
}
