// Standard MIDI files, written.

extension MIDIFile {
    /// The file's bytes. Running status is used; a format other than 0 is written where there are several tracks. Times
    /// are taken up to `lastTick`, and pauses longer than a number holds (2^28 ticks) are bridged by empty texts. Data
    /// bytes are cut to seven bits.
    package var bytes: [UInt8] {
        let written = format == .single && tracks.count != 1 ? Format.simultaneous : format
        var out = Array("MThd".utf8) + [0, 0, 0, 6]
        out +=
            Self.big(written.rawValue, 2) + Self.big(min(tracks.count, 0xFFFF), 2)
            + Self.big(Int(division.resolution), 2)
        for track in tracks.prefix(0xFFFF) {
            let body = Self.bytes(of: track)
            out += Array("MTrk".utf8) + Self.big(body.count, 4) + body
        }
        return out
    }

    private static func bytes(of track: Track) -> [UInt8] {
        var out: [UInt8] = [], tick = 0
        var running: UInt8?
        func pass(to next: Int) {
            var rest = max(0, min(next, lastTick) - tick)
            while rest > largestVariable {
                out += variable(largestVariable) + [0xFF, 0x01, 0]
                rest -= largestVariable
                running = nil
            }
            out += variable(rest)
            tick = max(tick, min(next, lastTick))
        }
        for event in track.events {
            pass(to: event.tick)
            append(event.message, to: &out, &running)
        }
        pass(to: track.end)
        return out + [0xFF, 0x2F, 0]
    }

    private static func append(_ message: Message, to out: inout [UInt8], _ running: inout UInt8?) {
        switch message {
        case .channel(let status, let data1, let data2):
            let hasTwo = status & 0xF0 != 0xC0 && status & 0xF0 != 0xD0
            if running != status { out.append(status) }
            running = status
            out += hasTwo ? [data1 & 0x7F, data2 & 0x7F] : [data1 & 0x7F]
        case .systemExclusive(let data):
            let body = data.first == 0xF0 ? data.dropFirst() : data[...]
            running = nil
            out += [0xF0] + variable(body.count) + body.prefix(largestVariable)
        case .escape(let data):
            running = nil
            out += [0xF7] + variable(data.count) + data.prefix(largestVariable)
        case .meta(let type, let data):
            running = nil
            out += [0xFF, type & 0x7F] + variable(data.count) + data.prefix(largestVariable)
        }
    }

    /// Seven bits a byte, the highest first; all but the last have the top bit.
    static func variable(_ number: Int) -> [UInt8] {
        let value = min(max(number, 0), largestVariable)
        var out = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            out.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return out
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
}
