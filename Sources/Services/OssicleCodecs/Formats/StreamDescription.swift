// Between Core Audio's stream descriptions and the formats of the services.

/// A structure with the fields of Core Audio's stream description; CAF files keep the same. Facades make their own type
/// conform.
package protocol StreamDescription {
    init()
    var mSampleRate: Double { get set }
    var mFormatID: UInt32 { get set }
    var mFormatFlags: UInt32 { get set }
    var mBytesPerPacket: UInt32 { get set }
    var mFramesPerPacket: UInt32 { get set }
    var mBytesPerFrame: UInt32 { get set }
    var mChannelsPerFrame: UInt32 { get set }
    var mBitsPerChannel: UInt32 { get set }
}

/// Core Audio's number for linear PCM and the flags of its samples.
private enum LinearPCM {
    static let formatID: UInt32 = 0x6C70_636D
    static let isFloat: UInt32 = 1, isBigEndian: UInt32 = 2, isSigned: UInt32 = 4, isPacked: UInt32 = 8
    static let isAlignedHigh: UInt32 = 16, isNonInterleaved: UInt32 = 32
}

extension StreamDescription {
    package var isLinearPCM: Bool { mFormatID == LinearPCM.formatID }
    package var isFloat: Bool { mFormatFlags & LinearPCM.isFloat != 0 }
    package var isBigEndian: Bool { mFormatFlags & LinearPCM.isBigEndian != 0 }
}

extension StreamFormat {
    /// The format of `description`; `nil` when it makes no sense or names no codec known here.
    package init?(_ description: some StreamDescription, cookie: [UInt8] = [], channelLabels: [UInt32]? = nil) {
        let rate = description.mSampleRate, channels = Int(description.mChannelsPerFrame)
        guard rate.isFinite, rate > 0, (1...65_535).contains(channels) else { return nil }
        let labels = channelLabels?.count == channels ? channelLabels : nil
        if description.isLinearPCM {
            guard let format = PCMFormat(description, channels, labels: labels) else { return nil }
            self = .pcm(format)
        } else {
            guard let codec = AudioCodec(formatID: description.mFormatID, flags: description.mFormatFlags) else {
                return nil
            }
            let usual = codec.descriptor.packet(rate, channels)
            self = .packets(
                PacketFormat(
                    codec: codec, sampleRate: rate, channelCount: channels,
                    framesPerPacket: description.mFramesPerPacket > 0
                        ? Int(description.mFramesPerPacket) : usual.frames,
                    bytesPerPacket: description.mBytesPerPacket > 0 ? Int(description.mBytesPerPacket) : usual.bytes,
                    cookie: cookie, channelLabels: labels))
        }
    }

    /// The description of this format.
    package func described<Description: StreamDescription>(as _: Description.Type = Description.self) -> Description {
        var description = Description()
        description.mSampleRate = sampleRate
        description.mChannelsPerFrame = UInt32(clamping: channelCount)
        switch self {
        case .pcm(let format):
            description.mFormatID = LinearPCM.formatID
            description.mFormatFlags = format.flags
            description.mBitsPerChannel = UInt32(clamping: format.bits)
            description.mBytesPerFrame = UInt32(clamping: format.bytesPerFrame)
            description.mBytesPerPacket = description.mBytesPerFrame
            description.mFramesPerPacket = 1
        case .packets(let format):
            description.mFormatID = format.codec.descriptor.formatID
            description.mFormatFlags = format.codec.descriptor.formatFlags
            description.mFramesPerPacket = UInt32(clamping: format.framesPerPacket)
            description.mBytesPerPacket = UInt32(clamping: format.bytesPerPacket)
            if format.framesPerPacket == 1 {
                description.mBytesPerFrame = description.mBytesPerPacket
                description.mBitsPerChannel = 8
            }
        }
        return description
    }
}

extension PCMFormat {
    fileprivate init?(_ description: some StreamDescription, _ channels: Int, labels: [UInt32]?) {
        let flags = description.mFormatFlags, bytesPerFrame = Int(description.mBytesPerFrame)
        let isInterleaved = flags & LinearPCM.isNonInterleaved == 0
        let samplesInFrame = isInterleaved ? channels : 1
        let bits = Int(description.mBitsPerChannel), bytes = bytesPerFrame / samplesInFrame
        guard description.mFramesPerPacket == 1, bytesPerFrame > 0, bytesPerFrame % samplesInFrame == 0 else {
            return nil
        }
        guard
            description.isFloat
                ? [32, 64].contains(bits) && bytes * 8 == bits
                : (1...32).contains(bits) && bytes <= 8 && bytes * 8 >= bits
        else { return nil }
        self.init(
            sampleRate: description.mSampleRate, channelCount: channels,
            kind: description.isFloat ? .float : flags & LinearPCM.isSigned != 0 ? .signed : .unsigned, bits: bits,
            bytesPerSample: bytes, isBigEndian: description.isBigEndian,
            isAlignedHigh: flags & LinearPCM.isAlignedHigh != 0, isInterleaved: isInterleaved, channelLabels: labels)
    }

    fileprivate var flags: UInt32 {
        var flags: UInt32 =
            switch kind {
            case .float: LinearPCM.isFloat
            case .signed: LinearPCM.isSigned
            case .unsigned: 0
            }
        if bits == bytesPerSample * 8 {
            flags |= LinearPCM.isPacked
        } else if isAlignedHigh {
            flags |= LinearPCM.isAlignedHigh
        }
        if isBigEndian { flags |= LinearPCM.isBigEndian }
        if !isInterleaved { flags |= LinearPCM.isNonInterleaved }
        return flags
    }
}
