// What keys and pedals do to a synthesiser's voices. Audio thread.

import OssicleCore

extension Synthesiser {
    /// Begins the voices of a note.
    /// - Parameter tuning: cents above the key's own pitch; `nil` for those that the key has.
    mutating func begin(_ key: UInt8, _ velocity: UInt8, on channel: Int, tuning: Float? = nil) {
        guard let instrument, channels[channel].place >= 0 else { return }
        endNotes(of: channel, key)
        if channels[channel].isMono { endAllNotes(of: channel) }
        notes += 1
        let glide = channels[channel].glide(to: key)
        let program = instrument.programs[Int(channels[channel].place)]
        // One bit for each cycle that has counted this note.
        var counted: UInt64 = 1
        let turns = channels[channel].turns
        for index in 0..<Int(program.zoneCount) {
            let zone = instrument.zones + Int(program.firstZone) + index
            guard zone.pointee.lowKey <= key, key <= zone.pointee.highKey, zone.pointee.lowVelocity <= velocity,
                velocity <= zone.pointee.highVelocity
            else { continue }
            if counted >> UInt64(zone.pointee.cycle) & 1 == 0 {
                counted |= 1 << UInt64(zone.pointee.cycle)
                channels[channel].turns.advance(zone)
            }
            guard turns.isNext(zone) else { continue }
            if zone.pointee.exclusiveClass > 0 { endClass(zone.pointee.exclusiveClass, of: channel) }
            let voice = freeVoice()
            voices[voice].begin(
                zone.pointee, of: instrument, note: notes, channelNumber: UInt8(channel), key: key, velocity: velocity,
                on: channels + channel, bench)
            voices[voice].setNotePitch(tuning, glide: glide, bench)
            voiceEnd = max(voiceEnd, voice + 1)
        }
    }

    /// Notes of a class end when another of it begins.
    private mutating func endClass(_ number: UInt16, of channel: Int) {
        for index in 0..<voiceEnd
        where voices[index].exclusiveClass == number && Int(voices[index].channel) == channel
            && voices[index].note != notes
        {
            voices[index].fadeOut(Int(0.02 * sampleRate))
        }
    }

    /// A free voice, or one made free: where too many sound, the quietest that is released, or else the oldest, fades
    /// out.
    private mutating func freeVoice() -> Int {
        var sounding = 0, free = -1, least = -1
        for index in 0..<(Self.polyphony + Self.spare) {
            let state = voices[index].state
            if state == .free || index >= voiceEnd {
                if free < 0 { free = index }
                if index >= voiceEnd { break }
                continue
            }
            guard state != .fading, voices[index].note != notes else { continue }
            sounding += 1
            if least < 0 || isLess(voices[index], voices[least]) { least = index }
        }
        if sounding >= Self.polyphony, least >= 0 {
            voices[least].fadeOut(Int(0.003 * sampleRate))
            stolenCount += 1
        }
        if free >= 0 { return free }
        // So many fade out that one has to stop.
        return least >= 0 ? least : 0
    }

    private func isLess(_ a: SampleVoice, _ b: SampleVoice) -> Bool {
        let (aEnds, bEnds) = (a.state == .released, b.state == .released)
        if aEnds != bEnds { return aEnds }
        if aEnds, a.loudness != b.loudness { return a.loudness < b.loudness }
        return a.note < b.note
    }

    /// A key goes up: what sounds for it is released, unless a pedal holds it.
    mutating func endNotes(of channel: Int, _ key: UInt8) {
        let isSustained = channels[channel].isSustained
        for index in 0..<voiceEnd
        where voices[index].state == .held && Int(voices[index].channel) == channel && voices[index].key == key {
            if voices[index].isOneShot { continue }
            if isSustained || voices[index].isSostenuto {
                voices[index].state = .pedalled
            } else {
                voices[index].release(channels + channel, bench)
            }
        }
    }

    /// All keys go up.
    mutating func endAllNotes(of channel: Int) {
        for index in 0..<voiceEnd where voices[index].state == .held && Int(voices[index].channel) == channel {
            endNotes(of: channel, voices[index].key)
        }
    }

    /// A pedal goes up, or keys go up at last.
    mutating func pedalsChanged(of channel: Int) {
        let isSustained = channels[channel].isSustained, isSostenuto = channels[channel].isSostenuto
        for index in 0..<voiceEnd where Int(voices[index].channel) == channel {
            if !isSostenuto { voices[index].isSostenuto = false }
            if voices[index].state == .pedalled, !isSustained, !voices[index].isSostenuto {
                voices[index].release(channels + channel, bench)
            }
        }
    }

    /// The sostenuto pedal goes down: it holds what is held.
    mutating func catchNotes(of channel: Int) {
        for index in 0..<voiceEnd where voices[index].state == .held && Int(voices[index].channel) == channel {
            voices[index].isSostenuto = true
        }
    }

    /// Fades out everything on a channel.
    mutating func cutNotes(of channel: Int) {
        for index in 0..<voiceEnd where Int(voices[index].channel) == channel {
            voices[index].fadeOut(Int(0.005 * sampleRate))
        }
    }

    /// A controller has changed.
    mutating func modulate(_ channel: Int) {
        for index in 0..<voiceEnd where Int(voices[index].channel) == channel { voices[index].needsModulation = true }
    }
}
