/// The 22 presets of the distortion unit in Apple's raw order. The names are Apple's, the values are ours.
package enum DistortionPreset: UInt8, BitwiseCopyable, CaseIterable, Sendable {
    case drumsBitBrush, drumsBufferBeats, drumsLoFi
    case multiBrokenSpeaker, multiCellphoneConcert
    case multiDecimated1, multiDecimated2, multiDecimated3, multiDecimated4
    case multiDistortedFunk, multiDistortedCubed, multiDistortedSquared
    case multiEcho1, multiEcho2, multiEchoTight1, multiEchoTight2
    case multiEverythingIsBroken
    case speechAlienChatter, speechCosmicInterference, speechGoldenPi, speechRadioTower, speechWaves

    package var settings: DistortionSettings { row.settings }

    /// The "distorted" ones keep some of the sample: what they add to it grows with the drive, so that the pre-gain says how much.
    private var row: Row {
        switch self {
        case .drumsBitBrush: Row(crush: (12, 80, 100))
        case .drumsBufferBeats: Row(echo: (125, 0.4, 50), crush: (35, 0, 40), clip: -3)
        case .drumsLoFi: Row(crush: (48, 55, 100), curve: (1, 0, 2, 60), clip: -3)
        case .multiBrokenSpeaker: Row(crush: (20, 30, 50), curve: (0.4, 9, 14, 100), clip: 12)
        case .multiCellphoneConcert: Row(echo: (0.2, 0.15, 65), crush: (38, 60, 85), curve: (1, 1, 4, 50))
        case .multiDecimated1: Row(crush: (36, 0, 100))
        case .multiDecimated2: Row(crush: (52, 0, 100))
        case .multiDecimated3: Row(crush: (66, 30, 100))
        case .multiDecimated4: Row(crush: (82, 60, 100))
        case .multiDistortedFunk: Row(echo: (8, 0.9, 35), curve: (1, 3, 8, 70), ring: (90, 180, 50, 25), clip: 8)
        case .multiDistortedCubed: Row(curve: (0.25, 0, 20, 100), clip: 6)
        case .multiDistortedSquared: Row(curve: (0.25, 20, 0, 100))
        case .multiEcho1: Row(echo: (250, 0.7, 50))
        case .multiEcho2: Row(echo: (400, 0.35, 60), crush: (28, 0, 60), clip: 3)
        case .multiEchoTight1: Row(echo: (60, 0.8, 50), clip: 3)
        case .multiEchoTight2: Row(echo: (25, 0.3, 60), curve: (1, 0, 6, 50))
        case .multiEverythingIsBroken: Row(echo: (90, 0.25, 55), crush: (60, 75, 80), curve: (0.5, 12, 20, 80), ring: (55, 1310, 40, 60), clip: 16)
        case .speechAlienChatter: Row(echo: (18, 0.5, 45), ring: (210, 640, 35, 90), clip: 6)
        case .speechCosmicInterference: Row(echo: (140, 0.6, 35), ring: (2300, 3170, 50, 100), clip: 6)
        case .speechGoldenPi: Row(ring: (314.159, 508.32, 50, 70))
        case .speechRadioTower: Row(echo: (0.3, 0.2, 70), crush: (30, 40, 60), curve: (0.6, 6, 10, 100), ring: (1200, 50, 60, 20), clip: 10)
        case .speechWaves: Row(echo: (12, 0.5, 50), ring: (0.7, 3.3, 50, 85), clip: 6)
        }
    }

    /// A preset by its stages; those left out do nothing, and the input is heard only as much as the client's own mix says.
    private struct Row {
        var settings = DistortionSettings()

        init(echo: (milliseconds: Float, decay: Float, mix: Float) = (0.1, 1, 0), crush: (decimation: Float, rounding: Float, mix: Float) = (0, 0, 0),
             curve: (linear: Float, squared: Float, cubic: Float, mix: Float) = (1, 0, 0, 0),
             ring: (first: Float, second: Float, balance: Float, mix: Float) = (100, 100, 50, 0), clip: Float = 0) {
            (settings.delay, settings.decay, settings.delayMix) = echo
            (settings.decimation, settings.rounding, settings.decimationMix) = crush
            (settings.linearTerm, settings.squaredTerm, settings.cubicTerm, settings.polynomialMix) = curve
            (settings.ringModFrequency1, settings.ringModFrequency2, settings.ringModBalance, settings.ringModMix) = ring
            (settings.softClipGain, settings.finalMix) = (clip, 100)
        }
    }
}
