/// The sample memory of one step: a plain pointer per channel, inputs of all ports in order, then outputs likewise; and for every port a
/// flag that says it is silent.
///
/// An input that nothing is connected to points at silence; inputs and outputs never overlap. Silence is an offer: whoever marks a port
/// has also written zeros there, so that a renderer may ignore the flags.
package struct Ports: BitwiseCopyable {
    package let inputs: UnsafePointer<UnsafeMutablePointer<Float>>
    package let inputCount: Int
    package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    package let outputCount: Int
    private let inputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>
    private let outputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>
    private let outputPortCount: Int

    package init(inputs: UnsafePointer<UnsafeMutablePointer<Float>>, inputCount: Int,
                 outputs: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int,
                 inputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>,
                 outputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>, outputPortCount: Int) {
        (self.inputs, self.inputCount, self.outputs, self.outputCount) = (inputs, inputCount, outputs, outputCount)
        (self.inputFlags, self.outputFlags, self.outputPortCount) = (inputFlags, outputFlags, outputPortCount)
    }

    @inlinable package func input(_ channel: Int) -> UnsafePointer<Float> { UnsafePointer(inputs[channel]) }
    @inlinable package func output(_ channel: Int) -> UnsafeMutablePointer<Float> { outputs[channel] }

    /// Whether input port `port` holds nothing but zeros.
    package func isInputSilent(_ port: Int) -> Bool { inputFlags[port].pointee }

    /// Says of output port `port` that it holds nothing but zeros. Not marked, a port counts as sounding.
    package func markSilent(_ port: Int) { outputFlags[port].pointee = true }

    /// Writes zeros to every output, and says so.
    package func silenceOutputs(_ frames: Int) {
        for channel in 0..<outputCount { Mixing.clear(outputs[channel], frames) }
        for port in 0..<outputPortCount { markSilent(port) }
    }

    /// Before a renderer runs: what it does not mark, sounds.
    func assumeSounding() {
        for port in 0..<outputPortCount { outputFlags[port].pointee = false }
    }

    func isOutputSilent(_ port: Int) -> Bool { outputFlags[port].pointee }
}
