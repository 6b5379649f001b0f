/// The nodes and connections of an `AVAudioEngine`.
public struct InspectedGraph: Codable, Hashable, Sendable {
    /// All that are attached, in order of their numbers.
    public var nodes: [InspectedNode] = []
    /// All connections.
    public var wires: [InspectedWire] = []

    /// Empty.
    public init() {}
}

/// One node.
public struct InspectedNode: Codable, Hashable, Sendable {
    /// Number, for as long as the node is attached.
    public var id: UInt64
    /// "AVAudioPlayerNode 1".
    public var name: String
    /// "source", "effect", "mixer", "input", "output".
    public var kind: String
    /// Whether it feeds an end of the graph, and so renders.
    public var isActive: Bool
    /// Share of all measured rendering that it took since the last snapshot, 0…1.
    public var cost: Double
    /// dB re full scale: the largest sample since the last snapshot.
    public var peak: Double
    /// Share of the frames since the last snapshot that were known to be silent, 0…1; nil where none were rendered.
    public var silence: Double?
    /// Seconds by which it delays.
    public var latency: Double
    /// Whether the view has silenced it.
    public var isMuted: Bool
    /// Whether the view has soloed it.
    public var isSoloed: Bool

    /// All values.
    public init(
        id: UInt64, name: String, kind: String, isActive: Bool, cost: Double, peak: Double, silence: Double?,
        latency: Double, isMuted: Bool, isSoloed: Bool
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.isActive = isActive
        self.cost = cost
        self.peak = peak
        self.silence = silence
        self.latency = latency
        self.isMuted = isMuted
        self.isSoloed = isSoloed
    }
}

/// One connection.
public struct InspectedWire: Codable, Hashable, Sendable {
    /// Number of the node that gives.
    public var from: UInt64
    /// Number of the node that takes.
    public var to: UInt64
    /// Output bus of `from`.
    public var fromBus: Int
    /// Input bus of `to`.
    public var toBus: Int
    /// "2 ch 48000 Hz".
    public var format: String

    /// All values.
    public init(from: UInt64, to: UInt64, fromBus: Int, toBus: Int, format: String) {
        self.from = from
        self.to = to
        self.fromBus = fromBus
        self.toBus = toBus
        self.format = format
    }
}
