// What a compressed stream is.

/// A stream of packets.
package struct PacketFormat: Equatable, Sendable {
    package var codec: AudioCodec
    /// Frames per second, in hertz.
    package var sampleRate: Double
    package var channelCount: Int
    /// Frames in each packet; 0 when packets differ.
    package var framesPerPacket: Int
    /// Bytes in each packet; 0 when packets differ.
    package var bytesPerPacket: Int
    /// What a decoder needs besides: for AAC the ES descriptor or the bare AudioSpecificConfig, for Apple Lossless its
    /// 24 bytes, for FLAC the STREAMINFO block (bare, or behind `fLaC` or `dfLa`), for Opus the identification header.
    /// Empty for the others.
    package var cookie: [UInt8]
    /// One label per channel in the order in which decoded channels come; `nil` when not stated.
    package var channelLabels: [UInt32]?

    package init(
        codec: AudioCodec, sampleRate: Double, channelCount: Int, framesPerPacket: Int = 0, bytesPerPacket: Int = 0,
        cookie: [UInt8] = [],
        channelLabels: [UInt32]? = nil
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.framesPerPacket = framesPerPacket
        self.bytesPerPacket = bytesPerPacket
        self.cookie = cookie
        self.channelLabels = channelLabels
    }
}

extension PacketFormat {
    static let plainChannelCounts = 1...255

    func checkRate() throws(CodecError) {
        guard sampleRate > 0, sampleRate.isFinite else {
            throw .rate("\(codec) codec", found: sampleRate, rule: "A rate is a positive number.")
        }
    }

    /// The format with the packets of a codec that takes `bytes` for `frames` frames of a channel; the channels lie
    /// side by side in a packet.
    func withConstantPackets(of frames: Int, bytesPerChannel bytes: Int) throws(CodecError) -> PacketFormat {
        let allowed = Self.plainChannelCounts
        guard allowed.contains(channelCount) else {
            throw .channels("\(codec) codec", found: channelCount, allowed: allowed)
        }
        try checkRate()
        var format = self
        (format.framesPerPacket, format.bytesPerPacket, format.cookie) = (frames, bytes * channelCount, [])
        return format
    }

    /// How many packets of the constant size `bytes` holds.
    func wholePackets(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> Int {
        guard !bytes.isEmpty, bytes.count % bytesPerPacket == 0 else {
            throw .damagedPacket(
                "\(codec) decoder", found: "\(bytes.count) bytes", rule: "Packets have \(bytesPerPacket) bytes each.")
        }
        return bytes.count / bytesPerPacket
    }
}
