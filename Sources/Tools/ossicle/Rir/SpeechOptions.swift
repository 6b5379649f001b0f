import ArgumentParser
import OssicleAcoustics
import OssicleCore

/// How loud speech is and what noise it is heard in, for speech transmission indices.
struct SpeechOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            A-weighted level of speech, for a transmission index with masking and threshold (IEC 60268-16 Ed. 5): at 1 m from the mouth in the open, \
            of a recorded response at the microphone. 60 is normal effort, and what --noise takes without it.
            """, valueName: "decibels"))
    var speechLevel: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Noise at the listener in the octaves 125 Hz to 8 kHz, dB SPL: 45,40,35,30,25,22,20.",
            valueName: "decibels"))
    var noise: OctaveLevels?

    func validate() throws {
        if let speechLevel, !(-20...140).contains(speechLevel) {
            throw ValidationError("--speech-level \(speechLevel) is outside -20 to 140: give a level in that range.")
        }
    }

    /// - Parameter place: where `--speech-level` counts. Nil where neither option was given.
    func conditions(_ place: SpeechConditions.Place) -> SpeechConditions? {
        guard speechLevel != nil || noise != nil else { return nil }
        return SpeechConditions(
            level: speechLevel ?? SpeechConditions.normalLevel, place: place,
            noise: noise?.bands ?? SpeechConditions.silence)
    }
}

/// Levels of the octaves 125 Hz … 8 kHz on the command line: one for all, or seven.
struct OctaveLevels: ExpressibleByArgument, Equatable {
    let bands: OctaveBands

    init?(argument: String) {
        let levels = argument.split(separator: ",", omittingEmptySubsequences: false).map { Float($0) }
        guard [1, 7].contains(levels.count), levels.allSatisfy({ $0.map { abs($0) <= 200 } == true }) else {
            return nil
        }
        bands = OctaveBands(from125HzTo8kHz: levels.compactMap(\.self))
    }
}
