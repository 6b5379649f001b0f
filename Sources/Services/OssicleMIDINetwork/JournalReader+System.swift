// The system journal: chapters D, V, Q, F and X.

extension JournalReader {
    mutating func readSystem() throws(RTPPacketFault) {
        let start = position
        let (contents, low) = (try byte(), try byte())
        let end = start + (Int(contents & 3) << 8 | Int(low))
        guard end >= start + 2, end <= bytes.count else {
            throw RTPPacket.fault(.cutOff, "the system journal does not fit")
        }
        if contents & 0x40 != 0 { try readSimple() }
        if contents & 0x20 != 0 { try repair(count: byte(), \.activeSenses, 0xFE) }
        if contents & 0x10 != 0 { try readSequencer() }
        if contents & 0x08 != 0 { try readTimeCode() }
        if contents & 0x04 != 0 { while position < end { try readExclusive(before: end) } }
        // What else is in there belongs to a later version.
        position = end
    }

    /// Sends a command once more where not as many came as were sent.
    private mutating func repair(
        count: UInt8, _ path: WritableKeyPath<SystemHistory, ChannelHistory.Entry>, _ status: UInt8
    ) {
        guard UInt16(count & 0x7F) != history.system[keyPath: path].value else { return }
        add([status])
        set(path, to: UInt16(count & 0x7F))
    }

    private mutating func readSimple() throws(RTPPacketFault) {
        let fields = try byte()
        if fields & 0x40 != 0 { try repair(count: byte(), \.resets, 0xFF) }
        if fields & 0x20 != 0 { try repair(count: byte(), \.tuneRequests, 0xF6) }
        if fields & 0x10 != 0 {
            let song = try byte() & 0x7F
            if differs(history.system.song, UInt16(song)) { add([0xF3, song]) }
        }
        // Undefined commands, whose logs say how long they are.
        for bit: UInt8 in [0x08, 0x04] where fields & bit != 0 {
            let (high, low) = (try byte(), try byte())
            _ = try take(max((Int(high & 3) << 8 | Int(low)) - 2, 0))
        }
        for bit: UInt8 in [0x02, 0x01] where fields & bit != 0 {
            let length = Int(try byte() & 0x1F)
            _ = try take(max(length - 1, 0))
        }
    }

    private mutating func readSequencer() throws(RTPPacketFault) {
        let flags = try byte()
        var target = SequencerPosition(isRunning: flags & 0x40 != 0, hasBegun: flags & 0x20 != 0)
        if flags & 0x10 != 0 {
            let (high, low) = (try byte(), try byte())
            target.position = Int(flags & 7) << 16 | Int(high) << 8 | Int(low)
        }
        if flags & 0x08 != 0 { _ = try take(3) }
        for command in history.system.sequencer.commands(to: target) { add(command) }
    }

    private mutating func readTimeCode() throws(RTPPacketFault) {
        let flags = try byte()
        var target = QuarterFrames()
        (target.isReverse, target.point) = (flags & 0x08 != 0, flags & 7)
        if flags & 0x40 != 0 {
            let nibbles = try take(4).flatMap { [$0 >> 4, $0 & 0xF] }
            // A whole time that was one message is in chapter X.
            if flags & 0x10 != 0 { target.complete = nibbles }
        }
        if flags & 0x20 != 0 {
            target.pieces = try take(4).flatMap { [$0 >> 4, $0 & 0xF] }
            target.count = target.isReverse ? 8 - Int(target.point) : Int(target.point) + 1
        }
        for command in history.system.timeCode.commands(to: target) { add(command) }
    }

    private mutating func readExclusive(before end: Int) throws(RTPPacketFault) {
        let flags = try byte()
        if flags & 0x40 != 0 { _ = try byte() }
        let number = flags & 0x20 != 0 ? try byte() : nil
        let first = flags & 0x10 != 0 ? try variable() : 0
        var data: [UInt8] = []
        if flags & 0x08 != 0 {
            var isLast = false
            while !isLast {
                guard position < end else { throw RTPPacket.fault(.cutOff, "a system exclusive log does not fit") }
                let byte = try byte()
                data.append(byte & 0x7F)
                isLast = byte & 0x80 != 0
            }
        }
        // Without a number it cannot be known which message it is.
        if let number { repair(number, first: first, data, ends: flags & 3 != 0) }
    }

    private mutating func variable() throws(RTPPacketFault) -> Int {
        var value = 0
        for _ in 0..<4 {
            let byte = try byte()
            value = value << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        throw RTPPacket.fault(.cutOff, "a length has more than four bytes")
    }

    /// Brings the stream to what a log has of a message.
    /// - Parameter first: data bytes of the message before those of the log.
    private mutating func repair(_ number: UInt8, first: Int, _ data: [UInt8], ends: Bool) {
        let ahead = Int8(bitPattern: number &- history.system.exclusives.finished)
        guard ahead > 0 else { return }
        if ahead > 1 {
            // What came before can no longer be had.
            closeExclusive()
            withExclusives { $0.skip(to: number &- 1) }
        }
        let known = history.system.exclusives.openLength
        let isDamaged = history.system.exclusives.isDamaged || first > known ?? 0
        if isDamaged {
            closeExclusive()
            withExclusives { ends ? $0.skip(to: number) : $0.skip(into: first + data.count) }
            return
        }
        let missing = data.dropFirst((known ?? 0) - first)
        guard known == nil || ends || !missing.isEmpty else { return }
        add(segment: Array(missing), starts: known == nil, ends: ends)
    }

    /// What a client has of a message that stays incomplete is brought to an end.
    private mutating func closeExclusive() {
        guard history.system.exclusives.isOpen else { return }
        append([0xF7])
    }
}
