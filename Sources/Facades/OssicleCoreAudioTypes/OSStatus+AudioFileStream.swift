// Status codes of the parser of streamed files.

/// Files of this type are not supported. (`typ?`)
public let kAudioFileStreamError_UnsupportedFileType: OSStatus = 0x7479703F
/// This data format is not supported in this type of file. (`fmt?`)
public let kAudioFileStreamError_UnsupportedDataFormat: OSStatus = 0x666D743F
/// The stream does not have this property. (`pty?`)
public let kAudioFileStreamError_UnsupportedProperty: OSStatus = 0x7074793F
/// The property has another size. (`!siz`)
public let kAudioFileStreamError_BadPropertySize: OSStatus = 0x2173697A
/// The packets begin before the facts needed to read them. (`optm`)
public let kAudioFileStreamError_NotOptimized: OSStatus = 0x6F70746D
/// A packet offset is negative, or beyond the end. (`pck?`)
public let kAudioFileStreamError_InvalidPacketOffset: OSStatus = 0x70636B3F
/// The file is malformed or of another type. (`dta?`)
public let kAudioFileStreamError_InvalidFile: OSStatus = 0x6474613F
/// The property has no value yet. (`unk?`)
public let kAudioFileStreamError_ValueUnknown: OSStatus = 0x756E6B3F
/// There is not enough data yet. (`more`)
public let kAudioFileStreamError_DataUnavailable: OSStatus = 0x6D6F7265
/// The operation is not possible now. (`nope`)
public let kAudioFileStreamError_IllegalOperation: OSStatus = 0x6E6F7065
/// Something went wrong with the stream. (`wht?`)
public let kAudioFileStreamError_UnspecifiedError: OSStatus = 0x7768743F
/// After a gap no packet could be found. (`dsc!`)
public let kAudioFileStreamError_DiscontinuityCantRecover: OSStatus = 0x64736321
