// Status codes of converters and formats.

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
