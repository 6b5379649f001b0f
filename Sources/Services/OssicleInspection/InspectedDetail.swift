/// One thing in full: what its level is made of, why it is silent, what can be set.
public struct InspectedDetail: Codable, Hashable, Sendable {
    public struct Factor: Codable, Hashable, Sendable {
        public var name: String
        /// dB.
        public var level: Double
        public var note: String

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
        public var title: String
        public var value: Double
        public var minimum: Double
        public var maximum: Double
        public var unit: String

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

    public var target: InspectedTarget
    public var title: String
    public var state = ""
    /// In the order of the signal.
    public var chain: [Factor] = []
    public var sends: [Factor] = []
    /// Diffraction and reflection paths, loudest first.
    public var paths: [Factor] = []
    /// Facts in words.
    public var notes: [String] = []
    /// Why it is silent, in sentences; empty if it is not.
    public var silentBecause: [String] = []
    /// Seconds of decay by 60 dB in the ten octave bands.
    public var decay: [Double]?
    public var parameters: [Parameter] = []

    public init(target: InspectedTarget, title: String) {
        self.target = target
        self.title = title
    }
}
