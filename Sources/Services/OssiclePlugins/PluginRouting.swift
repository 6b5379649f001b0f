/// How the channels of busses reach the audio ports of a plug-in, and back.
///
/// Numbers that fit go one to one. An effect with as many inputs as outputs runs as several copies where the busses
/// have a multiple of its channels: a mono effect in a stereo graph. Else a single input port gets the mean of all
/// channels, a single channel goes to all input ports, a single output port goes to all channels, a single channel gets
/// the mean of the first two output ports, and what has no counterpart is silent.
///
/// Inputs that are side chains have a bus of their own, to which the same rules apply; then there is one copy.
package struct PluginRouting: Hashable, Sendable {
    /// Ports of one copy, side chains included.
    package let inputPorts: Int
    package let outputPorts: Int
    package let inputChannels: Int
    package let outputChannels: Int
    package let copies: Int
    /// Which of the input ports are side chains, and the channels of their bus.
    package let sidechains: [Int]
    package let sidechainChannels: Int

    package init(
        inputPorts: Int, outputPorts: Int, inputChannels: Int, outputChannels: Int, mayCopy: Bool,
        sidechains: [Int] = [], sidechainChannels: Int = 0
    ) {
        (self.sidechains, self.sidechainChannels) = (sidechains, sidechainChannels)
        (self.inputPorts, self.outputPorts) = (inputPorts, outputPorts)
        (self.inputChannels, self.outputChannels) = (inputChannels, outputChannels)
        let isMultiple =
            mayCopy && sidechains.isEmpty && inputPorts > 0 && inputPorts == outputPorts
            && inputChannels == outputChannels
            && inputChannels > inputPorts && inputChannels % inputPorts == 0
        copies = isMultiple ? inputChannels / inputPorts : 1
    }

    /// Of all copies.
    package var inputs: Int { copies * inputPorts }
    package var outputs: Int { copies * outputPorts }

    /// What an input port gets of its bus.
    package enum Feed: Hashable, Sendable {
        case channel(Int)
        case mean
        case silence
    }

    package func feed(ofInput port: Int) -> Feed {
        if let place = sidechains.firstIndex(of: port) {
            return Self.feed(place, of: sidechains.count, channels: sidechainChannels)
        }
        return Self.feed(
            port - sidechains.count { $0 < port }, of: inputs - sidechains.count, channels: inputChannels)
    }

    private static func feed(_ port: Int, of ports: Int, channels: Int) -> Feed {
        if channels == ports { return .channel(port) }
        if ports == 1 { return channels > 0 ? .mean : .silence }
        if channels == 1 { return .channel(0) }
        return port < channels ? .channel(port) : .silence
    }

    /// The output ports whose mean a channel gets; none for silence.
    package func ports(ofOutput channel: Int) -> Range<Int> {
        if outputs == 1 { return 0..<1 }
        if outputChannels == 1, outputs >= 2 { return 0..<2 }
        return channel < outputs ? channel..<channel + 1 : 0..<0
    }
}
