// What stands behind an `AudioFileStreamID`.

import OssicleCodecs
import OssicleFiles
import OssicleProperties

/// A file that arrives in pieces. One thread at a time is let in; the client's functions may ask for properties, but
/// not parse.
final class StreamedFile: @unchecked Sendable {
    static let table = HandleTable<StreamedFile>()

    /// What is known so far.
    private(set) var facts = StreamedFacts()

    private let parser: PacketStreamParser
    private let clientData: UnsafeMutableRawPointer
    private let listener: AudioFileStream_PropertyListenerProc
    private let packets: AudioFileStream_PacketsProc
    private let lock = NSRecursiveLock()
    private var isParsing = false
    private var isClosed = false

    init(
        hint: AudioFileTypeID, _ clientData: UnsafeMutableRawPointer,
        listener: @escaping AudioFileStream_PropertyListenerProc,
        packets: @escaping AudioFileStream_PacketsProc
    ) {
        parser = PacketStreamParser(container: AudioContainer(type: hint))
        self.clientData = clientData
        self.listener = listener
        self.packets = packets
    }

    /// Lets one thread in.
    func alone<Result>(_ body: () throws(StatusError) -> Result) throws(StatusError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Parses the next bytes; without any, and without `discontinuity`, the stream has ended.
    func parse(_ bytes: UnsafeRawBufferPointer, _ reference: AudioFileStreamID, discontinuity: Bool) throws(StatusError)
    {
        guard !isParsing else { throw StatusError(kAudioFileStreamError_IllegalOperation) }
        isParsing = true
        defer { isParsing = false }
        try StatusError.file { () throws(AudioFileError) in
            try parser.parse(bytes, discontinuity: discontinuity) { take($0, reference) }
        }
    }

    /// Ends the stream: what waited for more bytes is handed out, unless one of the client's functions is what ends it.
    func close(_ reference: AudioFileStreamID) throws(StatusError) {
        guard !isParsing else {
            isClosed = true
            return
        }
        try StatusError.file { () throws(AudioFileError) in try parser.finish { take($0, reference) } }
        isClosed = true
    }

    /// Where `packet` begins, in bytes from the start of the audio data.
    func dataOffset(ofPacket packet: Int64) throws(StatusError) -> (offset: Int64, isEstimate: Bool) {
        guard packet >= 0 else { throw StatusError(kAudioFileStreamError_InvalidPacketOffset) }
        guard let start = facts.dataOffset, let place = parser.byteOffset(ofPacket: packet) else {
            throw StatusError(kAudioFileStreamError_DataUnavailable)
        }
        return (place.offset - start, place.isEstimate)
    }

    private func take(_ event: PacketStreamParser.Event, _ reference: AudioFileStreamID) {
        guard !isClosed else { return }
        if case .packets(let bytes, let spans) = event {
            deliver(bytes, spans, reference: reference)
        } else {
            for id in facts.learn(event) { announce(id, reference) }
        }
    }

    private func announce(_ id: AudioFileStreamPropertyID, _ reference: AudioFileStreamID) {
        var flags = AudioFileStreamPropertyFlags.propertyIsCached
        if !isClosed { listener(clientData, reference, id, &flags) }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], reference: AudioFileStreamID) {
        if !facts.isReady {
            facts.isReady = true
            announce(kAudioFileStreamProperty_ReadyToProducePackets, reference)
        }
        guard !isClosed, let base = bytes.baseAddress, let format = facts.format, let first = spans.first,
            let last = spans.last
        else { return }
        facts.count(spans)
        let start = first.offset, size = last.offset + last.byteCount - start
        if format.needsPacketDescriptions {
            var descriptions = spans.map { span in
                var description = span.description(in: format)
                description.mStartOffset -= Int64(start)
                return description
            }
            packets(clientData, UInt32(clamping: size), UInt32(clamping: spans.count), base + start, &descriptions)
        } else {
            packets(clientData, UInt32(clamping: size), UInt32(clamping: spans.count), base + start, nil)
        }
    }
}
