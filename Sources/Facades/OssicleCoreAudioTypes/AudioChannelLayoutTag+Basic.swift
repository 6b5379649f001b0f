// Layout tags: mono, stereo, regular rings, and the tags that point elsewhere.

/// The layout’s descriptions tell the channels.
public let kAudioChannelLayoutTag_UseChannelDescriptions: AudioChannelLayoutTag = (0 << 16) | 0
/// The layout’s bitmap tells the channels.
public let kAudioChannelLayoutTag_UseChannelBitmap: AudioChannelLayoutTag = (1 << 16) | 0
/// C.
public let kAudioChannelLayoutTag_Mono: AudioChannelLayoutTag = (100 << 16) | 1
/// L R.
public let kAudioChannelLayoutTag_Stereo: AudioChannelLayoutTag = (101 << 16) | 2
/// L R for headphones.
public let kAudioChannelLayoutTag_StereoHeadphones: AudioChannelLayoutTag = (102 << 16) | 2
/// Lt Rt.
public let kAudioChannelLayoutTag_MatrixStereo: AudioChannelLayoutTag = (103 << 16) | 2
/// M S.
public let kAudioChannelLayoutTag_MidSide: AudioChannelLayoutTag = (104 << 16) | 2
/// X Y.
public let kAudioChannelLayoutTag_XY: AudioChannelLayoutTag = (105 << 16) | 2
/// left right ear.
public let kAudioChannelLayoutTag_Binaural: AudioChannelLayoutTag = (106 << 16) | 2
/// W X Y Z.
public let kAudioChannelLayoutTag_Ambisonic_B_Format: AudioChannelLayoutTag = (107 << 16) | 4
/// L R Ls Rs, 90 deg.
public let kAudioChannelLayoutTag_Quadraphonic: AudioChannelLayoutTag = (108 << 16) | 4
/// L R Ls Rs C, 72 deg.
public let kAudioChannelLayoutTag_Pentagonal: AudioChannelLayoutTag = (109 << 16) | 5
/// L R Ls Rs C Cs, 60 deg.
public let kAudioChannelLayoutTag_Hexagonal: AudioChannelLayoutTag = (110 << 16) | 6
/// L R Ls Rs C Cs Lw Rw, 45 deg.
public let kAudioChannelLayoutTag_Octagonal: AudioChannelLayoutTag = (111 << 16) | 8
/// 4 corners low, then 4 high.
public let kAudioChannelLayoutTag_Cube: AudioChannelLayoutTag = (112 << 16) | 8
/// Channels without a place, in order; OR the channel count.
public let kAudioChannelLayoutTag_DiscreteInOrder: AudioChannelLayoutTag = (147 << 16) | 0
/// First tag reserved for private use.
public let kAudioChannelLayoutTag_BeginReserved: AudioChannelLayoutTag = 0xF0000000
/// Last tag reserved for private use.
public let kAudioChannelLayoutTag_EndReserved: AudioChannelLayoutTag = 0xFFFEFFFF
/// Nothing known; OR the channel count.
public let kAudioChannelLayoutTag_Unknown: AudioChannelLayoutTag = 0xFFFF0000
