#if canImport(COpenAL)
import COpenAL

/// OpenAL Soft: loopback device, HRTF on, its default resampler, one thread.
enum OpenALVoices {
    /// The moving voices: seconds of sound per second of work; nil if it will not render binaurally here.
    static func measure(count: Int, seconds: Double) -> Double? {
        rendering(count: count, seconds: seconds) { sources, time in
            for (number, source) in sources.enumerated() {
                let (here, soon) = (Circles.place(of: number, at: time), Circles.place(of: number, at: time + 0.01))
                let velocity = (soon - here) * 100
                alSource3f(source, AL_POSITION, here.x, here.y, here.z)
                alSource3f(source, AL_VELOCITY, velocity.x, velocity.y, velocity.z)
            }
        }
    }

    /// Voices at rest, each with a send to one EAX reverb.
    static func measureReverb(count: Int, seconds: Double) -> Double? {
        var (effect, slot) = (ALuint(0), ALuint(0))
        return rendering(count: count, seconds: seconds) { sources, _ in
            guard slot == 0 else { return }
            alGenEffects(1, &effect)
            alEffecti(effect, AL_EFFECT_TYPE, AL_EFFECT_EAXREVERB)
            alGenAuxiliaryEffectSlots(1, &slot)
            alAuxiliaryEffectSloti(slot, AL_EFFECTSLOT_EFFECT, ALint(bitPattern: effect))
            for (number, source) in sources.enumerated() {
                let place = Circles.place(of: number, at: 0)
                alSource3f(source, AL_POSITION, place.x, place.y, place.z)
                alSource3i(source, AL_AUXILIARY_SEND_FILTER, ALint(bitPattern: slot), 0, AL_FILTER_NULL)
            }
        }
    }

    /// `prepare` is given the sources and each block's time.
    private static func rendering(
        count: Int, seconds: Double, prepare: ([ALuint], Double) -> Void
    ) -> Double? {
        guard let device = alcLoopbackOpenDeviceSOFT(nil) else { return nil }
        defer { alcCloseDevice(device) }
        let attributes = [
            ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT, ALC_FREQUENCY,
            ALCint(Circles.sampleRate),
            ALC_HRTF_SOFT, 1, ALC_MONO_SOURCES, ALCint(count), 0,
        ]
        guard let context = alcCreateContext(device, attributes) else { return nil }
        defer { alcDestroyContext(context) }
        alcMakeContextCurrent(context)
        defer { alcMakeContextCurrent(nil) }
        var isBinaural: ALCint = 0
        alcGetIntegerv(device, ALC_HRTF_SOFT, 1, &isBinaural)
        guard isBinaural != 0 else { return nil }

        let sources = play(count)
        var output = [Float](repeating: 0, count: 2 * Circles.blockFrames)
        let speed = Circles.speed(seconds: seconds) { time in
            prepare(sources, time)
            alcRenderSamplesSOFT(device, &output, ALCsizei(Circles.blockFrames))
        }
        return alGetError() == AL_NO_ERROR && output.contains { $0 != 0 } ? speed : nil
    }

    private static func play(_ count: Int) -> [ALuint] {
        var buffer: ALuint = 0
        alGenBuffers(1, &buffer)
        let noise = Circles.noise.map { Int16($0 * 32_767) }
        alBufferData(buffer, AL_FORMAT_MONO16, noise, ALsizei(noise.count * 2), ALsizei(Circles.sampleRate))
        var sources = [ALuint](repeating: 0, count: count)
        alGenSources(ALsizei(count), &sources)
        for source in sources {
            alSourcei(source, AL_BUFFER, ALint(buffer))
            alSourcei(source, AL_LOOPING, ALint(AL_TRUE))
            alSourcePlay(source)
        }
        return sources
    }
}
#else
/// OpenAL Soft is not installed here.
enum OpenALVoices {
    static func measure(count: Int, seconds: Double) -> Double? { nil }
    static func measureReverb(count: Int, seconds: Double) -> Double? { nil }
}
#endif
