// What questions about formats are asked and answered with.

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
