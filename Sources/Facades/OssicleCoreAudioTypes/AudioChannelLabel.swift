// Channel labels: the role of one channel.

/// The role of one channel: a loudspeaker, an ear, an Ambisonics component or no role at all.
public typealias AudioChannelLabel = UInt32

/// Role not known; needs no further data.
public let kAudioChannelLabel_Unknown: AudioChannelLabel = 0xFFFFFFFF
/// Channel present but without a use.
public let kAudioChannelLabel_Unused: AudioChannelLabel = 0
/// Place given by the description’s coordinates.
public let kAudioChannelLabel_UseCoordinates: AudioChannelLabel = 100
/// Left.
public let kAudioChannelLabel_Left: AudioChannelLabel = 1
/// Right.
public let kAudioChannelLabel_Right: AudioChannelLabel = 2
/// Center.
public let kAudioChannelLabel_Center: AudioChannelLabel = 3
/// Low-frequency effects.
public let kAudioChannelLabel_LFEScreen: AudioChannelLabel = 4
/// Left surround.
public let kAudioChannelLabel_LeftSurround: AudioChannelLabel = 5
/// Right surround.
public let kAudioChannelLabel_RightSurround: AudioChannelLabel = 6
/// Left center.
public let kAudioChannelLabel_LeftCenter: AudioChannelLabel = 7
/// Right center.
public let kAudioChannelLabel_RightCenter: AudioChannelLabel = 8
/// Center surround.
public let kAudioChannelLabel_CenterSurround: AudioChannelLabel = 9
/// Left surround direct.
public let kAudioChannelLabel_LeftSurroundDirect: AudioChannelLabel = 10
/// Right surround direct.
public let kAudioChannelLabel_RightSurroundDirect: AudioChannelLabel = 11
/// Top center surround.
public let kAudioChannelLabel_TopCenterSurround: AudioChannelLabel = 12
/// Vertical height left.
public let kAudioChannelLabel_VerticalHeightLeft: AudioChannelLabel = 13
/// Vertical height center.
public let kAudioChannelLabel_VerticalHeightCenter: AudioChannelLabel = 14
/// Vertical height right.
public let kAudioChannelLabel_VerticalHeightRight: AudioChannelLabel = 15
/// Top back left.
public let kAudioChannelLabel_TopBackLeft: AudioChannelLabel = 16
/// Top back center.
public let kAudioChannelLabel_TopBackCenter: AudioChannelLabel = 17
/// Top back right.
public let kAudioChannelLabel_TopBackRight: AudioChannelLabel = 18
/// Rear surround left.
public let kAudioChannelLabel_RearSurroundLeft: AudioChannelLabel = 33
/// Rear surround right.
public let kAudioChannelLabel_RearSurroundRight: AudioChannelLabel = 34
/// Left wide.
public let kAudioChannelLabel_LeftWide: AudioChannelLabel = 35
/// Right wide.
public let kAudioChannelLabel_RightWide: AudioChannelLabel = 36
/// Second low-frequency channel.
public let kAudioChannelLabel_LFE2: AudioChannelLabel = 37
/// Left total.
public let kAudioChannelLabel_LeftTotal: AudioChannelLabel = 38
/// Right total.
public let kAudioChannelLabel_RightTotal: AudioChannelLabel = 39
/// Dialogue for the hearing impaired.
public let kAudioChannelLabel_HearingImpaired: AudioChannelLabel = 40
/// Audio description.
public let kAudioChannelLabel_Narration: AudioChannelLabel = 41
/// The one channel of a mono signal.
public let kAudioChannelLabel_Mono: AudioChannelLabel = 42
/// A mix centred on dialogue.
public let kAudioChannelLabel_DialogCentricMix: AudioChannelLabel = 43
/// Center surround direct.
public let kAudioChannelLabel_CenterSurroundDirect: AudioChannelLabel = 44
/// Signal for haptic actuators.
public let kAudioChannelLabel_Haptic: AudioChannelLabel = 45
/// Left top front; same as `VerticalHeightLeft`.
public let kAudioChannelLabel_LeftTopFront: AudioChannelLabel = kAudioChannelLabel_VerticalHeightLeft
/// Center top front; same as `VerticalHeightCenter`.
public let kAudioChannelLabel_CenterTopFront: AudioChannelLabel = kAudioChannelLabel_VerticalHeightCenter
/// Right top front; same as `VerticalHeightRight`.
public let kAudioChannelLabel_RightTopFront: AudioChannelLabel = kAudioChannelLabel_VerticalHeightRight
/// Left top middle.
public let kAudioChannelLabel_LeftTopMiddle: AudioChannelLabel = 49
/// Center top middle; same as `TopCenterSurround`.
public let kAudioChannelLabel_CenterTopMiddle: AudioChannelLabel = kAudioChannelLabel_TopCenterSurround
/// Right top middle.
public let kAudioChannelLabel_RightTopMiddle: AudioChannelLabel = 51
/// Left top rear.
public let kAudioChannelLabel_LeftTopRear: AudioChannelLabel = 52
/// Center top rear.
public let kAudioChannelLabel_CenterTopRear: AudioChannelLabel = 53
/// Right top rear.
public let kAudioChannelLabel_RightTopRear: AudioChannelLabel = 54
/// Left side surround.
public let kAudioChannelLabel_LeftSideSurround: AudioChannelLabel = 55
/// Right side surround.
public let kAudioChannelLabel_RightSideSurround: AudioChannelLabel = 56
/// Left bottom.
public let kAudioChannelLabel_LeftBottom: AudioChannelLabel = 57
/// Right bottom.
public let kAudioChannelLabel_RightBottom: AudioChannelLabel = 58
/// Center bottom.
public let kAudioChannelLabel_CenterBottom: AudioChannelLabel = 59
/// Left top surround.
public let kAudioChannelLabel_LeftTopSurround: AudioChannelLabel = 60
/// Right top surround.
public let kAudioChannelLabel_RightTopSurround: AudioChannelLabel = 61
/// Third low-frequency channel.
public let kAudioChannelLabel_LFE3: AudioChannelLabel = 62
/// Left back surround.
public let kAudioChannelLabel_LeftBackSurround: AudioChannelLabel = 63
/// Right back surround.
public let kAudioChannelLabel_RightBackSurround: AudioChannelLabel = 64
/// Left edge of screen.
public let kAudioChannelLabel_LeftEdgeOfScreen: AudioChannelLabel = 65
/// Right edge of screen.
public let kAudioChannelLabel_RightEdgeOfScreen: AudioChannelLabel = 66
/// First-order Ambisonics, W.
public let kAudioChannelLabel_Ambisonic_W: AudioChannelLabel = 200
/// First-order Ambisonics, X.
public let kAudioChannelLabel_Ambisonic_X: AudioChannelLabel = 201
/// First-order Ambisonics, Y.
public let kAudioChannelLabel_Ambisonic_Y: AudioChannelLabel = 202
/// First-order Ambisonics, Z.
public let kAudioChannelLabel_Ambisonic_Z: AudioChannelLabel = 203
/// Mid of a mid/side pair.
public let kAudioChannelLabel_MS_Mid: AudioChannelLabel = 204
/// Side of a mid/side pair.
public let kAudioChannelLabel_MS_Side: AudioChannelLabel = 205
/// First of an X/Y pair.
public let kAudioChannelLabel_XY_X: AudioChannelLabel = 206
/// Second of an X/Y pair.
public let kAudioChannelLabel_XY_Y: AudioChannelLabel = 207
/// Binaural left.
public let kAudioChannelLabel_BinauralLeft: AudioChannelLabel = 208
/// Binaural right.
public let kAudioChannelLabel_BinauralRight: AudioChannelLabel = 209
/// Headphones left.
public let kAudioChannelLabel_HeadphonesLeft: AudioChannelLabel = 301
/// Headphones right.
public let kAudioChannelLabel_HeadphonesRight: AudioChannelLabel = 302
/// Click track.
public let kAudioChannelLabel_ClickTrack: AudioChannelLabel = 304
/// Another language.
public let kAudioChannelLabel_ForeignLanguage: AudioChannelLabel = 305
/// A channel without a role of its own.
public let kAudioChannelLabel_Discrete: AudioChannelLabel = 400
/// An audio object; add its index.
public let kAudioChannelLabel_Object: AudioChannelLabel = (4 << 16)
/// First value reserved for private use.
public let kAudioChannelLabel_BeginReserved: AudioChannelLabel = 0xF0000000
/// Last value reserved for private use.
public let kAudioChannelLabel_EndReserved: AudioChannelLabel = 0xFFFFFFFE

/// Discrete channel 0.
public let kAudioChannelLabel_Discrete_0: AudioChannelLabel = (1 << 16) | 0
/// Discrete channel 1.
public let kAudioChannelLabel_Discrete_1: AudioChannelLabel = (1 << 16) | 1
/// Discrete channel 2.
public let kAudioChannelLabel_Discrete_2: AudioChannelLabel = (1 << 16) | 2
/// Discrete channel 3.
public let kAudioChannelLabel_Discrete_3: AudioChannelLabel = (1 << 16) | 3
/// Discrete channel 4.
public let kAudioChannelLabel_Discrete_4: AudioChannelLabel = (1 << 16) | 4
/// Discrete channel 5.
public let kAudioChannelLabel_Discrete_5: AudioChannelLabel = (1 << 16) | 5
/// Discrete channel 6.
public let kAudioChannelLabel_Discrete_6: AudioChannelLabel = (1 << 16) | 6
/// Discrete channel 7.
public let kAudioChannelLabel_Discrete_7: AudioChannelLabel = (1 << 16) | 7
/// Discrete channel 8.
public let kAudioChannelLabel_Discrete_8: AudioChannelLabel = (1 << 16) | 8
/// Discrete channel 9.
public let kAudioChannelLabel_Discrete_9: AudioChannelLabel = (1 << 16) | 9
/// Discrete channel 10.
public let kAudioChannelLabel_Discrete_10: AudioChannelLabel = (1 << 16) | 10
/// Discrete channel 11.
public let kAudioChannelLabel_Discrete_11: AudioChannelLabel = (1 << 16) | 11
/// Discrete channel 12.
public let kAudioChannelLabel_Discrete_12: AudioChannelLabel = (1 << 16) | 12
/// Discrete channel 13.
public let kAudioChannelLabel_Discrete_13: AudioChannelLabel = (1 << 16) | 13
/// Discrete channel 14.
public let kAudioChannelLabel_Discrete_14: AudioChannelLabel = (1 << 16) | 14
/// Discrete channel 15.
public let kAudioChannelLabel_Discrete_15: AudioChannelLabel = (1 << 16) | 15
/// Discrete channel 65535.
public let kAudioChannelLabel_Discrete_65535: AudioChannelLabel = (1 << 16) | 65535
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
