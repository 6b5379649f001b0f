/// One bus of one node.
struct BusKey: Hashable {
    enum Direction { case input, output }

    let node: ObjectIdentifier
    let direction: Direction
    let bus: AVAudioNodeBus

    init(_ node: AVAudioNode, _ direction: Direction, _ bus: AVAudioNodeBus) {
        (self.node, self.direction, self.bus) = (ObjectIdentifier(node), direction, bus)
    }
}
