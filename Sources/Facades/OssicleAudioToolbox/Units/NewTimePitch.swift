// The unit behind `AVAudioUnitTimePitch`.

/// Rate: 0.03125...32, default 1.
public let kNewTimePitchParam_Rate: AudioUnitParameterID = 0
/// Pitch: -2400...2400 cents, default 0.
public let kNewTimePitchParam_Pitch: AudioUnitParameterID = 1
/// Overlap of the grains: 3...32, default 8.
public let kNewTimePitchParam_Smoothness: AudioUnitParameterID = 4
/// Enable spectral coherence: 0 or 1, default 1.
public let kNewTimePitchParam_EnableSpectralCoherence: AudioUnitParameterID = 6
/// Enable transient preservation: 0 or 1, default 1.
public let kNewTimePitchParam_EnableTransientPreservation: AudioUnitParameterID = 7

extension UnitDescription {
    /// Changes speed and pitch, each on its own. The published default of the pitch is 1 cent; ours is none, as the class has it.
    static let timePitch = timeEffect(kAudioUnitSubType_NewTimePitch, "AUNewTimePitch", [
        .init(kNewTimePitchParam_Rate, "rate", "Rate", .rate, from: 0.03125, to: 32, default: 1),
        .init(kNewTimePitchParam_Pitch, "pitch", "Pitch", .cents, from: -2400, to: 2400, default: 0),
        .init(kNewTimePitchParam_Smoothness, "smoothness", "Smoothness", .generic, from: 3, to: 32, default: 8),
        .init(kNewTimePitchParam_EnableSpectralCoherence, "enableSpectralCoherence", "Enable Spectral Coherence", .boolean,
              from: 0, to: 1, default: 1, flags: .stepping),
        .init(kNewTimePitchParam_EnableTransientPreservation, "enableTransientPreservation", "Enable Transient Preservation",
              .boolean, from: 0, to: 1, default: 1, flags: .stepping),
    ])

    /// Changes pitch only, frame by frame.
    static let newPitch = effect(kAudioUnitSubType_NewTimePitch, "AUNewPitch", timePitch.parameters.filter { $0.id != kNewTimePitchParam_Rate })
}
