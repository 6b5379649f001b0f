/// Mixers, players and outputs: units that nodes or bodies of their own stand for.
package enum MixerUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [
        multiChannelMixer, matrixMixer, spatialMixer, scheduledSoundPlayer, audioFilePlayer, genericOutput, remoteIO,
        halOutput, defaultOutput, voiceProcessingIO,
    ]

    /// Adds its inputs up.
    package static let multiChannelMixer = UnitDescription(
        "aumx", "mcmx", name: "AUMultiChannelMixer", channels: .any,
        parameters: switches + [.init(2, "pan", "Pan", .pan, from: -1, to: 1, default: 0, place: .input)]
            + meters(.decibels, from: -120, to: 20))

    /// Sends inputs to outputs.
    package static let matrixMixer = UnitDescription(
        "aumx", "mxmx", name: "AUMatrixMixer", channels: .any,
        parameters: switches + meters(.decibels, from: -120, to: 20)
            + meters(.linearGain, from: 0, to: 10, first: 5, suffix: "Linear"))

    private static let switches: [UnitParameter] = [
        .init(0, "volume", "Volume", .linearGain, from: 0, to: 1, default: 1, place: .inputAndOutput),
        .init(1, "enable", "Enable", .boolean, from: 0, to: 1, default: 1, kind: .stepping, place: .inputAndOutput),
    ]

    /// Levels of each bus, numbered in thousands from `first` on.
    private static func meters(
        _ unit: UnitParameter.Unit, from minimum: Float, to maximum: UnitParameter.Bound, first: UInt32 = 1,
        suffix: String = ""
    ) -> [UnitParameter] {
        let levels = [
            ("preAveragePower", "Pre Average Power"), ("prePeakHoldLevel", "Pre Peak Hold Level"),
            ("postAveragePower", "Post Average Power"), ("postPeakHoldLevel", "Post Peak Hold Level"),
        ]
        return levels.enumerated().map { position, level in
            UnitParameter(
                (first + UInt32(position)) * 1000, level.0 + suffix, suffix.isEmpty ? level.1 : "\(level.1) \(suffix)",
                unit, from: minimum, to: maximum, default: minimum, kind: .meter, place: .inputAndOutput)
        }
    }

    /// Places its inputs around a listener.
    package static let spatialMixer = UnitDescription(
        "aumx", "3dem", name: "AUSpatialMixer", channels: .any,
        parameters: [
            .init(0, "azimuth", "Azimuth", .degrees, from: -180, to: 180, default: 0, place: .input),
            .init(1, "elevation", "Elevation", .degrees, from: -90, to: 90, default: 0, place: .input),
            .init(2, "distance", "Distance", .meters, from: 0, to: 10_000, default: 0, place: .input),
            .init(3, "gain", "Gain", .decibels, from: -120, to: 20, default: 0, place: .inputAndOutput),
            .init(4, "playbackRate", "Playback Rate", .rate, from: 0.5, to: 2, default: 1, place: .input),
            .init(5, "enable", "Enable", .boolean, from: 0, to: 1, default: 1, kind: .stepping, place: .input),
            .init(6, "minGain", "Min Gain", .linearGain, from: 0, to: 10, default: 0, place: .input),
            .init(7, "maxGain", "Max Gain", .linearGain, from: 0, to: 10, default: 10, place: .input),
            .init(8, "reverbBlend", "Reverb Blend", .percent, from: 0, to: 100, default: 30, place: .input),
            .init(9, "globalReverbGain", "Global Reverb Gain", .decibels, from: -40, to: 40, default: 0),
            .init(
                10, "occlusionAttenuation", "Occlusion Attenuation", .decibels, from: -100, to: 0, default: 0,
                place: .input),
            .init(
                11, "obstructionAttenuation", "Obstruction Attenuation", .decibels, from: -100, to: 0, default: 0,
                place: .input),
            .init(14, "filterFrequency", "Filter Frequency", .hertz, from: 10, to: 20_000, default: 800),
            .init(15, "filterBandwidth", "Filter Bandwidth", .octaves, from: 0.05, to: 4, default: 3),
            .init(16, "filterGain", "Filter Gain", .decibels, from: -18, to: 18, default: 0),
            .init(17, "filterType", "Filter Type", .indexed, from: 0, to: 10, default: 0, kind: .stepping),
            .init(18, "filterEnable", "Filter Enable", .boolean, from: 0, to: 1, default: 1, kind: .stepping),
            .init(19, "headYaw", "Head Yaw", .degrees, from: -180, to: 180, default: 0),
            .init(20, "headPitch", "Head Pitch", .degrees, from: -90, to: 90, default: 0),
            .init(21, "headRoll", "Head Roll", .degrees, from: -180, to: 180, default: 0),
        ])

    /// Plays segments of memory at their times.
    package static let scheduledSoundPlayer = UnitDescription(
        "augn", "sspl", name: "AUScheduledSoundPlayer", channels: .onlyOut)

    /// Plays regions of files at their times.
    package static let audioFilePlayer = UnitDescription(
        "augn", "afpl", name: "AUAudioFilePlayer", channels: .onlyOut)

    /// Rendering on demand, without a device.
    package static let genericOutput = UnitDescription("auou", "genr", name: "GenericOutput", channels: .any)
    /// A device, in the spelling of phones.
    package static let remoteIO = UnitDescription("auou", "rioc", name: "AURemoteIO", channels: .any)
    /// A device, in the spelling of computers.
    package static let halOutput = UnitDescription("auou", "ahal", name: "AudioDeviceOutput", channels: .any)
    /// The device the user has chosen.
    package static let defaultOutput = UnitDescription("auou", "def ", name: "DefaultOutputUnit", channels: .any)
    /// A device with echo cancellation.
    package static let voiceProcessingIO = UnitDescription("auou", "vpio", name: "AUVoiceIO", channels: .any)
}
