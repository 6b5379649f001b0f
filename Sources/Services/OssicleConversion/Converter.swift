// From one stream to another.

import OssicleCodecs

/// What the client's side gives a converter that asks for more. The memory stays as it is until the converter asks
/// again or is reset: what one request did not need is read by the next.
package enum ConverterInput {
    /// One pointer for each of the input format's buffers.
    case samples(_ buffers: [UnsafeRawPointer], frames: Int)
    /// The packets in `bytes`.
    case packets(_ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan])
    /// Nothing now, more later.
    case nothingNow
    /// Nothing ever again, before `reset`.
    case endOfStream
}

package enum ConverterStatus: Sendable {
    /// All that was asked for, or the last of the stream.
    case full
    /// Less, because the input had nothing.
    case inputRanDry
    /// The stream is over and nothing came.
    case endOfStream
}

/// Converts a stream: samples to samples of another form, order, number of channels or rate; packets to samples;
/// samples to packets; packets to packets of another codec.
///
///     unpack | decode  →  channels  →  rate  →  dither  →  pack | encode
///
/// It pulls: the client asks for output, the converter asks for as much input as that takes. For one thread at a time;
/// not for the audio thread.
package final class Converter {
    package let input: StreamFormat
    package let output: StreamFormat
    /// Applied by the next call; those that cannot change in the middle of a stream, by the next `reset`.
    package var settings = ConversionSettings()
    private let packing: SamplePacking?
    private var clientCookie: [UInt8]
    private var stream: ConversionStream?
    private var isConverting = false
    /// An error that came when there was something to give first.
    private var postponed: ConversionError?

    /// Throws when no conversion leads from `input` to `output`.
    package init(from input: StreamFormat, to output: StreamFormat) throws(ConversionError) {
        try input.check()
        try output.check()
        self.input = input
        self.output = output
        if case .pcm(let format) = output { packing = try SamplePacking(format) } else { packing = nil }
        if case .packets(let format) = input { clientCookie = format.cookie } else { clientCookie = [] }
        do { _ = try prepared() } catch { guard mayLackCookie(error) else { throw error } }
    }

    /// Fills up to `frames` frames of the output's buffers. `pull` gets the number of packets that would be welcome,
    /// for linear PCM of frames: a hint. One that gives no frames or packets is taken to have nothing now.
    ///
    /// When something fails behind frames that are ready, they come first, as if the input had run dry, and the next
    /// call throws. The stream continues after an error; a damaged packet is left out.
    package func convert(
        into buffers: [UnsafeMutableRawPointer], frames: Int,
        pull: (_ packets: Int) -> ConverterInput
    ) throws(ConversionError) -> (status: ConverterStatus, frames: Int) {
        guard let packing, buffers.count == packing.format.bufferCount, frames >= 0 else {
            throw wrongRequest("\(frames) frames in \(buffers.count) buffers")
        }
        let stream = try begin()
        defer { isConverting = false }
        var done = 0
        do throws(ConversionError) {
            while done < frames {
                switch try stream.frames.next(min(frames - done, SourcePiece.longest), pull) {
                case .frames(let piece):
                    packing.pack(piece.planes, count: piece.count, into: buffers, from: done)
                    done += piece.count
                case .ranDry: return (.inputRanDry, done)
                case .ended: return (done > 0 ? .full : .endOfStream, done)
                }
            }
            return (.full, done)
        } catch {
            guard done > 0 else { throw error }
            postponed = error
            return (.inputRanDry, done)
        }
    }

    /// Fills `memory` with up to `packets` packets, as many as it has room for, and tells where they lie. Errors come
    /// as with frames.
    package func convert(
        into memory: UnsafeMutableRawBufferPointer, packets: Int,
        pull: (_ packets: Int) -> ConverterInput
    ) throws(ConversionError) -> (status: ConverterStatus, spans: [PacketSpan]) {
        guard packing == nil, packets >= 0 else { throw wrongRequest("\(packets) packets") }
        guard let sink = try begin().packets else { return (.endOfStream, []) }
        defer { isConverting = false }
        var spans: [PacketSpan] = []
        var used = 0
        do throws(ConversionError) {
            while spans.count < packets {
                let wanted = min(packets - spans.count, sink.room(in: memory.count - used))
                guard wanted > 0 || spans.isEmpty else { break }
                if let reason = try sink.prepare(max(1, wanted), pull) {
                    return (reason == .endOfStream && !spans.isEmpty ? .full : reason, spans)
                }
                guard let span = sink.take(into: memory, at: used) else {
                    guard spans.isEmpty else { break }
                    throw ConversionError(
                        .invalidBuffer, found: "\(memory.count) bytes for a packet of \(sink.nextByteCount)",
                        rule: "A packet comes whole.", cure: "Give maximumOutputPacketSize bytes for each.")
                }
                spans.append(span)
                used += span.byteCount
            }
            return (.full, spans)
        } catch {
            guard !spans.isEmpty else { throw error }
            postponed = error
            return (.inputRanDry, spans)
        }
    }

    /// Forgets the stream: the next call begins another.
    package func reset() {
        stream = nil
        postponed = nil
    }

    /// With an encoder: the frames a decoder will give before those of the input and, once the stream has ended, behind
    /// them. Otherwise with a change of rate: the frames of input before the first output sample and behind the last
    /// that shape them. Otherwise what is trimmed from a decoder.
    package var priming: (leading: Int, trailing: Int) {
        let stream = current
        if let encoder = stream?.packets?.encoder { return (encoder.primingFrames, encoder.remainderFrames) }
        return stream?.rate?.priming ?? (settings.leadingTrim, settings.trailingTrim)
    }

    /// The cookie of an encoder; what the client set for a decoder, which takes it up when a stream begins.
    package var cookie: [UInt8] {
        get { current?.packets?.encoder.format.cookie ?? clientCookie }
        set {
            clientCookie = newValue
            if stream?.hasBegun != true { stream = nil }
        }
    }

    /// No packet is larger, in bytes; for linear PCM a frame.
    package var maximumOutputPacketSize: Int {
        if let packing { return packing.format.bytesPerSample * packing.format.channelCount }
        return current?.packets?.encoder.maximumPacketSize ?? 0
    }

    /// The stream as it is, or as it would begin.
    private var current: ConversionStream? { stream?.hasBegun == true ? stream : try? prepared() }

    private func begin() throws(ConversionError) -> ConversionStream {
        guard !isConverting else {
            throw ConversionError(
                .invalidBuffer, found: "a request within a pull", rule: "A converter does one thing at a time.",
                cure: "Only return input from the pull block.")
        }
        if let error = postponed {
            postponed = nil
            throw error
        }
        let stream = try prepared()
        isConverting = true
        stream.begin()
        return stream
    }

    private func prepared() throws(ConversionError) -> ConversionStream {
        if let stream, stream.settings == settings { return stream }
        try settings.check()
        if let stream, stream.hasBegun {
            try stream.apply(settings)
            return stream
        }
        let stream = try ConversionStream(from: inputWithCookie, to: output, settings: settings)
        self.stream = stream
        return stream
    }

    private var inputWithCookie: StreamFormat {
        guard case .packets(var format) = input else { return input }
        format.cookie = clientCookie
        return .packets(format)
    }

    /// A decoder that cannot begin may be waiting for the cookie the client has not set yet.
    private func mayLackCookie(_ error: ConversionError) -> Bool {
        guard case .packets = input, clientCookie.isEmpty, case .codec(let kind) = error.kind else { return false }
        return kind != .unsupported && kind != .traitOff
    }

    private func wrongRequest(_ found: String) -> ConversionError {
        ConversionError(
            .invalidBuffer, found: "a request for \(found)",
            rule:
                "Frames come from a converter to linear PCM, in the buffers of its format, packets from one to a compressed format.",
            cure: "Ask for what the output format is.")
    }
}
