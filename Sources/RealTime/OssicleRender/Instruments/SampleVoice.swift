import OssicleCore
import OssicleDSP

/// One sample that sounds for a note: read at a pitch, through a low pass, under two envelopes and two oscillators.
///
///     sample ─▶ windowed sinc ─▶ low pass ─▶ gain, left and right
///                    ▲               ▲             ▲
///              modulation envelope, oscillators,  volume envelope
///              controllers by way of modulators
///
/// Control-rate work happens in segments of at most `segmentFrames`, counted from the voice's first frame; they also end where
/// an envelope bends and where the note ends. Gains are straight lines within a segment, pitch and filter rest. So the sound
/// depends on when events come, and not on how render calls are cut.
struct SampleVoice: BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        case free, held
        /// The key is up, and a pedal holds the note.
        case pedalled
        case released
        /// On its way to silence within a few milliseconds.
        case fading
    }

    var state = State.free
    var channel: UInt8 = 0
    /// As played.
    var key: UInt8 = 0
    /// Counts notes; voices of one note have the same number.
    var note: Int64 = 0
    /// The sostenuto pedal went down while the key was held.
    var isSostenuto = false
    /// A controller has changed since the generators were computed.
    var needsModulation = false
    var exclusiveClass: UInt16 { zone.exclusiveClass }
    var isOneShot: Bool { zone.isOneShot && !loops }

    private var zone = InstrumentZone()
    private var sample: InstrumentSample
    private var modulators: UnsafePointer<ZoneModulator>
    private var soundingKey: UInt8 = 0
    private var velocity: UInt8 = 0
    private var values = GeneratorValues(repeating: 0)

    /// The frame that is read next, in Q32.32 from the sample's first.
    private var position: UInt64 = 0
    private var step: UInt64 = 0
    private var table: UnsafePointer<SincTable>
    private var hasWrapped = false
    private var loops = false

    private var volume = VoiceEnvelope()
    private var modulation = VoiceEnvelope()
    private var vibrato = VoiceLFO(delay: 0)
    private var modLFO = VoiceLFO(delay: 0)
    // What modulation changes alone: periods a frame of both oscillators, and the amplitudes of pan.
    private var vibratoStep = 0.0
    private var modStep = 0.0
    private var pan: (left: Float, right: Float) = (0, 0)
    /// The level computed last, in dB and as an amplitude.
    private var level: (decibels: Float, amplitude: Float) = (0, 1)
    private var fade = Ramp<Float>(1)

    /// Frames of this segment, and how many have passed.
    private var segmentLength = 0
    private var segmentDone = 0
    private var gains = (left: Ramp<Float>(0), right: Ramp<Float>(0))
    private var isFirstSegment = true
    private var filter = VoiceFilter()
    private var pitch: Float = .nan

    /// What all voices of a synthesiser share.
    struct Bench {
        let sampleRate: Double
        /// Frames of a segment at the most.
        let segmentFrames: Int
        let tables: InstrumentTables
        /// Room for a stretch of a sample.
        let stretch: UnsafeMutablePointer<Float>
        static let stretchFrames = 4096
        /// Room for a segment.
        let sound: UnsafeMutablePointer<Float>
    }

    /// A free voice; pointers to anything.
    init(free nothing: UnsafeRawPointer, _ tables: InstrumentTables) {
        sample = InstrumentSample(data: nothing, form: .float, frameCount: 0, rate: 1)
        modulators = nothing.assumingMemoryBound(to: ZoneModulator.self)
        table = tables.table(ratio: 1)
    }

    // MARK: Events

    /// Begins a note with its next frame.
    mutating func begin(
        _ zone: InstrumentZone, of instrument: InstrumentView, note: Int64, channelNumber: UInt8, key: UInt8,
        velocity: UInt8, on channel: UnsafePointer<MIDIChannel>, _ bench: Bench
    ) {
        self.zone = zone
        sample = instrument.samples[Int(zone.sample)]
        modulators = instrument.modulators + Int(zone.firstModulator)
        (self.note, self.channel, self.key, state) = (note, channelNumber, key, .held)
        soundingKey = zone.fixedKey >= 0 ? UInt8(zone.fixedKey) : key
        self.velocity = zone.fixedVelocity >= 0 ? UInt8(zone.fixedVelocity) : velocity
        (isSostenuto, hasWrapped, isFirstSegment, pitch) = (false, false, true, .nan)
        (segmentLength, segmentDone) = (0, 0)
        fade = Ramp(1)
        filter = VoiceFilter()
        position = UInt64(zone.start) << 32
        loops = zone.loop != .none
        modulate(channel, bench)
        volume = VoiceEnvelope(
            lengths(
                ZoneGenerator.volumeDelay, keyToHold: ZoneGenerator.keyToVolumeHold,
                keyToDecay: ZoneGenerator.keyToVolumeDecay,
                sustain: 1 - values[ZoneGenerator.volumeSustain] / 1000, bench.sampleRate))
        modulation = VoiceEnvelope(
            lengths(
                ZoneGenerator.modEnvelopeDelay, keyToHold: ZoneGenerator.keyToModHold,
                keyToDecay: ZoneGenerator.keyToModDecay,
                sustain: 1 - values[ZoneGenerator.modEnvelopeSustain] / 1000, bench.sampleRate))
        vibrato = VoiceLFO(delay: frames(values[ZoneGenerator.vibratoLFODelay], bench.sampleRate))
        modLFO = VoiceLFO(delay: frames(values[ZoneGenerator.modLFODelay], bench.sampleRate))
    }

    /// The key and all pedals are up.
    mutating func release(_ channel: UnsafePointer<MIDIChannel>, _ bench: Bench) {
        guard state == .held || state == .pedalled else { return }
        state = .released
        if needsModulation { modulate(channel, bench) }
        let level = volume.level
        // An amplitude becomes a level in dB.
        let start = volume.isRising ? (level > 1e-5 ? 1 + Float(DeterministicMath.log10(Double(level))) / 5 : 0) : level
        volume.release(from: start, frames: frames(max(values[ZoneGenerator.volumeRelease], -9000), bench.sampleRate))
        modulation.release(
            from: modulationLevel, frames: frames(values[ZoneGenerator.modEnvelopeRelease], bench.sampleRate))
        if zone.loop == .untilRelease { loops = false }
        endSegment()
    }

    /// Fades out in so many frames, whatever the envelope does.
    mutating func fadeOut(_ frames: Int) {
        guard state != .free, state != .fading else { return }
        state = .fading
        fade = Ramp(from: 1, to: 0, frames: max(frames, 1))
        endSegment()
    }

    /// What follows is computed anew from the next frame on.
    private mutating func endSegment() {
        gains = (Ramp(gains.left.value), Ramp(gains.right.value))
        (segmentLength, segmentDone) = (0, 0)
    }

    /// How loud it is, to find the voice that is missed least.
    var loudness: Float { max(gains.left.value, gains.right.value) }

    // MARK: Rendering

    /// Adds so many frames to the outputs.
    /// - Parameter tuning: cents for all channels.
    mutating func render(
        _ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
        channel: UnsafePointer<MIDIChannel>, tuning: Float, _ bench: Bench
    ) {
        var done = 0
        while done < frames, state != .free {
            if segmentDone >= segmentLength { beginSegment(channel, tuning, bench) }
            let count = min(frames - done, segmentLength - segmentDone)
            read(count, bench)
            filter.process(bench.sound, count)
            add(bench.sound, to: left + done, &gains.left, count)
            add(bench.sound, to: right + done, &gains.right, count)
            segmentDone += count
            done += count
            if segmentDone >= segmentLength, isOver { state = .free }
        }
    }

    private func add(
        _ sound: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ gain: inout Ramp<Float>, _ count: Int
    ) {
        for frame in 0..<count { output[frame] += sound[frame] * gain[frame] }
        gain.advance(count)
    }

    /// Whether nothing more will come.
    private var isOver: Bool {
        if volume.isDone || (state == .fading && fade.isIdle) { return true }
        return !loops && Int(position >> 32) > zone.end + table.pointee.lookBehind
    }

    private mutating func beginSegment(_ channel: UnsafePointer<MIDIChannel>, _ tuning: Float, _ bench: Bench) {
        if needsModulation { modulate(channel, bench) }
        var length = min(bench.segmentFrames, volume.framesLeft)
        if state == .fading { length = min(length, max(fade.framesLeft, 1)) }
        let (vibratoValue, modValue, modLevel) = (vibrato.value, modLFO.value, modulationLevel)
        setPitch(tuning + channel.pointee.tuning, vibratoValue, modValue, modLevel, bench)
        filter.set(
            cutoff: values[ZoneGenerator.filterCutoff] + modValue * values[ZoneGenerator.modLFOToCutoff]
                + modLevel * values[ZoneGenerator.modEnvelopeToCutoff],
            resonance: values[ZoneGenerator.filterQ], bench.sampleRate)
        if isFirstSegment {
            let start = amplitude(modValue)
            gains = (Ramp(start.left), Ramp(start.right))
            isFirstSegment = false
        }
        volume.advance(length)
        modulation.advance(length)
        fade.advance(length)
        vibrato.advance(length, step: vibratoStep)
        modLFO.advance(length, step: modStep)
        let end = amplitude(modLFO.value)
        gains = (
            Ramp(from: gains.left.value, to: end.left, frames: length),
            Ramp(from: gains.right.value, to: end.right, frames: length)
        )
        (segmentLength, segmentDone) = (length, 0)
    }
}

// MARK: Control rate

extension SampleVoice {
    /// The generators with what the modulators add, and what follows from them.
    private mutating func modulate(_ channel: UnsafePointer<MIDIChannel>, _ bench: Bench) {
        needsModulation = false
        values = zone.generators
        for index in 0..<Int(zone.modulatorCount) {
            let modulator = modulators[index]
            values[Int(modulator.destination)] += modulator.value(channel, key: soundingKey, velocity: velocity)
        }
        vibratoStep = Self.hertz(values[ZoneGenerator.vibratoLFOFrequency]) / bench.sampleRate
        modStep = Self.hertz(values[ZoneGenerator.modLFOFrequency]) / bench.sampleRate
        // The power is the same everywhere.
        let position = min(max(values[ZoneGenerator.pan], -500), 500) + 500
        let (sine, cosine) = DeterministicMath.sincos(Double(position) * (DeterministicMath.pi / 2000))
        pan = (Float(cosine), Float(sine))
    }

    private mutating func setPitch(
        _ tuning: Float, _ vibrato: Float, _ mod: Float, _ modLevel: Float, _ bench: Bench
    ) {
        let root = zone.rootPitch * 0.01
        let new =
            (Float(soundingKey) - root) * zone.scaleTuning + values[ZoneGenerator.coarseTune] * 100
            + values[ZoneGenerator.fineTune] + values[ZoneGenerator.pitch] + tuning
            + vibrato * values[ZoneGenerator.vibratoLFOToPitch] + mod * values[ZoneGenerator.modLFOToPitch]
            + modLevel * values[ZoneGenerator.modEnvelopeToPitch]
        guard new != pitch else { return }
        pitch = new
        let ratio =
            DeterministicMath.exp2(Double(min(max(new, -12_000), 12_000)) / 1200) * sample.rate / bench.sampleRate
        let held = min(max(ratio, 1.0 / 1024), 256)
        step = UInt64((held * 0x1p32).rounded())
        table = bench.tables.table(ratio: held)
    }

    /// Amplitudes for both ears, of attenuation, volume envelope and pan.
    private mutating func amplitude(_ mod: Float) -> (left: Float, right: Float) {
        var decibels =
            -0.1 * max(values[ZoneGenerator.attenuation], 0) + 0.1 * mod * values[ZoneGenerator.modLFOToVolume]
        var share = fade.value
        if volume.isRising { share *= volume.level } else { decibels -= 100 * (1 - volume.level) }
        if volume.isDone { share = 0 }
        if decibels != level.decibels {
            level = (decibels, Float(DeterministicMath.exp(Double(decibels) * (DeterministicMath.ln10 / 20))))
        }
        share *= level.amplitude
        return (share * pan.left, share * pan.right)
    }

    /// The modulation envelope: convex while it rises, so that it is even in dB.
    private var modulationLevel: Float {
        let level = modulation.level
        guard modulation.isRising, level > 0, level < 1 else { return level }
        return max(0, 1 + Float(DeterministicMath.log10(Double(level))) * (40.0 / 96))
    }

    /// Frames of timecents. The least time of a generator, a millisecond, stands for none.
    private func frames(_ timecents: Float, _ rate: Double) -> Int {
        guard timecents > -12_000 else { return 0 }
        return Int((DeterministicMath.exp2(Double(min(timecents, 8000)) / 1200) * rate).rounded())
    }

    private func lengths(
        _ first: Int, keyToHold: Int, keyToDecay: Int, sustain: Float, _ rate: Double
    ) -> VoiceEnvelope.Lengths {
        let key = 60 - Float(soundingKey)
        return VoiceEnvelope.Lengths(
            delay: frames(values[first], rate), attack: frames(values[first + 1], rate),
            hold: frames(values[first + 2] + values[keyToHold] * key, rate),
            decay: frames(values[first + 3] + values[keyToDecay] * key, rate), sustain: min(max(sustain, 0), 1))
    }

    /// Hz of absolute cents: 0 is 8.176 Hz.
    static func hertz(_ cents: Float) -> Double {
        8.175798915643707 * DeterministicMath.exp2(Double(min(max(cents, -16_000), 14_000)) / 1200)
    }
}

// MARK: Reading the sample

extension SampleVoice {
    /// Writes so many frames of the sample at the present pitch.
    private mutating func read(_ count: Int, _ bench: Bench) {
        var done = 0
        let reach = table.pointee.lookBehind + table.pointee.lookAhead + 2
        let most = max(1, (Bench.stretchFrames - reach) / (Int(step >> 32) + 1))
        while done < count {
            let run = min(count - done, most)
            wrap()
            let first = Int(position >> 32), fraction = position & 0xFFFF_FFFF
            let span = Int((fraction + UInt64(run - 1) * step) >> 32) + reach
            gather(from: first - table.pointee.lookBehind, count: span, to: bench.stretch)
            SincInterpolator.process(
                source: bench.stretch + table.pointee.lookBehind, table: table.pointee, position: fraction, step: step,
                to: bench.sound + done, run)
            position &+= UInt64(run) &* step
            done += run
        }
        wrap()
    }

    /// Brings the position back into the loop.
    private mutating func wrap() {
        guard loops, Int(position >> 32) >= zone.loopEnd else { return }
        let length = zone.loopEnd - zone.loopStart
        let beyond = (Int(position >> 32) - zone.loopStart) % length
        position = UInt64(zone.loopStart + beyond) << 32 | position & 0xFFFF_FFFF
        hasWrapped = true
    }

    /// The frames from `first` on as the voice plays them: before the beginning and behind the end there is silence, and a
    /// loop goes round.
    private func gather(from first: Int, count: Int, to target: UnsafeMutablePointer<Float>) {
        let length = max(zone.loopEnd - zone.loopStart, 1), limit = loops ? zone.loopEnd : zone.end
        var index = first, done = 0
        while done < count {
            var place = index
            if loops {
                if place >= zone.loopEnd {
                    place = zone.loopStart + (place - zone.loopStart) % length
                } else if hasWrapped, place < zone.loopStart {
                    place = zone.loopEnd - 1 - (zone.loopStart - 1 - place) % length
                }
            }
            var run = count - done
            if place < zone.start, !(loops && hasWrapped) {
                run = min(run, zone.start - place)
                (target + done).update(repeating: 0, count: run)
            } else if place >= limit {
                (target + done).update(repeating: 0, count: run)
            } else {
                run = min(run, limit - place)
                sample.copy(from: place, count: run, to: target + done)
            }
            done += run
            index += run
        }
    }
}
