import OssicleSoundEvents

/// Sound that thins out as it spreads: distance to the power of −rolloffFactor.
open class PHASEGeometricSpreadingDistanceModelParameters: PHASEDistanceModelParameters {
    /// 1 loses 6 dB per doubling of the distance, 0 nothing, 2 twice the dB. Default 1; clamped to 0 and up.
    @Clamped(0...(.greatestFiniteMagnitude)) open var rolloffFactor = 1

    public init() { super.init(unpublished: ()) }

    override var law: MixerBlueprint.Distance.Law { .geometric(rolloff: rolloffFactor) }
}
