// What codecs check of a stream, and streams whose packets all have the same size and know nothing of a layout.

extension PacketFormat {
    static let plainChannelCounts = 1...255

    func checkRate() throws(CodecError) {
        guard sampleRate > 0, sampleRate.isFinite else { throw .rate("\(codec) codec", found: sampleRate, rule: "A rate is a positive number.") }
    }

    /// The format with the packets of a codec that takes `bytes` for `frames` frames of a channel; the channels lie side by side in a packet.
    func withConstantPackets(of frames: Int, bytesPerChannel bytes: Int) throws(CodecError) -> PacketFormat {
        let allowed = Self.plainChannelCounts
        guard allowed.contains(channelCount) else { throw .channels("\(codec) codec", found: channelCount, allowed: allowed) }
        try checkRate()
        var format = self
        (format.framesPerPacket, format.bytesPerPacket, format.cookie) = (frames, bytes * channelCount, [])
        return format
    }

    /// How many packets of the constant size `bytes` holds.
    func wholePackets(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> Int {
        guard !bytes.isEmpty, bytes.count % bytesPerPacket == 0 else {
            throw .damagedPacket("\(codec) decoder", found: "\(bytes.count) bytes", rule: "Packets have \(bytesPerPacket) bytes each.")
        }
        return bytes.count / bytesPerPacket
    }
}
