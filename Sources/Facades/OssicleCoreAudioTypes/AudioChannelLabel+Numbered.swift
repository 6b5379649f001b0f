// Labels that carry a number in their lower half: discrete channels and Ambisonics components.

/// Discrete channel 0.
public let kAudioChannelLabel_Discrete_0: AudioChannelLabel = (1<<16) | 0
/// Discrete channel 1.
public let kAudioChannelLabel_Discrete_1: AudioChannelLabel = (1<<16) | 1
/// Discrete channel 2.
public let kAudioChannelLabel_Discrete_2: AudioChannelLabel = (1<<16) | 2
/// Discrete channel 3.
public let kAudioChannelLabel_Discrete_3: AudioChannelLabel = (1<<16) | 3
/// Discrete channel 4.
public let kAudioChannelLabel_Discrete_4: AudioChannelLabel = (1<<16) | 4
/// Discrete channel 5.
public let kAudioChannelLabel_Discrete_5: AudioChannelLabel = (1<<16) | 5
/// Discrete channel 6.
public let kAudioChannelLabel_Discrete_6: AudioChannelLabel = (1<<16) | 6
/// Discrete channel 7.
public let kAudioChannelLabel_Discrete_7: AudioChannelLabel = (1<<16) | 7
/// Discrete channel 8.
public let kAudioChannelLabel_Discrete_8: AudioChannelLabel = (1<<16) | 8
/// Discrete channel 9.
public let kAudioChannelLabel_Discrete_9: AudioChannelLabel = (1<<16) | 9
/// Discrete channel 10.
public let kAudioChannelLabel_Discrete_10: AudioChannelLabel = (1<<16) | 10
/// Discrete channel 11.
public let kAudioChannelLabel_Discrete_11: AudioChannelLabel = (1<<16) | 11
/// Discrete channel 12.
public let kAudioChannelLabel_Discrete_12: AudioChannelLabel = (1<<16) | 12
/// Discrete channel 13.
public let kAudioChannelLabel_Discrete_13: AudioChannelLabel = (1<<16) | 13
/// Discrete channel 14.
public let kAudioChannelLabel_Discrete_14: AudioChannelLabel = (1<<16) | 14
/// Discrete channel 15.
public let kAudioChannelLabel_Discrete_15: AudioChannelLabel = (1<<16) | 15
/// Discrete channel 65535.
public let kAudioChannelLabel_Discrete_65535: AudioChannelLabel = (1<<16) | 65535
/// Ambisonics, channel number given elsewhere.
public let kAudioChannelLabel_HOA_ACN: AudioChannelLabel = 500
/// Ambisonics, ACN index 0.
public let kAudioChannelLabel_HOA_ACN_0: AudioChannelLabel = (2 << 16) | 0
/// Ambisonics, ACN index 1.
public let kAudioChannelLabel_HOA_ACN_1: AudioChannelLabel = (2 << 16) | 1
/// Ambisonics, ACN index 2.
public let kAudioChannelLabel_HOA_ACN_2: AudioChannelLabel = (2 << 16) | 2
/// Ambisonics, ACN index 3.
public let kAudioChannelLabel_HOA_ACN_3: AudioChannelLabel = (2 << 16) | 3
/// Ambisonics, ACN index 4.
public let kAudioChannelLabel_HOA_ACN_4: AudioChannelLabel = (2 << 16) | 4
/// Ambisonics, ACN index 5.
public let kAudioChannelLabel_HOA_ACN_5: AudioChannelLabel = (2 << 16) | 5
/// Ambisonics, ACN index 6.
public let kAudioChannelLabel_HOA_ACN_6: AudioChannelLabel = (2 << 16) | 6
/// Ambisonics, ACN index 7.
public let kAudioChannelLabel_HOA_ACN_7: AudioChannelLabel = (2 << 16) | 7
/// Ambisonics, ACN index 8.
public let kAudioChannelLabel_HOA_ACN_8: AudioChannelLabel = (2 << 16) | 8
/// Ambisonics, ACN index 9.
public let kAudioChannelLabel_HOA_ACN_9: AudioChannelLabel = (2 << 16) | 9
/// Ambisonics, ACN index 10.
public let kAudioChannelLabel_HOA_ACN_10: AudioChannelLabel = (2 << 16) | 10
/// Ambisonics, ACN index 11.
public let kAudioChannelLabel_HOA_ACN_11: AudioChannelLabel = (2 << 16) | 11
/// Ambisonics, ACN index 12.
public let kAudioChannelLabel_HOA_ACN_12: AudioChannelLabel = (2 << 16) | 12
/// Ambisonics, ACN index 13.
public let kAudioChannelLabel_HOA_ACN_13: AudioChannelLabel = (2 << 16) | 13
/// Ambisonics, ACN index 14.
public let kAudioChannelLabel_HOA_ACN_14: AudioChannelLabel = (2 << 16) | 14
/// Ambisonics, ACN index 15.
public let kAudioChannelLabel_HOA_ACN_15: AudioChannelLabel = (2 << 16) | 15
/// Ambisonics, ACN index 65024.
public let kAudioChannelLabel_HOA_ACN_65024: AudioChannelLabel = (2 << 16) | 65024
/// Ambisonics in SN3D; add the ACN index.
public let kAudioChannelLabel_HOA_SN3D: AudioChannelLabel = kAudioChannelLabel_HOA_ACN_0
/// Ambisonics in N3D; add the ACN index.
public let kAudioChannelLabel_HOA_N3D: AudioChannelLabel = (3 << 16)
