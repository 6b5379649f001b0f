// The matrix mixer.

/// Volume: 0...1 (factor), default 1.
public let kMatrixMixerParam_Volume: AudioUnitParameterID = 0
/// Enable: 0 or 1, default 1.
public let kMatrixMixerParam_Enable: AudioUnitParameterID = 1
/// Pre average power: -120...20 dB, default -120.
public let kMatrixMixerParam_PreAveragePower: AudioUnitParameterID = 1000
/// Pre peak hold level: -120...20 dB, default -120.
public let kMatrixMixerParam_PrePeakHoldLevel: AudioUnitParameterID = 2000
/// Post average power: -120...20 dB, default -120.
public let kMatrixMixerParam_PostAveragePower: AudioUnitParameterID = 3000
/// Post peak hold level: -120...20 dB, default -120.
public let kMatrixMixerParam_PostPeakHoldLevel: AudioUnitParameterID = 4000
/// Pre average power linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PreAveragePowerLinear: AudioUnitParameterID = 5000
/// Pre peak hold level linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PrePeakHoldLevelLinear: AudioUnitParameterID = 6000
/// Post average power linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PostAveragePowerLinear: AudioUnitParameterID = 7000
/// Post peak hold level linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PostPeakHoldLevelLinear: AudioUnitParameterID = 8000

extension UnitDescription {
    /// Sends inputs to outputs.
    package static let matrixMixer = mixer(kAudioUnitSubType_MatrixMixer, "AUMatrixMixer", [
        .init(kMatrixMixerParam_Volume, "volume", "Volume", .linearGain, from: 0, to: 1, default: 1, place: .inputAndOutput),
        .init(kMatrixMixerParam_Enable, "enable", "Enable", .boolean, from: 0, to: 1, default: 1, flags: .stepping, place: .inputAndOutput),
        .init(kMatrixMixerParam_PreAveragePower, "preAveragePower", "Pre Average Power", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PrePeakHoldLevel, "prePeakHoldLevel", "Pre Peak Hold Level", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PostAveragePower, "postAveragePower", "Post Average Power", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PostPeakHoldLevel, "postPeakHoldLevel", "Post Peak Hold Level", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PreAveragePowerLinear, "preAveragePowerLinear", "Pre Average Power Linear", .linearGain,
              from: 0, to: 10, default: 0, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PrePeakHoldLevelLinear, "prePeakHoldLevelLinear", "Pre Peak Hold Level Linear", .linearGain,
              from: 0, to: 10, default: 0, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PostAveragePowerLinear, "postAveragePowerLinear", "Post Average Power Linear", .linearGain,
              from: 0, to: 10, default: 0, flags: .meter, place: .inputAndOutput),
        .init(kMatrixMixerParam_PostPeakHoldLevelLinear, "postPeakHoldLevelLinear", "Post Peak Hold Level Linear", .linearGain,
              from: 0, to: 10, default: 0, flags: .meter, place: .inputAndOutput),
    ])
}

extension UnitDescription {
    /// Channels on either side of a matrix mixer that have parameters.
    static let matrixSize = 32

    /// The master volume, at the greatest element, and the volumes of the cross-points, at `input << 16 | output`.
    static func makeMatrixNodes() -> [AUParameterNode] {
        let master = [(kMatrixMixerParam_Volume, "masterVolume", AudioUnitParameterUnit.linearGain), (kMatrixMixerParam_Enable, "masterEnable", .boolean)]
        let points = (0..<matrixSize).flatMap { input in (0..<matrixSize).map { (input, $0) } }
        let group = AUParameterTree.createGroup(withIdentifier: "crossPoints", name: "Cross-Points", children: points.map { input, output in
            makeGain(kMatrixMixerParam_Volume, "volume_\(input)_\(output)", .linearGain, element: AudioUnitElement(input << 16 | output), value: 0)
        })
        return master.map { makeGain($0.0, $0.1, $0.2, element: .max, value: 1) } + [group]
    }

    private static func makeGain(_ id: AudioUnitParameterID, _ identifier: String, _ unit: AudioUnitParameterUnit, element: AudioUnitElement,
                                 value: AUValue) -> AUParameter {
        let address = AUParameterAddress(parameterID: id, scope: kAudioUnitScope_Global, element: element) ?? AUParameterAddress(id)
        let parameter = AUParameterTree.createParameter(withIdentifier: identifier, name: identifier, address: address, min: 0, max: 1, unit: unit,
                                                        unitName: nil, flags: .settable, valueStrings: nil, dependentParameters: nil)
        parameter.value = value
        return parameter
    }
}
