import OssicleCore

/// What a voice's modulation gives by itself, beside the values of its generators.
struct ModulatedValues: BitwiseCopyable {
    /// Periods a frame of both oscillators.
    var vibratoStep = 0.0, modStep = 0.0
    /// Of the voice's amplitude: pan, and the sends before it.
    var shares = BusLevels()
}

// What a voice computes once a segment. Audio thread.
extension SampleVoice {
    /// The generators with what the modulators add, and what follows from them.
    mutating func modulate(_ channel: UnsafePointer<MIDIChannel>, _ bench: Bench) {
        needsModulation = false
        values = zone.generators
        for index in 0..<Int(zone.modulatorCount) {
            let modulator = modulators[index]
            values[Int(modulator.destination)] += modulator.value(channel, key: soundingKey, velocity: velocity)
        }
        modulated.vibratoStep = Self.hertz(values[ZoneGenerator.vibratoLFOFrequency]) / bench.sampleRate
        modulated.modStep = Self.hertz(values[ZoneGenerator.modLFOFrequency]) / bench.sampleRate
        // The power is the same everywhere.
        let position = min(max(values[ZoneGenerator.pan], -500), 500) + 500
        let (sine, cosine) = DeterministicMath.sincos(Double(position) * (DeterministicMath.pi / 2000))
        modulated.shares = BusLevels(
            left: Float(cosine), right: Float(sine), reverb: Self.share(values[ZoneGenerator.reverbSend]),
            chorus: Self.share(values[ZoneGenerator.chorusSend]))
    }

    /// Tenths of a percent as an amplitude.
    private static func share(_ send: Float) -> Float { min(max(send, 0), 1000) * 0.001 }

    mutating func setPitch(
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
        reader.setPitch(new, bench)
    }

    /// Amplitudes on all buses, of attenuation, volume envelope, pan and sends.
    mutating func levels(_ mod: Float) -> BusLevels {
        var decibels =
            -0.1 * max(values[ZoneGenerator.attenuation], 0) + 0.1 * mod * values[ZoneGenerator.modLFOToVolume]
        var share = fade.value
        if volume.isRising { share *= volume.level } else { decibels -= 100 * (1 - volume.level) }
        if volume.isDone { share = 0 }
        if decibels != level.decibels {
            level = (decibels, Float(DeterministicMath.exp(Double(decibels) * (DeterministicMath.ln10 / 20))))
        }
        share *= level.amplitude
        let shares = modulated.shares
        return BusLevels(
            left: share * shares.left, right: share * shares.right, reverb: share * shares.reverb,
            chorus: share * shares.chorus)
    }

    /// The modulation envelope: convex while it rises, so that it is even in dB.
    var modulationLevel: Float {
        let level = modulation.level
        guard modulation.isRising, level > 0, level < 1 else { return level }
        return max(0, 1 + Float(DeterministicMath.log10(Double(level))) * (40.0 / 96))
    }

    /// Frames of timecents. The least time of a generator, a millisecond, stands for none.
    func frames(_ timecents: Float, _ rate: Double) -> Int {
        guard timecents > -12_000 else { return 0 }
        return Int((DeterministicMath.exp2(Double(min(timecents, 8000)) / 1200) * rate).rounded())
    }

    func lengths(
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
