/// What the gain and the rate of a voice are made of.
struct VoiceLevel {
    /// Blends on the way from the root of the tree.
    var tree = 1.0
    /// Calibrated level times the gain meta-parameter.
    var generator = 1.0
    /// The asset's own, from its loudness.
    var normalisation = 1.0
    var group = GroupLevel()
    /// Definition and meta-parameter, without the group's.
    var rate = 1.0

    var gain: Double { tree * generator * normalisation * group.gain }
    var speed: Double { rate * group.rate }
}
