// Containers with sizes in front of the audio.

import OssicleCodecs

/// What a container has before and behind the audio.
protocol FileLayout {
    /// Whether packets need a table behind them.
    var hasTable: Bool { get }
    /// All bytes before the audio; as many whatever the sizes in them.
    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8]
    /// All bytes behind it; the head comes before at byte `start`.
    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8]
}

/// Writes a head, the audio and a tail. Where the tail is a table of packets, packets wait until it is due, and go out
/// together with the new table, in the place of the old one: apart from the moment between this write and that of the
/// head, a killed process leaves a whole file, and so does a full disk.
struct HeadedWriter<Layout: FileLayout>: ContainerWriter {
    private let layout: Layout
    private var start: Int64 = 0
    private var written: Int64 = 0
    private var waiting: [UInt8] = []
    /// The table in the file.
    private var tail: [UInt8] = []

    init(_ layout: Layout) { self.layout = layout }

    var audioOffset: Int64? { layout.hasTable ? nil : start }

    mutating func begin(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        let head = try layout.head(facts)
        start = Int64(head.count)
        tail = layout.hasTable ? layout.tail(facts, audioOffset: start) : []
        try sink.write(head + tail, at: 0)
    }

    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], facts: WriterFacts, sink: any ByteSink
    ) throws(AudioFileError) {
        guard layout.hasTable || !facts.hasConstantPackets else {
            try sink.write(bytes, at: start + written)
            written += Int64(bytes.count)
            return
        }
        for span in spans { waiting.append(contentsOf: bytes[span.offset..<span.offset + span.byteCount]) }
    }

    mutating func keepReadable(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        try bringUp(facts, sink)
    }
    mutating func finish(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) { try bringUp(facts, sink) }

    private mutating func bringUp(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        let head = try layout.head(facts)
        let fresh = layout.tail(facts, audioOffset: start)
        do throws(AudioFileError) {
            try sink.write(waiting + fresh, at: start + written)
        } catch {
            // A full disk may have taken a part; the old table has its place still.
            try sink.write(tail, at: start + written)
            throw error
        }
        if layout.hasTable { tail = fresh }
        written += Int64(waiting.count)
        waiting = []
        guard Int64(head.count) == start else {
            throw AudioFileError(
                .outOfRange, path: facts.name, found: "cookie or metadata of another size than at the first packet",
                rule: "They stand before the audio.",
                cure: "Set them before the first packet.")
        }
        try sink.write(head, at: 0)
    }
}
