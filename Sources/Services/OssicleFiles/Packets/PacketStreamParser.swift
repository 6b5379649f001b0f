// Packets out of a stream that comes in pieces.

import OssicleCodecs

/// Finds format and packets in the bytes of a sound file that arrive piece by piece, cut anywhere. For one thread at a
/// time.
package final class PacketStreamParser {
    /// What became known, in order.
    package enum Event {
        /// The container is known.
        case container(AudioContainer)
        /// The stream's format, with its cookie; from here on packets come.
        case format(StreamFormat)
        /// Where the audio begins, in bytes from the start of the stream; how much there is and how many packets, when
        /// stated.
        case data(offset: Int64, byteCount: Int64?, packetCount: Int64?)
        case metadata(AudioMetadata)
        /// Frames before the first and behind the last of the recording.
        case priming(leading: Int, trailing: Int)
        /// Whole packets; the memory is valid within the call.
        case packets(UnsafeRawBufferPointer, [PacketSpan])
    }

    private let name: String
    private let hint: AudioContainer?
    private var parser: (any ContainerParser)?
    private let found = ParserFindings()
    /// Bytes that came and are still needed, and where the first of them lies in the stream.
    private var pending: [UInt8] = []
    private var offset: Int64 = 0
    /// Bytes to come that are not needed.
    private var surplus: Int64 = 0
    /// How many pending bytes make another look worth while.
    private var wanted = 1
    private var isDone = false
    /// The packet whose place was asked for last: what follows a discontinuity.
    private var sought: (packet: Int64, offset: Int64)?

    /// No parser needs more at once, in bytes: a `moov` box of M4A is the largest.
    static let limit = 65 << 20

    /// - Parameters:
    ///   - container: what the stream probably is; `nil` lets its first bytes tell.
    ///   - name: what errors call the stream.
    package init(container: AudioContainer? = nil, name: String = "stream") {
        hint = container
        self.name = name
    }

    /// Takes the next piece. After a `discontinuity` the parser looks for the start of the next packet; in containers
    /// with tables that is the packet `byteOffset(ofPacket:)` was asked for last.
    package func parse(
        _ bytes: UnsafeRawBufferPointer, discontinuity: Bool = false, event: (Event) -> Void
    ) throws(AudioFileError) {
        if discontinuity { restart() }
        guard !isDone else { return }
        let skipped = Int(clamping: min(surplus, Int64(bytes.count)))
        surplus -= Int64(skipped)
        offset += Int64(skipped)
        let rest = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
        if pending.isEmpty {
            let used = try run(rest, isLast: false, event: event)
            pending.append(contentsOf: rest[used...])
        } else {
            pending.append(contentsOf: rest)
            guard pending.count >= wanted else { return }
            try runPending(isLast: false, event)
        }
    }

    /// Tells that nothing follows: reports what waited for more.
    package func finish(_ event: (Event) -> Void) throws(AudioFileError) {
        guard !isDone else { return }
        try runPending(isLast: true, event)
        let window = window(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        try parser?.end(window, found)
        emit(UnsafeRawBufferPointer(start: nil, count: 0), event)
        isDone = true
    }

    /// The byte to request for the packet at `packet`, and whether that is an estimate; `nil` when nothing can be said.
    package func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        let place = packet >= 0 ? parser?.byteOffset(ofPacket: packet) : nil
        sought = place.flatMap { $0.isEstimate ? nil : (packet, $0.offset) }
        return place
    }

    private func restart() {
        parser?.restart(at: sought?.packet)
        offset = sought?.offset ?? offset
        sought = nil
        pending = []
        surplus = 0
        wanted = 1
        if parser != nil { isDone = false }
    }

    private func runPending(isLast: Bool, _ event: (Event) -> Void) throws(AudioFileError) {
        let bytes = pending
        let used = try bytes.withBytes { memory throws(AudioFileError) in try run(memory, isLast: isLast, event: event)
        }
        if used > 0 { pending = Array(bytes[used...]) }
    }

    private func window(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> ParserWindow {
        ParserWindow(bytes: bytes, offset: offset, isLast: isLast, fileSize: nil, name: name)
    }

    /// Goes as far as the bytes allow and returns how many are of no more use.
    private func run(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, event: (Event) -> Void
    ) throws(AudioFileError) -> Int {
        var used = 0
        while used < bytes.count || isLast {
            let memory = UnsafeRawBufferPointer(rebasing: bytes[used...])
            let window = window(memory, isLast: isLast)
            if parser == nil { parser = try ContainerDetector.parser(for: window, hint: hint) }
            guard parser != nil else {
                wanted = memory.count + 1
                return used
            }
            let step = try parser?.step(window, found) ?? .done
            emit(memory, event)
            switch step {
            case .pass(let count) where count > 0:
                let now = Int(clamping: min(count, Int64(memory.count)))
                used += now
                surplus = count - Int64(now)
                offset += Int64(now)
                if surplus > 0 { return used }
            case .wait(let count):
                guard count <= Self.limit else { throw tooLarge(count) }
                wanted = max(count, memory.count + 1)
                return used
            case .pass:
                wanted = memory.count + 1
                return used
            case .done:
                isDone = true
                return bytes.count
            }
        }
        wanted = 1
        return used
    }

    private func emit(_ memory: UnsafeRawBufferPointer, _ event: (Event) -> Void) {
        let events = found.events, spans = found.spans, assembled = found.assembled
        found.events = []
        found.spans = []
        found.assembled = []
        events.forEach(event)
        guard !spans.isEmpty else { return }
        if assembled.isEmpty {
            event(.packets(memory, spans))
        } else {
            assembled.withUnsafeBytes { event(.packets($0, spans)) }
        }
    }

    private func tooLarge(_ count: Int) -> AudioFileError {
        AudioFileError(
            .tooLarge, path: name, found: "\(count) bytes belong together",
            rule: "At most \(Self.limit) bytes are kept waiting.",
            cure: "Read the stream as a file.")
    }
}
