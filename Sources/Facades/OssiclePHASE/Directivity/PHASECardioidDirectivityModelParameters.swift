import OssicleSoundEvents

/// A cardioid per frequency; between two frequencies their levels are blended, outside them held.
open class PHASECardioidDirectivityModelParameters: PHASEDirectivityModelParameters {
    open private(set) var subbandParameters: [PHASECardioidDirectivityModelSubbandParameters]

    /// An empty list is the same in all directions.
    public init(subbandParameters: [PHASECardioidDirectivityModelSubbandParameters]) {
        self.subbandParameters = subbandParameters
        super.init(unpublished: ())
    }

    override var blueprint: MixerBlueprint.Directivity? {
        subbandParameters.isEmpty ? nil : .cardioid(subbandParameters.map(\.blueprint))
    }
}
