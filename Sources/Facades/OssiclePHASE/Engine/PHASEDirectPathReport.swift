/// How the direct sound of one source reaches one listener (an addition of Ossicle).
public struct PHASEDirectPathReport: Sendable {
    /// What one occluder takes away.
    public struct Occluder: Sendable {
        public let name: String
        /// dB in the ten octave bands 31.5 Hz … 16 kHz, mean over the rays that meet it.
        public let loss: [Double]
        /// Share of the rays from the listener to the source that meet it, 0…1.
        public let share: Double
    }

    public let source: String
    public let listener: String
    /// Metres, from centre to centre.
    public let distance: Double
    /// Share of the source that is in plain sight, 0…1.
    public let visibleShare: Double
    /// Amplitude factors in the ten octave bands, from occlusion alone.
    public let bandGains: [Double]
    public let occluders: [Occluder]
}

/// Levels of the engine's output over a stretch of time (an addition of Ossicle).
public struct PHASEMeters: Sendable {
    /// Frames the meters cover.
    public let frames: Int64
    /// Mean square of all channels (full scale 1): of sound that came straight, and of sound that came from the reverb.
    public let directPower: Double
    public let reverbPower: Double
    /// Largest sample of the output, linear.
    public let peak: Double
    /// Frames in which the safety limiter was at work.
    public let limitedFrames: Int64
    /// Frames silenced because a sample was not a finite number.
    public let nonFiniteFrames: Int64
}
