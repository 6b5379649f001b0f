// Buffer lists and packet descriptions of clients, checked before anything is touched.

import OssicleCodecs

/// What a client's buffer list has for a stream.
enum BufferList {
    /// Where the buffers lie; `nil` where their number is not the stream's, or one is missing.
    static func pointers(_ list: UnsafeMutableAudioBufferListPointer, of format: StreamFormat) -> [UnsafeMutableRawPointer]? {
        guard list.count == format.bufferCount else { return nil }
        let pointers = list.compactMap(\.mData)
        return pointers.count == format.bufferCount ? pointers : nil
    }

    /// Packets of one size that fit into every buffer.
    static func packets(_ list: UnsafeMutableAudioBufferListPointer, of format: StreamFormat) -> Int {
        guard format.bytesPerPacket > 0 else { return 0 }
        return list.map { Int($0.mDataByteSize) / format.bytesPerPacket }.min() ?? 0
    }

    /// Tells the client how many bytes of each buffer were written.
    static func setSize(_ list: UnsafeMutableAudioBufferListPointer, packets: Int, of format: StreamFormat) {
        for index in list.indices { list[index].mDataByteSize = UInt32(clamping: packets * format.bytesPerPacket) }
    }
}

extension UnsafePointer where Pointee == AudioBufferList {
    /// The list as a collection; only to be read.
    var buffers: UnsafeMutableAudioBufferListPointer { UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: self)) }
}

extension PacketSpan {
    /// The spans that `descriptions` describe; `nil` where one lies outside of `size` bytes.
    static func spans(_ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, in size: Int) -> [PacketSpan]? {
        var spans: [PacketSpan] = []
        spans.reserveCapacity(descriptions.count)
        for description in descriptions {
            guard let span = PacketSpan(description, in: size) else { return nil }
            spans.append(span)
        }
        return spans
    }

    /// The span that `description` describes; `nil` where it lies outside of `size` bytes.
    package init?(_ description: AudioStreamPacketDescription, in size: Int) {
        let byteCount = Int(description.mDataByteSize)
        guard let offset = Int(exactly: description.mStartOffset), offset >= 0, offset <= size, byteCount <= size - offset else { return nil }
        self.init(offset: offset, byteCount: byteCount, frameCount: Int(description.mVariableFramesInPacket))
    }

    /// The description of this packet in a stream of `format`.
    func description(in format: StreamFormat) -> AudioStreamPacketDescription {
        AudioStreamPacketDescription(mStartOffset: Int64(offset),
                                     mVariableFramesInPacket: format.framesPerPacket > 0 ? 0 : UInt32(clamping: frameCount),
                                     mDataByteSize: UInt32(clamping: byteCount))
    }
}
