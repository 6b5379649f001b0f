// Layout tags of containers: WAVE, Ogg and the code points of ISO/IEC 23091-3 (CICP).

/// Same as `DVD_4`: L R LFE.
public let kAudioChannelLayoutTag_WAVE_2_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_DVD_4
/// Same as `MPEG_3_0_A`: L R C.
public let kAudioChannelLayoutTag_WAVE_3_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_3_0_A
/// Same as `ITU_2_2`: L R Ls Rs.
public let kAudioChannelLayoutTag_WAVE_4_0_A: AudioChannelLayoutTag = kAudioChannelLayoutTag_ITU_2_2
/// L R Rls Rrs.
public let kAudioChannelLayoutTag_WAVE_4_0_B: AudioChannelLayoutTag = (185 << 16) | 4
/// Same as `MPEG_5_0_A`: L R C Ls Rs.
public let kAudioChannelLayoutTag_WAVE_5_0_A: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_0_A
/// L R C Rls Rrs.
public let kAudioChannelLayoutTag_WAVE_5_0_B: AudioChannelLayoutTag = (186 << 16) | 5
/// Same as `MPEG_5_1_A`: L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_WAVE_5_1_A: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
/// L R C LFE Rls Rrs.
public let kAudioChannelLayoutTag_WAVE_5_1_B: AudioChannelLayoutTag = (187 << 16) | 6
/// L R C LFE Cs Ls Rs.
public let kAudioChannelLayoutTag_WAVE_6_1: AudioChannelLayoutTag = (188 << 16) | 7
/// L R C LFE Rls Rrs Ls Rs.
public let kAudioChannelLayoutTag_WAVE_7_1: AudioChannelLayoutTag = (189 << 16) | 8
/// Same as `MPEG_1_0`: C.
public let kAudioChannelLayoutTag_CICP_1: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_1_0
/// Same as `MPEG_2_0`: L R.
public let kAudioChannelLayoutTag_CICP_2: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_2_0
/// Same as `MPEG_3_0_A`: L R C.
public let kAudioChannelLayoutTag_CICP_3: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_3_0_A
/// Same as `MPEG_4_0_A`: L R C Cs.
public let kAudioChannelLayoutTag_CICP_4: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_4_0_A
/// Same as `MPEG_5_0_A`: L R C Ls Rs.
public let kAudioChannelLayoutTag_CICP_5: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_0_A
/// Same as `MPEG_5_1_A`: L R C LFE Ls Rs.
public let kAudioChannelLayoutTag_CICP_6: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
/// Same as `MPEG_7_1_B`: C Lc Rc L R Ls Rs LFE.
public let kAudioChannelLayoutTag_CICP_7: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_7_1_B
/// Same as `ITU_2_1`: L R Cs.
public let kAudioChannelLayoutTag_CICP_9: AudioChannelLayoutTag = kAudioChannelLayoutTag_ITU_2_1
/// Same as `ITU_2_2`: L R Ls Rs.
public let kAudioChannelLayoutTag_CICP_10: AudioChannelLayoutTag = kAudioChannelLayoutTag_ITU_2_2
/// Same as `MPEG_6_1_A`: L R C LFE Ls Rs Cs.
public let kAudioChannelLayoutTag_CICP_11: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_6_1_A
/// Same as `MPEG_7_1_C`: L R C LFE Ls Rs Rls Rrs.
public let kAudioChannelLayoutTag_CICP_12: AudioChannelLayoutTag = kAudioChannelLayoutTag_MPEG_7_1_C
/// Lc Rc C LFE2 Rls Rrs L R Cs LFE3 Lss Rss Vhl Vhr Vhc Ts Ltr Rtr Ltm Rtm Ctr Cb Lb Rb.
public let kAudioChannelLayoutTag_CICP_13: AudioChannelLayoutTag = (204 << 16) | 24
/// L R C LFE Ls Rs Vhl Vhr.
public let kAudioChannelLayoutTag_CICP_14: AudioChannelLayoutTag = (205 << 16) | 8
/// L R C LFE2 Rls Rrs LFE3 Lss Rss Vhl Vhr Ctr.
public let kAudioChannelLayoutTag_CICP_15: AudioChannelLayoutTag = (206 << 16) | 12
/// L R C LFE Ls Rs Vhl Vhr Lts Rts.
public let kAudioChannelLayoutTag_CICP_16: AudioChannelLayoutTag = (207 << 16) | 10
/// L R C LFE Ls Rs Vhl Vhr Vhc Lts Rts Ts.
public let kAudioChannelLayoutTag_CICP_17: AudioChannelLayoutTag = (208 << 16) | 12
/// L R C LFE Ls Rs Lbs Rbs Vhl Vhr Vhc Lts Rts Ts.
public let kAudioChannelLayoutTag_CICP_18: AudioChannelLayoutTag = (209 << 16) | 14
/// L R C LFE Rls Rrs Lss Rss Vhl Vhr Ltr Rtr.
public let kAudioChannelLayoutTag_CICP_19: AudioChannelLayoutTag = (210 << 16) | 12
/// L R C LFE Rls Rrs Lss Rss Vhl Vhr Ltr Rtr Leos Reos.
public let kAudioChannelLayoutTag_CICP_20: AudioChannelLayoutTag = (211 << 16) | 14
/// Same as `AC3_3_0`: L C R.
public let kAudioChannelLayoutTag_Ogg_3_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_AC3_3_0
/// Same as `WAVE_4_0_B`: L R Rls Rrs.
public let kAudioChannelLayoutTag_Ogg_4_0: AudioChannelLayoutTag = kAudioChannelLayoutTag_WAVE_4_0_B
/// L C R Rls Rrs.
public let kAudioChannelLayoutTag_Ogg_5_0: AudioChannelLayoutTag = (212 << 16) | 5
/// L C R Rls Rrs LFE.
public let kAudioChannelLayoutTag_Ogg_5_1: AudioChannelLayoutTag = (213 << 16) | 6
/// L C R Ls Rs Cs LFE.
public let kAudioChannelLayoutTag_Ogg_6_1: AudioChannelLayoutTag = (214 << 16) | 7
/// L C R Ls Rs Rls Rrs LFE.
public let kAudioChannelLayoutTag_Ogg_7_1: AudioChannelLayoutTag = (215 << 16) | 8
