/// Instruments: MIDI in, sound out.
package enum InstrumentUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [sampler, midiSynth, generalMIDISynth]

    /// Plays the samples of an instrument.
    package static let sampler = UnitDescription(
        "aumu", "samp", name: "AUSampler", channels: .onlyOut,
        parameters: [
            .init(900, "gain", "Gain", .decibels, from: -90, to: 12, default: 0),
            .init(901, "coarseTuning", "Coarse Tuning", .generic, from: -24, to: 24, default: 0),
            .init(902, "fineTuning", "Fine Tuning", .cents, from: -99, to: 99, default: 0),
            .init(903, "pan", "Pan", .pan, from: -1, to: 1, default: 0),
        ])

    /// Plays a bank of sounds on sixteen channels.
    package static let midiSynth = UnitDescription("aumu", "msyn", name: "AUMIDISynth", channels: .onlyOut)

    /// The same, with the machine's bank of General MIDI to begin with.
    package static let generalMIDISynth = UnitDescription(
        "aumu", "dls ", name: "DLSMusicDevice", channels: .onlyOut,
        parameters: [
            .init(0, "tuning", "Tuning", .cents, from: -1200, to: 1200, default: 0),
            .init(1, "volume", "Volume", .decibels, from: -120, to: 40, default: 0),
            .init(2, "reverbVolume", "Reverb Volume", .decibels, from: -120, to: 40, default: 0),
        ])
}
