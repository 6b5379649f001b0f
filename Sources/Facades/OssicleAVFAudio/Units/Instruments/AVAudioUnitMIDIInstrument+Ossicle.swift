import OssicleInstruments

extension AVAudioUnitMIDIInstrument {
    /// Whether what the voices of a built-in instrument send to reverb (controller 91) and chorus (93) is heard; an
    /// addition.
    ///
    /// True to begin with. Sends, types and times are those of General MIDI 2: what is sent in full comes back as loud
    /// as the dry sound in the middle. Instruments that are not built in answer false, and setting it changes nothing.
    /// Any thread.
    public var rendersEffects: Bool {
        get { (auAudioUnit.body as? InstrumentBody)?.hasEffects ?? false }
        set { (auAudioUnit.body as? InstrumentBody)?.hasEffects = newValue }
    }

    /// Which synthesiser plays the bank of an AUMIDISynth or DLSMusicDevice; an addition.
    public enum Synthesiser: Sendable {
        /// The voices that come with Ossicle: events on their frame, no allocation on the audio thread.
        case ossicle
        /// FluidSynth, where its library (Debian's libfluidsynth3) is installed and the package trait
        /// "FluidSynthSounds" is on: events up to 64 frames late, up to 96 kHz.
        case fluidSynth
    }

    /// The synthesiser chosen last.
    public var synthesiser: Synthesiser {
        (auAudioUnit.body as? InstrumentBody)?.chosenSynthesiser == .fluidSynth ? .fluidSynth : .ossicle
    }

    /// Chooses the synthesiser that plays from the next start of the engine on, with the bank that is loaded then.
    /// Throws where it is not there, and for units other than those two.
    public func setSynthesiser(_ synthesiser: Synthesiser) throws {
        guard let body = auAudioUnit.body as? InstrumentBody else {
            throw AUFault.noSynthesiser(auAudioUnit.audioUnitName ?? "AVAudioUnitMIDIInstrument")
        }
        try body.setSynthesiser(synthesiser == .fluidSynth ? .fluidSynth : .own)
    }
}
