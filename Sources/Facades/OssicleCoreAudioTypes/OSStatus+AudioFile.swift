// Status codes of files, common to all of Core Audio and of the audio file services.

/// No error.
public let kAudio_NoError: OSStatus = 0
/// This function is not implemented.
public let kAudio_UnimplementedError: OSStatus = -4
/// The file does not exist or is no longer open.
public let kAudio_FileNotFoundError: OSStatus = -43
/// The file may not be opened in this way.
public let kAudio_FilePermissionError: OSStatus = -54
/// Too many files are open.
public let kAudio_TooManyFilesOpenError: OSStatus = -42
/// The path is not a usable file path. (`!pth`)
public let kAudio_BadFilePathError: OSStatus = 0x21707468
/// An argument is out of its range.
public let kAudio_ParamError: OSStatus = -50
/// There is not enough memory.
public let kAudio_MemFullError: OSStatus = -108
/// Something went wrong with the file. (`wht?`)
public let kAudioFileUnspecifiedError: OSStatus = 0x7768743F
/// Files of this type are not supported. (`typ?`)
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479703F
/// This data format is not supported in this type of file. (`fmt?`)
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D743F
/// The file does not have this property. (`pty?`)
public let kAudioFileUnsupportedPropertyError: OSStatus = 0x7074793F
/// The property has another size. (`!siz`)
public let kAudioFileBadPropertySizeError: OSStatus = 0x2173697A
/// The operation is not permitted on this file. (`prm?`)
public let kAudioFilePermissionsError: OSStatus = 0x70726D3F
/// The file must be optimised before audio can be appended. (`optm`)
public let kAudioFileNotOptimizedError: OSStatus = 0x6F70746D
/// The chunk does not exist or is not usable. (`chk?`)
public let kAudioFileInvalidChunkError: OSStatus = 0x63686B3F
/// This type of file cannot grow so large. (`off?`)
public let kAudioFileDoesNotAllow64BitDataSizeError: OSStatus = 0x6F66663F
/// A packet offset in the file is wrong. (`pck?`)
public let kAudioFileInvalidPacketOffsetError: OSStatus = 0x70636B3F
/// A packet dependency in the file is wrong. (`dep?`)
public let kAudioFileInvalidPacketDependencyError: OSStatus = 0x6465703F
/// The file is malformed or of another type. (`dta?`)
public let kAudioFileInvalidFileError: OSStatus = 0x6474613F
/// The operation is not supported for this file.
public let kAudioFileOperationNotSupportedError: OSStatus = 0x6F703F3F
/// The file is closed.
public let kAudioFileNotOpenError: OSStatus = -38
/// The end of the file has been reached.
public let kAudioFileEndOfFileError: OSStatus = -39
/// The position lies outside the file.
public let kAudioFilePositionError: OSStatus = -40
/// The file does not exist.
public let kAudioFileFileNotFoundError: OSStatus = -43
/// The file object does not have this property.
public let kExtAudioFileError_InvalidProperty: OSStatus = -66561
/// The property has another size.
public let kExtAudioFileError_InvalidPropertySize: OSStatus = -66562
/// The client format must be linear PCM.
public let kExtAudioFileError_NonPCMClientFormat: OSStatus = -66563
/// The channel map does not fit the formats.
public let kExtAudioFileError_InvalidChannelMap: OSStatus = -66564
/// The calls came in an order that is not possible.
public let kExtAudioFileError_InvalidOperationOrder: OSStatus = -66565
/// The file’s data format is not usable.
public let kExtAudioFileError_InvalidDataFormat: OSStatus = -66566
/// The largest packet size of the file is unknown.
public let kExtAudioFileError_MaxPacketSizeUnknown: OSStatus = -66567
/// The position lies outside the file, or the file is being written.
public let kExtAudioFileError_InvalidSeek: OSStatus = -66568
/// The write is larger than the writer’s buffer.
public let kExtAudioFileError_AsyncWriteTooLarge: OSStatus = -66569
/// Writing cannot keep up.
public let kExtAudioFileError_AsyncWriteBufferOverflow: OSStatus = -66570
/// The codec went away after taking the input.
public let kExtAudioFileError_CodecUnavailableInputConsumed: OSStatus = -66559
/// The codec went away before taking the input.
public let kExtAudioFileError_CodecUnavailableInputNotConsumed: OSStatus = -66560

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

/// The converter cannot convert between these formats. (`fmt?`)
public let kAudioConverterErr_FormatNotSupported: OSStatus = 0x666D743F
/// The converter does not support this operation.
public let kAudioConverterErr_OperationNotSupported: OSStatus = 0x6F703F3F
/// The converter does not have this property. (`prop`)
public let kAudioConverterErr_PropertyNotSupported: OSStatus = 0x70726F70
/// The input is not a whole number of packets. (`insz`)
public let kAudioConverterErr_InvalidInputSize: OSStatus = 0x696E737A
/// The output is too small for one packet. (`otsz`)
public let kAudioConverterErr_InvalidOutputSize: OSStatus = 0x6F74737A
/// Something went wrong in the converter. (`what`)
public let kAudioConverterErr_UnspecifiedError: OSStatus = 0x77686174
/// The property has another size. (`!siz`)
public let kAudioConverterErr_BadPropertySizeError: OSStatus = 0x2173697A
/// The format needs packet descriptions. (`!pkd`)
public let kAudioConverterErr_RequiresPacketDescriptionsError: OSStatus = 0x21706B64
/// The input sample rate is out of range. (`!isr`)
public let kAudioConverterErr_InputSampleRateOutOfRange: OSStatus = 0x21697372
/// The output sample rate is out of range. (`!osr`)
public let kAudioConverterErr_OutputSampleRateOutOfRange: OSStatus = 0x216F7372
/// The hardware codec is in use. (`hwiu`)
public let kAudioConverterErr_HardwareInUse: OSStatus = 0x68776975
/// The hardware codec may not be used now. (`perm`)
public let kAudioConverterErr_NoHardwarePermission: OSStatus = 0x7065726D
/// Something went wrong with the format. (`what`)
public let kAudioFormatUnspecifiedError: OSStatus = 0x77686174
/// The format does not have this property. (`prop`)
public let kAudioFormatUnsupportedPropertyError: OSStatus = 0x70726F70
/// The property has another size. (`!siz`)
public let kAudioFormatBadPropertySizeError: OSStatus = 0x2173697A
/// The specifier has another size. (`!spc`)
public let kAudioFormatBadSpecifierSizeError: OSStatus = 0x21737063
/// The data format is not supported. (`fmt?`)
public let kAudioFormatUnsupportedDataFormatError: OSStatus = 0x666D743F
/// The format is unknown. (`!fmt`)
public let kAudioFormatUnknownFormatError: OSStatus = 0x21666D74
