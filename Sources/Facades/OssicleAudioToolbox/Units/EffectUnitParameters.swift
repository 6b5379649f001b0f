// Parameters of delays, distortion, dynamics and time effects.

// MARK: Delay

/// Wet/dry mix: 0...100 (equal power), default 50.
public let kDelayParam_WetDryMix: AudioUnitParameterID = 0
/// Delay time: 0...2 s, default 1.
public let kDelayParam_DelayTime: AudioUnitParameterID = 1
/// Feedback: -100...100 %, default 50.
public let kDelayParam_Feedback: AudioUnitParameterID = 2
/// Low-pass cutoff: 10 Hz to half the sample rate, default 15 000.
public let kDelayParam_LopassCutoff: AudioUnitParameterID = 3

// MARK: Sample delay

/// Delay: 0 frames to the sample rate, default 0.
public let kSampleDelayParam_DelayFrames: AudioUnitParameterID = 0

// MARK: Distortion

/// Delay: 0.1...500 ms, default 0.1.
public let kDistortionParam_Delay: AudioUnitParameterID = 0
/// Decay: 0.1...50, default 1.
public let kDistortionParam_Decay: AudioUnitParameterID = 1
/// Delay mix: 0...100 %, default 50.
public let kDistortionParam_DelayMix: AudioUnitParameterID = 2
/// Decimation: 0...100 %, default 0.
public let kDistortionParam_Decimation: AudioUnitParameterID = 3
/// Rounding: 0...100 %, default 0.
public let kDistortionParam_Rounding: AudioUnitParameterID = 4
/// Decimation mix: 0...100 %, default 50.
public let kDistortionParam_DecimationMix: AudioUnitParameterID = 5
/// Linear term: 0...1 (factor), default 1.
public let kDistortionParam_LinearTerm: AudioUnitParameterID = 6
/// Squared term: 0...20 (factor), default 0.
public let kDistortionParam_SquaredTerm: AudioUnitParameterID = 7
/// Cubic term: 0...20 (factor), default 0.
public let kDistortionParam_CubicTerm: AudioUnitParameterID = 8
/// Polynomial mix: 0...100 %, default 50.
public let kDistortionParam_PolynomialMix: AudioUnitParameterID = 9
/// Ring modulation frequency 1: 0.5...8000 Hz, default 100.
public let kDistortionParam_RingModFreq1: AudioUnitParameterID = 10
/// Ring modulation frequency 2: 0.5...8000 Hz, default 100.
public let kDistortionParam_RingModFreq2: AudioUnitParameterID = 11
/// Ring modulation balance: 0...100 %, default 50.
public let kDistortionParam_RingModBalance: AudioUnitParameterID = 12
/// Ring modulation mix: 0...100 %, default 0.
public let kDistortionParam_RingModMix: AudioUnitParameterID = 13
/// Soft clip gain: -80...20 dB, default -6.
public let kDistortionParam_SoftClipGain: AudioUnitParameterID = 14
/// Final mix: 0...100 %, default 50.
public let kDistortionParam_FinalMix: AudioUnitParameterID = 15

// MARK: Peak limiter

/// Attack time: 0.001...0.03 s, default 0.012.
public let kLimiterParam_AttackTime: AudioUnitParameterID = 0
/// Decay time: 0.001...0.06 s, default 0.024.
public let kLimiterParam_DecayTime: AudioUnitParameterID = 1
/// Pre-gain: -40...40 dB, default 0.
public let kLimiterParam_PreGain: AudioUnitParameterID = 2

// MARK: Dynamics processor

/// Threshold: -40...20 dB, default -20.
public let kDynamicsProcessorParam_Threshold: AudioUnitParameterID = 0
/// Headroom: 0.1...40 dB, default 5.
public let kDynamicsProcessorParam_HeadRoom: AudioUnitParameterID = 1
/// Expansion ratio: 1...50, default 2.
public let kDynamicsProcessorParam_ExpansionRatio: AudioUnitParameterID = 2
/// Expansion threshold: -120...0 dB, default -120.
public let kDynamicsProcessorParam_ExpansionThreshold: AudioUnitParameterID = 3
/// Attack time: 0.0001...0.2 s, default 0.001.
public let kDynamicsProcessorParam_AttackTime: AudioUnitParameterID = 4
/// Release time: 0.01...3 s, default 0.05.
public let kDynamicsProcessorParam_ReleaseTime: AudioUnitParameterID = 5
/// Overall gain: -40...40 dB, default 0.
public let kDynamicsProcessorParam_OverallGain: AudioUnitParameterID = 6
/// How far the level is taken down, read only: -120...120 dB, default 0.
public let kDynamicsProcessorParam_CompressionAmount: AudioUnitParameterID = 1000
/// Level at the input, read only: -120...20 dB, default -120.
public let kDynamicsProcessorParam_InputAmplitude: AudioUnitParameterID = 2000
/// Level at the output, read only: -120...20 dB, default -120.
public let kDynamicsProcessorParam_OutputAmplitude: AudioUnitParameterID = 3000

// MARK: Varispeed

/// Playback rate: 0.25...4, default 1.
public let kVarispeedParam_PlaybackRate: AudioUnitParameterID = 0
/// Playback cents: -2400...2400 cents, default 0.
public let kVarispeedParam_PlaybackCents: AudioUnitParameterID = 1

// MARK: Time and pitch

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

// MARK: Voice isolation, which is not built in

/// Wet/dry mix: 0...100 %, default 100.
public let kAUSoundIsolationParam_WetDryMixPercent: AudioUnitParameterID = 0
/// Sound to isolate: 1...1, default 1.
public let kAUSoundIsolationParam_SoundToIsolate: AudioUnitParameterID = 1

// MARK: DLSMusicDevice

/// Tuning: -1200...1200 cents, default 0.
public let kMusicDeviceParam_Tuning: AudioUnitParameterID = 0
/// Volume: -120...40 dB, default 0.
public let kMusicDeviceParam_Volume: AudioUnitParameterID = 1
/// Volume of the reverb alone: -120...40 dB, default 0.
public let kMusicDeviceParam_ReverbVolume: AudioUnitParameterID = 2

// MARK: Sampler

/// Gain: -90...12 dB, default 0.
public let kAUSamplerParam_Gain: AudioUnitParameterID = 900
/// Coarse tuning: -24...24 semitones, default 0.
public let kAUSamplerParam_CoarseTuning: AudioUnitParameterID = 901
/// Fine tuning: -99...99 cents, default 0.
public let kAUSamplerParam_FineTuning: AudioUnitParameterID = 902
/// Pan: -1...1, default 0.
public let kAUSamplerParam_Pan: AudioUnitParameterID = 903
/// Most significant byte of the bank of percussion sets.
public let kAUSampler_DefaultPercussionBankMSB: Int = 0x78
/// Most significant byte of the bank of melodic instruments.
public let kAUSampler_DefaultMelodicBankMSB: Int = 0x79
/// Least significant byte of either bank.
public let kAUSampler_DefaultBankLSB: Int = 0
