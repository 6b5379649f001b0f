// One end of a connection.

/// A bus of a node. Immutable; holds the node weakly. Any thread.
open class AVAudioConnectionPoint: NSObject, @unchecked Sendable {
    private weak var held: AVAudioNode?
    /// Index of the bus.
    public let bus: AVAudioNodeBus

    /// The bus `bus` of `node`.
    public init(node: AVAudioNode, bus: AVAudioNodeBus) {
        held = node
        self.bus = bus
        super.init()
    }

    /// The node, as long as somebody else keeps it.
    open var node: AVAudioNode? { held }

    /// Whether `object` means the same bus.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioConnectionPoint else { return false }
        return other.held === held && other.bus == bus
    }

    /// Equal for equal points.
    open override var hash: Int { bus.hashValue }
}
