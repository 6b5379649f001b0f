/// The recovery journal of a packet (RFC 6295, 4 and appendices A and B): all channel chapters (P, C, M, W, N, E, T, A)
/// and the system chapters D, V, Q, F and X.
///
/// All S bits are 0: a receiver looks at the whole journal, however many packets it lost.
enum JournalWriter {
    /// What the packets from `checkpoint` on have set.
    /// - Parameters:
    ///   - checkpoint: number of the first packet of the history.
    ///   - sequence: that packet's sequence number.
    static func write(_ history: CommandHistory, from checkpoint: Int64, sequence: UInt16) -> [UInt8] {
        let journals = (0..<16).compactMap { write(history.channels.channels[$0], UInt8($0), checkpoint) }
        let system = SystemJournalWriter.write(history.system, from: checkpoint)
        let flags: UInt8 = (journals.isEmpty ? 0 : 0x20 | UInt8(journals.count - 1)) | (system.isEmpty ? 0 : 0x40)
        return [flags, UInt8(sequence >> 8), UInt8(sequence & 0xFF)] + system + journals.flatMap { $0 }
    }

    private static func write(_ channel: ChannelHistory.Channel, _ number: UInt8, _ checkpoint: Int64) -> [UInt8]? {
        guard channel.lastPacket >= checkpoint else { return nil }
        let chapters: [(bit: UInt8, bytes: [UInt8]?)] = [
            (0x80, program(channel, checkpoint)),
            (0x40, logs(channel.controllers, checkpoint) { !ParameterHistory.controls($0) }),
            (0x20, parameters(channel.parameters, checkpoint)), (0x10, pitchBend(channel, checkpoint)),
            (0x08, notes(channel, checkpoint)), (0x04, extras(channel, checkpoint)),
            (0x02, channel.pressure.packet >= checkpoint ? [UInt8(channel.pressure.value)] : nil),
            (0x01, logs(channel.keyPressures, checkpoint) { _ in true }),
        ]
        let body = chapters.flatMap { $0.bytes ?? [] }
        let contents = chapters.reduce(UInt8(0)) { $0 | ($1.bytes == nil ? 0 : $1.bit) }
        guard contents != 0 else { return nil }
        let length = body.count + 3
        return [number << 3 | UInt8(length >> 8 & 3), UInt8(length & 0xFF), contents] + body
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
    private static func logs(
        _ entries: [ChannelHistory.Entry], _ checkpoint: Int64, where isLogged: (Int) -> Bool
    ) -> [UInt8]? {
        let set = entries.indices.filter { entries[$0].packet >= checkpoint && isLogged($0) }
        guard !set.isEmpty else { return nil }
        return [UInt8(set.count - 1)] + set.flatMap { [UInt8($0), UInt8(entries[$0].value & 0x7F)] }
    }

    /// Chapter M: the parameters that were chosen or changed, by the value tool, and what is chosen now: E where that
    /// is the last of them, P with the first half of a number.
    private static func parameters(_ history: ParameterHistory, _ checkpoint: Int64) -> [UInt8]? {
        let list = history.list.filter { $0.packet >= checkpoint }
        guard history.packet >= checkpoint || !list.isEmpty else { return nil }
        var body: [UInt8] = []
        if let pending = history.pending { body.append((history.isRegistered ? 0 : 0x80) | pending) }
        for parameter in list {
            let number = parameter.number
            let flags: [UInt8] = [
                parameter.msb == nil ? 0 : 0x80, parameter.lsb == nil ? 0 : 0x40, parameter.steps == 0 ? 0 : 0x20, 0x02,
            ]
            body += [number.lsb, (number.isRegistered ? 0 : 0x80) | number.msb, flags.reduce(0, |)]
            if let msb = parameter.msb { body.append(msb) }
            if let lsb = parameter.lsb { body.append(lsb) }
            if parameter.steps != 0 {
                let steps = min(abs(parameter.steps), 0x3FFF)
                body += [(parameter.steps < 0 ? 0x80 : 0) | UInt8(steps >> 8), UInt8(steps & 0xFF)]
            }
        }
        let flags: UInt8 = (history.pending == nil ? 0 : 0x40) | (history.chosen == nil ? 0 : 0x20)
        let length = body.count + 2
        return [flags | UInt8(length >> 8 & 3), UInt8(length & 0xFF)] + body
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

    /// Chapter E: velocities of ends that are not 64, and how often notes were begun that sound, where that is not
    /// once.
    private static func extras(_ channel: ChannelHistory.Channel, _ checkpoint: Int64) -> [UInt8]? {
        let logs = (0..<128).filter { channel.notes[$0].packet >= checkpoint }.compactMap { note -> [UInt8]? in
            if channel.notes[note].value > 0 {
                return channel.begun[note] == 1 ? nil : [UInt8(note), channel.begun[note]]
            }
            return channel.releases[note] == 64 ? nil : [UInt8(note), 0x80 | channel.releases[note]]
        }
        return logs.isEmpty ? nil : [UInt8(logs.count - 1)] + logs.flatMap { $0 }
    }
}

/// The system journal (RFC 6295, appendix B).
enum SystemJournalWriter {
    /// Empty where there is nothing to say.
    static func write(_ history: SystemHistory, from checkpoint: Int64) -> [UInt8] {
        let chapters: [(bit: UInt8, bytes: [UInt8]?)] = [
            (0x40, simple(history, checkpoint)),
            (0x20, history.activeSenses.packet >= checkpoint ? [UInt8(history.activeSenses.value)] : nil),
            (0x10, history.sequencerPacket >= checkpoint ? sequencer(history.sequencer) : nil),
            (0x08, history.timeCodePacket >= checkpoint ? timeCode(history.timeCode) : nil),
            (0x04, exclusives(history.exclusives, checkpoint)),
        ]
        let contents = chapters.reduce(UInt8(0)) { $0 | ($1.bytes == nil ? 0 : $1.bit) }
        guard contents != 0 else { return [] }
        let body = chapters.flatMap { $0.bytes ?? [] }
        let length = body.count + 2
        return [contents | UInt8(length >> 8 & 3), UInt8(length & 0xFF)] + body
    }

    /// Chapter D: resets, tune requests, song select.
    private static func simple(_ history: SystemHistory, _ checkpoint: Int64) -> [UInt8]? {
        let logs: [(bit: UInt8, entry: ChannelHistory.Entry)] = [
            (0x40, history.resets), (0x20, history.tuneRequests), (0x10, history.song),
        ].filter { $0.entry.packet >= checkpoint }
        guard !logs.isEmpty else { return nil }
        return [logs.reduce(0) { $0 | $1.bit }] + logs.map { UInt8($0.entry.value & 0x7F) }
    }

    /// Chapter Q.
    private static func sequencer(_ state: SequencerPosition) -> [UInt8] {
        let flags: UInt8 = (state.isRunning ? 0x40 : 0) | (state.hasBegun ? 0x20 : 0)
        guard state.position > 0 else { return [flags] }
        return [
            flags | 0x10 | UInt8(state.position >> 16 & 7), UInt8(state.position >> 8 & 0xFF),
            UInt8(state.position & 0xFF),
        ]
    }

    /// Chapter F, of quarter frames; whole times in system exclusive messages belong to chapter X.
    private static func timeCode(_ state: QuarterFrames) -> [UInt8] {
        func bytes(_ nibbles: [UInt8]) -> [UInt8] { (0..<4).map { nibbles[2 * $0] << 4 | nibbles[2 * $0 + 1] } }
        let hasPart = state.count > 0
        let flags: UInt8 =
            (state.complete == nil ? 0 : 0x50) | (hasPart ? 0x20 : 0) | (state.isReverse ? 0x08 : 0) | state.point
        return [flags] + (state.complete.map(bytes) ?? []) + (hasPart ? bytes(state.pieces) : [])
    }

    /// Chapter X, by the list tool: each message with its number, and the data that the packets have of it.
    private static func exclusives(_ history: ExclusiveHistory, _ checkpoint: Int64) -> [UInt8]? {
        var logs: [ExclusiveHistory.Segment] = []
        for segment in history.segments where segment.packet >= checkpoint {
            if let last = logs.indices.last, logs[last].number == segment.number {
                logs[last].data += segment.data
                logs[last].status = segment.status
            } else {
                logs.append(segment)
            }
        }
        guard !logs.isEmpty else { return nil }
        return logs.flatMap { log -> [UInt8] in
            let flags: UInt8 = 0x24 | (log.first > 0 ? 0x10 : 0) | (log.data.isEmpty ? 0 : 0x08) | log.status
            let first = log.first > 0 ? RTPPacket.variable(UInt32(clamping: log.first)) : []
            let data = log.data.isEmpty ? [] : log.data.dropLast() + [log.data[log.data.count - 1] | 0x80]
            return [flags, log.number] + first + data
        }
    }
}
