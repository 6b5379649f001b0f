import OssicleCore
import OssicleDSP

/// One sample that sounds for a note: read at a pitch, through a low pass, under two envelopes and two oscillators.
///
///     sample ─▶ windowed sinc ─▶ low pass ─▶ gains: left and right, reverb, chorus
///                    ▲               ▲             ▲
///              modulation envelope, oscillators,  volume envelope
///              controllers by way of modulators
///
/// Control-rate work happens in segments of at most `segmentFrames`, counted from the voice's first frame; they also
/// end where an envelope bends and where the note ends. Gains are straight lines within a segment, pitch and filter
/// rest. So the sound depends on when events come, and not on how render calls are cut.
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
    var isOneShot: Bool { zone.isOneShot && !reader.loops }

    private(set) var zone = InstrumentZone()
    private(set) var modulators: UnsafePointer<ZoneModulator>
    private(set) var soundingKey: UInt8 = 0
    private(set) var velocity: UInt8 = 0
    /// The zone's generators with what modulators add.
    var values = GeneratorValues(repeating: 0)
    var reader: ZoneReader

    private(set) var volume = VoiceEnvelope()
    private(set) var modulation = VoiceEnvelope()
    private var vibrato = VoiceLFO(delay: 0)
    private var modLFO = VoiceLFO(delay: 0)
    /// What modulation changes alone.
    var modulated = ModulatedValues()
    /// The level computed last, in dB and as an amplitude.
    var level: (decibels: Float, amplitude: Float) = (0, 1)
    private(set) var fade = Ramp<Float>(1)

    /// Frames of this segment, and how many have passed.
    private var segmentLength = 0
    private var segmentDone = 0
    private var gains = VoiceGains(BusLevels())
    private var isFirstSegment = true
    private var filter = VoiceFilter()
    var pitch: Float = .nan
    /// Cents that the note was begun with in place of its key's; not a number for those of the key.
    private var ownTuning: Float = .nan
    private var glide = Ramp<Float>(0)

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
        modulators = nothing.assumingMemoryBound(to: ZoneModulator.self)
        reader = ZoneReader(free: nothing, tables)
    }

    // MARK: Events

    /// Begins a note with its next frame.
    mutating func begin(
        _ zone: InstrumentZone, of instrument: InstrumentView, note: Int64, channelNumber: UInt8, key: UInt8,
        velocity: UInt8, on channel: UnsafePointer<MIDIChannel>, _ bench: Bench
    ) {
        self.zone = zone
        reader = ZoneReader(zone, instrument.samples[Int(zone.sample)], bench.tables)
        modulators = instrument.modulators + Int(zone.firstModulator)
        (self.note, self.channel, self.key, state) = (note, channelNumber, key, .held)
        soundingKey = zone.fixedKey >= 0 ? UInt8(zone.fixedKey) : key
        self.velocity = zone.fixedVelocity >= 0 ? UInt8(zone.fixedVelocity) : velocity
        (isSostenuto, isFirstSegment, pitch) = (false, true, .nan)
        (segmentLength, segmentDone) = (0, 0)
        (fade, glide, ownTuning) = (Ramp(1), Ramp(0), .nan)
        filter = VoiceFilter()
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

    /// Behind `begin`: cents of its own, and how far below its pitch, in cents, it begins to glide there.
    mutating func setNotePitch(_ tuning: Float?, glide: (cents: Float, seconds: Double), _ bench: Bench) {
        ownTuning = tuning ?? .nan
        let frames = Int(min(glide.seconds, 20) * bench.sampleRate)
        if frames > 0 { self.glide = Ramp(from: glide.cents, to: 0, frames: frames) }
    }

    /// Cents of the note alone: of its key or its own, bend and glide.
    private func notePitch(_ channel: UnsafePointer<MIDIChannel>) -> Float {
        let tuning =
            ownTuning.isNaN
            ? channel.pointee.keyPitches.cents(of: key) : ownTuning + channel.pointee.keyPitches.bend(of: key)
        return tuning + glide.value * zone.scaleTuning * 0.01
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
        if zone.loop == .untilRelease { reader.leaveLoop() }
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
        gains = VoiceGains(gains.levels)
        (segmentLength, segmentDone) = (0, 0)
    }

    /// How loud it is, to find the voice that is missed least.
    var loudness: Float { max(gains.levels.left, gains.levels.right) }

    // MARK: Rendering

    /// Adds so many frames to the buses.
    /// - Parameter tuning: cents for all channels.
    mutating func render(
        _ frames: Int, to buses: VoiceBuses, channel: UnsafePointer<MIDIChannel>, tuning: Float, _ bench: Bench
    ) {
        var done = 0
        while done < frames, state != .free {
            if segmentDone >= segmentLength { beginSegment(channel, tuning, bench) }
            let count = min(frames - done, segmentLength - segmentDone)
            reader.read(count, bench)
            filter.process(bench.sound, count)
            gains.add(bench.sound, to: buses, at: done, count)
            segmentDone += count
            done += count
            if segmentDone >= segmentLength, isOver { state = .free }
        }
    }

    /// Whether nothing more will come.
    private var isOver: Bool {
        if volume.isDone || (state == .fading && fade.isIdle) { return true }
        return reader.isOver
    }

    private mutating func beginSegment(_ channel: UnsafePointer<MIDIChannel>, _ tuning: Float, _ bench: Bench) {
        if needsModulation { modulate(channel, bench) }
        var length = min(bench.segmentFrames, volume.framesLeft)
        if state == .fading { length = min(length, max(fade.framesLeft, 1)) }
        let (vibratoValue, modValue, modLevel) = (vibrato.value, modLFO.value, modulationLevel)
        setPitch(tuning + channel.pointee.tuning + notePitch(channel), vibratoValue, modValue, modLevel, bench)
        filter.set(
            cutoff: values[ZoneGenerator.filterCutoff] + modValue * values[ZoneGenerator.modLFOToCutoff]
                + modLevel * values[ZoneGenerator.modEnvelopeToCutoff],
            resonance: values[ZoneGenerator.filterQ], bench.sampleRate)
        if isFirstSegment {
            gains = VoiceGains(levels(modValue))
            isFirstSegment = false
        }
        volume.advance(length)
        modulation.advance(length)
        fade.advance(length)
        glide.advance(length)
        vibrato.advance(length, step: modulated.vibratoStep)
        modLFO.advance(length, step: modulated.modStep)
        gains.move(to: levels(modLFO.value), frames: length)
        (segmentLength, segmentDone) = (length, 0)
    }
}
