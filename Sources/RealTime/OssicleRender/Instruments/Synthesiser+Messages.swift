// What MIDI messages do to a synthesiser. Audio thread.

import OssicleCore

extension Synthesiser {
    /// A MIDI 1.0 message: a channel message of two or three bytes, or a system exclusive one. Others change nothing.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard let status = bytes.first else { return }
        if status == 0xF0 { return takeExclusive(bytes) }
        guard (0x80...0xEF).contains(status), bytes.count >= 2 else { return }
        take(status, bytes[1] & 127, bytes.count > 2 ? bytes[2] & 127 : 0)
    }

    /// A channel message.
    package mutating func take(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
        let channel = Int(status & 15)
        switch status & 0xF0 {
        case 0x80: endNotes(of: channel, first)
        case 0x90: if second > 0 { begin(first, second, on: channel) } else { endNotes(of: channel, first) }
        case 0xA0:
            channels[channel].keyPressures[Int(first)] = second
            modulate(channel)
        case 0xB0: control(channel, Int(first), second)
        case 0xC0: choose(program: first, on: channel)
        case 0xD0:
            channels[channel].pressure = first
            modulate(channel)
        case 0xE0:
            channels[channel].bend = UInt16(second) << 7 | UInt16(first)
            modulate(channel)
        default: break
        }
    }

    private mutating func control(_ channel: Int, _ controller: Int, _ value: UInt8) {
        let wasSostenuto = channels[channel].isSostenuto
        if controller < 120 { channels[channel].control(controller, value) }
        switch controller {
        case 64: pedalsChanged(of: channel)
        case 66:
            if channels[channel].isSostenuto, !wasSostenuto { catchNotes(of: channel) }
            pedalsChanged(of: channel)
        case 120: cutNotes(of: channel)
        case 121:
            channels[channel].resetControllers(all: false)
            pedalsChanged(of: channel)
        case 123...125: endAllNotes(of: channel)
        case 126, 127:
            endAllNotes(of: channel)
            channels[channel].isMono = controller == 126
        default: break
        }
        modulate(channel)
    }

    // MARK: Programs

    package mutating func choose(program: UInt8, on channel: Int) {
        channels[channel].program = program
        resolve(channel)
    }

    /// Finds the channel's program in the instrument. Where the bank does not have it the first bank's is played, and
    /// where that has none either, the channel stays with what it has. An instrument of one program plays that.
    mutating func resolve(_ channel: Int) {
        guard let instrument, instrument.programCount > 0 else { return channels[channel].place = -1 }
        let (bank, number) = (channels[channel].bank, Int(channels[channel].program))
        let found =
            instrument.find(bank: bank, number: number)
            ?? (bank == 128 ? instrument.find(bank: 128, number: 0) : nil)
            ?? instrument.find(bank: 0, number: number)
        if let found {
            channels[channel].place = Int32(found)
        } else if Int(channels[channel].place) >= instrument.programCount || channels[channel].place < 0 {
            channels[channel].place = 0
        }
    }

    /// Has all channels play one program, as after loading it.
    package mutating func choose(bank: Int, program: UInt8) {
        for channel in 0..<16 {
            channels[channel].controllers[0] = bank == 128 ? 120 : 121
            channels[channel].controllers[32] = bank == 128 ? 0 : UInt8(clamping: bank)
            channels[channel].program = program
            channels[channel].place = -1
            resolve(channel)
        }
    }

    // MARK: System exclusive

    private mutating func takeExclusive(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 6 else { return }
        switch (bytes[1], bytes[3]) {
        // Universal, General MIDI: on, off, level 2.
        case (0x7E, 0x09): if settings.isGeneralMIDI { restart() }
        case (0x7F, 0x04) where bytes.count >= 12 && bytes[4] == 5: takeGlobalParameters(bytes)
        case (0x7F, 0x04) where bytes.count >= 8:
            let value = Int(bytes[5] & 127) | Int(bytes[6] & 127) << 7
            switch bytes[4] {
            case 1: masterVolume = Float(value * value) / Float(16_383 * 16_383)
            case 3: masterTuning = Float(value - 8192) / 8192 * 100
            case 4: masterTuning = Float(Int(bytes[6] & 127) - 64) * 100
            default: return
            }
            glide()
        // Roland's GS reset and Yamaha's XG system on.
        case (0x41, 0x42) where bytes.count >= 11 && bytes[5] == 0x40 && bytes[6] == 0 && bytes[7] == 0x7F,
            (0x43, 0x4C) where bytes.count >= 9 && bytes[4] == 0 && bytes[5] == 0 && bytes[6] == 0x7E:
            if settings.isGeneralMIDI { restart() }
        default: break
        }
    }

    /// Global parameter control of reverb and chorus (General MIDI 2, CA-024): one number of one byte each, and the
    /// path of one slot: 1 and 1 or 2.
    private mutating func takeGlobalParameters(_ bytes: UnsafeRawBufferPointer) {
        guard bytes[5] == 1, bytes[6] == 1, bytes[7] == 1, bytes[8] == 1 else { return }
        var index = 10
        while index + 1 < bytes.count, bytes[index] < 0x80, bytes[index + 1] < 0x80 {
            switch bytes[9] {
            case 1: effects.setReverb(bytes[index], bytes[index + 1])
            case 2: effects.setChorus(bytes[index], bytes[index + 1])
            default: return
            }
            index += 2
        }
    }

    private mutating func restart() {
        for channel in 0..<16 { cutNotes(of: channel) }
        resetChannels()
        effects.restart()
        glide()
    }

    // MARK: Universal packets

    /// The words of a Universal MIDI packet: channel messages of MIDI 1.0 and 2.0. Others change nothing.
    package mutating func take(_ words: (UInt32, UInt32)) {
        let (first, second) = words
        let status = UInt8(truncatingIfNeeded: first >> 16), channel = Int(status & 15)
        let (high, low) = (UInt8(truncatingIfNeeded: first >> 8) & 127, UInt8(truncatingIfNeeded: first) & 127)
        switch first >> 28 {
        case 2: take(status, high, low)
        case 4:
            let seven = UInt8(second >> 25)
            switch status & 0xF0 {
            // A velocity of 0 is a note in MIDI 2.0.
            case 0x90:
                // Attribute 3 is the note's pitch, in semitones of 7 bits and 9 behind the point.
                let cents = low == 3 ? KeyPitches.cents((second & 0xFFFF) << 16, above: high) : nil
                begin(high, max(UInt8(second >> 25), 1), on: channel, tuning: cents)
            case 0x00: if low == 3 { channels[channel].keyPitches.tune(high, to: second) }
            case 0x60: channels[channel].keyPitches.bend(high, to: second)
            // Per-note management: its lowest bit resets the key's controllers.
            case 0xF0: if low & 1 != 0 { channels[channel].keyPitches.reset(high) }
            case 0x80, 0xA0, 0xB0: take(status, high, seven)
            case 0xC0:
                if first & 1 != 0 {
                    channels[channel].controllers[0] = UInt8(second >> 8 & 127)
                    channels[channel].controllers[32] = UInt8(second & 127)
                }
                choose(program: seven, on: channel)
            case 0xD0: take(status, seven, 0)
            case 0xE0: take(status, UInt8(second >> 18 & 127), UInt8(second >> 25 & 127))
            case 0x20:
                channels[channel].set(parameter: Int(high) << 7 | Int(low), to: Int(second >> 18))
                modulate(channel)
            default: break
            }
        default: break
        }
    }
}
