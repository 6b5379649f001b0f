// What encoders and decoders are, and their settings.

/// Decodes the packets of one stream, in order. For one thread at a time; not for the audio thread.
package protocol PacketDecoder: AnyObject {
    /// What is decoded.
    var format: PacketFormat { get }
    /// Frames by which decoded sound comes later than in what was encoded, through the decoder alone; the caller that
    /// knows the encoder's priming drops both.
    var delay: Int { get }
    /// The frames of one packet: fewer or none at the beginning of some codecs. Where packets have a constant size
    /// (`format.bytesPerPacket`), any number of whole ones may come at once. A damaged packet throws; the next can be
    /// decoded. The frames are valid until the next call.
    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames
    /// The frames that are left inside after the last packet, piece by piece until there are none.
    func drain() throws(CodecError) -> PlanarFrames
    /// Forgets the past: the next packet may come from anywhere.
    func reset()
}

/// Encodes one stream into packets. For one thread at a time; not for the audio thread.
package protocol PacketEncoder: AnyObject {
    /// What comes out, with the cookie a decoder needs. FLAC's cookie gains the length and signature of the recording
    /// in `finish`.
    var format: PacketFormat { get }
    /// Frames a decoder gives before those of the input.
    var primingFrames: Int { get }
    /// Frames a decoder gives behind those of the input; known after `finish`. None where the last packet is shorter:
    /// the frames of all packets are priming, input and remainder.
    var remainderFrames: Int { get }
    /// No packet is larger, in bytes.
    var maximumPacketSize: Int { get }
    /// Takes `frames` frames, one plane per channel in the order of `format.channelLabels`, and emits each packet
    /// that is full with the number of frames it codes. The bytes are valid within the call.
    func encode(
        _ planes: [UnsafePointer<Double>], frames: Int,
        emit: (_ packet: UnsafeRawBufferPointer, _ frames: Int) -> Void) throws(CodecError)
    /// Emits the packets that remain. Then only `reset` is valid.
    func finish(_ emit: (_ packet: UnsafeRawBufferPointer, _ frames: Int) -> Void) throws(CodecError)
    /// Begins a new stream of the same kind.
    func reset() throws(CodecError)
}

extension PacketEncoder {
    /// Refuses planes that are not the stream's, and frames behind the end.
    func checkInput(_ planes: [UnsafePointer<Double>], _ frames: Int, isFinished: Bool) throws(CodecError) {
        let object = "\(format.codec) encoder"
        guard planes.count == format.channelCount, frames >= 0 else {
            throw CodecError(
                .outOfRange, object: object, found: "\(frames) frames in \(planes.count) planes",
                rule: "There is one plane for each of the \(format.channelCount) channels.",
                cure: "Give the planes of the encoder's format.")
        }
        guard !isFinished else {
            throw CodecError(
                .outOfRange, object: object, found: "frames after the end",
                rule: "After `finish` only `reset` continues.",
                cure: "Reset the encoder first.")
        }
    }
}

/// How an encoder is to spend its bits.
package struct EncoderSettings: Equatable, Sendable {
    package enum Strategy: Sendable { case constant, longTermAverage, variableConstrained, variable }

    /// Bits per second of the whole stream; `nil` leaves the encoder's own choice.
    package var bitRate: Int?
    /// `nil` leaves the encoder's own choice.
    package var strategy: Strategy?
    /// 0 (smallest) ... 1 (best): what variable bit rates aim at, and how hard the encoder tries; `nil` leaves its own
    /// choice.
    package var quality: Double?

    package init(bitRate: Int? = nil, strategy: Strategy? = nil, quality: Double? = nil) {
        self.bitRate = bitRate
        self.strategy = strategy
        self.quality = quality
    }
}

/// What an encoder can do, whatever it is set to.
package struct EncoderRange: Equatable, Sendable {
    /// Bits per second, lowest and highest, for the given channels and rate; `nil` where bits follow the sound.
    package var bitRates: ClosedRange<Int>?
    /// Rates in hertz; empty when any.
    package var sampleRates: [Double]
    package var channelCounts: [Int]

    package init(bitRates: ClosedRange<Int>? = nil, sampleRates: [Double] = [], channelCounts: ClosedRange<Int>) {
        self.bitRates = bitRates
        self.sampleRates = sampleRates
        self.channelCounts = Array(channelCounts)
    }
}

extension EncoderSettings {
    /// The quality within 0 ... 1; `nil` when it is not stated or no number.
    var qualityInRange: Double? { quality.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) } }

    /// Refuses a bit rate out of `range`.
    func checkBitRate(_ object: String, _ range: ClosedRange<Int>) throws(CodecError) {
        guard let bitRate, !range.contains(bitRate) else { return }
        throw CodecError(
            .outOfRange, object: object, found: "\(bitRate) bit/s",
            rule: "With these channels and this rate it takes \(range.lowerBound) to \(range.upperBound) bit/s.",
            cure: "Choose a bit rate in this range.")
    }
}

/// Where a packet lies in memory.
package struct PacketSpan: Equatable, Sendable {
    /// Bytes from the start of the memory.
    package var offset: Int
    package var byteCount: Int
    /// Frames the packet holds; 0 when the format tells, or when unknown.
    package var frameCount: Int

    package init(offset: Int, byteCount: Int, frameCount: Int = 0) {
        self.offset = offset
        self.byteCount = byteCount
        self.frameCount = frameCount
    }

    /// A span as a client tells it; `nil` where it lies outside of `size` bytes.
    package init?(offset: Int64, byteCount: UInt32, frameCount: UInt32, in size: Int) {
        guard let start = Int(exactly: offset), start >= 0, start <= size, Int(byteCount) <= size - start else {
            return nil
        }
        self.init(offset: start, byteCount: Int(byteCount), frameCount: Int(frameCount))
    }
}
