// What questions about formats are asked and answered with.

import OssicleCodecs
import OssicleProperties

/// A format in which a stream can be decoded.
public struct AudioFormatListItem: Sendable {
    /// What a decoder gives.
    public var mASBD: AudioStreamBasicDescription
    /// Its channels.
    public var mChannelLayoutTag: AudioChannelLayoutTag
    /// Makes the size what it is in C.
    private var padding: UInt32 = 0

    /// Zeros.
    public init() { self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0) }

    /// A format with the tag of its channels.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mASBD = mASBD
        self.mChannelLayoutTag = mChannelLayoutTag
    }
}

/// A format and the cookie that belongs to it.
public struct AudioFormatInfo {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The cookie.
    public var mMagicCookie: UnsafeRawPointer
    /// Its size in bytes.
    public var mMagicCookieSize: UInt32
    /// Makes the size what it is in C.
    private var padding: UInt32 = 0

    /// A format with its cookie.
    public init(mASBD: AudioStreamBasicDescription, mMagicCookie: UnsafeRawPointer, mMagicCookieSize: UInt32) {
        self.mASBD = mASBD
        self.mMagicCookie = mMagicCookie
        self.mMagicCookieSize = mMagicCookieSize
    }
}

/// A four-character code that names a question about formats.
public typealias AudioFormatPropertyID = UInt32

/// Fills what follows from the rest of an `AudioStreamBasicDescription`; the specifier may be a magic cookie. (`fmti`)
public let kAudioFormatProperty_FormatInfo: AudioFormatPropertyID = 0x666D_7469
/// The name of the format in the specifier, an `AudioStreamBasicDescription`. A `CFString`, which the caller releases.
/// (`fnam`)
public let kAudioFormatProperty_FormatName: AudioFormatPropertyID = 0x666E_616D
/// Whether packets of the format in the specifier differ in size. `UInt32`. (`fvbr`)
public let kAudioFormatProperty_FormatIsVBR: AudioFormatPropertyID = 0x6676_6272
/// Whether packets of the format in the specifier need descriptions. `UInt32`. (`fexf`)
public let kAudioFormatProperty_FormatIsExternallyFramed: AudioFormatPropertyID = 0x6665_7866
/// The formats in which a stream can be decoded; the specifier is an `AudioFormatInfo`. `AudioFormatListItem`s.
/// (`flst`)
public let kAudioFormatProperty_FormatList: AudioFormatPropertyID = 0x666C_7374
/// The index of the first of the specifier's `AudioFormatListItem`s that can be decoded. `UInt32`. (`fpfl`)
public let kAudioFormatProperty_FirstPlayableFormatFromList: AudioFormatPropertyID = 0x6670_666C
/// Codings there is an encoder for. `AudioFormatID`s. (`acof`)
public let kAudioFormatProperty_EncodeFormatIDs: AudioFormatPropertyID = 0x6163_6F66
/// Codings there is a decoder for. `AudioFormatID`s. (`acif`)
public let kAudioFormatProperty_DecodeFormatIDs: AudioFormatPropertyID = 0x6163_6966
/// The format that an MPEG-4 elementary stream descriptor, the specifier, tells. `AudioStreamBasicDescription`.
/// (`essd`)
public let kAudioFormatProperty_ASBDFromESDS: AudioFormatPropertyID = 0x6573_7364
/// The layout of the tag in the specifier. `AudioChannelLayout` with its tail. (`cmpl`)
public let kAudioFormatProperty_ChannelLayoutForTag: AudioFormatPropertyID = 0x636D_706C
/// The tag of the layout in the specifier. `AudioChannelLayoutTag`. (`cmpt`)
public let kAudioFormatProperty_TagForChannelLayout: AudioFormatPropertyID = 0x636D_7074
/// Number of channels of the layout in the specifier. `UInt32`. (`nchm`)
public let kAudioFormatProperty_NumberOfChannelsForLayout: AudioFormatPropertyID = 0x6E63_686D

/// Writes the size of an answer. `kAudioFormatUnsupportedPropertyError` for an unknown question,
/// `kAudioFormatBadSpecifierSizeError` for a specifier of another size, `kAudioFormatUnknownFormatError` for a format
/// that makes no sense or is not known here.
@discardableResult
public func AudioFormatGetPropertyInfo(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    status { () throws(StatusError) in
        let specifier = PropertyData(inSpecifier, inSpecifierSize, badSize: kAudioFormatBadSpecifierSizeError)
        outPropertyDataSize.pointee = UInt32(
            clamping: try FormatQuestion.answer(inPropertyID, specifier, question: nil).size)
    }
}

/// Writes an answer to `outPropertyData`, which has room for `ioPropertyDataSize` bytes, and sets that to the bytes
/// written. Errors as in `AudioFormatGetPropertyInfo`, and `kAudioFormatBadPropertySizeError` where the room does not
/// suffice.
@discardableResult
public func AudioFormatGetProperty(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    status { () throws(StatusError) in
        guard let ioPropertyDataSize, let outPropertyData else { throw StatusError(kAudio_ParamError) }
        let specifier = PropertyData(inSpecifier, inSpecifierSize, badSize: kAudioFormatBadSpecifierSizeError)
        let question = PropertyData(
            outPropertyData, ioPropertyDataSize.pointee, badSize: kAudioFormatBadPropertySizeError)
        let answer = try FormatQuestion.answer(inPropertyID, specifier, question: question)
        try answer.write(to: outPropertyData, ioPropertyDataSize, badSize: kAudioFormatBadPropertySizeError)
    }
}
