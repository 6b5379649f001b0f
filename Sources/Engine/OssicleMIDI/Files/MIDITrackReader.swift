// The messages of one track chunk.

/// Reads one track. Any bytes give a track: what is no message is passed over with a warning.
struct MIDITrackReader {
    private let bytes: [UInt8]
    private let end: Int
    private var place: Int
    private var tick = 0
    /// The status that a message without one has.
    private var running: UInt8?
    private(set) var warnings: [MIDIFileWarning]

    init(_ bytes: [UInt8], _ chunk: Range<Int>, _ warnings: [MIDIFileWarning]) {
        (self.bytes, place, end, self.warnings) = (bytes, chunk.lowerBound, chunk.upperBound, warnings)
    }

    private mutating func warn(_ kind: MIDIFileWarning.Kind, _ position: Int, _ finding: String) {
        if warnings.count < MIDIFile.Limit.warnings { warnings.append(MIDIFileWarning(kind, at: position, finding)) }
    }

    mutating func read() -> MIDIFile.Track {
        var events: [MIDIFile.Event] = []
        while place < end {
            guard let delta = number(), place < end else { break }
            tick = min(tick + delta, MIDIFile.lastTick)
            guard let message = message() else { continue }
            if case .meta(0x2F, _) = message {
                if place < end { warn(.trailingBytes, place, "\(end - place) bytes behind the end of the track") }
                return MIDIFile.Track(events, end: tick)
            }
            events.append(MIDIFile.Event(tick: tick, message))
        }
        warn(.unfinishedTrack, end, "the track has no end")
        return MIDIFile.Track(events, end: tick)
    }

    /// A message, or `nil` where there was none.
    private mutating func message() -> MIDIFile.Message? {
        let start = place, first = bytes[place]
        switch first {
        case 0x80...0xEF:
            place += 1
            running = first
            return channelMessage(first, at: start)
        case 0xF0, 0xF7:
            place += 1
            running = nil
            guard let data = data() else { return nil }
            return first == 0xF0 ? .systemExclusive([0xF0] + data) : .escape(data)
        case 0xFF:
            place += 1
            // Some programs go on with a running status behind a meta event; the rule is that it ends there.
            guard place < end else { return nil }
            let type = bytes[place]
            place += 1
            guard let data = data() else { return nil }
            if type > 127 { warn(.badData, start, "a meta event of type \(type)") }
            return .meta(type: type & 0x7F, data: data)
        case 0xF1...0xFE:
            // These have no place in a file. The data of some is passed over as stray bytes.
            warn(.strayBytes, start, "a system message \(first)")
            place += 1
            running = nil
            return nil
        default:
            guard let running else {
                warn(.strayBytes, start, "data without a status")
                while place < end, bytes[place] < 0x80 { place += 1 }
                return nil
            }
            return channelMessage(running, at: start)
        }
    }

    private mutating func channelMessage(_ status: UInt8, at start: Int) -> MIDIFile.Message? {
        let count = status & 0xF0 == 0xC0 || status & 0xF0 == 0xD0 ? 1 : 2
        guard place + count <= end else {
            warn(.cutOff, start, "a message without its data")
            place = end
            return nil
        }
        let data1 = bytes[place], data2 = count == 2 ? bytes[place + 1] : 0
        if data1 | data2 > 127 { warn(.badData, place, "a data byte above 127") }
        place += count
        return .channel(status: status, data1: data1 & 0x7F, data2: data2 & 0x7F)
    }

    /// As many bytes as the number before them says, or as there are.
    private mutating func data() -> [UInt8]? {
        let start = place
        guard let count = number() else { return nil }
        let stop = min(place + count, end)
        if place + count > end { warn(.cutOff, start, "\(count) bytes announced, \(end - place) there") }
        defer { place = stop }
        return Array(bytes[place..<stop])
    }

    /// A number of variable length; `nil` where the track ends within it.
    private mutating func number() -> Int? {
        var value = 0
        for index in 0..<4 {
            guard place < end else {
                warn(.cutOff, place, "a number without its end")
                return nil
            }
            let byte = bytes[place]
            place += 1
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return value }
            if index == 3 { warn(.badNumber, place, "a number of more than four bytes") }
        }
        return value
    }
}
