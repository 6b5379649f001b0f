// File types: which container a sound file is.

/// A four-character code that names a container.
public typealias AudioFileTypeID = UInt32

/// AIFF (`AIFF`).
public let kAudioFileAIFFType: AudioFileTypeID = 0x41494646
/// AIFF-C (`AIFC`).
public let kAudioFileAIFCType: AudioFileTypeID = 0x41494643
/// RIFF WAVE (`WAVE`).
public let kAudioFileWAVEType: AudioFileTypeID = 0x57415645
/// RF64, WAVE with 64-bit sizes (EBU Tech 3306) (`RF64`).
public let kAudioFileRF64Type: AudioFileTypeID = 0x52463634
/// BW64 (ITU-R BS.2088) (`BW64`).
public let kAudioFileBW64Type: AudioFileTypeID = 0x42573634
/// Sony Wave64 (`W64f`).
public let kAudioFileWave64Type: AudioFileTypeID = 0x57363466
/// Sound Designer II (`Sd2f`).
public let kAudioFileSoundDesigner2Type: AudioFileTypeID = 0x53643266
/// NeXT/Sun .au (`NeXT`).
public let kAudioFileNextType: AudioFileTypeID = 0x4E655854
/// MPEG layer III (`MPG3`).
public let kAudioFileMP3Type: AudioFileTypeID = 0x4D504733
/// MPEG layer II (`MPG2`).
public let kAudioFileMP2Type: AudioFileTypeID = 0x4D504732
/// MPEG layer I (`MPG1`).
public let kAudioFileMP1Type: AudioFileTypeID = 0x4D504731
/// AC-3 stream (`ac-3`).
public let kAudioFileAC3Type: AudioFileTypeID = 0x61632D33
/// AAC in ADTS frames (`adts`).
public let kAudioFileAAC_ADTSType: AudioFileTypeID = 0x61647473
/// MPEG-4 container (`mp4f`).
public let kAudioFileMPEG4Type: AudioFileTypeID = 0x6D703466
/// MPEG-4 audio (`m4af`).
public let kAudioFileM4AType: AudioFileTypeID = 0x6D346166
/// MPEG-4 audio book (`m4bf`).
public let kAudioFileM4BType: AudioFileTypeID = 0x6D346266
/// Core Audio Format (`caff`).
public let kAudioFileCAFType: AudioFileTypeID = 0x63616666
/// 3GPP (`3gpp`).
public let kAudioFile3GPType: AudioFileTypeID = 0x33677070
/// 3GPP2 (`3gp2`).
public let kAudioFile3GP2Type: AudioFileTypeID = 0x33677032
/// AMR (`amrf`).
public let kAudioFileAMRType: AudioFileTypeID = 0x616D7266
/// FLAC (`flac`).
public let kAudioFileFLACType: AudioFileTypeID = 0x666C6163
/// AAC in LOAS/LATM (`loas`).
public let kAudioFileLATMInLOASType: AudioFileTypeID = 0x6C6F6173
