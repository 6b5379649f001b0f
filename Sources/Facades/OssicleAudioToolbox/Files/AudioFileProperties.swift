// The properties of sound files.

/// A four-character code that names a property of a sound file, or of all of them.
public typealias AudioFilePropertyID = UInt32

/// The type of the file. `AudioFileTypeID`, read only. (`ffmt`)
public let kAudioFilePropertyFileFormat: AudioFilePropertyID = 0x6666_6D74
/// The stream in the file. `AudioStreamBasicDescription`, read only. (`dfmt`)
public let kAudioFilePropertyDataFormat: AudioFilePropertyID = 0x6466_6D74
/// Whether sizes and packets lie where streaming wants them; always. `UInt32`, read only. (`optm`)
public let kAudioFilePropertyIsOptimized: AudioFilePropertyID = 0x6F70_746D
/// What a decoder needs besides the packets. Bytes. (`mgic`)
public let kAudioFilePropertyMagicCookieData: AudioFilePropertyID = 0x6D67_6963
/// Bytes of audio data. `UInt64`, read only. (`bcnt`)
public let kAudioFilePropertyAudioDataByteCount: AudioFilePropertyID = 0x6263_6E74
/// Number of packets. `UInt64`, read only. (`pcnt`)
public let kAudioFilePropertyAudioDataPacketCount: AudioFilePropertyID = 0x7063_6E74
/// No packet is larger, in bytes. `UInt32`, read only. (`psze`)
public let kAudioFilePropertyMaximumPacketSize: AudioFilePropertyID = 0x7073_7A65
/// Where in the file the audio data begins. `Int64`, read only. (`doff`)
public let kAudioFilePropertyDataOffset: AudioFilePropertyID = 0x646F_6666
/// The roles of the channels. `AudioChannelLayout` with its tail. (`cmap`)
public let kAudioFilePropertyChannelLayout: AudioFilePropertyID = 0x636D_6170
/// Whether the header waits for the end of writing. `UInt32`; without effect. (`dszu`)
public let kAudioFilePropertyDeferSizeUpdates: AudioFilePropertyID = 0x6473_7A75
/// The name of the coding. A `CFString`, which the caller releases; read only. (`fnme`)
public let kAudioFilePropertyDataFormatName: AudioFilePropertyID = 0x666E_6D65
/// Markers in the file; not supported. (`mkls`)
public let kAudioFilePropertyMarkerList: AudioFilePropertyID = 0x6D6B_6C73
/// Regions in the file; not supported. (`rgls`)
public let kAudioFilePropertyRegionList: AudioFilePropertyID = 0x7267_6C73
/// Asked with a packet, answers with its first frame. `AudioFramePacketTranslation`, read only. (`pkfr`)
public let kAudioFilePropertyPacketToFrame: AudioFilePropertyID = 0x706B_6672
/// Asked with a frame, answers with its packet and its place there. `AudioFramePacketTranslation`, read only. (`frpk`)
public let kAudioFilePropertyFrameToPacket: AudioFilePropertyID = 0x6672_706B
/// Asked with a packet, answers with its first byte. `AudioBytePacketTranslation`, read only. (`pkby`)
public let kAudioFilePropertyPacketToByte: AudioFilePropertyID = 0x706B_6279
/// Asked with a byte, answers with its packet and its place there. `AudioBytePacketTranslation`, read only. (`bypk`)
public let kAudioFilePropertyByteToPacket: AudioFilePropertyID = 0x6279_706B
/// Title, artist and so on. A `CFDictionary` of `kAFInfoDictionary_`… keys, which the caller releases. (`info`)
public let kAudioFilePropertyInfoDictionary: AudioFilePropertyID = 0x696E_666F
/// Frames that count, and those before and behind. `AudioFilePacketTableInfo`. (`pnfo`)
public let kAudioFilePropertyPacketTableInfo: AudioFilePropertyID = 0x706E_666F
/// The formats in which the stream can be decoded. `AudioFormatListItem`s, read only. (`flst`)
public let kAudioFilePropertyFormatList: AudioFilePropertyID = 0x666C_7374
/// A bound for the size of packets that needs no look at them. `UInt32`, read only. (`pkub`)
public let kAudioFilePropertyPacketSizeUpperBound: AudioFilePropertyID = 0x706B_7562
/// Seconds for which the file makes room ahead. `Float64`; without effect. (`rsrv`)
public let kAudioFilePropertyReserveDuration: AudioFilePropertyID = 0x7273_7276
/// Length in seconds. `Float64`, read only. (`edur`)
public let kAudioFilePropertyEstimatedDuration: AudioFilePropertyID = 0x6564_7572
/// Bits per second, on average. `UInt32`, read only. (`brat`)
public let kAudioFilePropertyBitRate: AudioFilePropertyID = 0x6272_6174
/// The ID3 tag as it stands; not supported: `kAudioFilePropertyInfoDictionary` tells what it says. (`id3t`)
public let kAudioFilePropertyID3Tag: AudioFilePropertyID = 0x6964_3374
/// Bits of a sample before it was coded, negative for floating point. `Int32`, read only. (`sbtd`)
public let kAudioFilePropertySourceBitDepth: AudioFilePropertyID = 0x7362_7464
/// A picture; not supported. (`aart`)
public let kAudioFilePropertyAlbumArtwork: AudioFilePropertyID = 0x6161_7274
/// Number of audio tracks: 1. `UInt32`, read only. (`atct`)
public let kAudioFilePropertyAudioTrackCount: AudioFilePropertyID = 0x6174_6374
/// File types that can be read. `AudioFileTypeID`s. (`afrf`)
public let kAudioFileGlobalInfo_ReadableTypes: AudioFilePropertyID = 0x6166_7266
/// File types that can be written. `AudioFileTypeID`s. (`afwf`)
public let kAudioFileGlobalInfo_WritableTypes: AudioFilePropertyID = 0x6166_7766
/// The name of a file type. Asked with an `AudioFileTypeID`; a `CFString`, which the caller releases. (`ftnm`)
public let kAudioFileGlobalInfo_FileTypeName: AudioFilePropertyID = 0x6674_6E6D
/// Streams a file can hold. Asked with an `AudioFileTypeAndFormatID`; `AudioStreamBasicDescription`s. (`sdid`)
public let kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat: AudioFilePropertyID = 0x7364_6964
/// Codings a file can hold. Asked with an `AudioFileTypeID`; `AudioFormatID`s. (`fmid`)
public let kAudioFileGlobalInfo_AvailableFormatIDs: AudioFilePropertyID = 0x666D_6964
/// Every file extension known. A `CFArray` of `CFString`, which the caller releases. (`alxt`)
public let kAudioFileGlobalInfo_AllExtensions: AudioFilePropertyID = 0x616C_7874
/// The extensions of a file type. Asked with an `AudioFileTypeID`; a `CFArray` of `CFString`, which the caller
/// releases. (`fext`)
public let kAudioFileGlobalInfo_ExtensionsForType: AudioFilePropertyID = 0x6665_7874
/// The types files with an extension have. Asked with a `CFString`; `AudioFileTypeID`s. (`text`)
public let kAudioFileGlobalInfo_TypesForExtension: AudioFilePropertyID = 0x7465_7874
