/// Encodes one stream into packets. For one thread at a time; not for the audio thread.
package protocol PacketEncoder: AnyObject {
    /// What comes out, with the cookie a decoder needs. FLAC's cookie gains the length and signature of the recording in `finish`.
    var format: PacketFormat { get }
    /// Frames a decoder gives before those of the input.
    var primingFrames: Int { get }
    /// Frames a decoder gives behind those of the input; known after `finish`. None where the last packet is shorter: the frames of all packets
    /// are priming, input and remainder.
    var remainderFrames: Int { get }
    /// No packet is larger, in bytes.
    var maximumPacketSize: Int { get }
    /// Takes `frames` frames, one plane per channel in the order of `format.channelLabels`, and hands out each packet that is full with the
    /// number of frames it codes. The bytes are valid within the call.
    func encode(_ planes: [UnsafePointer<Double>], frames: Int, _ emit: (_ packet: UnsafeRawBufferPointer, _ frames: Int) -> Void) throws(CodecError)
    /// Hands out the packets that remain. Then only `reset` goes on.
    func finish(_ emit: (_ packet: UnsafeRawBufferPointer, _ frames: Int) -> Void) throws(CodecError)
    /// Begins a new stream of the same kind.
    func reset() throws(CodecError)
}
