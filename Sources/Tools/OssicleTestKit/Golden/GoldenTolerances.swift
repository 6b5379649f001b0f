/// How much a golden rendering may differ from its baseline.
public struct GoldenTolerances: Sendable, Equatable {
    /// dB: of levels in stretches of a quarter of a second, of the whole, of octave bands and of events.
    public var level = 0.5
    /// dB re full scale: levels below count as this one, so that what is inaudible may change.
    public var floor = -70.0
    /// Seconds by which an onset may be earlier or later.
    public var onset = 0.01
    /// Cents.
    public var pitch = 10.0
    /// Degrees, where sound has a direction in both: a diffuseness below a half.
    public var direction = 5.0
    /// LU, of integrated loudness.
    public var loudness = 0.3

    /// The values above.
    public init() {}

    /// Sets some of them.
    public init(
        level: Double = 0.5, floor: Double = -70, onset: Double = 0.01, pitch: Double = 10, direction: Double = 5,
        loudness: Double = 0.3
    ) {
        self.level = level
        self.floor = floor
        self.onset = onset
        self.pitch = pitch
        self.direction = direction
        self.loudness = loudness
    }
}
