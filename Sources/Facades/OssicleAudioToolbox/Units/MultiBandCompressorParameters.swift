// Parameters of the multi-band compressor: four bands, each with a compressor.

/// Pre-gain: -40...40 dB, default 0.
public let kMultibandCompressorParam_Pregain: AudioUnitParameterID = 0
/// Post-gain: -40...40 dB, default 0.
public let kMultibandCompressorParam_Postgain: AudioUnitParameterID = 1
/// Crossover 1: 20 Hz to half the sample rate, default 120.
public let kMultibandCompressorParam_Crossover1: AudioUnitParameterID = 2
/// Crossover 2: 20 Hz to half the sample rate, default 700.
public let kMultibandCompressorParam_Crossover2: AudioUnitParameterID = 3
/// Crossover 3: 20 Hz to half the sample rate, default 3000.
public let kMultibandCompressorParam_Crossover3: AudioUnitParameterID = 4
/// Threshold 1: -100...0 dB, default -22.
public let kMultibandCompressorParam_Threshold1: AudioUnitParameterID = 5
/// Threshold 2: -100...0 dB, default -32.
public let kMultibandCompressorParam_Threshold2: AudioUnitParameterID = 6
/// Threshold 3: -100...0 dB, default -33.
public let kMultibandCompressorParam_Threshold3: AudioUnitParameterID = 7
/// Threshold 4: -100...0 dB, default -36.
public let kMultibandCompressorParam_Threshold4: AudioUnitParameterID = 8
/// Headroom 1: 0.1...40 dB, default 5.
public let kMultibandCompressorParam_Headroom1: AudioUnitParameterID = 9
/// Headroom 2: 0.1...40 dB, default 12.
public let kMultibandCompressorParam_Headroom2: AudioUnitParameterID = 10
/// Headroom 3: 0.1...40 dB, default 5.
public let kMultibandCompressorParam_Headroom3: AudioUnitParameterID = 11
/// Headroom 4: 0.1...40 dB, default 7.5.
public let kMultibandCompressorParam_Headroom4: AudioUnitParameterID = 12
/// Attack time: 0.001...0.2 s, default 0.08.
public let kMultibandCompressorParam_AttackTime: AudioUnitParameterID = 13
/// Release time: 0.01...3 s, default 0.12.
public let kMultibandCompressorParam_ReleaseTime: AudioUnitParameterID = 14
/// EQ 1: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ1: AudioUnitParameterID = 15
/// EQ 2: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ2: AudioUnitParameterID = 16
/// EQ 3: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ3: AudioUnitParameterID = 17
/// EQ 4: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ4: AudioUnitParameterID = 18
/// Compression amount 1: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount1: AudioUnitParameterID = 1000
/// Compression amount 2: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount2: AudioUnitParameterID = 2000
/// Compression amount 3: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount3: AudioUnitParameterID = 3000
/// Compression amount 4: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount4: AudioUnitParameterID = 4000
/// Input amplitude 1: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude1: AudioUnitParameterID = 5000
/// Input amplitude 2: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude2: AudioUnitParameterID = 6000
/// Input amplitude 3: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude3: AudioUnitParameterID = 7000
/// Input amplitude 4: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude4: AudioUnitParameterID = 8000
/// Output amplitude 1: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude1: AudioUnitParameterID = 9000
/// Output amplitude 2: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude2: AudioUnitParameterID = 10_000
/// Output amplitude 3: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude3: AudioUnitParameterID = 11_000
/// Output amplitude 4: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude4: AudioUnitParameterID = 12_000
