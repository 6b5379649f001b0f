import OssicleRender

/// What a unit renders that is played by MIDI.
///
/// `set`, `reset` and loading belong to the control side; the rest to the render side, one call at a time.
package protocol BankPlayer: AnyObject, Sendable {
    /// Follows settings from the next render call on. One thread at a time; takes no lock and no memory.
    func set(_ new: Synthesiser.Settings)
    /// Silence, and controllers at their beginning. Not while it is rendered.
    func reset()
    /// At the beginning of each render call.
    func begin()
    /// A MIDI 1.0 message, with the next frame.
    func take(_ bytes: UnsafeRawBufferPointer)
    /// A Universal MIDI packet, with the next frame.
    func take(_ words: (UInt32, UInt32))
    func render(_ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)
}

extension InstrumentPlayer: BankPlayer {}

/// Which synthesiser plays a bank.
package enum MusicSynthesiser: Sendable {
    /// The voices of `Synthesiser`.
    case own
    /// FluidSynth, a library of its own that is looked for when it is first needed.
    case fluidSynth
}
