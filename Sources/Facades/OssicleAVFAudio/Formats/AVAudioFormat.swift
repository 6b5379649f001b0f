// What a stream of audio looks like.

import OssicleCoreAudioTypes
import Synchronization

/// A stream description with the roles of its channels. Immutable except for `magicCookie`; any thread. Formats are
/// equal by value. More than two channels always need a layout.
open class AVAudioFormat: NSObject, NSSecureCoding, @unchecked Sendable {
    private let asbd: UnsafePointer<AudioStreamBasicDescription>
    private let cookie = Mutex<Data?>(nil)

    /// The roles of the channels; always there for more than two channels, `nil` for up to two unless it was given.
    public let channelLayout: AVAudioChannelLayout?

    private init(_ shape: FormatShape) {
        asbd = InternedMemory.pointer(to: shape.asbd)
        channelLayout = shape.layout
        super.init()
    }

    /// No format: 0 Hz, 0 channels, of which no buffer can be made.
    public override convenience init() {
        self.init(
            FormatShape(
                asbd: AVAudioCommonFormat.pcmFormatFloat32.description(sampleRate: 0, channels: 0, interleaved: false),
                layout: nil))
    }

    /// The format of `asbd`; `nil` for more than two channels and for descriptions that make no sense.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(streamDescription: asbd, channelLayout: nil)
    }

    /// The format of `asbd` with `layout`; `nil` for more than two channels without one, or when the channel counts
    /// differ.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
    ) {
        guard let shape = FormatShape(checking: asbd.pointee, layout) else { return nil }
        self.init(shape)
    }

    /// Deinterleaved 32-bit floating point; `nil` unless the rate is positive and there are one or two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Deinterleaved 32-bit floating point for the channels of `layout`. A rate that is negative or not finite becomes
    /// 0.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout)
    {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
    }

    /// Linear PCM; `nil` for `.otherFormat` and unless the rate is positive and there are one or two channels.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard format != .otherFormat,
            let shape = FormatShape(
                checking: format.description(sampleRate: sampleRate, channels: channels, interleaved: interleaved), nil)
        else { return nil }
        self.init(shape)
    }

    /// Linear PCM for the channels of `layout`. A rate that is negative or not finite becomes 0; `.otherFormat` gives a
    /// format without samples, of which no buffer can be made.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        let rate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 0
        let asbd = format.description(sampleRate: rate, channels: layout.channelCount, interleaved: interleaved)
        self.init(FormatShape(asbd: asbd, layout: layout))
    }

    /// The format a settings dictionary describes; `nil` for missing or wrong values, for linear PCM of less than 8 or
    /// more than 32 bits, and for more than two channels without a layout of that many.
    public convenience init?(settings: [String: Any]) {
        guard let parsed = AudioSettings(settings),
            parsed.formatID != kAudioFormatLinearPCM || (8...32).contains(parsed.bitDepth),
            let shape = FormatShape(checking: parsed.streamDescription, parsed.layout)
        else { return nil }
        self.init(shape)
    }

    /// Any description, unchecked; 0 Hz and 0 channels stand for "no format".
    convenience init(unchecked asbd: AudioStreamBasicDescription, channelLayout: AVAudioChannelLayout? = nil) {
        self.init(FormatShape(asbd: asbd, layout: channelLayout))
    }

    /// Restores an archived format.
    public required convenience init?(coder: NSCoder) {
        guard let bytes = coder.decodeObject(of: NSData.self, forKey: "asbd") as Data?,
            bytes.count == MemoryLayout<AudioStreamBasicDescription>.size
        else { return nil }
        let asbd = [UInt8](bytes).withUnsafeBytes { $0.loadUnaligned(as: AudioStreamBasicDescription.self) }
        let layout = (coder.decodeObject(of: NSData.self, forKey: "layout") as Data?).flatMap {
            AVAudioChannelLayout(data: $0)
        }
        guard let shape = FormatShape(checking: asbd, layout) else { return nil }
        self.init(shape)
    }

    /// Archives description and layout.
    open func encode(with coder: NSCoder) {
        coder.encode(NSData(bytes: asbd, length: MemoryLayout<AudioStreamBasicDescription>.size), forKey: "asbd")
        if let channelLayout { coder.encode(channelLayout.data as NSData, forKey: "layout") }
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// The stream description; the pointer stays valid.
    open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { asbd }

    /// Frames per second, in hertz.
    open var sampleRate: Double { asbd.pointee.mSampleRate }

    /// Number of channels.
    open var channelCount: AVAudioChannelCount { asbd.pointee.mChannelsPerFrame }

    /// Whether the channels of a frame lie side by side in one buffer. Without meaning for compressed formats.
    open var isInterleaved: Bool { asbd.pointee.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

    /// The common form these samples have, or `.otherFormat`.
    open var commonFormat: AVAudioCommonFormat { asbd.pointee.commonFormat }

    /// Whether samples are deinterleaved 32-bit floating point in the machine's byte order.
    open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// What a decoder needs besides the description; `nil` for most formats.
    open var magicCookie: Data? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    /// Whether samples are uncompressed.
    var isPCM: Bool { asbd.pointee.mFormatID == kAudioFormatLinearPCM }

    /// Whether `object` is a format of the same stream.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioFormat).map(describesSameStream) ?? false
    }

    /// Equal for equal formats.
    open override var hash: Int { asbd.pointee.normalized.hashValue }

    /// Rate, channels and sample form in words.
    open override var description: String { describe() }
}
