// Spellings of the WWDC21 session listing that no SDK shipped. Disfavoured, so that the shipped calls stay unambiguous.

extension PHASESpatialPipeline {
    /// Pre-release spelling of `Flags`.
    public typealias Options = PHASESpatialPipeline.Flags

    /// Pre-release spelling of `init?(flags:)`.
    @_disfavoredOverload
    public convenience init?(options: PHASESpatialPipeline.Flags) { self.init(flags: options) }
}

extension PHASEGeneratorNodeDefinition {
    /// Pre-release spelling of `setCalibrationMode(calibrationMode:level:)`.
    @_disfavoredOverload
    public func setCalibrationMode(_ calibrationMode: PHASECalibrationMode, level: Double) {
        setCalibrationMode(calibrationMode: calibrationMode, level: level)
    }
}

extension PHASEBlendNodeDefinition {
    /// Pre-release spelling of `addRangeForInputValuesBelow(value:fullGainAtValue:fadeCurveType:subtree:)`.
    @_disfavoredOverload
    public func addRangeForInputValues(
        belowValue value: Double, fullGainAtValue: Double, fadeCurveType: PHASECurveType,
        subtree: PHASESoundEventNodeDefinition
    ) {
        addRangeForInputValuesBelow(
            value: value, fullGainAtValue: fullGainAtValue, fadeCurveType: fadeCurveType, subtree: subtree)
    }

    /// Pre-release spelling of `addRangeForInputValuesAbove(value:fullGainAtValue:fadeCurveType:subtree:)`.
    @_disfavoredOverload
    public func addRangeForInputValues(
        aboveValue value: Double, fullGainAtValue: Double, fadeCurveType: PHASECurveType,
        subTree subtree: PHASESoundEventNodeDefinition
    ) {
        addRangeForInputValuesAbove(
            value: value, fullGainAtValue: fullGainAtValue, fadeCurveType: fadeCurveType, subtree: subtree)
    }
}

extension PHASEAssetRegistry {
    /// Pre-release spelling of `unregisterAsset(identifier:completion:)`.
    @_disfavoredOverload
    public func unregisterAsset(identifier: String, completionHandler handler: ((Bool) -> Void)?) {
        unregisterAsset(identifier: identifier, completion: handler)
    }
}
