import OssicleRender

/// One connection, from an output bus to an input bus.
///
/// Never changed; what has to live on from plan to plan on the audio side, hangs on it.
final class Wire {
    let source: AVAudioNode
    let sourceBus: AVAudioNodeBus
    let target: AVAudioNode
    let targetBus: AVAudioNodeBus
    /// Both busses'.
    let format: AVAudioFormat
    /// The passage between two clocks, where there is one on the way.
    let passage = Passage()

    init(_ source: AVAudioNode, _ sourceBus: AVAudioNodeBus, to target: AVAudioNode, _ targetBus: AVAudioNodeBus, format: AVAudioFormat) {
        (self.source, self.sourceBus, self.target, self.targetBus, self.format) = (source, sourceBus, target, targetBus, format)
    }

    /// The same connection, and its passage begun anew, with another format.
    func with(_ format: AVAudioFormat) -> Wire { Wire(source, sourceBus, to: target, targetBus, format: format) }

    var from: BusKey { BusKey(source, .output, sourceBus) }
    var to: BusKey { BusKey(target, .input, targetBus) }
    var channels: Int { Int(format.channelCount) }
}
