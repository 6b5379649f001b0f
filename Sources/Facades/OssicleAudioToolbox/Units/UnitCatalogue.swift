// All built-in units.

/// The units that come with Ossicle.
package enum UnitCatalogue {
    /// In the order a search finds them.
    package static let units: [UnitDescription] = effects + timeEffects + mixers + others

    private static let effects: [UnitDescription] = [
        .bandEQ, .graphicEQ, .parametricEQ, .lowPass, .highPass, .bandPass, .lowShelf, .highShelf, .delay, .sampleDelay, .distortion, .reverb,
        .matrixReverb, .dynamicsProcessor, .peakLimiter, .multiBandCompressor, .newPitch,
    ]
    private static let timeEffects: [UnitDescription] = [.varispeed, .timePitch]
    private static let mixers: [UnitDescription] = [.multiChannelMixer, .matrixMixer, .spatialMixer]
    private static let others: [UnitDescription] = [
        .scheduledSoundPlayer, .genericOutput, .remoteIO, .halOutput, .defaultOutput, .voiceProcessingIO,
    ]

    /// The unit with this type, subtype and maker.
    package static func unit(for description: AudioComponentDescription) -> UnitDescription? {
        units.first { $0.component.isSameUnit(as: description) }
    }
}
