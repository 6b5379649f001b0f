import OssicleCore
import OssicleRender

#if canImport(CFluidSynth)
import CFluidSynth
#endif

/// A bank that FluidSynth plays.
///
/// FluidSynth renders 64 frames at a time, so that an event takes effect with the next of its blocks, up to 64 frames
/// late. Whether it allocates or locks while it renders is in its own hands; it is set up for one thread, without its
/// locks.
package final class FluidSynthPlayer: BankPlayer, @unchecked Sendable {
    /// Why FluidSynth cannot play; `nil` where it can. Looks for the library.
    package static var refusal: InstrumentError? {
        #if canImport(CFluidSynth)
        guard !ossicle_load_fluidsynth() else { return nil }
        return InstrumentError(
            .unsupported, object: "FluidSynth", found: "the library libfluidsynth.so.3 is not there",
            rule: "FluidSynth is looked for at run time.",
            cure: "Install Debian's libfluidsynth3, or use Ossicle's own synthesiser.")
        #else
        return InstrumentError(
            .unsupported, object: "FluidSynth", found: "this build has no bridge to it",
            rule: "The package trait \"FluidSynthSounds\" brings it in.",
            cure: "Build with the trait \"FluidSynthSounds\", or use Ossicle's own synthesiser.")
        #endif
    }

    #if canImport(CFluidSynth)
    private let configuration: OpaquePointer
    private let synthesiser: OpaquePointer
    private let settings: LatestValueCell<Synthesiser.Settings>
    private var inForce: Synthesiser.Settings

    /// FluidSynth's own gain is this for a gain of General MIDI.
    private static let gainRatio: Float = 0.2 / Synthesiser.Settings.generalMIDI.gain

    /// Loads a bank, and leaves its channels with the programs of General MIDI.
    /// - Parameter sampleRate: 8000 to 96,000 Hz, which are FluidSynth's own limits.
    package init(bank path: String, sampleRate: Double, settings: Synthesiser.Settings) throws(InstrumentError) {
        if let refusal = Self.refusal { throw refusal }
        guard (8000...96_000).contains(sampleRate) else {
            throw InstrumentError(
                .unsupported, object: "FluidSynth", found: "\(sampleRate) Hz",
                rule: "FluidSynth renders at 8000 to 96000 Hz.", cure: "Choose a rate in that range.")
        }
        for level in 0..<Int32(OSSICLE_FLUID_LOG_LEVELS) { _ = fluid_set_log_function(level, nil, nil) }
        guard let configuration = new_fluid_settings() else { throw Self.failure(path, "it could not be set up") }
        _ = fluid_settings_setnum(configuration, "synth.sample-rate", sampleRate)
        _ = fluid_settings_setint(configuration, "synth.threadsafe-api", 0)
        _ = fluid_settings_setint(configuration, "synth.lock-memory", 0)
        guard let synthesiser = new_fluid_synth(configuration) else {
            delete_fluid_settings(configuration)
            throw Self.failure(path, "it could not be made")
        }
        guard fluid_synth_sfload(synthesiser, path, 1) != Int32(OSSICLE_FLUID_FAILED) else {
            delete_fluid_synth(synthesiser)
            delete_fluid_settings(configuration)
            throw Self.failure(path, "it does not read the bank")
        }
        (self.configuration, self.synthesiser) = (configuration, synthesiser)
        self.settings = LatestValueCell(settings)
        inForce = settings
        apply(settings)
    }

    deinit {
        delete_fluid_synth(synthesiser)
        delete_fluid_settings(configuration)
        settings.deallocate()
    }

    private static func failure(_ path: String, _ found: String) -> InstrumentError {
        InstrumentError(
            .unrecognized, object: path, found: "\(found) (FluidSynth)",
            rule: "FluidSynth plays SoundFont 2 and 3, and DLS.",
            cure: "Name another bank, or use Ossicle's own synthesiser.")
    }

    package func set(_ new: Synthesiser.Settings) { settings.write(new) }

    package func reset() {
        _ = fluid_synth_system_reset(synthesiser)
        apply(inForce)
    }

    package func begin() { if let new = settings.takeIfNew() { apply(new) } }

    private func apply(_ new: Synthesiser.Settings) {
        inForce = new
        fluid_synth_set_gain(synthesiser, new.gain * Self.gainRatio)
        let isOn: Int32 = new.hasEffects ? 1 : 0
        _ = fluid_synth_reverb_on(synthesiser, -1, isOn)
        _ = fluid_synth_chorus_on(synthesiser, -1, isOn)
    }

    package func take(_ bytes: UnsafeRawBufferPointer) {
        guard let status = bytes.first, bytes.count >= 2 else { return }
        guard status == 0xF0 else {
            return take(status, Int32(bytes[1] & 127), bytes.count > 2 ? Int32(bytes[2] & 127) : 0)
        }
        // Without the bytes around it.
        let end = bytes.last == 0xF7 ? bytes.count - 1 : bytes.count
        guard end > 1, let data = bytes.baseAddress else { return }
        _ = fluid_synth_sysex(
            synthesiser, data.assumingMemoryBound(to: CChar.self) + 1, Int32(end - 1), nil, nil, nil, 0)
    }

    private func take(_ status: UInt8, _ first: Int32, _ second: Int32) {
        let channel = Int32(status & 15)
        switch status & 0xF0 {
        case 0x80: _ = fluid_synth_noteoff(synthesiser, channel, first)
        case 0x90: _ = fluid_synth_noteon(synthesiser, channel, first, second)
        case 0xA0: _ = fluid_synth_key_pressure(synthesiser, channel, first, second)
        case 0xB0: _ = fluid_synth_cc(synthesiser, channel, first, second)
        case 0xC0: _ = fluid_synth_program_change(synthesiser, channel, first)
        case 0xD0: _ = fluid_synth_channel_pressure(synthesiser, channel, first)
        case 0xE0: _ = fluid_synth_pitch_bend(synthesiser, channel, second << 7 | first)
        default: break
        }
    }

    package func take(_ words: (UInt32, UInt32)) {
        let (first, second) = words
        let status = UInt8(truncatingIfNeeded: first >> 16)
        let (high, low) = (Int32(first >> 8 & 127), Int32(first & 127))
        let seven = Int32(second >> 25)
        switch first >> 28 {
        case 2: take(status, high, low)
        case 4:
            switch status & 0xF0 {
            // A velocity of 0 is a note in MIDI 2.0.
            case 0x90: take(status, high, max(seven, 1))
            case 0x80, 0xA0, 0xB0: take(status, high, seven)
            case 0xC0:
                if first & 1 != 0 {
                    take(0xB0 | status & 15, 0, Int32(second >> 8 & 127))
                    take(0xB0 | status & 15, 32, Int32(second & 127))
                }
                take(status, seven, 0)
            case 0xD0: take(status, seven, 0)
            case 0xE0: take(status, Int32(second >> 18 & 127), seven)
            default: break
            }
        default: break
        }
    }

    package func render(_ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        _ = fluid_synth_write_float(synthesiser, Int32(frames), left, 0, 1, right, 0, 1)
    }
    #else
    /// Throws that there is no FluidSynth in this build.
    package init(bank path: String, sampleRate: Double, settings: Synthesiser.Settings) throws(InstrumentError) {
        throw Self.refusal ?? StandardBank.missing
    }

    package func set(_ new: Synthesiser.Settings) {}
    package func reset() {}
    package func begin() {}
    package func take(_ bytes: UnsafeRawBufferPointer) {}
    package func take(_ words: (UInt32, UInt32)) {}
    package func render(_ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {}
    #endif
}
