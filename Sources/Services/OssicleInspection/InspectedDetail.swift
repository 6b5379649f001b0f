/// One thing in full: what its level is made of, why it is silent, what can be set.
public struct InspectedDetail: Codable, Hashable, Sendable {
    /// One factor of a gain chain, a send or a path.
    public struct Factor: Codable, Hashable, Sendable {
        /// What it is, in words.
        public var name: String
        /// dB.
        public var level: Double
        /// Why it is as it is; empty where there is nothing to say.
        public var note: String

        /// All three.
        public init(name: String, level: Double, note: String) {
            self.name = name
            self.level = level
            self.note = note
        }
    }

    /// A value that `InspectorCommand.Action.set` changes.
    public struct Parameter: Codable, Hashable, Sendable {
        /// For the command.
        public var name: String
        /// To show.
        public var title: String
        /// As it is now.
        public var value: Double
        /// The least it can be set to.
        public var minimum: Double
        /// The most it can be set to.
        public var maximum: Double
        /// Of its value, as "dB"; empty for a number of no unit.
        public var unit: String

        /// All six.
        public init(
            _ name: String, title: String, value: Double, minimum: Double, maximum: Double, unit: String = ""
        ) {
            self.name = name
            self.title = title
            self.value = value
            self.minimum = minimum
            self.maximum = maximum
            self.unit = unit
        }
    }

    /// What is described.
    public var target: InspectedTarget
    /// Its name, to show.
    public var title: String
    /// What it does, in a word or two.
    public var state = ""
    /// In the order of the signal.
    public var chain: [Factor] = []
    /// What is sent to reflections and reverb.
    public var sends: [Factor] = []
    /// Diffraction and reflection paths, loudest first.
    public var paths: [Factor] = []
    /// Facts in words.
    public var notes: [String] = []
    /// Why it is silent, in sentences; empty if it is not.
    public var silentBecause: [String] = []
    /// Seconds of decay by 60 dB in the ten octave bands.
    public var decay: [Double]?
    /// What can be set.
    public var parameters: [Parameter] = []

    /// With nothing to say of it yet.
    public init(target: InspectedTarget, title: String) {
        self.target = target
        self.title = title
    }
}
