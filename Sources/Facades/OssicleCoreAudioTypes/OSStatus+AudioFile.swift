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
