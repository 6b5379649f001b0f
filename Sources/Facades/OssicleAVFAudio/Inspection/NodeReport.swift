// What a node costs and gives.

/// One node of a graph as it was found. An addition to Apple's surface.
public struct AVAudioNodeReport: Sendable {
    /// What the node is, with a number among its kind: "AVAudioMixerNode 1".
    public let name: String
    /// Whether it feeds an end of the graph, and so renders.
    public let isActive: Bool
    /// Format of each connected input bus, in words.
    public let inputs: [String]
    /// Format of each output bus, in words.
    public let outputs: [String]
    /// Share of all measured rendering that this node took since the last report, 0 to 1.
    public let costShare: Double
    /// Largest sample since the last report, linear.
    public let peak: Float
    /// Share of the time since inspection began in which it was known to be silent, 0 to 1.
    public let silentShare: Double
    /// Seconds by which it delays.
    public let latency: Double
}
