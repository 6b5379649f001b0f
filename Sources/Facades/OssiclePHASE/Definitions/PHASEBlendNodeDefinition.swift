import OssicleSoundEvents

/// Plays all its children, each as loud as its range says for a number that moves: a meta-parameter or a distance.
///
/// Thresholds out of order give up the fade, not the audible range: a range below 1 that is full only at 3 is full
/// right up to 1.
open class PHASEBlendNodeDefinition: PHASESoundEventNodeDefinition {
    /// nil for a blend by distance.
    open private(set) var blendParameterDefinition: PHASENumberMetaParameterDefinition?
    /// The mixer whose source and listener give the distance; nil for a blend by meta-parameter.
    open private(set) var spatialMixerDefinitionForDistance: PHASESpatialMixerDefinition?
    private var ranges: [BlendRange] = []

    /// A blend by a number that the program moves while the event plays.
    public init(blendMetaParameterDefinition: PHASENumberMetaParameterDefinition) {
        blendParameterDefinition = blendMetaParameterDefinition
        super.init()
    }

    /// With an identifier of your own, by which explanations name it.
    public convenience init(blendMetaParameterDefinition: PHASENumberMetaParameterDefinition, identifier: String) {
        self.init(blendMetaParameterDefinition: blendMetaParameterDefinition)
        self.identifier = identifier
    }

    /// The distance between source and listener of this mixer is the input.
    public init(spatialMixerDefinition: PHASESpatialMixerDefinition) {
        spatialMixerDefinitionForDistance = spatialMixerDefinition
        super.init()
    }

    /// With an identifier of your own, by which explanations name it.
    public convenience init(spatialMixerDefinition: PHASESpatialMixerDefinition, identifier: String) {
        self.init(spatialMixerDefinition: spatialMixerDefinition)
        self.identifier = identifier
    }

    /// As `init(spatialMixerDefinition:)`, in the spelling of Apple's headers.
    public convenience init(distanceBlendWithSpatialMixerDefinition spatialMixerDefinition: PHASESpatialMixerDefinition)
    {
        self.init(spatialMixerDefinition: spatialMixerDefinition)
    }

    /// With an identifier of your own, by which explanations name it.
    public convenience init(
        distanceBlendWithSpatialMixerDefinition spatialMixerDefinition: PHASESpatialMixerDefinition, identifier: String
    ) {
        self.init(spatialMixerDefinition: spatialMixerDefinition, identifier: identifier)
    }

    /// Heard while the input is below `value`, in full up to `fullGainAtValue`.
    open func addRangeForInputValuesBelow(
        value: Double, fullGainAtValue: Double, fadeCurveType: PHASECurveType,
        subtree: PHASESoundEventNodeDefinition
    ) {
        add(.below(value: value, full: fullGainAtValue, curve: fadeCurveType.curve), subtree)
    }

    /// Heard while the input is between `lowValue` and `highValue`, in full between the two full-gain values.
    open func addRangeForInputValuesBetween(
        lowValue: Double, highValue: Double, fullGainAtLowValue: Double, fullGainAtHighValue: Double,
        lowFadeCurveType: PHASECurveType, highFadeCurveType: PHASECurveType,
        subtree: PHASESoundEventNodeDefinition
    ) {
        add(
            .between(
                low: lowValue, fullLow: fullGainAtLowValue, lowCurve: lowFadeCurveType.curve,
                high: highValue, fullHigh: fullGainAtHighValue, highCurve: highFadeCurveType.curve), subtree)
    }

    /// Heard while the input is above `value`, in full from `fullGainAtValue`.
    open func addRangeForInputValuesAbove(
        value: Double, fullGainAtValue: Double, fadeCurveType: PHASECurveType,
        subtree: PHASESoundEventNodeDefinition
    ) {
        add(.above(value: value, full: fullGainAtValue, curve: fadeCurveType.curve), subtree)
    }

    /// Heard as the envelope says: x is the input, y the linear gain.
    open func addRange(envelope: PHASEEnvelope, subtree: PHASESoundEventNodeDefinition) {
        add(.envelope(envelope.envelope), subtree)
    }

    private func add(_ range: BlendRange, _ subtree: PHASESoundEventNodeDefinition) {
        children.append(subtree)
        ranges.append(range)
    }

    override func capturedKind(in capture: inout DefinitionCapture) throws -> EventTree.Kind {
        if let position = ranges.firstIndex(where: { !$0.isWellDefined }) {
            throw DefinitionCapture.refusal(
                of: self, "a threshold of range \(position) is not a number",
                rule: "Thresholds are numbers.", cure: "Check what they are computed from.")
        }
        return .blend(try capturedInput(in: &capture), ranges: ranges)
    }

    private func capturedInput(in capture: inout DefinitionCapture) throws -> EventTree.BlendInput {
        if let mixer = spatialMixerDefinitionForDistance { return .distance(mixer: try capture.mixer(mixer)) }
        return .parameter(try capture.parameter(blendParameterDefinition) ?? -1)
    }
}
