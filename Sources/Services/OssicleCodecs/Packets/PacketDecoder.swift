/// Decodes the packets of one stream, in order. For one thread at a time; not for the audio thread.
package protocol PacketDecoder: AnyObject {
    /// What is decoded.
    var format: PacketFormat { get }
    /// Frames by which decoded sound comes later than in what was encoded, through the decoder alone; whoever knows the encoder's
    /// priming drops both.
    var delay: Int { get }
    /// The frames of one packet: fewer or none at the beginning of some codecs. Where packets have a constant size (`format.bytesPerPacket`), any
    /// number of whole ones may come at once. A damaged packet throws; the next can be decoded. The frames are valid until the next call.
    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames
    /// The frames that are left inside after the last packet, piece by piece until there are none.
    func drain() throws(CodecError) -> PlanarFrames
    /// Forgets the past: the next packet may come from anywhere.
    func reset()
}
