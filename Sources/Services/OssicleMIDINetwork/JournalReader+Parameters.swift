// Chapter M: registered and non-registered parameters.

extension JournalReader {
    /// A parameter as its log has it.
    private struct Log {
        var number: ParameterHistory.Number
        var msb: UInt8?
        var lsb: UInt8?
        var steps = 0
    }

    mutating func readParameters(_ channel: UInt8) throws(RTPPacketFault) {
        let start = position
        let (high, low) = (try byte(), try byte())
        let end = start + (Int(high & 3) << 8 | Int(low))
        guard end >= start + 2, end <= bytes.count else {
            throw RTPPacket.fault(.cutOff, "a chapter of parameters does not fit")
        }
        let pending = high & 0x40 != 0 ? try byte() : nil
        // Numbers without their upper half: all are of one kind, and the half is 0.
        let isShort = high & 0x04 != 0 && high & 0x18 != 0
        var last: ParameterHistory.Number?
        while position < end {
            let log = try readLog(isShort: isShort, isRegistered: high & 0x10 != 0)
            repair(log, of: channel)
            last = log.number
        }
        position = end
        choose(high & 0x20 != 0 ? last : nil, pending: pending, of: channel)
    }

    private mutating func readLog(isShort: Bool, isRegistered: Bool) throws(RTPPacketFault) -> Log {
        let lsb = try byte() & 0x7F
        var log = Log(number: .init(isRegistered: isRegistered, msb: 0, lsb: lsb))
        if !isShort {
            let msb = try byte()
            log.number = .init(isRegistered: msb & 0x80 == 0, msb: msb & 0x7F, lsb: lsb)
        }
        let fields = try byte()
        if fields & 0x80 != 0 { log.msb = try byte() & 0x7F }
        if fields & 0x40 != 0 { log.lsb = try byte() & 0x7F }
        if fields & 0x20 != 0 {
            let (high, low) = (try byte(), try byte())
            let steps = Int(high & 0x3F) << 8 | Int(low)
            log.steps = high & 0x80 != 0 ? -steps : steps
        }
        if fields & 0x10 != 0 { _ = try take(2) }
        if fields & 0x08 != 0 { _ = try take(1) }
        return log
    }

    private func parameters(_ channel: UInt8) -> ParameterHistory {
        history.channels.channels[Int(channel)].parameters
    }

    private mutating func repair(_ log: Log, of channel: UInt8) {
        let known = parameters(channel).find(log.number)
        // A lower half belongs to the upper one that came before it.
        let sameEntry =
            log.msb == nil ? log.lsb == nil || log.lsb == known?.lsb : log.msb == known?.msb && log.lsb == known?.lsb
        let steps = log.steps - (sameEntry ? known?.steps ?? 0 : 0)
        guard !sameEntry || steps != 0 else { return }
        select(log.number, of: channel)
        if !sameEntry {
            if let msb = log.msb { add([0xB0 | channel, 6, msb]) }
            if let lsb = log.lsb { add([0xB0 | channel, 38, lsb]) }
        }
        for _ in 0..<min(abs(steps), 128) { add([0xB0 | channel, steps < 0 ? 97 : 96, 0]) }
    }

    private mutating func select(_ number: ParameterHistory.Number, of channel: UInt8) {
        guard parameters(channel).chosen != number else { return }
        add([0xB0 | channel, number.isRegistered ? 101 : 99, number.msb])
        add([0xB0 | channel, number.isRegistered ? 100 : 98, number.lsb])
    }

    /// What is chosen in the end.
    private mutating func choose(_ number: ParameterHistory.Number?, pending: UInt8?, of channel: UInt8) {
        let known = parameters(channel)
        if let number {
            select(number, of: channel)
        } else if let pending {
            let (isRegistered, msb) = (pending & 0x80 == 0, pending & 0x7F)
            guard known.pending != msb || known.isRegistered != isRegistered else { return }
            add([0xB0 | channel, isRegistered ? 101 : 99, msb])
        } else if known.chosen != nil || known.pending != nil {
            add([0xB0 | channel, known.isRegistered ? 101 : 99, 127])
            add([0xB0 | channel, known.isRegistered ? 100 : 98, 127])
        }
    }
}
