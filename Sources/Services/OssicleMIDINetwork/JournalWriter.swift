/// The recovery journal of a packet (RFC 6295, 4 and appendix A): channel chapters P, C, W, N, T and A.
///
/// All S bits are 0: a receiver looks at the whole journal, however many packets it lost. There are no system chapters.
enum JournalWriter {
    /// What the packets from `checkpoint` on have set.
    /// - Parameters:
    ///   - checkpoint: number of the first packet of the history.
    ///   - sequence: that packet's sequence number.
    static func write(_ history: ChannelHistory, from checkpoint: Int64, sequence: UInt16) -> [UInt8] {
        let journals = (0..<16).compactMap { write(history.channels[$0], UInt8($0), checkpoint) }
        let flags: UInt8 = journals.isEmpty ? 0 : 0x20 | UInt8(journals.count - 1)
        return [flags, UInt8(sequence >> 8), UInt8(sequence & 0xFF)] + journals.flatMap { $0 }
    }

    private static func write(_ channel: ChannelHistory.Channel, _ number: UInt8, _ checkpoint: Int64) -> [UInt8]? {
        guard channel.lastPacket >= checkpoint else { return nil }
        let chapters: [(bit: UInt8, bytes: [UInt8]?)] = [
            (0x80, program(channel, checkpoint)), (0x40, logs(channel.controllers, checkpoint)),
            (0x10, pitchBend(channel, checkpoint)), (0x08, notes(channel, checkpoint)),
            (0x02, channel.pressure.packet >= checkpoint ? [UInt8(channel.pressure.value)] : nil),
            (0x01, logs(channel.keyPressures, checkpoint)),
        ]
        let body = chapters.flatMap { $0.bytes ?? [] }
        let contents = chapters.reduce(UInt8(0)) { $0 | ($1.bytes == nil ? 0 : $1.bit) }
        guard contents != 0 else { return nil }
        let length = body.count + 3
        return [number << 3 | UInt8(length >> 8), UInt8(length & 0xFF), contents] + body
    }

    private static func program(_ channel: ChannelHistory.Channel, _ checkpoint: Int64) -> [UInt8]? {
        guard channel.program.packet >= checkpoint else { return nil }
        let (msb, lsb) = channel.bank
        let hasBank = msb < 128 || lsb < 128
        return [
            UInt8(channel.program.value), hasBank ? 0x80 | (msb < 128 ? msb : 0) : 0, hasBank && lsb < 128 ? lsb : 0,
        ]
    }

    /// Chapters C and A: number and value of what was set, at most 128.
    private static func logs(_ entries: [ChannelHistory.Entry], _ checkpoint: Int64) -> [UInt8]? {
        let set = entries.indices.filter { entries[$0].packet >= checkpoint }
        guard !set.isEmpty else { return nil }
        return [UInt8(set.count - 1)] + set.flatMap { [UInt8($0), UInt8(entries[$0].value & 0x7F)] }
    }

    private static func pitchBend(_ channel: ChannelHistory.Channel, _ checkpoint: Int64) -> [UInt8]? {
        guard channel.pitchBend.packet >= checkpoint else { return nil }
        return [UInt8(channel.pitchBend.value & 0x7F), UInt8(channel.pitchBend.value >> 7 & 0x7F)]
    }

    /// Notes that sound with their velocities, and a bit for each that ended.
    private static func notes(_ channel: ChannelHistory.Channel, _ checkpoint: Int64) -> [UInt8]? {
        let changed = (0..<128).filter { channel.notes[$0].packet >= checkpoint }
        guard !changed.isEmpty else { return nil }
        let on = changed.filter { channel.notes[$0].value > 0 }
        let off = changed.filter { channel.notes[$0].value == 0 }
        var bits: [UInt8] = []
        // Low above high says that there are no bits; with 127 logs that is not the code for 128.
        var range: (low: Int, high: Int) = (15, on.count == 127 ? 1 : 0)
        if let low = off.first, let high = off.last {
            range = (low / 8, high / 8)
            bits = [UInt8](repeating: 0, count: range.high - range.low + 1)
            for note in off { bits[note / 8 - range.low] |= 0x80 >> UInt8(note % 8) }
        }
        let logs = on.flatMap { [UInt8($0), 0x80 | UInt8(channel.notes[$0].value)] }
        return [UInt8(min(on.count, 127)), UInt8(range.low << 4 | range.high)] + logs + bits
    }
}
