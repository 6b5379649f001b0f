import OssicleCore
import OssicleDSP

/// A bed of channels straight to the output's channels: a fixed matrix and one gain. Port: inputs → outputs.
///
/// A matrix entry of 1 passes its channel bit for bit; entries of 0 cost nothing.
package struct ChannelRenderer: ControlledRenderer, ~Copyable {
    package struct Parameters: BitwiseCopyable {
        package var gain: Float
        package var rampFrames: Int

        package init(gain: Float, rampFrames: Int) { (self.gain, self.rampFrames) = (gain, rampFrames) }
    }

    package var control: LatestValueCell<Parameters> { cell }
    private let cell = LatestValueCell(Parameters(gain: 1, rampFrames: 0))
    private let matrix: SampleMemory
    private let scratch = SampleMemory(count: Grid.quantum)
    private let inputCount: Int
    private let outputCount: Int
    private var gain = GainRamp(1)
    private var isFresh = true

    /// - Parameter matrix: gain of each input in each output, output by output.
    package init(matrix: [Float], inputCount: Int, outputCount: Int) {
        self.matrix = SampleMemory(count: inputCount * outputCount)
        for (index, entry) in matrix.prefix(inputCount * outputCount).enumerated() { self.matrix[index] = entry }
        (self.inputCount, self.outputCount) = (inputCount, outputCount)
    }

    deinit { cell.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew(), isFresh || new.gain != gain.target {
            gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames)
        }
        isFresh = false
        for output in 0..<outputCount {
            mix(ports, into: ports.output(output), row: output * inputCount, context.frames)
        }
        let before = gain
        for output in 0..<outputCount {
            gain = before
            gain.process(ports.output(output), context.frames)
        }
    }

    private func mix(_ ports: Ports, into output: UnsafeMutablePointer<Float>, row: Int, _ frames: Int) {
        var isEmpty = true
        for input in 0..<inputCount {
            let entry = matrix[row + input]
            if entry == 0 { continue }
            // The first one is copied, not added to silence: −0 stays −0.
            let target = isEmpty ? output : scratch.pointer
            target.update(from: ports.input(input), count: frames)
            if entry != 1 { Mixing.scale(target, by: entry, frames) }
            if !isEmpty { Mixing.add(scratch.pointer, into: output, frames) }
            isEmpty = false
        }
        if isEmpty { Mixing.clear(output, frames) }
    }
}

/// From one input to the other in a straight line, once, from the first frame it renders. Ports: old, new → out.
///
/// Afterwards `new` passes bit for bit.
package struct CrossFadeRenderer: ~Copyable {
    private let channelCount: Int
    private var gain = GainRamp(0)

    /// - Parameter frames: length of the fade.
    package init(channelCount: Int, frames: Int) {
        self.channelCount = channelCount
        gain.setTarget(1, frames: frames)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        let before = gain
        for channel in 0..<channelCount {
            gain = before
            let (old, new, output) = (ports.input(channel), ports.input(channelCount + channel), ports.output(channel))
            let moving = min(gain.framesLeft, context.frames)
            for frame in 0..<moving {
                let share = gain.next()
                output[frame] = old[frame] * (1 - share) + new[frame] * share
            }
            (output + moving).update(from: new + moving, count: context.frames - moving)
        }
        if ports.isInputSilent(0), ports.isInputSilent(1) { ports.markSilent(0) }
    }
}
