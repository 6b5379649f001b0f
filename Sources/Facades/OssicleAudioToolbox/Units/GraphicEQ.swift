// The graphic equaliser: a row of bells at fixed frequencies. The gains of the bands have the numbers from 0 on.

/// Number of bands: 0 for 10 bands, 1 for 31; default 1.
public let kGraphicEQParam_NumberOfBands: AudioUnitParameterID = 10_000

extension UnitDescription {
    /// Gains at 10 or 31 fixed frequencies.
    static let graphicEQ = effect(kAudioUnitSubType_GraphicEQ, "AUGraphicEQ", gains + [
        .init(kGraphicEQParam_NumberOfBands, "numberOfBands", "Number of Bands", .indexed, from: 0, to: 1, default: 1, flags: .stepping,
              valueStrings: ["10", "31"]),
    ])

    private static let gains = (0..<31).map { band in
        ParameterSpecification(AudioUnitParameterID(band), "gain\(band)", "Gain \(band + 1)", .decibels, from: -20, to: 20, default: 0)
    }
}
