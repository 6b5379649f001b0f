import OssicleCore
import OssicleDSP

/// Plays an instrument by MIDI: sixteen channels, voices that read samples, sound for two ears.
///
/// Made and configured on the control side, then the audio thread's. Events take effect between two frames: the caller
/// renders up to the event, and passes it on. It allocates in `init` only. What is rendered depends on the events and
/// their frames, not on how the frames between them are cut.
package struct Synthesiser: ~Copyable {
    /// Voices that sound at once; with more the least of them fades out.
    package static let polyphony = 256
    /// Voices beyond those, for the few milliseconds of fading out.
    static let spare = 32
    private static let chunk = Grid.quantum

    package struct Settings: BitwiseCopyable, Sendable {
        /// Amplitude of the whole.
        package var gain: Float = 1
        /// −1 left … 1 right: a balance, under which neither side gets louder.
        package var pan: Float = 0
        /// Cents.
        package var tuning: Float = 0
        /// Whether what voices send to reverb and chorus is heard.
        package var hasEffects = true
        /// Amplitude of the reverb alone.
        package var reverbGain: Float = 1
        /// Whether channel 10 begins with percussion, and resets of General MIDI, GS and XG are followed.
        package var isGeneralMIDI = false

        package init() {}

        /// For music in up to sixteen channels. The gain leaves room for their sum, and
        /// gives the level that FluidSynth gives.
        package static let generalMIDI: Settings = {
            var settings = Settings()
            (settings.gain, settings.isGeneralMIDI) = (0.24, true)
            return settings
        }()
    }

    let sampleRate: Double
    let bench: SampleVoice.Bench
    private let memory: SampleMemory
    private let voiceMemory: OwnedMemory<SampleVoice>
    // `var`, as ThreadSanitizer needs it (CONTRIBUTING): both stay what `init` makes them.
    var voices: UnsafeMutablePointer<SampleVoice>
    private let channelMemory: OwnedMemory<MIDIChannel>
    var channels: UnsafeMutablePointer<MIDIChannel>
    var instrument: InstrumentView?
    private(set) package var settings: Settings
    private var gains: (left: Ramp<Float>, right: Ramp<Float>)
    /// By system exclusive message.
    var masterVolume: Float = 1
    var masterTuning: Float = 0
    /// Voices from here on are free.
    var voiceEnd = 0
    /// Notes that have begun.
    var notes: Int64 = 0
    /// Voices that were taken from other notes.
    package internal(set) var stolenCount = 0
    var effects: SendEffects
    private let sums = SampleMemory(count: 2 * chunk)

    /// - Parameter sampleRate: Hz.
    package init(sampleRate: Double, settings: Settings = Settings()) {
        self.sampleRate = sampleRate
        self.settings = settings
        // 2/3 ms, as a power of two.
        var segment = 4
        while segment < Self.chunk, Double(segment) * 1.5 < sampleRate / 1500 { segment *= 2 }
        memory = SampleMemory(count: SampleVoice.Bench.stretchFrames + Self.chunk)
        bench = SampleVoice.Bench(
            sampleRate: sampleRate, segmentFrames: segment, tables: .shared, stretch: memory.pointer,
            sound: memory.pointer + SampleVoice.Bench.stretchFrames)
        voiceMemory = OwnedMemory(
            count: Self.polyphony + Self.spare, SampleVoice(free: UnsafeRawPointer(memory.pointer), .shared))
        voices = voiceMemory.pointer
        channelMemory = OwnedMemory(count: 16, MIDIChannel())
        channels = channelMemory.pointer
        effects = SendEffects(sampleRate: sampleRate)
        let target = Self.gains(settings, 1)
        gains = (Ramp(target.left), Ramp(target.right))
        setReturns(frames: 0)
        resetChannels()
    }

    // MARK: Control points

    /// Plays another instrument from now on. All voices end at once: the memory of the one before may go.
    package mutating func take(_ instrument: InstrumentView?) {
        self.instrument = instrument
        silence()
        for channel in 0..<16 {
            channels[channel].place = -1
            channels[channel].turns = TurnCounters()
            resolve(channel)
        }
    }

    /// Follows new settings; gains glide there within a quantum.
    package mutating func take(_ settings: Settings) {
        let wasGeneral = self.settings.isGeneralMIDI
        self.settings = settings
        if settings.isGeneralMIDI != wasGeneral { resetChannels() }
        glide()
    }

    /// Moves gains, returns and pitches to where settings and messages have them.
    mutating func glide() {
        let target = Self.gains(settings, masterVolume)
        gains.left.setTarget(target.left, frames: Grid.quantum)
        gains.right.setTarget(target.right, frames: Grid.quantum)
        setReturns(frames: Grid.quantum)
        tune()
    }

    private mutating func setReturns(frames: Int) {
        let isHeard = settings.hasEffects
        effects.setReturns(reverb: isHeard ? settings.reverbGain : 0, chorus: isHeard ? 1 : 0, frames: frames)
    }

    private static func gains(_ settings: Settings, _ volume: Float) -> (left: Float, right: Float) {
        let gain = settings.gain * volume
        return (gain * min(1, 1 - settings.pan), gain * min(1, 1 + settings.pan))
    }

    /// Has all voices compute their pitch anew.
    private func tune() { for index in 0..<voiceEnd { voices[index].needsModulation = true } }

    /// Cents added to every note.
    private var tuning: Float { settings.tuning + masterTuning }

    /// Ends all voices at once.
    package mutating func silence() {
        for index in 0..<voiceEnd { voices[index].state = .free }
        voiceEnd = 0
    }

    /// Silence, and all channels as they were at the beginning, but for their programs.
    package mutating func reset() {
        silence()
        for index in 0..<16 {
            channels[index].resetControllers(all: false)
            channels[index].turns = TurnCounters()
        }
        let target = Self.gains(settings, masterVolume)
        gains = (Ramp(target.left), Ramp(target.right))
        effects.reset()
    }

    /// All channels as they are at the beginning.
    mutating func resetChannels() {
        (masterVolume, masterTuning) = (1, 0)
        for index in 0..<16 {
            channels[index] = MIDIChannel()
            channels[index].isPercussion = settings.isGeneralMIDI && index == 9
            // General MIDI begins at 100; a sampler plays its samples as they are.
            if !settings.isGeneralMIDI { channels[index].controllers[7] = 127 }
            // General MIDI 2 begins with some reverb.
            if settings.isGeneralMIDI { channels[index].controllers[91] = 40 }
            resolve(index)
        }
    }

    /// Channels as another synthesiser's messages have set them, with the programs of this one's instrument. Control
    /// side.
    package mutating func adoptChannels(of other: borrowing Synthesiser) {
        (masterVolume, masterTuning) = (other.masterVolume, other.masterTuning)
        for index in 0..<16 {
            channels[index] = other.channels[index]
            channels[index].place = -1
            resolve(index)
        }
    }

    // MARK: Rendering

    package var activeVoiceCount: Int { (0..<voiceEnd).count { voices[$0].state != .free } }

    /// Whether nothing sounds.
    package var isSilent: Bool { voiceEnd == 0 && effects.isAsleep }

    /// Seconds that its effects sound on behind its voices.
    package static var tailTime: Double { SendEffects.tailTime }

    /// Writes so many frames.
    package mutating func render(
        _ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        left.update(repeating: 0, count: frames)
        right.update(repeating: 0, count: frames)
        var done = 0
        while done < frames, !isSilent {
            let count = min(frames - done, Self.chunk)
            sums.clear()
            let buses = VoiceBuses(
                left: left + done, right: right + done, reverb: sums.pointer, chorus: sums.pointer + Self.chunk)
            for index in 0..<voiceEnd where voices[index].state != .free {
                let channel = UnsafePointer(channels + Int(voices[index].channel))
                voices[index].render(count, to: buses, channel: channel, tuning: tuning, bench)
            }
            while voiceEnd > 0, voices[voiceEnd - 1].state == .free { voiceEnd -= 1 }
            effects.render(buses, count)
            done += count
        }
        Self.scale(left, &gains.left, frames)
        Self.scale(right, &gains.right, frames)
    }

    private static func scale(_ plane: UnsafeMutablePointer<Float>, _ gain: inout Ramp<Float>, _ frames: Int) {
        if gain.isIdle, gain.target == 1 { return }
        for frame in 0..<frames { plane[frame] *= gain[frame] }
        gain.advance(frames)
    }
}
