import COssicle
import OssicleCore

/// The sample memory of one step: a plain pointer per channel, inputs of all ports in order, then outputs likewise; and
/// for every port a flag that says it is silent.
///
/// An input that nothing is connected to points at silence; inputs and outputs never overlap. Silence is an offer:
/// the renderer that marks a port has also written zeros there, so that a renderer may ignore the flags.
package struct Ports: BitwiseCopyable {
    package let inputs: UnsafePointer<UnsafeMutablePointer<Float>>
    package let inputCount: Int
    package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    package let outputCount: Int
    private let inputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>
    private let outputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>
    private let outputPortCount: Int

    package init(
        inputs: UnsafePointer<UnsafeMutablePointer<Float>>, inputCount: Int,
        outputs: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int,
        inputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>,
        outputFlags: UnsafePointer<UnsafeMutablePointer<Bool>>, outputPortCount: Int
    ) {
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

/// Time and length of the block that is rendered. Passed by value.
package struct RenderContext: BitwiseCopyable {
    /// Engine time of the block's first frame.
    package var position: Int64
    /// Frames of this block, 1…`Grid.quantum`; a block never crosses a grid line.
    package var frames: Int
    /// True where new values from the control side may be taken up: at grid lines and at the start of a render call.
    package var isControlPoint: Bool
    /// Frames of this render call that are still to come, those of this block included.
    package var framesLeftInCall: Int
    /// Threads that may take part in what this thread renders; nil where it is one of several already.
    var workers: RenderWorkers.View?

    package init(position: Int64, frames: Int, isControlPoint: Bool, framesLeftInCall: Int) {
        self.position = position
        self.frames = frames
        self.isControlPoint = isControlPoint
        self.framesLeftInCall = framesLeftInCall
    }

    /// True where a quantum of engine time begins, in every cut of blocks.
    var isOnGrid: Bool { offset == 0 }

    /// Frames since the grid line.
    var offset: Int { Int(position & Int64(Grid.quantum - 1)) }
}

/// Plain sample arithmetic that renderers share.
package enum Mixing {
    package static func add(_ from: UnsafePointer<Float>, into: UnsafeMutablePointer<Float>, _ frames: Int) {
        for frame in 0..<frames { into[frame] += from[frame] }
    }

    /// Adding silence would turn −0 into +0: where there is no `late`, `direct` passes untouched.
    package static func sum(
        _ direct: UnsafePointer<Float>, _ late: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) {
        for frame in 0..<frames { output[frame] = late[frame] == 0 ? direct[frame] : direct[frame] + late[frame] }
    }

    package static func scale(_ buffer: UnsafeMutablePointer<Float>, by gain: Float, _ frames: Int) {
        for frame in 0..<frames { buffer[frame] *= gain }
    }

    package static func clear(_ buffer: UnsafeMutablePointer<Float>, _ frames: Int) {
        buffer.update(repeating: 0, count: frames)
    }

    /// Sets what a client left as NaN or infinity to 0, and leaves the bits of every other sample.
    /// - Returns: how many there were.
    package static func clearNonFinite(_ buffer: UnsafeMutablePointer<Float>, _ frames: Int) -> Int {
        ossicle_clear_non_finite(buffer, frames)
    }

    package static func isZero(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int
    ) -> Bool {
        for channel in 0..<count {
            for frame in 0..<frames where channels[channel][frame] != 0 { return false }
        }
        return true
    }

    /// Sum of squares in frame order (a meter's view; not part of the sound).
    package static func energy(_ buffer: UnsafePointer<Float>, _ frames: Int) -> Double {
        var sum = 0.0
        for frame in 0..<frames { sum += Double(buffer[frame]) * Double(buffer[frame]) }
        return sum
    }
}
