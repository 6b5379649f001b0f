/// The sample memory of one step: a plain pointer per channel, inputs of all ports in order, then outputs likewise.
///
/// An input that nothing is connected to points at silence; inputs and outputs never overlap.
package struct Ports: BitwiseCopyable {
    package let inputs: UnsafePointer<UnsafeMutablePointer<Float>>
    package let inputCount: Int
    package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    package let outputCount: Int

    package init(inputs: UnsafePointer<UnsafeMutablePointer<Float>>, inputCount: Int,
                 outputs: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int) {
        (self.inputs, self.inputCount, self.outputs, self.outputCount) = (inputs, inputCount, outputs, outputCount)
    }

    @inlinable package func input(_ channel: Int) -> UnsafePointer<Float> { UnsafePointer(inputs[channel]) }
    @inlinable package func output(_ channel: Int) -> UnsafeMutablePointer<Float> { outputs[channel] }
}
