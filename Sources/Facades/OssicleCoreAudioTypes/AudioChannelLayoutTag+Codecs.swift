// Layout tags of audio units and codecs: AAC, AC-3, Enhanced AC-3, DTS.

/// Same as `Quadraphonic`.
public let kAudioChannelLayoutTag_AudioUnit_4: AudioChannelLayoutTag = kAudioChannelLayoutTag_Quadraphonic
/// Same as `Pentagonal`.
public let kAudioChannelLayoutTag_AudioUnit_5: AudioChannelLayoutTag = kAudioChannelLayoutTag_Pentagonal
/// Same as `Hexagonal`.
public let kAudioChannelLayoutTag_AudioUnit_6: AudioChannelLayoutTag = kAudioChannelLayoutTag_Hexagonal
/// Same as `Octagonal`.
public let kAudioChannelLayoutTag_AudioUnit_8: AudioChannelLayoutTag = kAudioChannelLayoutTag_Octagonal
/// Same as `MPEG_5_0_B`: L R Ls Rs C.
public let kAudioChannelLayoutTag_AudioUnit_5_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_0_B
/// L R Ls Rs C Cs.
public let kAudioChannelLayoutTag_AudioUnit_6_0: AudioChannelLayoutTag = (139 << 16) | 6
/// L R Ls Rs C Rls Rrs.
public let kAudioChannelLayoutTag_AudioUnit_7_0: AudioChannelLayoutTag = (140 << 16) | 7
/// L R Ls Rs C Lc Rc.
public let kAudioChannelLayoutTag_AudioUnit_7_0_Front: AudioChannelLayoutTag = (148 << 16) | 7
/// Same as `MPEG_5_1_A`: L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_AudioUnit_5_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
/// Same as `MPEG_6_1_A`: L R C LFE Ls Rs Cs.
public let kAudioChannelLayoutTag_AudioUnit_6_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_6_1_A
/// Same as `MPEG_7_1_C`: L R C LFE Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_AudioUnit_7_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_7_1_C
/// Same as `MPEG_7_1_A`: L R C LFE Ls Rs Lc Rc.
public let kAudioChannelLayoutTag_AudioUnit_7_1_Front: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_7_1_A
/// Same as `MPEG_3_0_B`: C L R.
public let kAudioChannelLayoutTag_AAC_3_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_3_0_B
/// Same as `Quadraphonic`: L R Ls Rs.
public let kAudioChannelLayoutTag_AAC_Quadraphonic: AudioChannelLayoutTag = kAudioChannelLayoutTag_Quadraphonic
/// Same as `MPEG_4_0_B`: C L R Cs.
public let kAudioChannelLayoutTag_AAC_4_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_4_0_B
/// Same as `MPEG_5_0_D`: C L R Ls Rs.
public let kAudioChannelLayoutTag_AAC_5_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_0_D
/// Same as `MPEG_5_1_D`: C L R Ls Rs Lfe.
public let kAudioChannelLayoutTag_AAC_5_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_D
/// C L R Ls Rs Cs.
public let kAudioChannelLayoutTag_AAC_6_0: AudioChannelLayoutTag = (141 << 16) | 6
/// C L R Ls Rs Cs Lfe.
public let kAudioChannelLayoutTag_AAC_6_1: AudioChannelLayoutTag = (142 << 16) | 7
/// C L R Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_AAC_7_0: AudioChannelLayoutTag = (143 << 16) | 7
/// Same as `MPEG_7_1_B`: C Lc Rc L R Ls Rs Lfe.
public let kAudioChannelLayoutTag_AAC_7_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_7_1_B
/// C L R Ls Rs Rls Rrs LFE.
public let kAudioChannelLayoutTag_AAC_7_1_B: AudioChannelLayoutTag = (183 << 16) | 8
/// C L R Ls Rs LFE Vhl Vhr.
public let kAudioChannelLayoutTag_AAC_7_1_C: AudioChannelLayoutTag = (184 << 16) | 8
/// C L R Ls Rs Rls Rrs Cs.
public let kAudioChannelLayoutTag_AAC_Octagonal: AudioChannelLayoutTag = (144 << 16) | 8
/// C LFE.
public let kAudioChannelLayoutTag_AC3_1_0_1: AudioChannelLayoutTag = (149 << 16) | 2
/// L C R.
public let kAudioChannelLayoutTag_AC3_3_0: AudioChannelLayoutTag = (150 << 16) | 3
/// L C R Cs.
public let kAudioChannelLayoutTag_AC3_3_1: AudioChannelLayoutTag = (151 << 16) | 4
/// L C R LFE.
public let kAudioChannelLayoutTag_AC3_3_0_1: AudioChannelLayoutTag = (152 << 16) | 4
/// L R Cs LFE.
public let kAudioChannelLayoutTag_AC3_2_1_1: AudioChannelLayoutTag = (153 << 16) | 4
/// L C R Cs LFE.
public let kAudioChannelLayoutTag_AC3_3_1_1: AudioChannelLayoutTag = (154 << 16) | 5
/// L C R Ls Rs Cs.
public let kAudioChannelLayoutTag_EAC_6_0_A: AudioChannelLayoutTag = (155 << 16) | 6
/// L C R Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_EAC_7_0_A: AudioChannelLayoutTag = (156 << 16) | 7
/// L C R Ls Rs LFE Cs.
public let kAudioChannelLayoutTag_EAC3_6_1_A: AudioChannelLayoutTag = (157 << 16) | 7
/// L C R Ls Rs LFE Ts.
public let kAudioChannelLayoutTag_EAC3_6_1_B: AudioChannelLayoutTag = (158 << 16) | 7
/// L C R Ls Rs LFE Vhc.
public let kAudioChannelLayoutTag_EAC3_6_1_C: AudioChannelLayoutTag = (159 << 16) | 7
/// L C R Ls Rs LFE Rls Rrs.
public let kAudioChannelLayoutTag_EAC3_7_1_A: AudioChannelLayoutTag = (160 << 16) | 8
/// L C R Ls Rs LFE Lc Rc.
public let kAudioChannelLayoutTag_EAC3_7_1_B: AudioChannelLayoutTag = (161 << 16) | 8
/// L C R Ls Rs LFE Lsd Rsd.
public let kAudioChannelLayoutTag_EAC3_7_1_C: AudioChannelLayoutTag = (162 << 16) | 8
/// L C R Ls Rs LFE Lw Rw.
public let kAudioChannelLayoutTag_EAC3_7_1_D: AudioChannelLayoutTag = (163 << 16) | 8
/// L C R Ls Rs LFE Vhl Vhr.
public let kAudioChannelLayoutTag_EAC3_7_1_E: AudioChannelLayoutTag = (164 << 16) | 8
/// L C R Ls Rs LFE Cs Ts.
public let kAudioChannelLayoutTag_EAC3_7_1_F: AudioChannelLayoutTag = (165 << 16) | 8
/// L C R Ls Rs LFE Cs Vhc.
public let kAudioChannelLayoutTag_EAC3_7_1_G: AudioChannelLayoutTag = (166 << 16) | 8
/// L C R Ls Rs LFE Ts Vhc.
public let kAudioChannelLayoutTag_EAC3_7_1_H: AudioChannelLayoutTag = (167 << 16) | 8
/// C L R LFE.
public let kAudioChannelLayoutTag_DTS_3_1: AudioChannelLayoutTag = (168 << 16) | 4
/// C L R Cs LFE.
public let kAudioChannelLayoutTag_DTS_4_1: AudioChannelLayoutTag = (169 << 16) | 5
/// Lc Rc L R Ls Rs.
public let kAudioChannelLayoutTag_DTS_6_0_A: AudioChannelLayoutTag = (170 << 16) | 6
/// C L R Rls Rrs Ts.
public let kAudioChannelLayoutTag_DTS_6_0_B: AudioChannelLayoutTag = (171 << 16) | 6
/// C Cs L R Rls Rrs.
public let kAudioChannelLayoutTag_DTS_6_0_C: AudioChannelLayoutTag = (172 << 16) | 6
/// Lc Rc L R Ls Rs LFE.
public let kAudioChannelLayoutTag_DTS_6_1_A: AudioChannelLayoutTag = (173 << 16) | 7
/// C L R Rls Rrs Ts LFE.
public let kAudioChannelLayoutTag_DTS_6_1_B: AudioChannelLayoutTag = (174 << 16) | 7
/// C Cs L R Rls Rrs LFE.
public let kAudioChannelLayoutTag_DTS_6_1_C: AudioChannelLayoutTag = (175 << 16) | 7
/// Lc C Rc L R Ls Rs.
public let kAudioChannelLayoutTag_DTS_7_0: AudioChannelLayoutTag = (176 << 16) | 7
/// Lc C Rc L R Ls Rs LFE.
public let kAudioChannelLayoutTag_DTS_7_1: AudioChannelLayoutTag = (177 << 16) | 8
/// Lc Rc L R Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_DTS_8_0_A: AudioChannelLayoutTag = (178 << 16) | 8
/// Lc C Rc L R Ls Cs Rs.
public let kAudioChannelLayoutTag_DTS_8_0_B: AudioChannelLayoutTag = (179 << 16) | 8
/// Lc Rc L R Ls Rs Rls Rrs LFE.
public let kAudioChannelLayoutTag_DTS_8_1_A: AudioChannelLayoutTag = (180 << 16) | 9
/// Lc C Rc L R Ls Cs Rs LFE.
public let kAudioChannelLayoutTag_DTS_8_1_B: AudioChannelLayoutTag = (181 << 16) | 9
/// C L R Ls Rs LFE Cs.
public let kAudioChannelLayoutTag_DTS_6_1_D: AudioChannelLayoutTag = (182 << 16) | 7
