import OssicleDSP

/// The newest parameters of a voice, and the gain on its way to them.
struct VoiceLevels: BitwiseCopyable {
    private(set) var parameters: PlayerRenderer.Parameters
    private var gain: GainRamp
    private var isFresh = true

    init(_ parameters: PlayerRenderer.Parameters) {
        self.parameters = parameters
        gain = GainRamp(parameters.gain)
    }

    /// What comes before the first frame that sounds holds at once.
    mutating func take(_ new: PlayerRenderer.Parameters) {
        gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames)
        parameters = new
    }

    /// Edge and gain on `frames` frames of every output, from `offset` on. Every channel gets the same ramps: each starts from a copy, the last one
    /// leaves its state behind.
    mutating func apply(_ edge: inout GainRamp, to ports: Ports, _ offset: Int, _ frames: Int) {
        isFresh = false
        let (edgeBefore, gainBefore) = (edge, gain)
        for channel in 0..<ports.outputCount {
            (edge, gain) = (edgeBefore, gainBefore)
            edge.process(ports.output(channel) + offset, frames)
            gain.process(ports.output(channel) + offset, frames)
        }
    }
}
