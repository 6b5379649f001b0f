// Between Core Audio's stream descriptions and the formats of the services.

import OssicleCodecs
import OssicleCoreAudioTypes

extension StreamFormat {
    /// The format `asbd` describes; `nil` when it makes no sense or names no codec known here.
    package init?(_ asbd: AudioStreamBasicDescription, cookie: [UInt8] = [], channelLabels: [UInt32]? = nil) {
        let channels = Int(asbd.mChannelsPerFrame)
        guard asbd.mSampleRate.isFinite, asbd.mSampleRate > 0, (1...65_535).contains(channels) else { return nil }
        let labels = channelLabels?.count == channels ? channelLabels : nil
        if asbd.mFormatID == kAudioFormatLinearPCM {
            guard let format = PCMFormat(asbd, channels, labels) else { return nil }
            self = .pcm(format)
        } else {
            guard let codec = AudioCodec(asbd) else { return nil }
            let facts = codec.packetFacts(sampleRate: asbd.mSampleRate, channels: channels)
            self = .packets(PacketFormat(codec: codec, sampleRate: asbd.mSampleRate, channelCount: channels,
                                         framesPerPacket: asbd.mFramesPerPacket > 0 ? Int(asbd.mFramesPerPacket) : facts.frames,
                                         bytesPerPacket: asbd.mBytesPerPacket > 0 ? Int(asbd.mBytesPerPacket) : facts.bytes,
                                         cookie: cookie, channelLabels: labels))
        }
    }

    /// The description of this format.
    package var description: AudioStreamBasicDescription {
        var asbd = AudioStreamBasicDescription()
        asbd.mSampleRate = sampleRate
        asbd.mChannelsPerFrame = UInt32(clamping: channelCount)
        switch self {
        case .pcm(let format):
            asbd.mFormatID = kAudioFormatLinearPCM
            asbd.mFormatFlags = format.flags
            asbd.mBitsPerChannel = UInt32(clamping: format.bits)
            asbd.mBytesPerFrame = UInt32(clamping: format.bytesPerFrame)
            asbd.mBytesPerPacket = asbd.mBytesPerFrame
            asbd.mFramesPerPacket = 1
        case .packets(let format):
            (asbd.mFormatID, asbd.mFormatFlags) = format.codec.formatID
            asbd.mFramesPerPacket = UInt32(clamping: format.framesPerPacket)
            asbd.mBytesPerPacket = UInt32(clamping: format.bytesPerPacket)
            if format.framesPerPacket == 1 { (asbd.mBytesPerFrame, asbd.mBitsPerChannel) = (asbd.mBytesPerPacket, 8) }
        }
        return asbd
    }
}

extension PCMFormat {
    fileprivate init?(_ asbd: AudioStreamBasicDescription, _ channels: Int, _ labels: [UInt32]?) {
        let flags = asbd.mFormatFlags
        let isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
        let isFloat = flags & kAudioFormatFlagIsFloat != 0
        let samplesInFrame = isInterleaved ? channels : 1
        let bits = Int(asbd.mBitsPerChannel)
        guard asbd.mFramesPerPacket == 1, asbd.mBytesPerFrame > 0, Int(asbd.mBytesPerFrame) % samplesInFrame == 0 else { return nil }
        let bytes = Int(asbd.mBytesPerFrame) / samplesInFrame
        guard isFloat ? [32, 64].contains(bits) && bytes * 8 == bits : (1...32).contains(bits) && bytes <= 8 && bytes * 8 >= bits else { return nil }
        self.init(sampleRate: asbd.mSampleRate, channelCount: channels,
                  kind: isFloat ? .float : flags & kAudioFormatFlagIsSignedInteger != 0 ? .signed : .unsigned, bits: bits, bytesPerSample: bytes,
                  isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0, isAlignedHigh: flags & kAudioFormatFlagIsAlignedHigh != 0,
                  isInterleaved: isInterleaved, channelLabels: labels)
    }

    fileprivate var flags: AudioFormatFlags {
        let kindFlag: AudioFormatFlags = switch kind {
        case .float: kAudioFormatFlagIsFloat
        case .signed: kAudioFormatFlagIsSignedInteger
        case .unsigned: 0
        }
        let packing = bits == bytesPerSample * 8 ? kAudioFormatFlagIsPacked : isAlignedHigh ? kAudioFormatFlagIsAlignedHigh : 0
        return kindFlag | packing | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0) | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
    }
}
